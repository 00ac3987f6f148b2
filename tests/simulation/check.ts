// The checks at the end of a run: every acknowledged event is in the log once, at its acknowledged position; no other
// event is there; the chain verifies; cursors are not ahead of their events; every view equals a fresh replay of the
// log.
import { eventId, type Log, type NewEvent, Tombstones } from '../../log/index.ts';
import { readWhole } from '../helpers/transcripts.ts';
import { freshDigests, type Program, type ProgramOptions } from './program.ts';
import type { Transcript } from './workload.ts';

export type What = 'lost' | 'doubled' | 'readable' | 'view' | 'other';

/** A broken promise. */
export interface Wrong {
  readonly what: What;
  /** One sentence. */
  readonly message: string;
}

/** What the product has promised during the run. */
export interface Promises {
  /** Acknowledged ids and their positions. */
  readonly acknowledged: Map<string, number>;
  /** Ids that were passed to the product: no other id may be in the log. */
  readonly appended: Set<string>;
  /** Ids that must be in the log at the end, unless forgotten. */
  readonly needed: Map<string, NewEvent>;
  /** Whether the disk lost a synced end of the log. */
  tailLost: boolean;
}

/** Goes on without the lost end of the log. */
export async function acceptLoss({ log, runner }: Program): Promise<void> {
  await log.saveHead({ acceptLoss: true });
  await runner.catchUp();
  if (runner.problems.some(({ code }) => code === 'LOG_DAMAGED')) await runner.rebuild();
}

export async function checkEnd(
  program: Program,
  promises: Promises,
  fresh: ProgramOptions,
): Promise<readonly Wrong[]> {
  const { log, runner } = program;
  if (promises.tailLost) {
    await acceptLoss(program);
  }
  const wrong = await checkLog(log, promises);
  for (const { name, lag } of runner.states())
    if (lag !== 0) add(wrong, 'view', `the view ${name} is ${lag} events behind after catching up`);
  for (const { view, error } of await runner.deadLetters())
    add(wrong, 'view', `a dead letter of ${view}: ${error}`);
  const live = await program.digests();
  const replayed = await freshDigests(log, fresh);
  for (const [name, digest] of Object.entries(replayed))
    if (live[name] !== digest) add(wrong, 'view', `the view ${name} differs from a fresh replay`);
  return wrong;
}

async function checkLog(log: Log, { acknowledged, appended, needed }: Promises): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  const { events } = await log.page({ after: 0, limit: 100_000 });
  const positions = new Map(events.map(({ id, position }) => [id, position]));
  if (positions.size !== events.length) add(wrong, 'doubled', 'an event is in the log twice');
  if (events.some(({ position }, index) => position !== index + 1))
    add(wrong, 'other', 'positions are not dense');
  for (const [id, position] of acknowledged) {
    const at = positions.get(id);
    if (at === undefined) add(wrong, 'lost', `acknowledged event ${id} of position ${position} is missing`);
    else if (at !== position)
      add(wrong, 'other', `acknowledged event ${id} of position ${position} is at ${at}`);
  }
  for (const id of positions.keys())
    if (!appended.has(id)) add(wrong, 'other', `event ${id} was never appended`);
  const forgotten = await tombstonesOf(log);
  for (const [id, newEvent] of needed)
    if (!positions.has(id) && !forgotten.covers(newEvent) && !mayBeDropped(newEvent, positions))
      add(wrong, 'lost', `event ${id} was reported and is missing`);
  const { problems, events: good } = await log.verify();
  for (const { message } of problems) add(wrong, 'other', `verify: ${message}`);
  if (problems.length === 0 && good !== events.length)
    add(wrong, 'other', `verify counts ${good} of ${events.length}`);
  return wrong;
}

/**
 * A hook's tool use whose prompt did not come within half an hour might be private, and is dropped; its transcript, which
 * says whether it is, must then have reported it.
 */
function mayBeDropped(newEvent: NewEvent, positions: ReadonlyMap<string, number>): boolean {
  if (newEvent.type !== 'tool.used' || newEvent.channel !== 'hook') return false;
  return positions.has(eventId({ ...newEvent, channel: 'transcript' }));
}

async function tombstonesOf(log: Log): Promise<Tombstones> {
  const tombstones = new Tombstones();
  for (const event of await log.forgettings()) tombstones.add(event);
  return tombstones;
}

/** A cursor claims that everything before it is in the log. */
export async function checkCursors(log: Log, transcripts: readonly Transcript[]): Promise<readonly Wrong[]> {
  const wrong: Wrong[] = [];
  let forgotten: Tombstones | null = null;
  for (const { key, value } of await log.cursors('claude-code file ')) {
    const transcript = transcripts.find(({ session }) => key.includes(session));
    const { offset } = (value as { state: { offset: number } }).state;
    if (transcript === undefined || offset === 0) continue;
    const { session } = transcript;
    forgotten ??= await tombstonesOf(log);
    const before = eventsBefore(transcript, offset).filter(
      (newEvent) => !forgotten!.holds(eventId(newEvent)) && !forgotten!.covers(newEvent),
    );
    const found = await log.getMany(before.map(eventId));
    if (found.includes(undefined))
      add(wrong, 'other', `the cursor of ${session} at ${offset} is ahead of its events`);
  }
  return wrong;
}

function add(wrong: Wrong[], what: What, message: string): void {
  wrong.push({ what, message });
}

/** Cached by transcript and offset: the same sessions occur in many runs, and reading them costs more than a lookup. */
const known = new WeakMap<Transcript, Map<number, readonly NewEvent[]>>();

function eventsBefore(transcript: Transcript, offset: number): readonly NewEvent[] {
  const read = known.get(transcript) ?? new Map<number, readonly NewEvent[]>();
  known.set(transcript, read);
  if (!read.has(offset)) {
    const { bytes, session } = transcript;
    const { newEvents } = readWhole(bytes.subarray(0, offset), { name: `${session}.jsonl` });
    read.set(offset, newEvents);
  }
  return read.get(offset)!;
}
