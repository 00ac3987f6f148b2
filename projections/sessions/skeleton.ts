// The structure of one session in memory: which items it has, in which order, of which turn, and what turns and session
// come to; without any content. New tellings change what they concern and nothing else: their items, the prompts related
// to them, what stands behind a new line or a new prompt. The result depends only on which tellings there are: `change`
// with all of them at once gives the same as one by one.
import { itemId } from '../ids/item-id.ts';
import { AskedPrompts, promptIdsOf, uuidsOf } from './asked.ts';
import { Groups } from './groups.ts';
import { RelatedTellings } from './pair-prompts.ts';
import { type AnyTelling, byEvent, type Mark, makeSessionItem, type SessionItem } from './session-item.ts';
import type { CopyRow, ItemKind, PromptReport, SessionReport, SharedRow } from './session-rows.ts';
import { firstNot } from './sorted.ts';
import { byOrder, Thread } from './thread.ts';
import { Messages } from './token-usage.ts';
import { addTotals, Blocks, type Totals } from './totals.ts';
import { isUnfinished, Turn, turnTotals } from './turn.ts';

/** What is new of a session, and what is gone. */
export interface SessionChange {
  readonly milestones: readonly SessionReport[];
  /** By the kind of the item that they tell of. */
  readonly reports: readonly (readonly [ItemKind, AnyTelling])[];
  /** Ids of events; those of other sessions do not matter. */
  readonly forgotten: ReadonlySet<string>;
}

/** Reads all tellings of some items from where they are stored. */
export type ReadContent = (items: readonly SessionItem[]) => Promise<readonly (readonly AnyTelling[])[]>;

const LETTERS: Readonly<Record<ItemKind, string>> = { prompt: 'p', tool: 'u', reply: 'a', stop: 's' };

export class Skeleton {
  readonly agent: string;
  readonly session: string;
  milestones: readonly SessionReport[] = [];
  /** What this session's lines say about who was first, as it is stored; null when no other session has one of them. */
  shared: SharedRow | null = null;
  /** Lines that other sessions have too, with all sessions that have them. */
  readonly held = new Map<string, CopyRow>();
  /** The place that its turns were last written with. */
  workdir: string | null = null;
  readonly items = new Map<string, SessionItem>();
  readonly turns = new Map<string, Turn>();
  readonly messages = new Messages<Turn>();
  readonly #related = new RelatedTellings<Mark>();
  readonly #promptOf = new Map<Mark, SessionItem>();
  readonly #threads = new Map<string, Thread>();
  readonly #launches = new Groups<SessionItem>();
  readonly #asked = new AskedPrompts();
  readonly #courses = new Map<string, string>();
  /** Items of the main thread, by the prompt that their parent chain leads to, and by promptId. */
  readonly #byPromptUuid = new Groups<SessionItem>();
  readonly #byPromptId = new Groups<SessionItem>();
  readonly #byLine = new Groups<SessionItem>();
  readonly #sums = new Blocks<Turn>((totals, turn) => addTotals(totals, turnTotals(turn)));

  // What the change under way has touched.
  /** Items to be written: new or another content, order, turn or home. */
  readonly dirty = new Set<SessionItem>();
  readonly dirtyTurns = new Set<Turn>();
  /** Items that are gone. */
  readonly removed = new Map<string, SessionItem>();
  /** Tellings of items whose content is another one. */
  readonly content = new Map<SessionItem, readonly AnyTelling[]>();
  /** When touched lines stood here before; undefined: they did not. */
  readonly #linesBefore = new Map<string, number | undefined>();
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

  get isEmpty(): boolean {
    return this.items.size === 0 && this.milestones.length === 0;
  }

  get totals(): Totals {
    return this.#sums.totals();
  }

  /** Takes in what is new. False when nothing is. */
  async change(change: SessionChange, read: ReadContent): Promise<boolean> {
    this.#areMilestonesTouched = this.#changeMilestones(change);
    if (!(await this.#changeItems(change, read))) return this.#areMilestonesTouched;
    this.#settleOrder();
    this.#settleTurns();
    return true;
  }

  /** Items as they are stored, with order, turn and home. */
  restore(items: readonly SessionItem[]): void {
    const threads = new Map<string, SessionItem[]>();
    for (const item of items) {
      item.stored = { turn: item.turn, home: item.home };
      this.#index(item);
      const members = threads.get(item.thread);
      if (members === undefined) threads.set(item.thread, [item]);
      else members.push(item);
      this.#enter(item);
      if (item.kind !== 'prompt') continue;
      this.#asked.add(item);
      for (const mark of item.marks) this.#related.add(mark);
    }
    this.#related.settled();
    for (const [name, members] of threads) this.#thread(name).restore(members);
    for (const promptId of this.#asked.runs()) this.#courses.set(promptId, this.#asked.courseOf(promptId));
    this.messages.settle((item) => this.turns.get(item.turn)!);
    for (const turn of this.turns.values()) turn.unfinished = this.#isUnfinished(turn);
    this.#touchedThreads.clear();
    this.#areLaunchesTouched = false;
    this.settled();
  }

  /** What was touched is written. */
  settled(): void {
    for (const item of this.dirty) item.stored = { turn: item.turn, home: item.home };
    for (const turn of this.dirtyTurns) if (turn.items.size === 0) this.turns.delete(turn.id);
    this.dirty.clear();
    this.dirtyTurns.clear();
    this.removed.clear();
    this.content.clear();
    this.#linesBefore.clear();
    this.#touchedRuns.clear();
  }

  /** The lines that stand here at another time than before, or no longer, or only now. */
  changedLines(): {
    readonly before: ReadonlyMap<string, number>;
    readonly after: ReadonlyMap<string, number>;
  } {
    const before = new Map<string, number>();
    const after = new Map<string, number>();
    for (const [line, at] of this.#linesBefore) {
      const now = this.#timeOf(line);
      if (now === at) continue;
      if (at !== undefined) before.set(line, at);
      if (now !== undefined) after.set(line, now);
    }
    return { before, after };
  }

  itemsOfLine(line: string): ReadonlySet<SessionItem> {
    return this.#byLine.get(line);
  }

  setHome(item: SessionItem, home: string | null): void {
    if (item.home === home) return;
    item.home = home;
    this.#touch(item);
  }

  /** Homes are known: counts what depends on them, and finds out which turns are open. */
  settleTotals(): void {
    for (const turn of this.messages.settle((item) => this.turns.get(item.turn)!)) this.dirtyTurns.add(turn);
    for (const turn of this.dirtyTurns)
      if (turn.items.size > 0) this.#sums.touch(turn);
      else if (this.#sums.has(turn)) this.#sums.delete(turn);
    const last = this.turns.get(this.#asked.prompts.at(-1)?.turn ?? '');
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
    const next = turn.prompt === null ? undefined : this.#asked.next(turn.prompt);
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

  async #changeItems({ reports, forgotten }: SessionChange, read: ReadContent): Promise<boolean> {
    const added = new Map<string, { readonly kind: ItemKind; readonly reports: AnyTelling[] }>();
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
      if (this.items.get(id)?.marks.some(isKnown) || one.reports.some(isKnown)) continue;
      one.reports.push(report);
      added.set(id, one);
    }
    for (const mark of this.#promptOf.keys()) prompts.delete(mark.event);
    const losing = new Set<SessionItem>();
    if (forgotten.size > 0)
      for (const item of this.items.values())
        if (item.marks.some(({ event }) => forgotten.has(event))) losing.add(item);
    if (added.size === 0 && prompts.size === 0 && losing.size === 0) return false;

    const changed = new Set([...losing].filter(({ kind }) => kind !== 'prompt'));
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
    const lost = [...losing].filter(({ kind }) => kind === 'prompt');
    if (prompts.size > 0 || lost.length > 0) await this.#regroup(prompts, lost, forgotten, read);
    return true;
  }

  /** New and lost tellings of prompts: what is related to them is grouped anew. */
  async #regroup(
    added: ReadonlyMap<string, PromptReport>,
    losing: readonly SessionItem[],
    forgotten: ReadonlySet<string>,
    read: ReadContent,
  ): Promise<void> {
    const marks = new Map<string, Mark>();
    const changed: Mark[] = [];
    const gone = new Set<Mark>();
    for (const { marks: all } of losing)
      for (const mark of all) if (forgotten.has(mark.event)) gone.add(mark);
    for (const mark of gone) this.#related.delete(mark);
    for (const report of added.values()) {
      const mark = makeSessionItem('prompt', '', [report]).marks[0]!;
      this.#related.add(mark);
      changed.push(mark);
    }
    const { reports: related, groups } = this.#related.regroup([...changed, ...gone]);
    const items = new Set(losing);
    for (const mark of related) {
      marks.set(mark.event, mark);
      const item = this.#promptOf.get(mark);
      if (item !== undefined) items.add(item);
    }
    const isAsBefore = new Set<SessionItem>();
    const next = groups.filter((group) => {
      const item = this.#promptOf.get(group[0]!);
      if (item === undefined || item.marks.length !== group.length) return true;
      if (!group.every((mark) => this.#promptOf.get(mark) === item)) return true;
      isAsBefore.add(item);
      return false;
    });
    const before = [...items].filter((item) => !isAsBefore.has(item));
    const contents = new Map<string, AnyTelling>(added);
    for (const all of await read(before)) for (const report of all) contents.set(report.event, report);
    const stored = new Map(before.map((item) => [item.id, item]));
    for (const item of before) this.#remove(item);
    for (const group of next) {
      const id = itemId('p', this.agent, this.session, promptName(group));
      const reports = group.map(({ event }) => contents.get(event)!);
      const item = this.#made('prompt', id, reports, marks);
      item.stored = stored.get(id)?.stored ?? null;
      item.home = stored.get(id)?.home ?? null;
      stored.delete(id);
      this.removed.delete(id);
      this.#add(item);
    }
  }

  #replace(
    before: SessionItem | undefined,
    kind: ItemKind,
    id: string,
    reports: readonly AnyTelling[],
  ): void {
    if (before !== undefined) this.#remove(before);
    if (reports.length === 0) return;
    const item = this.#made(kind, id, reports);
    item.stored = before?.stored ?? null;
    item.home = before?.home ?? null;
    this.removed.delete(id);
    this.#add(item);
  }

  /** `marks`: those of prompts stay the same objects, by which they are related. */
  #made(
    kind: ItemKind,
    id: string,
    reports: readonly AnyTelling[],
    marks?: ReadonlyMap<string, Mark>,
  ): SessionItem {
    const sorted = reports.length === 1 ? reports : [...reports].sort(byEvent);
    const made = makeSessionItem(kind, id, sorted);
    const item =
      marks === undefined ? made : { ...made, marks: sorted.map(({ event }) => marks.get(event)!) };
    this.content.set(item, sorted);
    return item;
  }

  #add(item: SessionItem): void {
    this.#index(item);
    const thread = this.#thread(item.thread);
    thread.add(item);
    this.#touchedThreads.add(thread);
    this.dirty.add(item);
  }

  #remove(item: SessionItem): void {
    this.removed.set(item.id, item);
    this.dirty.delete(item);
    this.content.delete(item);
    this.items.delete(item.id);
    const thread = this.#thread(item.thread);
    thread.delete(item);
    this.#touchedThreads.add(thread);
    for (const line of item.copyKeys) {
      this.#noteLine(line);
      this.#byLine.delete(line, item);
    }
    const { promptId, promptUuid, launchedAgentId } = item.merged;
    this.messages.delete(item);
    const turn = this.turns.get(item.turn);
    if (turn !== undefined) this.#leave(turn, item);
    if (launchedAgentId !== undefined) {
      this.#launches.delete(launchedAgentId, item);
      this.#areLaunchesTouched = true;
    }
    if (item.kind === 'prompt') {
      for (const mark of item.marks) if (this.#promptOf.get(mark) === item) this.#promptOf.delete(mark);
      this.#asked.delete(item);
      this.#notePrompt(item);
    } else if (item.thread === '') {
      if (promptUuid !== undefined) this.#byPromptUuid.delete(promptUuid, item);
      if (promptId !== undefined) this.#byPromptId.delete(promptId, item);
      if (item.kind === 'tool') this.#asked.deleteEnd(item);
      if (promptId !== undefined) this.#touchedRuns.add(promptId);
    }
  }

  /** Adds an item to everything that does not depend on its order or its turn. */
  #index(item: SessionItem): void {
    this.items.set(item.id, item);
    for (const line of item.copyKeys) {
      this.#noteLine(line);
      this.#byLine.add(line, item);
    }
    this.messages.add(item);
    const { promptId, promptUuid, launchedAgentId } = item.merged;
    if (launchedAgentId !== undefined) {
      this.#launches.add(launchedAgentId, item);
      this.#areLaunchesTouched = true;
    }
    if (item.kind === 'prompt') {
      for (const mark of item.marks) this.#promptOf.set(mark, item);
    } else if (item.thread === '') {
      if (promptUuid !== undefined) this.#byPromptUuid.add(promptUuid, item);
      if (promptId !== undefined) this.#byPromptId.add(promptId, item);
      if (item.kind === 'tool') this.#asked.addEnd(item);
      if (promptId !== undefined) this.#touchedRuns.add(promptId);
    }
  }

  #settleOrder(): void {
    for (const thread of this.#touchedThreads) {
      thread.settle(
        (item) => {
          if (item.kind !== 'prompt') return;
          this.#asked.delete(item);
          this.#notePrompt(item);
        },
        (item) => {
          this.dirty.add(item);
          if (item.kind !== 'prompt') return;
          this.#asked.add(item);
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
      add(this.#mainItems(order, this.#asked.nextLine(order)));
      for (const uuid of uuids) add(this.#byPromptUuid.get(uuid));
      for (const promptId of [...promptIds, ...this.#asked.runsBefore(order)]) runs.add(promptId);
      // Whether a turn is open depends on the prompt behind it.
      for (const prompt of this.#asked.upTo(order)) beforeTouched.add(prompt);
    }
    for (const promptId of new Set([...runs, ...this.#touchedRuns])) {
      const course = this.#asked.courseOf(promptId);
      if (runs.has(promptId) || course !== (this.#courses.get(promptId) ?? ''))
        add(this.#byPromptId.get(promptId));
      if (course === '') this.#courses.delete(promptId);
      else this.#courses.set(promptId, course);
    }
    for (const item of affected)
      if (item.kind === 'prompt') this.#moveTo(item, turnIdOf(item));
      else if (item.thread === '')
        this.#moveTo(item, turnIdOf(this.#asked.servedBy(item)) ?? this.#firstTurn);
    for (const { turn } of beforeTouched) this.dirtyTurns.add(this.turns.get(turn)!);
    this.#settleThreads();
    this.#touchedPrompts.length = 0;
    this.#touchedThreads.clear();
    this.#touchedRuns.clear();
    this.#areLaunchesTouched = false;
  }

  /** A sub-agent's items go where it was launched. */
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
      // Sub-agents that are said to have launched each other: nobody knows which was first.
      if (again >= 0) return this.#unlaunchedTurn(seen.slice(again).sort()[0]!);
      seen.push(launch.thread);
    }
  }

  #launchOf(thread: string): SessionItem | undefined {
    return [...this.#launches.get(thread)].sort(byOrder).at(-1);
  }

  /** A sub-agent whose launch nobody told: by the promptId of its earliest item that has one, else by its earliest time. */
  #unlaunchedTurn(name: string): string {
    const { items } = this.#thread(name);
    for (const { merged } of items) {
      const opener = merged.promptId === undefined ? undefined : this.#asked.openerOf(merged.promptId);
      if (opener !== undefined) return turnIdOf(opener);
    }
    let began = Number.POSITIVE_INFINITY;
    for (const { at } of items) if (at !== null && at < began) began = at;
    return turnIdOf(this.#asked.lastBy(began)) ?? this.#firstTurn;
  }

  /** Items of the main thread from one order up to another. */
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
      if (left !== undefined) this.#leave(left, item);
      item.turn = turnId;
      this.#enter(item);
      if (item.merged.launchedAgentId !== undefined) this.#areLaunchesTouched = true;
    } else if (!this.dirty.has(item)) return;
    this.#touch(item);
  }

  #enter(item: SessionItem): void {
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

  #leave(turn: Turn, item: SessionItem): void {
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

  #noteLine(line: string): void {
    if (!this.#linesBefore.has(line)) this.#linesBefore.set(line, this.#timeOf(line));
  }

  #timeOf(line: string): number | undefined {
    let time: number | undefined;
    for (const { at } of this.#byLine.get(line))
      time = Math.min(time ?? Number.MAX_SAFE_INTEGER, at ?? Number.MAX_SAFE_INTEGER);
    return time;
  }

  /** The turn of what came before any prompt. */
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

/** Hooks come first as a rule: a prompt named by its hook keeps its id when the transcript is imported. */
function promptName(group: readonly Mark[]): string {
  for (const via of ['hook', 'line', 'attachment', 'queue']) {
    const mark = group.filter((one) => one.via === via).sort(earliest)[0];
    if (mark !== undefined) return `${via}:${mark.dedupeKey}`;
  }
  throw new Error('A group of prompts is never empty.');
}

function earliest(a: Mark, b: Mark): number {
  return (a.at ?? 0) - (b.at ?? 0) || (a.dedupeKey < b.dedupeKey ? -1 : 1);
}
