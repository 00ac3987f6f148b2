// The capture script: a few lines of sh that put what a hook was told into the spool, at a path that never
// changes. It must never fail the agent's work, so it prints nothing and exits 0 whatever happens, and it asks
// nothing of PATH's owner, HOME or the network. Everything but `cat` is built into the shell: that one process is
// nearly all that it costs. The home is written into it, safely quoted.
import { join } from 'node:path';
import { END_MARK, MARKED_SUFFIX } from './end-mark.ts';

/** Where the script of a home lies. Fixed for ever: agents' settings name it. */
export function scriptPath(home: string): string {
  return join(home, 'bin', 'capture');
}

/**
 * The script of a home; POSIX sh with `test -O` (dash, bash, busybox). Called with the agent's name, the
 * payload on stdin.
 *
 *   new/<agent>-<hundredths of a second since boot, 10 digits>-<pid, 7 digits>-<random>-<count>.marked
 *
 * The file has its name from the first byte on, and is whole once it ends with the mark, which is written only after
 * `cat` has ended well: a rename would be one process more.
 *
 * The boot clock is read from /proc without a process; where there is none it is 0, and files stand in the
 * order of their modification times alone. Only folders that are its own and no links are written to.
 */
export function captureScript(home: string): string {
  return `#!/bin/sh
[ -n "\${ANNALS_INTERNAL+set}" ] && exit 0
# Annals: keeps what a hook is told for the next reader. Made by \`annals install\`; changes here are lost.
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

/** Text for printf of sh: everything but letters as octal. */
function octal(text: string): string {
  return text.replace(/[^a-z]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The line that stands in an agent's settings. */
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

/** The line for the start of a session: it needs an answer, so Node runs. Whatever comes of it, the exit code is 0. */
export function sessionStartCommand(home: string, agent: string, { node, cli }: Program): string {
  const call = [node, cli, '--home', home].map(shellQuote).join(' ');
  return `[ -x ${shellQuote(node)} ] && ${call} hook ${agent} session-start 2>/dev/null; exit 0`;
}

/** One word of sh, whatever stands in it: single-quoted, a quote inside as '\\''. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
