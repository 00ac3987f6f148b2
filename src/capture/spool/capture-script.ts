// The capture script: a few lines of sh that write a hook's payload to the spool, at a path that never changes. It must
// never fail the agent's work, so it prints nothing, always exits 0, and needs neither HOME nor the network. Everything
// except `cat` is built into the shell: that one process is nearly its whole cost. The home's path is written into it,
// safely quoted.
import { join } from 'node:path';
import { END_MARK, MARKED_SUFFIX } from './end-mark.ts';

/** The path of a home's script. It must never change, because agents' settings name it. */
export function scriptPath(home: string): string {
  return join(home, 'bin', 'capture');
}

/**
 * The script of a home; POSIX sh with `test -O` (dash, bash, busybox). Called with the agent's name, the payload on
 * stdin.
 *
 *   new/<agent>-<hundredths of a second since boot, 10 digits>-<pid, 7 digits>-<random>-<count>.marked
 *
 * The file has its final name from the first byte on. It is complete once it ends with the mark, which is written only
 * after `cat` succeeded: a rename would need one more process.
 *
 * The boot clock is read from /proc without a process. Without /proc it is 0, and files are ordered by modification
 * time alone. The script writes only to folders that belong to the user and are not links.
 */
export function captureScript(home: string): string {
  return `#!/bin/sh
[ -n "\${ANNALS_INTERNAL+set}" ] && exit 0
# Annals: saves hook payloads for the next drain. Made by \`annals install\`; changes here are lost.
umask 077
h=${shellQuote(home)}
s=$h/spool
{
	for d in "$h" "$s" "$s/new"; do
		[ -d "$d" ] || mkdir "$d"
		[ -O "$d" ] && [ ! -L "$d" ] || exit 0
	done
	case \${1-} in '' | *[!a-z0-9-]*) a=unknown ;; *) a=$1 ;; esac
	t=0.0
	[ -r /proc/uptime ] && read -r t _ </proc/uptime
	t=00000000\${t%.*}\${t#*.}
	p=000000$$
	n=$a-\${t#"\${t%??????????}"}-\${p#"\${p%???????}"}-\${RANDOM-0}
	i=0
	while [ -e "$s/new/$n-$i${MARKED_SUFFIX}" ]; do i=$((i + 1)); done
	set -C
	{ cat && printf '${octal(END_MARK)}'; } >"$s/new/$n-$i${MARKED_SUFFIX}"
} 2>/dev/null
exit 0
`;
}

/** Text for printf of sh: everything except letters as octal. */
function octal(text: string): string {
  return text.replace(/[^a-z]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The command line in an agent's settings. */
export function captureCommand(home: string, agent: string): string {
  const script = shellQuote(scriptPath(home));
  return `[ -x ${script} ] && exec ${script} ${agent}; exit 0`;
}

export interface Program {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of our command's file. */
  readonly cli: string;
}

/** The command line for the start of a session. It needs an answer, so it runs Node. The exit code is always 0. */
export function sessionStartCommand(home: string, agent: string, { node, cli }: Program): string {
  const call = [node, cli, '--home', home].map(shellQuote).join(' ');
  return `[ -x ${shellQuote(node)} ] && ${call} hook ${agent} session-start 2>/dev/null; exit 0`;
}

/** One word of sh, whatever it contains: single-quoted, a quote inside as '\\''. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
