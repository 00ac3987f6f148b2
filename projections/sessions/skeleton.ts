// The structure of one session in memory, without content: its items, their order and turns, and the totals of turns and
// session. New reports change only what depends on them: their items, related prompts, items after a new line or prompt.
// The result depends only on the set of reports: `change` with all of them at once gives the same as one by one.
import { pushTo } from '../../log/index.ts';
import { itemId } from '../ids/item-id.ts';
import { firstNot, SetMap } from './collections.ts';
import { LineIndex } from './line-index.ts';
import { RelatedReports } from './pair-prompts.ts';
import {
  type AnyReport,
  byEvent,
  makeSessionItem,
  type ReportHead,
  type SessionItem,
} from './session-item.ts';
import { promptIdsOf, SessionPrompts, uuidsOf } from './session-prompts.ts';
import type { CopyRow, ItemKind, PromptReport, SessionReport, SharedRow } from './session-rows.ts';
import { SharedEvidence } from './shared-evidence.ts';
import { byOrder, Thread } from './thread.ts';
import { Messages } from './token-usage.ts';
import { addTotals, Blocks, type Totals } from './totals.ts';
import { isUnfinished, Turn, turnTotals } from './turn.ts';

/** The new and the forgotten reports of a session. */
export interface SessionChange {
  readonly milestones: readonly SessionReport[];
  /** Each with the kind of its item. */
  readonly reports: readonly (readonly [ItemKind, AnyReport])[];
  /** Ids of events; those of other sessions are ignored. */
  readonly forgotten: ReadonlySet<string>;
  /** What is left of forgotten prompts. */
  readonly forgottenPrompts: readonly PromptReport[];
}

/** Reads all stored reports of some items. */
export type ReadContent = (items: readonly SessionItem[]) => Promise<readonly (readonly AnyReport[])[]>;

const LETTERS: Readonly<Record<ItemKind, string>> = { prompt: 'p', tool: 'u', reply: 'a', stop: 's' };

export class Skeleton {
  readonly agent: string;
  readonly session: string;
  milestones: readonly SessionReport[] = [];
  /** The stored evidence for the owner of shared lines; null when no other session has a line of this one. */
  shared: SharedRow | null = null;
  /** Lines that other sessions have as well, with all sessions that have them. */
  readonly sharedLines = new Map<string, CopyRow>();
  readonly sharedEvidence = new SharedEvidence();
  /** The folder in the rows of its turns. */
  workdir: string | null = null;
  /** The time under which it is listed, Unix ms or null; undefined while it is not listed. */
  listedAt: number | null | undefined;
  readonly items = new Map<string, SessionItem>();
  readonly lines = new LineIndex();
  readonly turns = new Map<string, Turn>();
  readonly messages = new Messages<Turn>();
  readonly #related = new RelatedReports<ReportHead>();
  readonly #promptOf = new Map<ReportHead, SessionItem>();
  readonly #threads = new Map<string, Thread>();
  readonly #launches = new SetMap<SessionItem>();
  readonly #prompts = new SessionPrompts();
  readonly #runStates = new Map<string, string>();
  /** Items of the main thread, by the prompt that their parent chain leads to, and by promptId. */
  readonly #byPromptUuid = new SetMap<SessionItem>();
  readonly #byPromptId = new SetMap<SessionItem>();
  readonly #sums = new Blocks<Turn>((totals, turn) => addTotals(totals, turnTotals(turn)));

  // Changes since the last `settled`.
  /** Items to be written, because their content, order, turn or owner changed. */
  readonly dirty = new Set<SessionItem>();
  readonly dirtyTurns = new Set<Turn>();
  /** Items that no longer exist. */
  readonly removed = new Map<string, SessionItem>();
  /** The reports of items whose content changed. */
  readonly content = new Map<SessionItem, readonly AnyReport[]>();
  readonly #touchedThreads = new Set<Thread>();
  readonly #touchedRuns = new Set<string>();
  readonly #touchedPrompts: {
    readonly order: string;
    readonly uuids: ReadonlySet<string>;
    readonly promptIds: ReadonlySet<string>;
  }[] = [];
  #areLaunchesTouched = false;
  #firstTurnId: string | null = null;
  #areMilestonesTouched = false;

  constructor(agent: string, session: string) {
    this.agent = agent;
    this.session = session;
  }

  /** It may have forgotten prompts. */
  get isEmpty(): boolean {
    return this.totals.items === 0 && this.milestones.length === 0;
  }

  get totals(): Totals {
    return this.#sums.totals();
  }

  /** Applies a change. Returns false when it changes nothing. */
  async change(change: SessionChange, read: ReadContent): Promise<boolean> {
    this.#areMilestonesTouched = this.#changeMilestones(change);
    if (!(await this.#changeItems(change, read))) return this.#areMilestonesTouched;
    this.#settleOrder();
    this.#settleTurns();
    return true;
  }

  /** Adds stored items, which have their order, turn and owner. */
  restore(items: readonly SessionItem[]): void {
    const threads = new Map<string, SessionItem[]>();
    for (const item of items) {
      item.stored = { turn: item.turn, owner: item.owner };
      this.#index(item);
      pushTo(threads, item.thread, item);
      this.#enterTurn(item);
      if (item.kind !== 'prompt') continue;
      this.#prompts.add(item);
      for (const head of item.heads) this.#related.add(head);
    }
    this.#related.settled();
    for (const [name, members] of threads) this.#thread(name).restore(members);
    for (const promptId of this.#prompts.runs())
      this.#runStates.set(promptId, this.#prompts.runState(promptId));
    this.messages.settle((item) => this.turns.get(item.turn)!);
    for (const turn of this.turns.values()) turn.unfinished = this.#isUnfinished(turn);
    this.#touchedThreads.clear();
    this.#areLaunchesTouched = false;
    this.settled();
  }

  /** Call after all changes are written. */
  settled(): void {
    for (const item of this.dirty) item.stored = { turn: item.turn, owner: item.owner };
    for (const turn of this.dirtyTurns) if (turn.items.size === 0) this.turns.delete(turn.id);
    this.dirty.clear();
    this.dirtyTurns.clear();
    this.removed.clear();
    this.content.clear();
    this.lines.settled();
    this.#touchedRuns.clear();
  }

  setOwner(item: SessionItem, owner: string | null): void {
    if (item.owner === owner) return;
    item.owner = owner;
    this.#touch(item);
  }

  /** Call when all owners are set: counts usage and totals again and finds the unfinished turns. */
  settleTotals(): void {
    for (const turn of this.messages.settle((item) => this.turns.get(item.turn)!)) this.dirtyTurns.add(turn);
    for (const turn of this.dirtyTurns)
      if (turn.items.size > 0) this.#sums.touch(turn);
      else if (this.#sums.has(turn)) this.#sums.delete(turn);
    const last = this.turns.get(this.#prompts.prompts.at(-1)?.turn ?? '');
    for (const turn of this.#areMilestonesTouched
      ? this.turns.values()
      : new Set([...this.dirtyTurns, ...(last === undefined ? [] : [last])])) {
      const unfinished = turn.items.size > 0 && this.#isUnfinished(turn);
      if (unfinished !== turn.unfinished) this.dirtyTurns.add(turn);
      turn.unfinished = unfinished;
    }
    this.#areMilestonesTouched = false;
  }

  #isUnfinished(turn: Turn): boolean {
    const next = turn.prompt === null ? undefined : this.#prompts.next(turn.prompt);
    const anyPrivate = this.totals.privatePrompts > 0;
    return isUnfinished(turn, { next, milestones: this.milestones, anyPrivate });
  }

  #changeMilestones({ milestones, forgotten }: SessionChange): boolean {
    const known = new Set(this.milestones.map(({ event }) => event));
    const added = milestones.filter(({ event }) => !known.has(event) && known.add(event));
    const kept = this.milestones.filter(({ event }) => !forgotten.has(event));
    if (added.length === 0 && kept.length === this.milestones.length) return false;
    this.milestones = [...kept, ...added.filter(({ event }) => !forgotten.has(event))].sort(byEvent);
    return true;
  }

  async #changeItems(
    { reports, forgotten, forgottenPrompts }: SessionChange,
    read: ReadContent,
  ): Promise<boolean> {
    const added = new Map<string, { readonly kind: ItemKind; readonly reports: AnyReport[] }>();
    const prompts = new Map<string, PromptReport>();
    for (const [kind, report] of reports) {
      if (forgotten.has(report.event)) continue;
      if (kind === 'prompt') {
        prompts.set(report.event, report as PromptReport);
        continue;
      }
      const id = itemId(LETTERS[kind], this.agent, this.session, report.dedupeKey);
      const isKnown = (one: { readonly event: string }): boolean => one.event === report.event;
      const one = added.get(id) ?? { kind, reports: [] };
      if (this.items.get(id)?.heads.some(isKnown) || one.reports.some(isKnown)) continue;
      one.reports.push(report);
      added.set(id, one);
    }
    for (const report of forgottenPrompts) prompts.set(report.event, report);
    for (const head of this.#promptOf.keys())
      if (head.forgotten !== undefined || prompts.get(head.event)?.forgotten === undefined)
        prompts.delete(head.event);
    const isLost = (head: ReportHead) => head.forgotten === undefined && forgotten.has(head.event);
    const withForgotten = new Set<SessionItem>();
    if (forgotten.size > 0)
      for (const item of this.items.values()) if (item.heads.some(isLost)) withForgotten.add(item);
    if (added.size === 0 && prompts.size === 0 && withForgotten.size === 0) return false;

    const changed = new Set([...withForgotten].filter(({ kind }) => kind !== 'prompt'));
    for (const id of added.keys()) if (this.items.has(id)) changed.add(this.items.get(id)!);
    const before = [...changed];
    const contents = await read(before);
    before.forEach((item, index) => {
      const one = added.get(item.id);
      const left = contents[index]!.filter(({ event }) => !forgotten.has(event));
      added.delete(item.id);
      this.#replace(item, item.kind, item.id, [...left, ...(one?.reports ?? [])]);
    });
    for (const [id, one] of added) this.#replace(undefined, one.kind, id, one.reports);
    const promptsWithForgotten = [...withForgotten].filter(({ kind }) => kind === 'prompt');
    if (prompts.size > 0 || promptsWithForgotten.length > 0)
      await this.#regroup(prompts, promptsWithForgotten, isLost, read);
    return true;
  }

  /** Groups the prompts again that are related to new or forgotten reports. */
  async #regroup(
    added: ReadonlyMap<string, PromptReport>,
    withForgotten: readonly SessionItem[],
    isLost: (head: ReportHead) => boolean,
    read: ReadContent,
  ): Promise<void> {
    const heads = new Map<string, ReportHead>();
    const changed: ReportHead[] = [];
    const lost = new Set<ReportHead>();
    for (const { heads: all } of withForgotten) for (const head of all) if (isLost(head)) lost.add(head);
    for (const head of lost) this.#related.delete(head);
    for (const report of added.values()) {
      const head = makeSessionItem('prompt', '', [report]).heads[0]!;
      this.#related.add(head);
      changed.push(head);
    }
    const { reports: related, groups } = this.#related.regroup([...changed, ...lost]);
    const items = new Set(withForgotten);
    for (const head of related) {
      heads.set(head.event, head);
      const item = this.#promptOf.get(head);
      if (item !== undefined) items.add(item);
    }
    const unchanged = new Set<SessionItem>();
    const next = groups.filter((group) => {
      const item = this.#promptOf.get(group[0]!);
      if (item === undefined || item.heads.length !== group.length) return true;
      if (!group.every((head) => this.#promptOf.get(head) === item)) return true;
      unchanged.add(item);
      return false;
    });
    const before = [...items].filter((item) => !unchanged.has(item));
    const contents = new Map<string, AnyReport>();
    for (const all of await read(before)) for (const report of all) contents.set(report.event, report);
    for (const [event, report] of added) contents.set(event, report);
    const stored = new Map(before.map((item) => [item.id, item]));
    for (const item of before) this.#remove(item);
    for (const group of next) {
      const id = itemId('p', this.agent, this.session, promptName(group));
      const reports = group.map(({ event }) => contents.get(event)!);
      const item = this.#createItem('prompt', id, reports, heads);
      item.stored = stored.get(id)?.stored ?? null;
      item.owner = stored.get(id)?.owner ?? null;
      stored.delete(id);
      this.removed.delete(id);
      this.#add(item);
    }
  }

  #replace(before: SessionItem | undefined, kind: ItemKind, id: string, reports: readonly AnyReport[]): void {
    if (before !== undefined) this.#remove(before);
    if (reports.length === 0) return;
    const item = this.#createItem(kind, id, reports);
    item.stored = before?.stored ?? null;
    item.owner = before?.owner ?? null;
    this.removed.delete(id);
    this.#add(item);
  }

  /** `heads`: of prompts, the objects that `#related` knows. */
  #createItem(
    kind: ItemKind,
    id: string,
    reports: readonly AnyReport[],
    heads?: ReadonlyMap<string, ReportHead>,
  ): SessionItem {
    const sorted = reports.length === 1 ? reports : [...reports].sort(byEvent);
    const created = makeSessionItem(kind, id, sorted);
    const item =
      heads === undefined ? created : { ...created, heads: sorted.map(({ event }) => heads.get(event)!) };
    this.content.set(item, sorted);
    return item;
  }

  #add(item: SessionItem): void {
    this.#index(item);
    this.sharedEvidence.noteAdded(item);
    const thread = this.#thread(item.thread);
    thread.add(item);
    this.#touchedThreads.add(thread);
    this.dirty.add(item);
  }

  #remove(item: SessionItem): void {
    this.removed.set(item.id, item);
    this.sharedEvidence.noteRemoved(item);
    this.dirty.delete(item);
    this.content.delete(item);
    this.items.delete(item.id);
    const thread = this.#thread(item.thread);
    thread.delete(item);
    this.#touchedThreads.add(thread);
    this.lines.delete(item);
    const { promptId, promptUuid, launchedAgentId } = item.merged;
    this.messages.delete(item);
    const turn = this.turns.get(item.turn);
    if (turn !== undefined) this.#leaveTurn(turn, item);
    if (launchedAgentId !== undefined) {
      this.#launches.delete(launchedAgentId, item);
      this.#areLaunchesTouched = true;
    }
    if (item.kind === 'prompt') {
      for (const head of item.heads) if (this.#promptOf.get(head) === item) this.#promptOf.delete(head);
      this.#prompts.delete(item);
      this.#notePrompt(item);
    } else if (item.thread === '') {
      if (promptUuid !== undefined) this.#byPromptUuid.delete(promptUuid, item);
      if (promptId !== undefined) this.#byPromptId.delete(promptId, item);
      if (item.kind === 'tool') this.#prompts.deleteEnd(item);
      if (promptId !== undefined) this.#touchedRuns.add(promptId);
    }
  }

  /** Adds an item to everything that does not depend on its order or its turn. */
  #index(item: SessionItem): void {
    this.items.set(item.id, item);
    this.lines.add(item);
    this.messages.add(item);
    const { promptId, promptUuid, launchedAgentId } = item.merged;
    if (launchedAgentId !== undefined) {
      this.#launches.add(launchedAgentId, item);
      this.#areLaunchesTouched = true;
    }
    if (item.kind === 'prompt') {
      for (const head of item.heads) this.#promptOf.set(head, item);
    } else if (item.thread === '') {
      if (promptUuid !== undefined) this.#byPromptUuid.add(promptUuid, item);
      if (promptId !== undefined) this.#byPromptId.add(promptId, item);
      if (item.kind === 'tool') this.#prompts.addEnd(item);
      if (promptId !== undefined) this.#touchedRuns.add(promptId);
    }
  }

  #settleOrder(): void {
    for (const thread of this.#touchedThreads) {
      thread.settle(
        (item) => {
          if (item.kind !== 'prompt') return;
          this.#prompts.delete(item);
          this.#notePrompt(item);
        },
        (item) => {
          this.dirty.add(item);
          if (item.kind !== 'prompt') return;
          this.#prompts.add(item);
          this.#notePrompt(item);
        },
      );
      if (thread.isEmpty) this.#threads.delete(thread.name);
    }
  }

  #settleTurns(): void {
    const affected = new Set(this.dirty);
    const add = (items: Iterable<SessionItem>): void => {
      for (const item of items) affected.add(item);
    };
    const runs = new Set<string>();
    const beforeTouched = new Set<SessionItem>();
    for (const { order, uuids, promptIds } of this.#touchedPrompts) {
      add(this.#mainItems(order, this.#prompts.nextLine(order)));
      for (const uuid of uuids) add(this.#byPromptUuid.get(uuid));
      for (const promptId of [...promptIds, ...this.#prompts.runsBefore(order)]) runs.add(promptId);
      // Whether a turn is unfinished depends on the next prompt.
      for (const prompt of this.#prompts.upTo(order)) beforeTouched.add(prompt);
    }
    for (const promptId of new Set([...runs, ...this.#touchedRuns])) {
      const state = this.#prompts.runState(promptId);
      if (runs.has(promptId) || state !== (this.#runStates.get(promptId) ?? ''))
        add(this.#byPromptId.get(promptId));
      if (state === '') this.#runStates.delete(promptId);
      else this.#runStates.set(promptId, state);
    }
    for (const item of affected)
      if (item.kind === 'prompt') this.#moveTo(item, turnIdOf(item));
      else if (item.thread === '')
        this.#moveTo(item, turnIdOf(this.#prompts.promptFor(item)) ?? this.#firstTurn);
    for (const { turn } of beforeTouched) this.dirtyTurns.add(this.turns.get(turn)!);
    this.#settleThreads();
    this.#touchedPrompts.length = 0;
    this.#touchedThreads.clear();
    this.#touchedRuns.clear();
    this.#areLaunchesTouched = false;
  }

  /** A sub-agent's items belong to the turn that launched it. */
  #settleThreads(): void {
    const touched = [...this.#touchedThreads].filter(({ name, isEmpty }) => name !== '' && !isEmpty);
    const all =
      this.#areLaunchesTouched ||
      this.#touchedPrompts.length > 0 ||
      touched.some(({ name }) => this.#launchOf(name)?.thread !== '');
    for (const thread of all ? this.#threads.values() : touched) {
      if (thread.name === '') continue;
      const turn = this.#turnOfThread(thread.name);
      const hasMoved = turn !== thread.turn;
      thread.turn = turn;
      if (hasMoved) for (const item of thread.items) this.#moveTo(item, turn);
    }
    for (const item of this.dirty)
      if (item.thread !== '' && item.kind !== 'prompt') this.#moveTo(item, this.#thread(item.thread).turn);
  }

  #turnOfThread(name: string): string {
    const seen = [name];
    for (;;) {
      const launch = this.#launchOf(seen.at(-1)!);
      if (launch === undefined) return this.#unlaunchedTurn(seen.at(-1)!);
      if (launch.thread === '') return launch.turn;
      const again = seen.indexOf(launch.thread);
      // Sub-agents that launched each other according to their reports: it cannot be known which was first.
      if (again >= 0) return this.#unlaunchedTurn(seen.slice(again).sort()[0]!);
      seen.push(launch.thread);
    }
  }

  #launchOf(thread: string): SessionItem | undefined {
    return [...this.#launches.get(thread)].sort(byOrder).at(-1);
  }

  /** The turn of a sub-agent without a reported launch: by the promptId of its earliest item that has one, else by its earliest time. */
  #unlaunchedTurn(name: string): string {
    const { items } = this.#thread(name);
    for (const { merged } of items) {
      const opener = merged.promptId === undefined ? undefined : this.#prompts.openerOf(merged.promptId);
      if (opener !== undefined) return turnIdOf(opener);
    }
    let began = Number.POSITIVE_INFINITY;
    for (const { at } of items) if (at !== null && at < began) began = at;
    return turnIdOf(this.#prompts.lastSubmittedBy(began)) ?? this.#firstTurn;
  }

  /** Items of the main thread from one order up to, but not including, another. */
  #mainItems(from: string, until: string | undefined): readonly SessionItem[] {
    const { items } = this.#thread('');
    const end = until === undefined ? items.length : firstNot(items, ({ order }) => order < until);
    return items.slice(
      firstNot(items, ({ order }) => order < from),
      end,
    );
  }

  #moveTo(item: SessionItem, turnId: string): void {
    if (item.turn !== turnId) {
      const left = this.turns.get(item.turn);
      if (left !== undefined) this.#leaveTurn(left, item);
      item.turn = turnId;
      this.#enterTurn(item);
      if (item.merged.launchedAgentId !== undefined) this.#areLaunchesTouched = true;
    } else if (!this.dirty.has(item)) return;
    this.#touch(item);
  }

  #enterTurn(item: SessionItem): void {
    let turn = this.turns.get(item.turn);
    if (turn === undefined) {
      turn = new Turn(item.turn);
      this.turns.set(turn.id, turn);
    }
    if (!this.#sums.has(turn)) this.#sums.add(turn);
    turn.items.add(item);
    if (item.kind === 'prompt') turn.prompt = item;
    this.dirtyTurns.add(turn);
  }

  #leaveTurn(turn: Turn, item: SessionItem): void {
    turn.items.delete(item);
    if (turn.prompt === item) turn.prompt = null;
    this.dirtyTurns.add(turn);
  }

  #touch(item: SessionItem): void {
    this.dirty.add(item);
    this.messages.touch(item);
    const turn = this.turns.get(item.turn)!;
    turn.items.touch(item);
    this.dirtyTurns.add(turn);
  }

  #thread(name: string): Thread {
    let thread = this.#threads.get(name);
    if (thread === undefined) {
      thread = new Thread(name);
      this.#threads.set(name, thread);
    }
    return thread;
  }

  #notePrompt(prompt: SessionItem): void {
    const { order } = prompt;
    this.#touchedPrompts.push({ order, uuids: uuidsOf(prompt), promptIds: promptIdsOf(prompt) });
  }

  /** The id of the turn before the first prompt. */
  get #firstTurn(): string {
    this.#firstTurnId ??= itemId('t', this.agent, this.session, null);
    return this.#firstTurnId;
  }
}

function turnIdOf(prompt: SessionItem): string;
function turnIdOf(prompt: SessionItem | undefined): string | undefined;
function turnIdOf(prompt: SessionItem | undefined): string | undefined {
  return prompt === undefined ? undefined : `t${prompt.id.slice(1)}`;
}

/** Hooks usually report first: a prompt named by its hook keeps its id when the transcript is imported. */
function promptName(group: readonly ReportHead[]): string {
  for (const via of ['hook', 'line', 'attachment', 'queue']) {
    const head = group.filter((one) => one.via === via).sort(earliest)[0];
    if (head !== undefined) return `${via}:${head.dedupeKey}`;
  }
  throw new Error('A group of prompts is never empty.');
}

function earliest(a: ReportHead, b: ReportHead): number {
  return (a.at ?? 0) - (b.at ?? 0) || (a.dedupeKey < b.dedupeKey ? -1 : 1);
}
