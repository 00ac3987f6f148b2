// Reduces a pasted error message to what it says and where, without what differs between runs. Stack frames of the
// user's own code keep their function and path; frames of libraries and runtimes are dropped.

/** How many frames of the user's own code are kept. */
const FRAMES_MAX = 3;

/** JavaScript, Java, Python, Go, Rust, native, .NET, Ruby. */
const FRAME =
  /^\s*(?:at\s+\S|File ".*", line \d+|#\d+\s+0x|\d+:\s+(?:0x[0-9a-f]+\s+-\s+)?[\w<>]+::|\.{3} \d+ (?:more|common)|from \S+:\d+:in |\S+\.go:\d+)/u;
const LIBRARY =
  /node_modules|\bnode:|<anonymous>|site-packages|dist-packages|\/usr\/(?:lib|local\/lib)|\/rustc\/|\/(?:std|core)\/src\/|\b(?:java|javax|jdk|sun|kotlin)\.|System\.|\bgoroot\b|\/gems\/|\bstd::|\bcore::/iu;
const address = () => /(?<![\p{L}\p{N}_])0x[0-9a-f]{5,}(?![\p{L}\p{N}_])/giu;
/** `a.ts:12:34`, `a.ts(12,34)`, `line 12, column 3`. */
const position = () =>
  /(?<=[\p{L}\p{N}_)]):\d+(?::\d+)?(?=[\s),:'"]|$)|\(\d+,\s*\d+\)|,? \bline \d+(?:,? col(?:umn)? \d+)?/giu;
const CLOCK =
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b|\bpid[ =:]*\d+/giu;

/** Whether the text was pasted: it has several lines. */
export function isPasted(text: string): boolean {
  return /[\r\n]/.test(text.trim());
}

/** The text to search for, on one line; the whole text if nothing else would remain. */
export function sentenceOf(pasted: string): string {
  const lines: string[] = [];
  let frames = 0;
  for (const line of pasted.split(/\r?\n|\r/)) {
    if (FRAME.test(line)) {
      if (LIBRARY.test(line) || frames === FRAMES_MAX) continue;
      frames += 1;
    }
    const kept = withoutAddresses(line.replace(CLOCK, ' ').replace(position(), ' '));
    if (/[\p{L}\p{N}]/u.test(kept) && !lines.includes(kept)) lines.push(kept);
  }
  return lines.length === 0 ? pasted.replace(/\s+/g, ' ').trim() : lines.join(' ');
}

/** The line without hexadecimal addresses, unless it holds nothing else. */
export function withoutAddresses(line: string): string {
  // Cheap test first: this runs for most queries, and few have an address.
  const rest = /0x/i.test(line) ? line.replace(address(), ' ') : line;
  if (rest === line) return line.trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/\s+/g, ' ').trim() : line.trim();
}
