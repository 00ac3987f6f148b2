// Line ends of a shell command that stand inside quotes or a here-document belong to their command: the body of
// `python3 -c '…'` is a text that the command is given, not a list of further commands.

/** `<<'EOF'`, `<<-EOF`; not the here-string `<<<`. */
const HERE_DOCUMENT = /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/y;
const LEFT_OUT = '…';

/**
 * The command with each quoted text of several lines cut down to `'…'`, and without comments and the bodies of
 * here-documents. A quote that never closes ends with the command: what follows it was cut off, or is no shell.
 */
export function withoutQuotedLines(command: string): string {
  if (!command.includes('\n')) return command;
  let kept = '';
  const bodies: string[] = [];
  for (let at = 0; at < command.length; ) {
    const sign = command[at]!;
    let end = at + 1;
    if (sign === '\\') end = at + 2;
    else if (sign === "'" || sign === '"' || sign === '`') {
      end = endOfQuote(command, at);
      if (command.slice(at, end).includes('\n')) {
        kept += `${sign}${LEFT_OUT}${sign}`;
        at = end;
        continue;
      }
    } else if (sign === '#' && (at === 0 || /\s/.test(command[at - 1]!))) {
      at = endOfLine(command, at);
      continue;
    } else if (sign === '<' && command.startsWith('<<<', at)) end = at + 3;
    else if (sign === '<') {
      HERE_DOCUMENT.lastIndex = at;
      const found = HERE_DOCUMENT.exec(command);
      if (found !== null) {
        bodies.push(found[2]!);
        at += found[0].length;
        continue;
      }
    } else if (sign === '\n') {
      for (const word of bodies.splice(0)) end = endOfBody(command, end, word);
    }
    kept += sign === '\n' ? '\n' : command.slice(at, end);
    at = end;
  }
  return kept;
}

function endOfQuote(command: string, at: number): number {
  const quote = command[at]!;
  for (let index = at + 1; index < command.length; index++) {
    if (command[index] === '\\' && quote !== "'") index++;
    else if (command[index] === quote) return index + 1;
  }
  return command.length;
}

function endOfLine(command: string, at: number): number {
  const end = command.indexOf('\n', at);
  return end < 0 ? command.length : end;
}

/** Behind the line that holds the word alone; the end where there is none. */
function endOfBody(command: string, from: number, word: string): number {
  for (let at = from; at < command.length; ) {
    const end = endOfLine(command, at);
    if (command.slice(at, end).trim() === word) return Math.min(end + 1, command.length);
    at = end + 1;
  }
  return command.length;
}
