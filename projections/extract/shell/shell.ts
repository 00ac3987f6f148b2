// Parses a shell command: which commands it runs, and which of them determine its exit status. A pipe, `;`, `||` and `&`
// hide the status of the command before them; `&&` and `set -e` do not. One pass over the text.

export interface ShellLink {
  /** The stages of a pipeline. Quoted texts are replaced by `""`, so that no word in them is taken for a command. */
  readonly stages: readonly string[];
  /** The stages as written; `'…'` for a quoted text of several lines. */
  readonly written: readonly string[];
  /** The stages as in the command, with all lines of quoted texts, after the operator before them. */
  readonly sources: readonly string[];
  readonly after: Operator;
  /** Its failure fails the whole command, so the command's success implies its success. */
  readonly bound: boolean;
  /** It may not have run although the command succeeded. */
  readonly optional: boolean;
}

export interface ParsedShell {
  readonly links: readonly ShellLink[];
  /** A pipeline fails when any stage fails. */
  readonly pipefail: boolean;
}

type Operator = '&&' | '||' | ';' | '|' | '&' | '';

const CHARS_READ = 8_000;
const COMPOUND =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|foreach|try|catch|\{|\}|!|\[\[?)(?:\s|$)/;
const SET = /^set\s+(?:[-+]\w+\s+)*-\w*e|^set\s+(?:\S+\s+)*-o\s+errexit\b/;
const PIPEFAIL = /^set\s.*\bpipefail\b/;

const parsed = new Map<string, ParsedShell>();
const CACHED_MAX = 2_000;

export function parseShell(command: string): ParsedShell {
  const known = parsed.get(command);
  if (known !== undefined) return known;
  if (parsed.size === CACHED_MAX) parsed.clear();
  const shell = parse(command.slice(0, CHARS_READ), command.length > CHARS_READ);
  parsed.set(command, shell);
  return shell;
}

function parse(command: string, cut: boolean): ParsedShell {
  const pieces = piecesOf(command);
  const pipelines: { stages: string[]; written: string[]; sources: string[]; after: Operator }[] = [];
  let open = false;
  for (const { unquoted, text, source, after } of pieces) {
    if (open) {
      const last = pipelines.at(-1)!;
      last.stages.push(unquoted);
      last.written.push(text);
      last.sources.push(source);
      last.after = after;
    } else if (unquoted !== '')
      pipelines.push({ stages: [unquoted], written: [text], sources: [source], after });
    else if (pipelines.length > 0 && after !== ';' && after !== '') pipelines.at(-1)!.after = after;
    open = after === '|' && pipelines.length > 0;
  }
  const compound = cut || pipelines.some(({ stages }) => stages.some((one) => COMPOUND.test(one)));
  const errexit = pipelines.some(({ stages }) => SET.test(stages[0]!));
  const last = pipelines.length - 1;
  // The first link from which nothing hides a failure.
  let boundFrom = last;
  while (boundFrom > 0) {
    const { after } = pipelines[boundFrom - 1]!;
    if (after !== '&&' && !(errexit && after === ';')) break;
    boundFrom -= 1;
  }
  const inBackground = pipelines[last]?.after === '&';
  let afterOr = false;
  let afterAnd = false;
  const links = pipelines.map(({ stages, written, sources, after }, index) => {
    const bound = !compound && !inBackground && index >= boundFrom;
    // After `||` it runs only when something failed; after `&&` only when nothing did, which `;` may hide.
    const optional = compound || afterOr || (!bound && afterAnd && !errexit);
    afterOr = after !== ';' && (afterOr || after === '||');
    afterAnd = after !== ';' && (afterAnd || after === '&&');
    return { stages, written, sources, after, bound, optional };
  });
  return { links, pipefail: pipelines.some(({ stages }) => PIPEFAIL.test(stages[0]!)) };
}

interface Piece {
  readonly unquoted: string;
  readonly text: string;
  readonly source: string;
  readonly after: Operator;
}

/** The commands between operators, without comments and here-documents. */
function piecesOf(command: string): Piece[] {
  const pieces: Piece[] = [];
  const documents: string[] = [];
  let unquoted = '';
  let text = '';
  let at = 0;
  let from = 0;
  const end = (after: Operator) => {
    pieces.push({ unquoted: tidy(unquoted), text: tidy(text), source: command.slice(from, at), after });
    unquoted = '';
    text = '';
    from = at;
  };
  while (at < command.length) {
    const sign = command[at]!;
    const next = command[at + 1] ?? '';
    if (sign === '\\' && next !== '') {
      if (next !== '\n') {
        unquoted += sign + next;
        text += sign + next;
      }
      at += 2;
    } else if (sign === "'" || sign === '"' || sign === '`') {
      const close = endOfQuote(command, at, sign);
      const quoted = command.slice(at, close);
      unquoted += NO_TEST.test(quoted.slice(1, -1)) ? quoted.slice(1, -1) : '""';
      text += quoted.includes('\n') ? `${sign}…${sign}` : quoted;
      at = close;
    } else if (sign === '$' && next === '(') {
      const close = closingParenthesis(command, at + 1);
      unquoted += '""';
      text += command.slice(at, close);
      at = close;
    } else if (sign === '#' && (at === 0 || /\s|;/.test(command[at - 1]!))) {
      const line = command.indexOf('\n', at);
      at = line < 0 ? command.length : line;
    } else if (command.startsWith('<<<', at)) {
      unquoted += '<<<';
      text += '<<<';
      at += 3;
    } else if (sign === '<' && next === '<') {
      const found = /^<<-?[ \t]*(['"]?)(\w+)\1/.exec(command.slice(at, at + HEAD_CHARS));
      if (found !== null) documents.push(found[2]!);
      at += found === null ? 2 : found[0].length;
    } else if (sign === '\n') {
      end(';');
      at += 1;
      while (documents.length > 0) at = afterDocument(command, at, documents.shift()!);
      from = at;
    } else if (sign === '&' && next === '&') {
      end('&&');
      at += 2;
    } else if (sign === '|' && next === '|') {
      end('||');
      at += 2;
    } else if (sign === '|') {
      end('|');
      at += next === '&' ? 2 : 1;
    } else if (sign === ';') {
      end(';');
      at += 1;
    } else if (sign === '&' && next !== '>' && command[at - 1] !== '>' && command[at - 1] !== '<') {
      end('&');
      at += 1;
    } else {
      unquoted += sign;
      text += sign;
      at += 1;
    }
  }
  end('');
  while (pieces.length > 1 && pieces.at(-1)!.unquoted === '' && pieces.at(-2)!.after === ';') {
    pieces.pop();
    pieces.push({ ...pieces.pop()!, after: '' });
  }
  return pieces;
}

/** What `-run` of Go names when no test is to run. It is kept where it is quoted: no program is called so. */
export const NO_TEST = /^(?:\^\$|\^?(?:none|xxx+|nothing|no_?tests?|#)\$?|-)$/i;
const HEAD_CHARS = 80;

/** Words of the shell's grammar before a command. */
const KEYWORDS = /^(?:(?:if|then|else|elif|do|while|until|[!{}])(?:\s+|$))+/;

export function withoutKeywords(stage: string): string {
  return tidy(stage.replace(KEYWORDS, ''));
}

/** The command in a stage: without words of the shell's grammar, `2>&1` and output to files. */
export function commandOf(stage: string): string {
  return withoutKeywords(stage)
    .replace(/\s*(?:\d?>&\d|&?\d?>>?\s*[^\s>&]+)/g, '')
    .trim();
}

/** The commands in `$(…)` and in backticks. */
export function substitutedIn(stage: string): string[] {
  const found: string[] = [];
  let isQuoted = false;
  for (let at = 0; at < stage.length; at++) {
    const sign = stage[at]!;
    if (sign === '\\') at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === "'" && !isQuoted) at = endOfQuote(stage, at, sign) - 1;
    else if (sign === '`' || stage.startsWith('$(', at)) {
      const from = sign === '`' ? at : at + 1;
      const close = sign === '`' ? endOfQuote(stage, at, sign) : closingParenthesis(stage, from);
      found.push(stage.slice(from + 1, close - 1));
      at = close - 1;
    }
  }
  return found;
}

/** Without the parentheses of a subshell. */
function tidy(text: string): string {
  const trimmed = text.trim().replace(/^\((?!\()\s*/, '');
  const isOpen = trimmed.split('(').length >= trimmed.split(')').length;
  return isOpen ? trimmed : trimmed.replace(/\s*\)$/, '');
}

/** The position after the quotation that begins at `from`. */
function endOfQuote(command: string, from: number, quote: string): number {
  for (let at = from + 1; at < command.length; at++) {
    if (command[at] === '\\' && quote !== "'") at += 1;
    else if (command[at] === quote) return at + 1;
  }
  return command.length;
}

/** The position after the parenthesis that begins at `from`. Quotations inside are not parsed. */
function closingParenthesis(command: string, from: number): number {
  let depth = 0;
  for (let at = from; at < command.length; at++) {
    const sign = command[at]!;
    if (sign === '\\') at += 1;
    else if (sign === '(') depth += 1;
    else if (sign === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return command.length;
}

/** The position after the line that ends a here-document. */
function afterDocument(command: string, from: number, name: string): number {
  let at = from;
  while (at < command.length) {
    const line = command.indexOf('\n', at);
    const end = line < 0 ? command.length : line;
    if (command.slice(at, Math.min(end, at + HEAD_CHARS)).trim() === name)
      return Math.min(end + 1, command.length);
    at = end + 1;
  }
  return command.length;
}
