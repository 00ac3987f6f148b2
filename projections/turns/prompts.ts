// Which tellings speak of the same prompt. A prompt may be told by its transcript line, by the queue operation
// that held it while the agent worked, by an attachment, and by a hook. Equal words join them, nearest in time; between
// several the promptId decides. It names no prompt by itself: what is typed while the agent works bears that of the
// run under way, and a fork gives its own to every line that it copies. Each telling is used once. The result depends
// only on the set of tellings, never on their order of arrival.
import type { PromptTelling } from './rows.ts';

/** Two tellings of one prompt are seconds apart; ten minutes leave room for a slow machine. */
const SAME_PROMPT_MS = 10 * 60_000;
/** A queued prompt waits for the agent to finish: hours at worst. Beyond ten minutes only when nothing was asked in between. */
const QUEUE_WAIT_MS = 12 * 3_600_000;
/** A hook installed twice fires twice within moments. */
const TWICE_FIRED_MS = 10_000;
/** Clock noise between a queue operation and the line that follows from it. */
const NOISE_MS = 10_000;

export type PromptGroup = readonly PromptTelling[];

export function groupPrompts(tellings: readonly PromptTelling[]): PromptGroup[] {
  const by = (via: PromptTelling['via']) => tellings.filter((telling) => telling.via === via).sort(inOrder);
  const lines = by('line');
  const groups: PromptTelling[][] = lines.map((telling) => [telling]);
  const askedAt = lines.flatMap((telling) => telling.at ?? []).sort((a, b) => a - b);

  join(by('attachment'), groups, (telling, group) =>
    has(group, 'attachment') || !hasSameWords(telling, group)
      ? null
      : within(SAME_PROMPT_MS, apart(telling, group)),
  );
  join(by('queue'), groups, (telling, group) => {
    if (has(group, 'queue') || !hasSameWords(telling, group)) return null;
    return queueDistance(telling, group, askedAt);
  });
  joinHooks(by('hook'), groups);
  return groups;
}

/** How alike two texts must be to be the same words: redaction marks and white space do not count, a clipped text is compared by its head. */
export function wordsOf(text: string): { head: string; whole: string | null } {
  const clipped = CLIP_MARK.test(text);
  const plain = (clipped ? text.slice(0, text.search(CLIP_MARK)) : text)
    .replace(/\[redacted:[a-z0-9-]+\]/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { head: plain.slice(0, HEAD_CHARS), whole: clipped ? null : plain };
}

const CLIP_MARK = /…\[annals: [\d,]+ characters left out\]…/;
/** Well below the head that the tightest clip (8 KiB) leaves, whatever the script. */
const HEAD_CHARS = 1_000;

function joinHooks(hooks: readonly PromptTelling[], groups: PromptTelling[][]): void {
  const unpaired = matched(hooks, groups, (telling, group) => {
    if (has(group, 'hook') || !hasSameWords(telling, group)) return null;
    const ms = apart(telling, group);
    return hasSameId(telling, group) ? Math.min(ms, SAME_PROMPT_MS) : within(SAME_PROMPT_MS, ms, OTHER_ID);
  });
  // The program may have written other words than it was given: an expanded paste, a block of the editor's.
  const left = matched(unpaired, groups, (telling, group) =>
    has(group, 'hook') || !hasSameId(telling, group) ? null : within(NOISE_MS, apart(telling, group)),
  );
  const alone: PromptTelling[][] = [];
  for (const telling of left) {
    const twice = [...groups, ...alone].find((group) =>
      group.some((other) => other.via === 'hook' && isSecondFiring(telling, other)),
    );
    if (twice) twice.push(telling);
    else alone.push([telling]);
  }
  groups.push(...alone);
}

/** What any pair with one promptId comes before. */
const OTHER_ID = SAME_PROMPT_MS;

function isSecondFiring(telling: PromptTelling, other: PromptTelling): boolean {
  return (
    telling.promptId === other.promptId &&
    sameWords(telling, other) &&
    apart(telling, [other]) <= TWICE_FIRED_MS
  );
}

/** Joins what fits; what fits nothing is a prompt of its own. */
function join(tellings: readonly PromptTelling[], groups: PromptTelling[][], distance: Distance): void {
  const left = matched(tellings, groups, distance);
  groups.push(...left.map((telling) => [telling]));
}

/** null: these two are not the same prompt. */
type Distance = (telling: PromptTelling, group: PromptTelling[]) => number | null;

/** Nearest pairs first, each telling and each group once. Returns what found no group. */
function matched(
  tellings: readonly PromptTelling[],
  groups: PromptTelling[][],
  distance: Distance,
): PromptTelling[] {
  const pairs: { telling: number; group: number; distance: number }[] = [];
  tellings.forEach((telling, t) => {
    groups.forEach((group, g) => {
      const d = distance(telling, group);
      if (d !== null) pairs.push({ telling: t, group: g, distance: d });
    });
  });
  pairs.sort((a, b) => a.distance - b.distance || a.telling - b.telling || a.group - b.group);
  const usedTellings = new Set<number>();
  const usedGroups = new Set<number>();
  for (const pair of pairs) {
    if (usedTellings.has(pair.telling) || usedGroups.has(pair.group)) continue;
    usedTellings.add(pair.telling);
    usedGroups.add(pair.group);
    groups[pair.group]!.push(tellings[pair.telling]!);
  }
  return tellings.filter((_, t) => !usedTellings.has(t));
}

function queueDistance(
  telling: PromptTelling,
  group: PromptTelling[],
  askedAt: readonly number[],
): number | null {
  const said = telling.at;
  const delivered = group[0]!.at;
  if (said === undefined || delivered === undefined) return null;
  const waited = delivered - said;
  if (waited < -NOISE_MS || waited > QUEUE_WAIT_MS) return null;
  if (waited <= SAME_PROMPT_MS) return Math.abs(waited);
  const askedBetween = askedAt.some((at) => at > said && at < delivered);
  return askedBetween ? null : waited;
}

function has(group: readonly PromptTelling[], via: PromptTelling['via']): boolean {
  return group.some((telling) => telling.via === via);
}

function hasSameWords(telling: PromptTelling, group: readonly PromptTelling[]): boolean {
  return group.some((other) => sameWords(telling, other));
}

function hasSameId({ promptId }: PromptTelling, group: readonly PromptTelling[]): boolean {
  return promptId !== undefined && group.some((other) => other.promptId === promptId);
}

function sameWords(a: PromptTelling, b: PromptTelling): boolean {
  if (a.text === undefined || b.text === undefined) return a.private === b.private && a.text === b.text;
  const one = words(a);
  const two = words(b);
  if (one.whole !== null && two.whole !== null) return one.whole === two.whole;
  return one.head === two.head;
}

const known = new WeakMap<PromptTelling, ReturnType<typeof wordsOf>>();
function words(telling: PromptTelling): ReturnType<typeof wordsOf> {
  let found = known.get(telling);
  if (found === undefined) {
    found = wordsOf(telling.text ?? '');
    known.set(telling, found);
  }
  return found;
}

/** Milliseconds to the nearest telling of the group; Infinity when a time is missing. */
function apart(telling: PromptTelling, group: readonly PromptTelling[]): number {
  if (telling.at === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(
    ...group.map((other) =>
      other.at === undefined ? Number.POSITIVE_INFINITY : Math.abs(other.at - telling.at!),
    ),
  );
}

function within(limit: number, distance: number, added = 0): number | null {
  return distance <= limit ? distance + added : null;
}

function inOrder(a: PromptTelling, b: PromptTelling): number {
  return (a.offset ?? 0) - (b.offset ?? 0) || (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1);
}
