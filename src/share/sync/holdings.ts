// What this machine holds of each project, and would give to who lacks it: of its own events those that it sent under a
// project in which they still are, and those that another machine sent too; of others those that it received. Counted from
// the log, from where it was counted last; a forgetting takes events away, so then from the beginning.
import { type ExportedEvent, FORGETTING, isOwnEvent, type Log, pagesAfter } from '../../../log/index.ts';
import { type ForgettingRow, type Rows, type SharedPosition, syncKeys } from '../rows/sync-rows.ts';
import { HeldSet, type HeldSetRow } from './held-set.ts';
import { isPlacedAlone, type LookAtFolder, Placement, type SharedProject } from './placement.ts';

export interface HoldingsParts {
  readonly log: Pick<Log, 'exportPage' | 'origin' | 'logId'>;
  readonly rows: Rows;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
}

interface CountedRow {
  readonly position: number;
  /** Which projects are shared, and since when. */
  readonly basis: string;
}

/** Of an event that its session places only whether it has a body is asked. */
export type CountedEvent = Pick<ExportedEvent, 'position' | 'header' | 'body'>;

export class Holdings {
  readonly #parts: HoldingsParts;
  readonly #placement: Placement;
  readonly #basis: string;

  constructor(parts: HoldingsParts) {
    this.#parts = parts;
    this.#placement = new Placement(parts);
    this.#basis = JSON.stringify(parts.projects.map(({ key, since }) => [key, since]));
  }

  /**
   * The events of each project, without forgotten ones and without forgettings. Changes rows.
   * @param until a position of the log, up to which everything was sent
   */
  async events(until: number): Promise<ReadonlyMap<string, HeldSet>> {
    const { rows } = this.#parts;
    const after = this.#countedUpTo();
    const sets = this.#sets(after);
    const changed = new Set<string>();
    let position = after;
    for await (const event of this.#events(after)) {
      if (event.position > until) break;
      if (after > 0 && event.header.type === FORGETTING) {
        rows.set(syncKeys.heldUpTo, null);
        return this.events(until);
      }
      position = event.position;
      this.#count(event, sets, changed);
    }
    this.#noteCounted(position, sets, changed);
    return sets;
  }

  /**
   * Counts events that were in hand anyway, so that nobody reads them again; does nothing if they do not follow what is
   * counted. Changes rows.
   * @param events all those after position `after` up to position `until`
   */
  passed(after: number, until: number, events: readonly CountedEvent[]): void {
    if (after !== this.#countedUpTo() || events.some(({ header }) => header.type === FORGETTING)) return;
    const sets = this.#sets(after);
    const changed = new Set<string>();
    for (const event of events) this.#count(event, sets, changed);
    this.#noteCounted(until, sets, changed);
  }

  #countedUpTo(): number {
    const counted = this.#parts.rows.get<CountedRow>(syncKeys.heldUpTo);
    return counted?.basis === this.#basis ? counted.position : 0;
  }

  /** As they were counted up to a position. */
  #sets(after: number): Map<string, HeldSet> {
    const { held } = syncKeys.prefixes;
    const rows = after === 0 ? [] : this.#parts.rows.startingWith<HeldSetRow>(held);
    return new Map(rows.map(([key, row]) => [key.slice(held.length), HeldSet.from(row)]));
  }

  #count(event: CountedEvent, sets: Map<string, HeldSet>, changed: Set<string>): void {
    if (event.body.salt === null) return;
    for (const project of this.#projectsOf(event)) {
      const set = sets.get(project) ?? new HeldSet();
      set.add(event.header.id);
      sets.set(project, set);
      changed.add(project);
    }
  }

  #noteCounted(position: number, sets: ReadonlyMap<string, HeldSet>, changed: ReadonlySet<string>): void {
    const { rows } = this.#parts;
    if (this.#countedUpTo() === 0)
      for (const [key] of rows.startingWith(syncKeys.prefixes.held))
        if (!sets.has(key.slice(syncKeys.prefixes.held.length))) rows.set(key, null);
    for (const project of changed) rows.set(syncKeys.held(project), sets.get(project)!.row());
    const counted: CountedRow = { position, basis: this.#basis };
    if (JSON.stringify(rows.get(syncKeys.heldUpTo)) !== JSON.stringify(counted))
      rows.set(syncKeys.heldUpTo, counted);
  }

  /** Every event of a project, forgotten ones too, but no forgettings. */
  async *all(project: string): AsyncGenerator<ExportedEvent> {
    for await (const event of this.#events(0)) if (this.#projectsOf(event).has(project)) yield event;
  }

  /** The forgettings of a project, as they were sent. */
  forgettings(project: string): readonly ForgettingRow[] {
    const all = this.#parts.rows.startingWith<ForgettingRow>(syncKeys.prefixes.forgetting);
    return all.flatMap(([, row]) => (row.project === project ? [row] : []));
  }

  async *#events(from: number): AsyncGenerator<ExportedEvent> {
    const { log } = this.#parts;
    for await (const { events } of pagesAfter(from, (after) => log.exportPage({ after }))) yield* events;
  }

  #projectsOf(event: CountedEvent): ReadonlySet<string> {
    const { rows, log } = this.#parts;
    const { header, body } = event;
    if (header.type === FORGETTING) return NONE;
    // Where an own event may have been sent says only where it is to be forgotten.
    if (!isOwnEvent(header, log) || body.salt === null) return new Set(this.#placement.placesOf(event));
    if (rows.get(syncKeys.unsent(header.id)) !== null) return NONE;
    const placed = this.#placement.projectsOfOwn(
      header,
      isPlacedAlone(header) ? JSON.parse(body.json) : null,
    );
    const others = rows.get<readonly string[]>(syncKeys.sentByOthers(header.id)) ?? [];
    return new Set([...others, ...placed.filter((project) => this.#isSent(project, event.position))]);
  }

  #isSent(project: string, position: number): boolean {
    const { rows, projects } = this.#parts;
    const since = projects.find(({ key }) => key === project)?.since ?? Number.POSITIVE_INFINITY;
    const sent = rows.get<SharedPosition>(syncKeys.sent(project))?.position ?? 0;
    return position > since && position <= sent;
  }
}

const NONE: ReadonlySet<string> = new Set();
