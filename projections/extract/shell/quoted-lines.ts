// Removes quoted texts of several lines and here-documents from a shell command. The body of `python3 -c '…'` is an
// argument, not a list of further commands.

/** `<<'EOF'`, `<<-EOF`; not the here-string `<<<`. */
const HERE_DOCUMENT = /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/y;
const LEFT_OUT = '…';

/**
 * The command with each quoted text of several lines replaced by `'…'`, without comments and bodies of here-documents. An
 * unclosed quote extends to the end of the command.
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

/** The position after the line with only the delimiter; the end of the command when there is none. */
function endOfBody(command: string, from: number, word: string): number {
  for (let at = from; at < command.length; ) {
    const end = endOfLine(command, at);
    if (command.slice(at, end).trim() === word) return Math.min(end + 1, command.length);
    at = end + 1;
  }
  return command.length;
}
