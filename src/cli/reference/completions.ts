// Makes the completion script of a shell. Each one finds the command among the words before the cursor, then offers
// commands, the options of the command or the words of its arguments, and otherwise file names, as the shell does.
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
    ({ name, options: own, words }) =>
      `\t\t${name}) options=${quote(namesOf(own).join(' '))} words=${quote(words.join(' '))} ;;\n`,
  );
  return `# Completion of annals for bash, made by \`annals completion bash\`.
_annals() {
	local current=\${COMP_WORDS[COMP_CWORD]} command= options= words= i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case \${COMP_WORDS[i]} in
		--home) i=$((i + 1)) ;;
		-*) ;;
		*)
			command=\${COMP_WORDS[i]}
			break
			;;
		esac
	done
	case " ${valued(options, commands).join(' ')} " in
	*" \${COMP_WORDS[COMP_CWORD - 1]} "*) return ;;
	esac
	case $command in
		'') options=${quote(namesOf(options).join(' '))} words=${quote(commands.map(({ name }) => name).join(' '))} ;;
${cases.join('')}	esac
	case $current in
	-*) words=$options ;;
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
    ({ name, options: own, words }) =>
      `\t\t${name}) options=(${optionItems(own)}) choices=(${words.map(quote).join(' ')}) ;;\n`,
  );
  return `#compdef annals
# Completion of annals for zsh, made by \`annals completion zsh\`.
_annals() {
	local command= i
	local -a options choices
	for ((i = 2; i < CURRENT; i++)); do
		case $words[i] in
		--home) i=$((i + 1)) ;;
		-*) ;;
		*)
			command=$words[i]
			break
			;;
		esac
	done
	case " ${valued(options, commands).join(' ')} " in
	*" $words[CURRENT-1] "*) _files; return ;;
	esac
	case $command in
		'') options=(${optionItems(options)}) choices=(${described(commands.map(({ name, summary }) => [name, summary]))}) ;;
${cases.join('')}	esac
	if [[ $words[CURRENT] == -* ]]; then
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

function fish({ options, commands }: ProgramReference): string {
  const names = commands.map(({ name }) => name).join(' ');
  const isFirst = `not __fish_seen_subcommand_from ${names}`;
  return [
    '# Completion of annals for fish, made by `annals completion fish`.',
    ...commands.map(
      ({ name, summary }) => `complete -c annals -f -n '${isFirst}' -a ${name} -d ${quote(summary)}`,
    ),
    ...options.map((option) => fishOption(isFirst, option)),
    ...commands.flatMap((command) => fishCommand(command)),
    '',
  ].join('\n');
}

function fishCommand({ name, options, words }: CommandReference): readonly string[] {
  const isSeen = `__fish_seen_subcommand_from ${name}`;
  const own = options.map((option) => fishOption(isSeen, option));
  return words.length === 0
    ? own
    : [...own, `complete -c annals -f -n '${isSeen}' -a ${quote(words.join(' '))}`];
}

function fishOption(condition: string, { names, summary, takesValue }: OptionReference): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = takesValue ? ' -r' : '';
  return `complete -c annals -n '${condition}' ${flags.join(' ')}${value} -d ${quote(summary)}`;
}

function namesOf(options: readonly OptionReference[]): readonly string[] {
  return options.flatMap(({ names }) => names);
}

/** The options of any command that take a value. */
function valued(
  options: readonly OptionReference[],
  commands: readonly CommandReference[],
): readonly string[] {
  const all = [...options, ...commands.flatMap((command) => command.options)];
  return [...new Set(namesOf(all.filter(({ takesValue }) => takesValue)))];
}

/** In single quotes, for all three shells. Summaries hold no backslash before a quote, which fish would treat differently. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
