// The steps of a run that rewrite or transfer the log: forgetting, compacting, exporting, restoring an export
// and importing it again. The forgotten events are drawn during the run. At the end no file may contain any of them.

import { tombstoneNames } from '../../log/erase/forgotten-names.ts';
import { isBlank, parseHeader } from '../../log/format/record.ts';
import {
  type ExportedEvent,
  type Log,
  type LogEvent,
  type NewEvent,
  openLog,
  restoreLog,
} from '../../log/index.ts';
import { UNFINISHED } from '../../src/forget/unfinished-forgetting.ts';
import type { Chance } from '../helpers/chance.ts';
import { prompt } from '../helpers/toy-projectors.ts';
import type { What, Wrong } from './check.ts';
import type { Disk } from './disk.ts';
import type { Life } from './life.ts';
import type { Program } from './program.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import type { RewritingStep, Step } from './workload.ts';

const STEPS: readonly RewritingStep[] = [
  'forget',
  'compact',
  'compact',
  'export',
  'restore',
  'import export',
];
const MARKED_PROMPTS = 4;
/** One in this many events is forgotten, and always at least one. */
const FORGOTTEN_SHARE = 6;

/** Steps with these in between: prompts with distinctive texts come first, and are among the forgotten events. */
export function withRewriting(steps: readonly Step[], luck: Chance): readonly Step[] {
  const all: Step[] = [...steps];
  const forgettings = 1 + luck.below(2);
  const others = Array.from({ length: luck.below(4) }, () => STEPS[luck.below(STEPS.length)]!);
  for (const step of luck.shuffled<RewritingStep>([...others, ...Array(forgettings).fill('forget')]))
    all.splice(luck.below(all.length + 1), 0, { do: step });
  for (let index = 0; index < MARKED_PROMPTS; index++)
    all.splice(luck.below(all.length), 0, { do: 'tell', calls: [[markedPrompt(index)]] });
  return all;
}

function markedPrompt(index: number): NewEvent {
  return prompt(`marked-${index % 2}`, `marked-${index}`, `${MARK}${index} and a test of the clock`);
}

const MARK = 'wordnobodyelsesays';

export interface RewritingSettings {
  readonly luck: Chance;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
}

interface Exported {
  readonly logId: string;
  readonly events: readonly ExportedEvent[];
  readonly position: number;
  readonly chain: string;
}

export class Rewriting {
  readonly #settings: RewritingSettings;
  #forgettings = 0;
  #exported: Exported | null = null;

  constructor(settings: RewritingSettings) {
    this.#settings = settings;
  }

  /** The forgetting to append now; null when there is nothing to forget. */
  async choose(program: Program): Promise<NewEvent | null> {
    const { luck, now } = this.#settings;
    const { events } = await program.log.page({ after: 0, limit: 100_000 });
    const there = events.filter(
      (event): event is LogEvent => event.type !== 'unknown' && event.type !== 'memory.forgotten',
    );
    if (there.length === 0) return null;
    const always = there[luck.below(there.length)]!;
    const chosen = there.filter(
      (event) =>
        event === always || luck.below(FORGOTTEN_SHARE) === 0 || (isMarked(event) && luck.below(2) === 0),
    );
    this.#forgettings += 1;
    const newEvent: NewEvent<'memory.forgotten'> = {
      type: 'memory.forgotten',
      agent: 'annals',
      session: null,
      dedupeKey: `forgetting-${this.#forgettings}`,
      channel: 'cli',
      occurredAt: now(),
      body: {
        by: 'ids',
        copies: false,
        events: chosen.map(({ id, agent, session }) => ({ agent, session, ids: [id] })),
        names: [
          ...new Set(
            chosen.flatMap((event) => tombstoneNames(event as Parameters<typeof tombstoneNames>[0])),
          ),
        ],
        items: [],
      },
    };
    return newEvent;
  }

  async export({ log }: Program): Promise<void> {
    const events: ExportedEvent[] = [];
    for (;;) {
      const page = await log.exportPage({ after: events.length, limit: 7 });
      events.push(...page.events);
      const { position, chain } = page.end;
      if (page.events.length > 0) continue;
      this.#exported = { logId: log.logId, events, position, chain };
      return;
    }
  }

  /** Restores into a separate home: same chain, and no problems. */
  async restore(life: Life): Promise<readonly Wrong[]> {
    if (this.#exported === null) return [];
    const { logId, events, position, chain } = this.#exported;
    const disk = new SimulatedDisk();
    const swap = disk.logFolders(life);
    const world = this.#settings;
    async function* pages() {
      for (let from = 0; from < events.length; from += 5) yield events.slice(from, from + 5);
    }
    const reached = await restoreLog(
      { directory: 'log', logId, world, store: swap.makeStore!('log') },
      pages(),
    );
    const wrong: Wrong[] = [];
    if (reached.position !== position || reached.chain !== chain)
      add(wrong, 'lost', `the restored log ends at ${reached.position} of ${position}`);
    const log = await openLog({ directory: 'log', headFile: null, world, files: disk.files(life), swap });
    const { problems } = await log.verify();
    for (const { message } of problems) add(wrong, 'other', `verify of the restored log: ${message}`);
    await log.close();
    return wrong;
  }

  /** An older export may contain events that were forgotten since: none of them may come back. */
  async importExport({ log }: Program): Promise<readonly string[]> {
    if (this.#exported === null || this.#exported.events.length === 0) return [];
    const { events } = this.#exported;
    await log.importEvents(events);
    return events.map(({ header }) => header.id);
  }
}

/** After all faults, and after an opening: no unfinished forgetting, no folder beside the log, nothing readable. */
export async function checkForgotten(log: Log, disk: Disk): Promise<readonly Wrong[]> {
  const wrong: Wrong[] = [];
  if ((await log.cursor(UNFINISHED)) !== undefined) add(wrong, 'other', 'a forgetting is not finished');
  for (const folder of disk.nextToLog()) add(wrong, 'other', `${folder} was left beside the log`);
  const forgotten = new Set<string>();
  for (const { body } of await log.forgettings())
    for (const { ids } of body.events) for (const id of ids) forgotten.add(id);
  for (const id of forgotten)
    if ((await log.get(id)) !== undefined) add(wrong, 'readable', `forgotten event ${id} can be read`);
  const { events } = await log.page({ after: 0, limit: 100_000 });
  const living = new Set(events.flatMap((event) => markOf(event) ?? []));
  const found = new Set<string>();
  for (const value of disk.residue()) {
    if (typeof value !== 'string') {
      const header = isRecord(value) && !isBlank(value) ? parseHeader(value) : null;
      if (header !== null && forgotten.has(header.id)) found.add(`the body of ${header.id}`);
    }
    for (const [mark] of value.toString('latin1').matchAll(MARKS)) if (!living.has(mark)) found.add(mark);
  }
  for (const what of found) add(wrong, 'readable', `a file still holds ${what}, which was forgotten`);
  return wrong;
}

const MARKS = new RegExp(`${MARK}\\d`, 'g');

function isMarked(event: LogEvent): boolean {
  return markOf(event) !== null;
}

function markOf(event: { readonly type: string; readonly body?: unknown }): string | null {
  return event.type === 'prompt.submitted' ? (JSON.stringify(event.body).match(MARKS)?.[0] ?? null) : null;
}

/** Of all values of the log only event records parse as one. */
function isRecord(value: Buffer): boolean {
  try {
    return parseHeader(value) !== null;
  } catch {
    return false;
  }
}

function add(wrong: Wrong[], what: What, message: string): void {
  wrong.push({ what, message });
}
