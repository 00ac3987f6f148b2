// Removes the blocks that programs put around what a person typed: `<system-reminder>…</system-reminder>`.

const BLOCKS_MAX = 64;

/**
 * The text without the blocks with these tags at its two ends.
 * @param before what comes before a block at the end. Default: a new line; in the middle of a sentence, a person is talking
 * about the tag.
 */
export function withoutBlocks(text: string, tags: readonly string[], before = '\n'): string {
  let rest = text;
  for (let count = 0; count < BLOCKS_MAX; count++) {
    const shorter = withoutFirst(rest, tags) ?? withoutLast(rest, tags, before);
    if (shorter === null) break;
    rest = shorter;
  }
  return rest;
}

function withoutFirst(text: string, tags: readonly string[]): string | null {
  const start = text.trimStart();
  const name = tags.find((tag) => start.startsWith(`<${tag}>`) || start.startsWith(`<${tag} `));
  if (name === undefined) return null;
  const end = start.indexOf(`</${name}>`);
  return end < 0 ? null : start.slice(end + name.length + 3).trimStart();
}

function withoutLast(text: string, tags: readonly string[], before: string): string | null {
  const end = text.trimEnd();
  const name = tags.find((tag) => end.endsWith(`</${tag}>`));
  if (name === undefined) return null;
  const start = Math.max(end.lastIndexOf(`${before}<${name}>`), end.lastIndexOf(`${before}<${name} `));
  return start < 0 ? null : end.slice(0, start).trimEnd();
}
