// Which tellings speak of the same prompt. A prompt may be told by its transcript line, by the queue operation
// that held it while the agent worked, by an attachment, and by a hook. Equal words join them, nearest in time; between
// several the promptId decides. It names no prompt by itself: what is typed while the agent works bears that of the
// run under way, and a fork gives its own to every line that it copies. Each telling is used once. The result depends
// only on the set of tellings, never on their order of arrival.
import { hash } from 'node:crypto';
import { Groups } from './groups.ts';
import type { PromptReport } from './session-rows.ts';

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
  readonly via?: PromptReport['via'] | undefined;
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

export function groupPrompts<T extends AskedTelling>(reports: readonly T[]): T[][] {
  const related = new RelatedTellings<T>();
  for (const report of reports) related.add(report);
  return related.regroup(reports).groups;
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

  add(report: T): void {
    for (const name of namesOf(report)) this.#byName.add(name, report);
    if (report.at === undefined || (report.via !== 'line' && report.via !== 'attachment')) return;
    this.#lastDelivered = Math.max(this.#lastDelivered, report.at);
    if (report.via !== 'line') return;
    this.#askedAt.splice(placeIn(this.#askedAt, report.at), 0, report.at);
    if (report.at < this.#lastDelivered) this.#isOutOfOrder = true;
  }

  delete(report: T): void {
    for (const name of namesOf(report)) this.#byName.delete(name, report);
    if (report.via !== 'line' || report.at === undefined) return;
    this.#askedAt.splice(placeIn(this.#askedAt, report.at) - 1, 1);
    this.#isOutOfOrder = true;
  }

  /** Everything is grouped already, as it is. */
  settled(): void {
    this.#isOutOfOrder = false;
  }

  /** The groups of all that is related to these; the groups of all others are as they were the last time. */
  regroup(changed: Iterable<T>): { readonly reports: ReadonlySet<T>; readonly groups: T[][] } {
    const reports = new Set<T>();
    const groups: T[][] = [];
    const names = new Set<string>();
    const from = this.#isOutOfOrder ? this.#byName.names() : [...changed].flatMap(namesOf);
    for (const name of from) {
      const related = this.#relatedTo(name, names);
      for (const report of related) reports.add(report);
      groups.push(...groupRelated(related, this.#askedAt));
    }
    this.settled();
    return { reports, groups };
  }

  /** `seen`: names that were followed before. */
  #relatedTo(first: string, seen: Set<string>): readonly T[] {
    const found = new Set<T>();
    const waiting = [first];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      for (const report of this.#byName.get(name)) {
        if (found.has(report)) continue;
        found.add(report);
        waiting.push(...namesOf(report));
      }
    }
    return [...found];
  }
}

function namesOf(report: AskedTelling): string[] {
  const said = words(report);
  const names = [said === null ? `nothing said ${report.private === true}` : `said ${said.head}`];
  if (report.promptId !== undefined) names.push(`id ${report.promptId}`);
  return names;
}

/** Behind all of ascending `times` that are not later. */
function placeIn(times: readonly number[], at: number): number {
  let workdir = times.length;
  while (workdir > 0 && times[workdir - 1]! > at) workdir--;
  return workdir;
}

/** `askedAt`: when the lines of the whole session were written. */
function groupRelated<T extends AskedTelling>(reports: readonly T[], askedAt: readonly number[]): T[][] {
  const by = (via: PromptReport['via']) => reports.filter((report) => report.via === via).sort(inOrder);
  const groups: T[][] = by('line').map((report) => [report]);

  join(by('attachment'), groups, (report, group) =>
    has(group, 'attachment') || !hasSameWords(report, group)
      ? null
      : within(SAME_PROMPT_MS, apart(report, group)),
  );
  join(by('queue'), groups, (report, group) => {
    if (has(group, 'queue') || !hasSameWords(report, group)) return null;
    return queueDistance(report, group, askedAt);
  });
  joinHooks(by('hook'), groups);
  return groups;
}

/** How alike two texts must be to be the same words: redaction marks and white space do not count, a clipped text is compared by its head. */
export function comparableText(text: string): { head: string; whole: string | null } {
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
  const unpaired = matched(hooks, groups, (report, group) => {
    if (has(group, 'hook') || !hasSameWords(report, group)) return null;
    const ms = apart(report, group);
    return hasSameId(report, group) ? Math.min(ms, SAME_PROMPT_MS) : within(SAME_PROMPT_MS, ms, OTHER_ID);
  });
  // The program may have written other words than it was given: an expanded paste, a block of the editor's.
  const left = matched(unpaired, groups, (report, group) =>
    has(group, 'hook') || !hasSameId(report, group) ? null : within(NOISE_MS, apart(report, group)),
  );
  const alone: T[][] = [];
  for (const report of left) {
    const twice = [...groups, ...alone].find((group) =>
      group.some((other) => other.via === 'hook' && isSecondFiring(report, other)),
    );
    if (twice) twice.push(report);
    else alone.push([report]);
  }
  groups.push(...alone);
}

/** What any pair with one promptId comes before. */
const OTHER_ID = SAME_PROMPT_MS;

function isSecondFiring(report: AskedTelling, other: AskedTelling): boolean {
  return (
    report.promptId === other.promptId && sameWords(report, other) && apart(report, [other]) <= TWICE_FIRED_MS
  );
}

/** Joins what fits; what fits nothing is a prompt of its own. */
function join<T extends AskedTelling>(reports: readonly T[], groups: T[][], distance: Distance): void {
  const left = matched(reports, groups, distance);
  groups.push(...left.map((report) => [report]));
}

/** null: these two are not the same prompt. */
type Distance = (report: AskedTelling, group: readonly AskedTelling[]) => number | null;

/** Nearest pairs first, each telling and each group once. Returns what found no group. */
function matched<T extends AskedTelling>(reports: readonly T[], groups: T[][], distance: Distance): T[] {
  const pairs: { report: number; group: number; distance: number }[] = [];
  reports.forEach((report, t) => {
    groups.forEach((group, g) => {
      const d = distance(report, group);
      if (d !== null) pairs.push({ report: t, group: g, distance: d });
    });
  });
  pairs.sort((a, b) => a.distance - b.distance || a.report - b.report || a.group - b.group);
  const usedReports = new Set<number>();
  const usedGroups = new Set<number>();
  for (const pair of pairs) {
    if (usedReports.has(pair.report) || usedGroups.has(pair.group)) continue;
    usedReports.add(pair.report);
    usedGroups.add(pair.group);
    groups[pair.group]!.push(reports[pair.report]!);
  }
  return reports.filter((_, t) => !usedReports.has(t));
}

function queueDistance(
  report: AskedTelling,
  group: readonly AskedTelling[],
  askedAt: readonly number[],
): number | null {
  const said = report.at;
  const delivered = group[0]!.at;
  if (said === undefined || delivered === undefined) return null;
  const waited = delivered - said;
  if (waited < -NOISE_MS || waited > QUEUE_WAIT_MS) return null;
  if (waited <= SAME_PROMPT_MS) return Math.abs(waited);
  const askedBetween = askedAt.some((at) => at > said && at < delivered);
  return askedBetween ? null : waited;
}

function has(group: readonly AskedTelling[], via: PromptReport['via']): boolean {
  return group.some((report) => report.via === via);
}

function hasSameWords(report: AskedTelling, group: readonly AskedTelling[]): boolean {
  return group.some((other) => sameWords(report, other));
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
  const { head, whole } = comparableText(text);
  const hashed = hashOf(head);
  return { head: hashed, whole: whole === null ? null : whole === head ? hashed : hashOf(whole) };
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 24);
}

const known = new WeakMap<AskedTelling, Words | null>();
function words(report: AskedTelling): Words | null {
  if (report.words !== undefined) return report.words;
  let found = known.get(report);
  if (found === undefined) {
    found = comparable(report.text);
    known.set(report, found);
  }
  return found;
}

/** Milliseconds to the nearest telling of the group; Infinity when a time is missing. */
function apart(report: AskedTelling, group: readonly AskedTelling[]): number {
  if (report.at === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(
    ...group.map((other) =>
      other.at === undefined ? Number.POSITIVE_INFINITY : Math.abs(other.at - report.at!),
    ),
  );
}

function within(limit: number, distance: number, added = 0): number | null {
  return distance <= limit ? distance + added : null;
}

function inOrder(a: AskedTelling, b: AskedTelling): number {
  return (a.offset ?? 0) - (b.offset ?? 0) || (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1);
}
