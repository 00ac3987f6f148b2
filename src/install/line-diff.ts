// A line diff for showing a planned change. A settings file is small, so a table finds the longest common subsequence.

const CONTEXT_LINES = 3;

/**
 * Lines prefixed with `+`, `-` or two spaces, three lines around each change, `…` between. Empty when nothing changes.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  const marked = compare(linesOf(before), linesOf(after));
  const near = marked.map((_, at) =>
    marked
      .slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1)
      .some((line) => !line.startsWith(' ')),
  );
  return marked.flatMap((line, at) => (near[at] ? [line] : near[at - 1] ? ['…'] : []));
}

function compare(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const marked: string[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      marked.push(`  ${before[i++]}`);
      j += 1;
    } else if (
      j === after.length ||
      (i < before.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    )
      marked.push(`- ${before[i++]}`);
    else marked.push(`+ ${after[j++]}`);
  }
  return marked;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
