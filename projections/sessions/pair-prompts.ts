// Groups the reports of one prompt. A prompt may be reported by its transcript line, by the queue operation that held it
// while the agent worked, by an attachment, and by a hook. Reports with the same text are joined, the nearest in time
// first; between several candidates the promptId decides. A promptId alone does not identify a prompt: a prompt typed
// while the agent works has the promptId of the current run, and a fork writes its own on every line that it copies. Each
// report is used once. The result depends only on the set of reports, never on their order of arrival.
import { hash } from 'node:crypto';
import { pushTo } from '../../log/index.ts';
import { SetMap } from './collections.ts';
import type { PromptReport } from './session-rows.ts';

/** Two reports of one prompt are seconds apart; ten minutes leave room for a slow machine. */
const SAME_PROMPT_MS = 10 * 60_000;
/** A queued prompt waits until the agent finishes, for hours at most; for more than ten minutes only if no other prompt came in between. */
const QUEUE_WAIT_MS = 12 * 3_600_000;
/** A hook installed twice fires twice within moments. */
const DOUBLE_HOOK_MS = 10_000;
/** Clock noise between a queue operation and the line that follows from it. */
const NOISE_MS = 10_000;

/** The fields of a report that decide which prompt it belongs to. */
export interface ComparedReport {
  readonly event: string;
  readonly at?: number | undefined;
  readonly offset?: number | undefined;
  readonly promptId?: string | undefined;
  readonly via?: PromptReport['via'] | undefined;
  readonly private?: true | undefined;
  readonly forgotten?: string | undefined;
  readonly text?: string | undefined;
  /** Of the text; null when there is none. */
  readonly fingerprint?: TextFingerprint | null;
}

/** Hashes of a text as `comparableText` reads it. */
export interface TextFingerprint {
  readonly head: string;
  /** null when the text was clipped. */
  readonly whole: string | null;
}

/**
 * Reports by the names that can join them: the beginning of the text and the promptId. Reports that share no name,
 * directly or through others, are never the same prompt, so a new report changes few groups.
 */
export class RelatedReports<T extends ComparedReport> {
  readonly #byName = new SetMap<T>();
  /** The times of prompt lines, Unix ms, ascending. A queued prompt does not wait longer than until the next one. */
  readonly #lineTimes: number[] = [];
  /** The last time, Unix ms, of a line or attachment: each may be a queued prompt that was delivered. */
  #lastDeliveredAt = Number.NEGATIVE_INFINITY;
  /** A line was added or removed before a delivery, so any queued prompt may belong to another group now. */
  #isOutOfOrder = false;

  add(report: T): void {
    for (const name of namesOf(report)) this.#byName.add(name, report);
    if (report.at === undefined || (report.via !== 'line' && report.via !== 'attachment')) return;
    this.#lastDeliveredAt = Math.max(this.#lastDeliveredAt, report.at);
    if (report.via !== 'line') return;
    this.#lineTimes.splice(insertIndex(this.#lineTimes, report.at), 0, report.at);
    if (report.at < this.#lastDeliveredAt) this.#isOutOfOrder = true;
  }

  delete(report: T): void {
    for (const name of namesOf(report)) this.#byName.delete(name, report);
    if (report.via !== 'line' || report.at === undefined) return;
    this.#lineTimes.splice(insertIndex(this.#lineTimes, report.at) - 1, 1);
    this.#isOutOfOrder = true;
  }

  /** Marks everything as grouped. */
  settled(): void {
    this.#isOutOfOrder = false;
  }

  /** Groups all reports that are related to these. The groups of all others have not changed since the last call. */
  regroup(changed: Iterable<T>): { readonly reports: ReadonlySet<T>; readonly groups: T[][] } {
    const reports = new Set<T>();
    const groups: T[][] = [];
    const names = new Set<string>();
    const from = this.#isOutOfOrder ? this.#byName.names() : [...changed].flatMap(namesOf);
    for (const name of from) {
      const related = this.#relatedTo(name, names);
      for (const report of related) reports.add(report);
      groups.push(...groupRelated(related, this.#lineTimes));
    }
    this.settled();
    return { reports, groups };
  }

  /** `seen`: names that were visited before. */
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

function namesOf(report: ComparedReport): string[] {
  if (report.forgotten !== undefined) return [`forgotten ${report.forgotten}`];
  const fingerprint = knownFingerprint(report);
  const names = [fingerprint === null ? `no text ${report.private === true}` : `text ${fingerprint.head}`];
  if (report.promptId !== undefined) names.push(`id ${report.promptId}`);
  return names;
}

/** The index after all of these ascending times that are not later than `at`. */
function insertIndex(times: readonly number[], at: number): number {
  let index = times.length;
  while (index > 0 && times[index - 1]! > at) index--;
  return index;
}

/** `lineTimes`: the times of all prompt lines of the session, Unix ms. */
function groupRelated<T extends ComparedReport>(reports: readonly T[], lineTimes: readonly number[]): T[][] {
  // Without their texts they cannot be paired again.
  const forgotten = new Map<string, T[]>();
  for (const report of reports)
    if (report.forgotten !== undefined) pushTo(forgotten, report.forgotten, report);
  const by = (via: PromptReport['via']) =>
    reports.filter((report) => report.via === via && report.forgotten === undefined).sort(inOrder);
  const groups: T[][] = by('line').map((report) => [report]);

  join(by('attachment'), groups, (report, group) =>
    has(group, 'attachment') || !hasSameText(report, group)
      ? null
      : within(SAME_PROMPT_MS, distanceMs(report, group)),
  );
  join(by('queue'), groups, (report, group) => {
    if (has(group, 'queue') || !hasSameText(report, group)) return null;
    return queueDistance(report, group, lineTimes);
  });
  joinHooks(by('hook'), groups);
  return [...groups, ...forgotten.values()];
}

/** A text as it is compared: without redaction marks, with single spaces. A clipped text is compared by its head only. */
export function comparableText(text: string): { head: string; whole: string | null } {
  const clipped = CLIP_MARK.test(text);
  const plain = (clipped ? text.slice(0, text.search(CLIP_MARK)) : text)
    .replace(/\[redacted:[a-z0-9-]+\]/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { head: plain.slice(0, HEAD_CHARS), whole: clipped ? null : plain };
}

const CLIP_MARK = /…\[annals: [\d,]+ characters left out\]…/;
/** Fewer than what the tightest clip (8 KiB) leaves of any script. */
const HEAD_CHARS = 1_000;

function joinHooks<T extends ComparedReport>(hooks: readonly T[], groups: T[][]): void {
  const unpaired = matchNearest(hooks, groups, (report, group) => {
    if (has(group, 'hook') || !hasSameText(report, group)) return null;
    const ms = distanceMs(report, group);
    return hasSameId(report, group)
      ? Math.min(ms, SAME_PROMPT_MS)
      : within(SAME_PROMPT_MS, ms, OTHER_ID_PENALTY);
  });
  // The agent may have written another text than the hook was given: an expanded paste, a block added by the editor.
  const left = matchNearest(unpaired, groups, (report, group) =>
    has(group, 'hook') || !hasSameId(report, group) ? null : within(NOISE_MS, distanceMs(report, group)),
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

/** Any pair with the same promptId is nearer than one with different ones. */
const OTHER_ID_PENALTY = SAME_PROMPT_MS;

function isSecondFiring(report: ComparedReport, other: ComparedReport): boolean {
  return (
    report.promptId === other.promptId &&
    haveSameText(report, other) &&
    distanceMs(report, [other]) <= DOUBLE_HOOK_MS
  );
}

/** Adds each report to the nearest group that fits, or as a group of its own. */
function join<T extends ComparedReport>(reports: readonly T[], groups: T[][], distance: Distance): void {
  const left = matchNearest(reports, groups, distance);
  groups.push(...left.map((report) => [report]));
}

/** null when a report cannot belong to a group. */
type Distance = (report: ComparedReport, group: readonly ComparedReport[]) => number | null;

/** Joins the nearest pairs first, each report and each group once. Returns the reports without a group. */
function matchNearest<T extends ComparedReport>(
  reports: readonly T[],
  groups: T[][],
  distance: Distance,
): T[] {
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
  report: ComparedReport,
  group: readonly ComparedReport[],
  askedAt: readonly number[],
): number | null {
  const queuedAt = report.at;
  const deliveredAt = group[0]!.at;
  if (queuedAt === undefined || deliveredAt === undefined) return null;
  const waited = deliveredAt - queuedAt;
  if (waited < -NOISE_MS || waited > QUEUE_WAIT_MS) return null;
  if (waited <= SAME_PROMPT_MS) return Math.abs(waited);
  const promptedBetween = askedAt.some((at) => at > queuedAt && at < deliveredAt);
  return promptedBetween ? null : waited;
}

function has(group: readonly ComparedReport[], via: PromptReport['via']): boolean {
  return group.some((report) => report.via === via);
}

function hasSameText(report: ComparedReport, group: readonly ComparedReport[]): boolean {
  return group.some((other) => haveSameText(report, other));
}

function hasSameId({ promptId }: ComparedReport, group: readonly ComparedReport[]): boolean {
  return promptId !== undefined && group.some((other) => other.promptId === promptId);
}

function haveSameText(a: ComparedReport, b: ComparedReport): boolean {
  const one = knownFingerprint(a);
  const two = knownFingerprint(b);
  if (one === null || two === null) return one === two && a.private === b.private;
  if (one.whole !== null && two.whole !== null) return one.whole === two.whole;
  return one.head === two.head;
}

/** What `haveSameText` compares. */
export function fingerprintOf(text: string | undefined): TextFingerprint | null {
  if (text === undefined) return null;
  const { head, whole } = comparableText(text);
  const hashed = hashOf(head);
  return { head: hashed, whole: whole === null ? null : whole === head ? hashed : hashOf(whole) };
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 24);
}

const known = new WeakMap<ComparedReport, TextFingerprint | null>();
function knownFingerprint(report: ComparedReport): TextFingerprint | null {
  if (report.fingerprint !== undefined) return report.fingerprint;
  let found = known.get(report);
  if (found === undefined) {
    found = fingerprintOf(report.text);
    known.set(report, found);
  }
  return found;
}

/** Milliseconds to the nearest report of the group; Infinity when a time is missing. */
function distanceMs(report: ComparedReport, group: readonly ComparedReport[]): number {
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

function inOrder(a: ComparedReport, b: ComparedReport): number {
  return (a.offset ?? 0) - (b.offset ?? 0) || (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1);
}
