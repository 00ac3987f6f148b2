// Makes the completion script of a shell. Each one counts the words before the cursor: which command, how many arguments, or
// an option that waits for its value. Then it offers commands, options, or the words that the option or argument allows, and
// otherwise file names, as the shell does.
import type { CommandReference, OptionReference, ProgramReference } from './command-reference.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, reference: ProgramReference): string {
  return SCRIPTS[shell](reference);
}

const SCRIPTS: Readonly<Record<Shell, (reference: ProgramReference) => string>> = { bash, zsh, fish };

/** For bash 3.2 and newer, without the package bash-completion. */
function bash({ options, commands }: ProgramReference): string {
  const cases = commands.map(
    ({ name, options: own }) =>
      `\t\t\t${name}) options=${quote(namesOf(own).join(' '))} valued=${quote(valued(own).join(' '))} ;;\n`,
  );
  const words = wordCases(commands, (allowed) => `words=${quote(allowed.join(' '))}`);
  return `# Completion of annals for bash, made by \`annals completion bash\`.
_annals() {
	local current=\${COMP_WORDS[COMP_CWORD]} command= count=0 words= i
	local options=${quote(namesOf(options).join(' '))} valued=${quote(valued(options).join(' '))}
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case " $valued " in *" \${COMP_WORDS[i]} "*)
			i=$((i + 1))
			continue
			;;
		esac
		case \${COMP_WORDS[i]} in -*) continue ;; esac
		if [[ -n $command ]]; then
			count=$((count + 1))
		else
			command=\${COMP_WORDS[i]}
			case $command in
${cases.join('')}			esac
		fi
	done
	if ((i > COMP_CWORD)); then count=\${COMP_WORDS[COMP_CWORD - 1]}; fi
	case "$command $count" in
	' 0') words=${quote(commands.map(({ name }) => name).join(' '))} ;;
${words}	esac
	case $count$current in
	[0-9]*-*) words=$options ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _annals annals
`;
}

function zsh({ options, commands }: ProgramReference): string {
  const described = (items: readonly (readonly [string, string])[]) =>
    items.map(([name, summary]) => quote(`${name}:${summary}`)).join(' ');
  const optionItems = (own: readonly OptionReference[]) =>
    described(own.flatMap(({ names, summary }) => names.map((name) => [name, summary] as const)));
  const cases = commands.map(
    ({ name, options: own }) =>
      `\t\t\t${name}) options=(${optionItems(own)}) valued=(${valued(own).join(' ')}) ;;\n`,
  );
  const words = wordCases(commands, (allowed) => `choices=(${allowed.map(quote).join(' ')})`);
  return `#compdef annals
# Completion of annals for zsh, made by \`annals completion zsh\`.
_annals() {
	local command= count=0 i
	local -a options choices valued
	options=(${optionItems(options)})
	valued=(${valued(options).join(' ')})
	for ((i = 2; i < CURRENT; i++)); do
		if (( \${valued[(Ie)$words[i]]} )); then
			i=$((i + 1))
		elif [[ $words[i] == -* ]]; then
			:
		elif [[ -n $command ]]; then
			count=$((count + 1))
		else
			command=$words[i]
			case $command in
${cases.join('')}			esac
		fi
	done
	if ((i > CURRENT)); then count=$words[CURRENT-1]; fi
	case "$command $count" in
	' 0') choices=(${described(commands.map(({ name, summary }) => [name, summary]))}) ;;
${words}	esac
	if [[ $count == <-> && $words[CURRENT] == -* ]]; then
		_describe option options
	elif ((\${#choices})); then
		_describe word choices
	else
		_files
	fi
}
if [[ $funcstack[1] == _annals ]]; then _annals "$@"; else compdef _annals annals; fi
`;
}

/** For bash and zsh: what sets the words, for a command and the option before the cursor or the number of arguments. */
function wordCases(commands: readonly CommandReference[], set: (words: readonly string[]) => string): string {
  const one = (pattern: string, words: readonly string[]) => `\t${pattern}) ${set(words)} ;;\n`;
  return commands
    .flatMap(({ name, options, positional }) => [
      ...options.flatMap(({ names, words }) =>
        words.length === 0 ? [] : names.map((flag) => one(`'${name} ${flag}'`, words)),
      ),
      ...positional.map(({ words, isLast }, index) =>
        one(isLast ? `'${name} '[0-9]*` : `'${name} ${index}'`, words),
      ),
    ])
    .join('');
}

function fish({ options, commands }: ProgramReference): string {
  const cases = commands.map(
    ({ name, options: own }) => `\t\t\t\tcase ${name}\n\t\t\t\t\tset valued ${valued(own).join(' ')}\n`,
  );
  return `# Completion of annals for fish, made by \`annals completion fish\`.
# Whether the words before the cursor name this command, and as many of its arguments, or at least as many.
function __annals_at
	set -l command ''
	set -l count 0
	set -l isValue no
	set -l valued ${valued(options).join(' ')}
	for word in (commandline -opc)[2..]
		if test $isValue = yes
			set isValue no
		else if contains -- $word $valued
			set isValue yes
		else if string match -q -- '-*' $word
			continue
		else if test -n "$command"
			set count (math $count + 1)
		else
			set command $word
			switch $command
${cases.join('')}			end
		end
	end
	test "$command" = "$argv[1]"; or return 1
	switch "$argv[3]"
		case more
			test $count -ge $argv[2]
		case '*'
			test -z "$argv[2]"; or test $count = $argv[2]
	end
end
${[
  ...commands.map(
    ({ name, summary }) => `complete -c annals -f -n "__annals_at ''" -a ${name} -d ${quote(summary)}`,
  ),
  ...options.map((option) => fishOption("''", option)),
  ...commands.flatMap((command) => fishCommand(command)),
].join('\n')}
`;
}

function fishCommand({ name, options, positional }: CommandReference): readonly string[] {
  return [
    ...options.map((option) => fishOption(name, option)),
    ...positional.flatMap(({ words, isLast }, index) => {
      const condition = `__annals_at ${name} ${index}${isLast ? ' more' : ''}`;
      return words.length === 0
        ? []
        : [`complete -c annals -f -n "${condition}" -a ${quote(words.join(' '))}`];
    }),
  ];
}

function fishOption(command: string, { names, summary, takesValue, words }: OptionReference): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const allowed = words.length === 0 ? '' : ` -f -a ${quote(words.join(' '))}`;
  const value = takesValue ? ` -r${allowed}` : '';
  return `complete -c annals -n "__annals_at ${command}" ${flags.join(' ')}${value} -d ${quote(summary)}`;
}

function namesOf(options: readonly OptionReference[]): readonly string[] {
  return options.flatMap(({ names }) => names);
}

function valued(options: readonly OptionReference[]): readonly string[] {
  return namesOf(options.filter(({ takesValue }) => takesValue));
}

/** In single quotes, for all three shells. Summaries hold no backslash before a quote, which fish would treat differently. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
