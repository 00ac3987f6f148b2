// Which tellings speak of the same prompt. A prompt may be told by its transcript line, by the queue operation
// that held it while the agent worked, by an attachment, and by a hook. Equal words join them, nearest in time; between
// several the promptId decides. It names no prompt by itself: what is typed while the agent works bears that of the
// run under way, and a fork gives its own to every line that it copies. Each telling is used once. The result depends
// only on the set of tellings, never on their order of arrival.
import { hash } from 'node:crypto';
import { Groups } from './groups.ts';
import type { PromptTelling } from './rows.ts';

/** Two tellings of one prompt are seconds apart; ten minutes leave room for a slow machine. */
const SAME_PROMPT_MS = 10 * 60_000;
/** A queued prompt waits for the agent to finish: hours at worst. Beyond ten minutes only when nothing was asked in between. */
const QUEUE_WAIT_MS = 12 * 3_600_000;
/** A hook installed twice fires twice within moments. */
const TWICE_FIRED_MS = 10_000;
/** Clock noise between a queue operation and the line that follows from it. */
const NOISE_MS = 10_000;

/** What is asked of a telling to find those that speak of the same prompt. */
export interface AskedTelling {
  readonly event: string;
  readonly at?: number | undefined;
  readonly offset?: number | undefined;
  readonly promptId?: string | undefined;
  readonly via?: PromptTelling['via'] | undefined;
  readonly private?: true | undefined;
  readonly text?: string | undefined;
  /** Made of the text; null where there is none. */
  readonly words?: Words | null;
}

/** A prompt's words as they are compared, hashed. */
export interface Words {
  readonly head: string;
  /** null: the text was clipped. */
  readonly whole: string | null;
}

export function groupPrompts<T extends AskedTelling>(tellings: readonly T[]): T[][] {
  const related = new RelatedTellings<T>();
  for (const telling of tellings) related.add(telling);
  return related.regroup(tellings).groups;
}

/**
 * Tellings by what may join them: the opening words, the promptId. Those that nothing joins, directly or through others,
 * are never one prompt, so what is new concerns few of them.
 */
export class RelatedTellings<T extends AskedTelling> {
  readonly #byName = new Groups<T>();
  /** When lines were written, Unix ms, in order: a queued prompt does not wait beyond what was asked meanwhile. */
  readonly #askedAt: number[] = [];
  /** When something was last delivered that may have waited, Unix ms. */
  #lastDelivered = Number.NEGATIVE_INFINITY;
  /** A line came or went before something that may have waited for longer. */
  #isOutOfOrder = false;

  add(telling: T): void {
    for (const name of namesOf(telling)) this.#byName.add(name, telling);
    if (telling.at === undefined || (telling.via !== 'line' && telling.via !== 'attachment')) return;
    this.#lastDelivered = Math.max(this.#lastDelivered, telling.at);
    if (telling.via !== 'line') return;
    this.#askedAt.splice(placeIn(this.#askedAt, telling.at), 0, telling.at);
    if (telling.at < this.#lastDelivered) this.#isOutOfOrder = true;
  }

  delete(telling: T): void {
    for (const name of namesOf(telling)) this.#byName.delete(name, telling);
    if (telling.via !== 'line' || telling.at === undefined) return;
    this.#askedAt.splice(placeIn(this.#askedAt, telling.at) - 1, 1);
    this.#isOutOfOrder = true;
  }

  /** Everything is grouped already, as it is. */
  settled(): void {
    this.#isOutOfOrder = false;
  }

  /** The groups of all that is related to these; the groups of all others are as they were the last time. */
  regroup(changed: Iterable<T>): { readonly tellings: ReadonlySet<T>; readonly groups: T[][] } {
    const tellings = new Set<T>();
    const groups: T[][] = [];
    const names = new Set<string>();
    const from = this.#isOutOfOrder ? this.#byName.names() : [...changed].flatMap(namesOf);
    for (const name of from) {
      const related = this.#relatedTo(name, names);
      for (const telling of related) tellings.add(telling);
      groups.push(...groupRelated(related, this.#askedAt));
    }
    this.settled();
    return { tellings, groups };
  }

  /** `seen`: names that were followed before. */
  #relatedTo(first: string, seen: Set<string>): readonly T[] {
    const found = new Set<T>();
    const waiting = [first];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      for (const telling of this.#byName.get(name)) {
        if (found.has(telling)) continue;
        found.add(telling);
        waiting.push(...namesOf(telling));
      }
    }
    return [...found];
  }
}

function namesOf(telling: AskedTelling): string[] {
  const said = words(telling);
  const names = [said === null ? `nothing said ${telling.private === true}` : `said ${said.head}`];
  if (telling.promptId !== undefined) names.push(`id ${telling.promptId}`);
  return names;
}

/** Behind all of ascending `times` that are not later. */
function placeIn(times: readonly number[], at: number): number {
  let place = times.length;
  while (place > 0 && times[place - 1]! > at) place--;
  return place;
}

/** `askedAt`: when the lines of the whole session were written. */
function groupRelated<T extends AskedTelling>(tellings: readonly T[], askedAt: readonly number[]): T[][] {
  const by = (via: PromptTelling['via']) => tellings.filter((telling) => telling.via === via).sort(inOrder);
  const groups: T[][] = by('line').map((telling) => [telling]);

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

function joinHooks<T extends AskedTelling>(hooks: readonly T[], groups: T[][]): void {
  const unpaired = matched(hooks, groups, (telling, group) => {
    if (has(group, 'hook') || !hasSameWords(telling, group)) return null;
    const ms = apart(telling, group);
    return hasSameId(telling, group) ? Math.min(ms, SAME_PROMPT_MS) : within(SAME_PROMPT_MS, ms, OTHER_ID);
  });
  // The program may have written other words than it was given: an expanded paste, a block of the editor's.
  const left = matched(unpaired, groups, (telling, group) =>
    has(group, 'hook') || !hasSameId(telling, group) ? null : within(NOISE_MS, apart(telling, group)),
  );
  const alone: T[][] = [];
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

function isSecondFiring(telling: AskedTelling, other: AskedTelling): boolean {
  return (
    telling.promptId === other.promptId &&
    sameWords(telling, other) &&
    apart(telling, [other]) <= TWICE_FIRED_MS
  );
}

/** Joins what fits; what fits nothing is a prompt of its own. */
function join<T extends AskedTelling>(tellings: readonly T[], groups: T[][], distance: Distance): void {
  const left = matched(tellings, groups, distance);
  groups.push(...left.map((telling) => [telling]));
}

/** null: these two are not the same prompt. */
type Distance = (telling: AskedTelling, group: readonly AskedTelling[]) => number | null;

/** Nearest pairs first, each telling and each group once. Returns what found no group. */
function matched<T extends AskedTelling>(tellings: readonly T[], groups: T[][], distance: Distance): T[] {
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
  telling: AskedTelling,
  group: readonly AskedTelling[],
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

function has(group: readonly AskedTelling[], via: PromptTelling['via']): boolean {
  return group.some((telling) => telling.via === via);
}

function hasSameWords(telling: AskedTelling, group: readonly AskedTelling[]): boolean {
  return group.some((other) => sameWords(telling, other));
}

function hasSameId({ promptId }: AskedTelling, group: readonly AskedTelling[]): boolean {
  return promptId !== undefined && group.some((other) => other.promptId === promptId);
}

function sameWords(a: AskedTelling, b: AskedTelling): boolean {
  const one = words(a);
  const two = words(b);
  if (one === null || two === null) return one === two && a.private === b.private;
  if (one.whole !== null && two.whole !== null) return one.whole === two.whole;
  return one.head === two.head;
}

/** What `sameWords` asks of a text. */
export function comparable(text: string | undefined): Words | null {
  if (text === undefined) return null;
  const { head, whole } = wordsOf(text);
  const hashed = hashOf(head);
  return { head: hashed, whole: whole === null ? null : whole === head ? hashed : hashOf(whole) };
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 24);
}

const known = new WeakMap<AskedTelling, Words | null>();
function words(telling: AskedTelling): Words | null {
  if (telling.words !== undefined) return telling.words;
  let found = known.get(telling);
  if (found === undefined) {
    found = comparable(telling.text);
    known.set(telling, found);
  }
  return found;
}

/** Milliseconds to the nearest telling of the group; Infinity when a time is missing. */
function apart(telling: AskedTelling, group: readonly AskedTelling[]): number {
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

function inOrder(a: AskedTelling, b: AskedTelling): number {
  return (a.offset ?? 0) - (b.offset ?? 0) || (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1);
}
