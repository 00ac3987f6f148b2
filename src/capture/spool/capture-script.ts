// The capture script: a few lines of sh that write a hook's payload to the spool, at a path that never changes. It must
// never fail the agent's work, so it prints nothing, always exits 0, and needs neither HOME nor the network. Everything
// except `cat` is built into the shell: that one process is nearly its whole cost. The home's path is written into it,
// safely quoted. At the start of a session it also answers: with the folder's ready file, which costs one more `cat`, or
// else by starting Node.
import { join } from 'node:path';
import type { RecallOccasion } from '../../api/recall.ts';
import { READY_AGENT, readyFolder } from '../../session-start/ready-file.ts';
import { END_MARK } from './end-mark.ts';

/** The beginning of a socket's name in the home; the occasion follows. */
export const RECALL_SOCKET = 'recall-';
/** The most that an agent waits for an answer, starting curl aside. */
const RECALL_SECONDS = 0.05;

/** The path of a home's script. It must never change, because agents' settings name it. */
export function scriptPath(home: string): string {
  return join(home, 'bin', 'capture');
}

export interface Program {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of our command's file. */
  readonly cli: string;
}

/**
 * The script of a home; POSIX sh with `test -O` and `test -nt` (dash, bash, busybox). Called with the agent's name and,
 * for a hook that may print something, what it answers; the payload on stdin.
 *
 *   new/<agent>-<hundredths of a second since boot, 10 digits>-<pid, 7 digits>-<random>-<count>[.<id>]
 *
 * The id is that of the ready file that is printed. The file has its final name from the first byte on. It is complete once it ends with the mark, which is written only
 * after the payload was: a rename would need one more process. The start of a session is read by the shell itself, which
 * saves the time of `cat` for the answer; a NUL byte, which no JSON holds, is lost there.
 *
 * The boot clock is read from /proc without a process. Without /proc it is 0, and files are ordered by modification
 * time alone. The script writes only to folders that belong to the user and are not links.
 *
 * A prompt is answered only while a worker has a socket for that (src/worker/recall-sockets.ts): curl sends it the payload,
 * and what it says within its time is printed, whole or not at all. A tool that is about to use a file is not captured, since
 * what it did is: its payload is only sent.
 *
 * A ready file (src/session-start/ready-file.ts) is printed only if the payload can be read without a JSON parser:
 * one flat object in one line, nothing escaped. Whether it is current is found out before the payload is written,
 * because a worker records that at once, and it is open from then on. Whatever is not certain is left to Node, which reads the payload from the spool's file;
 * it was opened while it was written, since a worker may remove it. Beside a ready file, Node runs in the background, and starts
 * a worker, if no process has the id in worker.json: a worker that was killed leaves that file. It replaces the shell,
 * which may hold copies of stdout (bash does): agents wait until all of them are closed.
 */
export function captureScript(home: string, { node, cli }: Program): string {
  const client = [node, cli, '--home', home].map(shellQuote).join(' ');
  return `#!/bin/sh
[ -n "\${ANNALS_INTERNAL+set}" ] && exit 0
# Annals: saves hook payloads for the next drain. Made by \`annals install\`; changes here are lost.
umask 077
h=${shellQuote(home)}
s=$h/spool
v=${shellQuote(readyFolder(home))}
k=\${2-}
case \${1-} in '' | *[!a-z0-9-]*) a=unknown ;; *) a=$1 ;; esac
ask() {
	p=$(exec curl -q -sf --max-time ${RECALL_SECONDS} --noproxy '*' -H Expect: --data-binary @- \\
		--unix-socket "$h/${RECALL_SOCKET}$k" "http://localhost/$a" 2>/dev/null) && [ -n "$p" ] && printf '%s\\n' "$p"
}
if [ "$k" = edit ]; then
	# Read in any case: an agent that writes to a hook that has ended may fail.
	if [ -S "$h/${RECALL_SOCKET}$k" ]; then ask; else cat >/dev/null; fi
	exit 0
fi
ready() {
	case $p in
		?*[[{]* | *\\\\* | *'"cwd"'*'"cwd"'* | *'"source"'*'"source"'*) ;;
		'{'*'"source":"startup"'*'}')
			c=\${p#*'"cwd":"'}
			c=\${c%%'"'*}
			case $c in /*) [ -f "$v/folders$c/ready" ] && command exec 6<"$v/folders$c/ready" &&
				IFS= read -r w <&6 && IFS= read -r g <&6 && IFS= read -r y <&6 && [ "$w" = "$c" ] && {
					if [ -n "$g" ]; then [ -e "$g" ] && [ "$v/current" -nt "$g" ]
					else [ ! -e "$c/.git" ] && [ ! -L "$c/.git" ]; fi
				} && r=1 && case $y in '' | *[!0-9a-f]*) ;; *) x=.$y ;; esac ;;
			esac ;;
	esac
}
{
	for d in "$h" "$s" "$s/new"; do
		[ -d "$d" ] || mkdir "$d"
		[ -O "$d" ] && [ ! -L "$d" ] || exit 0
	done
	r= o= l= m= q=
	if [ "$k" = session-start ] && [ "$a" = ${READY_AGENT} ] && [ -z "\${ANNALS_EXCLUDE+set}" ]; then
		set -- "$s/new/"*
		if [ ! -e "$1" ] && [ ! -L "$1" ]; then
			for f in "$h/log/"*.log; do
				[ -e "$f" ] && [ "$v/current" -nt "$f" ] && r=1 || { r=; break; }
			done
			if [ -e "$h/config.json" ] || [ -L "$h/config.json" ]; then
				[ -e "$h/config.json" ] && [ "$v/current" -nt "$h/config.json" ] || r=
			fi
		fi
	fi
	x=
	if [ "$k" = session-start ]; then
		IFS= read -r p && l=1 && IFS= read -r q && m=1
		[ -z "$r" ] || { r= && [ -z "$q$m" ] && ready; }
	fi
	t=0.0
	[ -r /proc/uptime ] && read -r t _ </proc/uptime
	t=00000000\${t%.*}\${t#*.}
	n=000000$$
	n=$a-\${t#"\${t%??????????}"}-\${n#"\${n%???????}"}-\${RANDOM-0}
	i=0
	while [ -e "$s/new/$n-$i$x" ]; do i=$((i + 1)); done
	f=$s/new/$n-$i$x
	set -C
	if [ "$k" = session-start ]; then
		{
			command exec 5<"$f" && o=1
			printf %s "$p" && { [ -z "$l" ] || { echo && printf %s "$q"; }; } && { [ -z "$m" ] || { echo && cat; }; } && printf '${octal(END_MARK)}'
		} >"$f"
	elif [ -S "$h/${RECALL_SOCKET}$k" ]; then
		{ command exec 5<"$f" && cat && printf '${octal(END_MARK)}' && o=1; } >"$f"
	else
		{ cat && printf '${octal(END_MARK)}'; } >"$f"
	fi
} 2>/dev/null
[ -n "$o" ] || exit 0
if [ "$k" != session-start ]; then
	ask <&5
	exit 0
fi
works() {
	[ -f "$h/worker.json" ] && { read -r _ && read -r x y; } <"$h/worker.json" && [ "$x" = '"pid":' ] || return 1
	y=\${y%,}
	case $y in '' | [!1-9]* | *[!0-9]*) return 1 ;; esac
	kill -0 "$y"
}
run() {
	[ -x ${shellQuote(node)} ] && \${1-} ${client} hook "$a" session-context 2>/dev/null
}
if [ -n "$r" ]; then
	works || { run exec </dev/null >/dev/null 5<&- 6<&- & }
	exec cat <&6 5<&- 6<&-
fi 2>/dev/null
run <&5 5<&-
exit 0
`;
}

/** The Node that a script names; null if there is no script, or one of another kind. */
export function nodeOf(script: string | undefined): string | null {
  const quoted = /^\s*\[ -x '((?:[^']|'\\'')+)' \] && /m.exec(script ?? '')?.[1];
  return quoted?.replaceAll("'\\''", "'") ?? null;
}

/** Text for printf of sh: everything except letters as octal. */
function octal(text: string): string {
  return text.replace(/[^a-z]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** What a hook may print: the brief for a session that starts, or what is recalled at a moment. */
export type HookAnswer = 'session-start' | RecallOccasion;

/** The command line in an agent's settings, fixed for ever, for any shell. @param answers null for a hook that only captures */
export function captureCommand(home: string, agent: string, answers: HookAnswer | null = null): string {
  const script = shellQuote(scriptPath(home));
  return `[ -x ${script} ] && exec ${script} ${agent}${answers === null ? '' : ` ${answers}`}; exit 0`;
}

/**
 * The same for an agent that runs it with sh: the script is read by the shell that the agent started, so no second one starts.
 * That halves what a hook takes besides an empty shell (5.0 to 3.9 s of processor time for 200 of them, 2.9 for 200 empty ones).
 * With `command` the line ends with 0 also when the script cannot be read.
 */
export function sourcedCommand(home: string, agent: string, answers: HookAnswer | null = null): string {
  const script = shellQuote(scriptPath(home));
  return `[ -x ${script} ] && set -- ${agent}${answers === null ? '' : ` ${answers}`} && command . ${script}; exit 0`;
}

/** One word of sh, whatever it contains: single-quoted, a quote inside as '\\''. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
