// An error message pasted whole: what it says and where, without what differs from one run to the next. Stack frames
// of one's own code keep their function and path, those of libraries and runtimes say nothing about the error.

/** Frames kept, of one's own code. */
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

/** Whether this is one: a stack, or lines of output. */
export function isPasted(text: string): boolean {
  return /[\r\n]/.test(text.trim());
}

/** What to search for, on one line; the text as it is where nothing else would be left. */
export function sentenceOf(pasted: string): string {
  const said: string[] = [];
  let frames = 0;
  for (const line of pasted.split(/\r?\n|\r/)) {
    if (FRAME.test(line)) {
      if (LIBRARY.test(line) || frames === FRAMES_MAX) continue;
      frames += 1;
    }
    const kept = withoutAddresses(line.replace(CLOCK, ' ').replace(position(), ' '));
    if (/[\p{L}\p{N}]/u.test(kept) && !said.includes(kept)) said.push(kept);
  }
  return said.length === 0 ? pasted.replace(/\s+/g, ' ').trim() : said.join(' ');
}

/** Without hexadecimal addresses, unless there is nothing else. */
export function withoutAddresses(line: string): string {
  // Looked for in most queries, and there in few.
  const rest = /0x/i.test(line) ? line.replace(address(), ' ') : line;
  if (rest === line) return line.trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/\s+/g, ' ').trim() : line.trim();
}
