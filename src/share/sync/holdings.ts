// What this machine holds of each project that is shared: of its own events those that it sent, of others those that it
// received. Counted from the log, from where it was counted last; a forgetting takes events away, so then from the beginning.
import { type ExportedEvent, isOwnEvent, type Log } from '../../../log/index.ts';
import { HeldSet, type HeldSetRow } from './held-set.ts';
import { type LookAtFolder, Placement, type SharedProject } from './placement.ts';
import {
  type ForgettingRow,
  type Rows,
  type SessionRow,
  type SharedPosition,
  syncKeys,
} from './sync-rows.ts';

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

export class Holdings {
  readonly #parts: HoldingsParts;
  readonly #placement: Placement;
  readonly #basis: string;

  constructor(parts: HoldingsParts) {
    this.#parts = parts;
    this.#placement = new Placement(parts.rows, parts.projects, parts.lookAt);
    this.#basis = JSON.stringify(parts.projects.map(({ key, since }) => [key, since]));
  }

  /**
   * The events of each project, without forgotten ones and without forgettings. Changes rows.
   * @param until a position of the log, up to which everything was sent
   */
  async events(until: number): Promise<ReadonlyMap<string, HeldSet>> {
    const { rows } = this.#parts;
    const counted = rows.get<CountedRow>(syncKeys.heldUpTo);
    const after = counted?.basis === this.#basis ? counted.position : 0;
    const sets = new Map<string, HeldSet>();
    if (after > 0)
      for (const [key, row] of rows.startingWith<HeldSetRow>(syncKeys.prefixes.held))
        sets.set(key.slice(syncKeys.prefixes.held.length), HeldSet.from(row));
    let position = after;
    const changed = new Set<string>();
    for await (const { event, held } of this.#pages(after)) {
      if (event.position > until) break;
      if (after > 0 && event.header.type === FORGETTING) {
        rows.set(syncKeys.heldUpTo, null);
        return this.events(until);
      }
      position = event.position;
      if (held === null || event.body.salt === null) continue;
      const set = sets.get(held) ?? new HeldSet();
      set.add(event.header.id);
      sets.set(held, set);
      changed.add(held);
    }
    if (after === 0)
      for (const [key] of rows.startingWith(syncKeys.prefixes.held))
        if (!sets.has(key.slice(syncKeys.prefixes.held.length))) rows.set(key, null);
    for (const project of changed) rows.set(syncKeys.held(project), sets.get(project)!.row());
    if (position > after || counted?.basis !== this.#basis)
      rows.set(syncKeys.heldUpTo, { position, basis: this.#basis } satisfies CountedRow);
    return sets;
  }

  /** Every event of a project, forgotten ones too, but no forgettings. */
  async *all(project: string): AsyncGenerator<ExportedEvent> {
    for await (const { event, held } of this.#pages(0)) if (held === project) yield event;
  }

  /** The forgettings of a project, as they were sent. */
  forgettings(project: string): readonly ForgettingRow[] {
    const all = this.#parts.rows.startingWith<ForgettingRow>(syncKeys.prefixes.forgetting);
    return all.flatMap(([, row]) => (row.project === project ? [row] : []));
  }

  async *#pages(
    from: number,
  ): AsyncGenerator<{ readonly event: ExportedEvent; readonly held: string | null }> {
    const { log } = this.#parts;
    for (let after = from; ; ) {
      const page = await log.exportPage({ after });
      if (page.events.length === 0) return;
      after = page.end.position;
      for (const event of page.events) yield { event, held: this.#projectOf(event) };
    }
  }

  #projectOf(event: ExportedEvent): string | null {
    const { rows, log } = this.#parts;
    const { id, agent, session, origin, type } = event.header;
    if (type === FORGETTING) return null;
    // Of an event without a session, and of one of this machine that others know by themselves.
    const single = rows.get<string>(syncKeys.single(id));
    if (single !== null) return single;
    if (!isOwnEvent({ origin }, log))
      return session === null
        ? null
        : (rows.get<SessionRow>(syncKeys.session(agent, session))?.project ?? null);
    const project = this.#placement.projectOfOwn(
      event.header,
      event.body.salt === null || session !== null ? null : JSON.parse(event.body.json),
    );
    return project !== null && this.#isSent(project, event) ? project : null;
  }

  #isSent(project: string, { position, header }: ExportedEvent): boolean {
    const { rows, projects } = this.#parts;
    const since = projects.find(({ key }) => key === project)?.since ?? Number.POSITIVE_INFINITY;
    const sent = rows.get<SharedPosition>(syncKeys.sent(project))?.position ?? 0;
    return position > since && position <= sent && rows.get(syncKeys.unsent(header.id)) === null;
  }
}

const FORGETTING = 'memory.forgotten';
