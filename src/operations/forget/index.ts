// Forgetting, from what a person names to the proof: chosen, shown, confirmed, forgotten in one batch, taken out of
// every view, and then everything that held it written anew. What has to be done after the batch is noted in the
// log in that batch, so that whoever opens the home after a kill finishes it.
import {
  AnnalsError,
  type Log,
  type LogEvent,
  pagesAfter,
  type Telling,
  Tombstones,
} from '../../../log/index.ts';
import type { ForgetOptions, ForgetReport, ForgetSelection, ForgetStep } from '../../api.ts';
import type { Opened } from '../opened.ts';
import { noteCompacted } from '../size.ts';
import { type ForgettingHome, finish, finishForgetting, inTurn, mustRebuild, scrubViews } from './finish.ts';
import { movesPlaces } from './places.ts';
import { planOf, type Work } from './plan.ts';
import { prove } from './proof.ts';
import { select } from './select.ts';
import { removeSpoolFiles, spoolFilesOf } from './spool.ts';
import { UNFINISHED } from './unfinished.ts';

/** @throws AnnalsError USAGE, NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN, LOG_DAMAGED, DISK_FULL */
export async function forget(
  selection: ForgetSelection,
  options: ForgetOptions,
  opened: Opened,
  randomBytes: (size: number) => Uint8Array,
): Promise<ForgetReport> {
  const { paths, log, runner, now } = opened;
  const began = now();
  const step = async (name: ForgetStep) => options.onStep?.(name);
  await runner.catchUp();
  const seen = log.head().position;
  const selected = await select(selection, opened);
  const work = await planOf(selected, { withCopies: options.withCopies ?? false }, opened);
  const spool = await spoolFilesOf(paths.home, work);
  const plan = { ...work.shown, spoolFiles: spool.length };
  const answer = (outcome: ForgetReport['outcome']): ForgetReport => ({
    outcome,
    id: null,
    at: null,
    plan,
    proof: null,
    ms: now() - began,
  });
  await step('found');
  if (work.events.length + spool.length === 0) return answer('nothing');
  if (options.dryRun === true) return answer('shown');
  if (options.confirm !== undefined && !(await options.confirm(plan))) return answer('declined');
  return inTurn(log, async () => {
    await refuseIfDamaged(log);
    await removeSpoolFiles(spool);
    await step('spool');
    const at = now();
    if (work.events.length === 0) {
      const proof = await prove(paths.home, work.needles, log.logId);
      return { ...answer('forgotten'), at: new Date(at).toISOString(), proof, ms: now() - began };
    }
    const newFact = () => Buffer.from(randomBytes(16)).toString('hex');
    const fact = newFact();
    let rebuild = (await movesPlaces(work.events, opened.views)) || (await mustRebuild(log));
    const cursors = [{ key: UNFINISHED, value: { rebuild } }, ...(await cursorsOf(work, log))];
    if (work.retold.length > 0) await log.append(work.retold);
    const [outcome] = await log.append([tellingOf(work, fact, at)], { cursors });
    const late = await lateOf(work, seen, log);
    if (late.length > 0) {
      rebuild ||= await movesPlaces(late, opened.views);
      const more = { ...work, events: late, names: [], items: [] };
      const noted = [{ key: UNFINISHED, value: { rebuild } }];
      await log.append([tellingOf(more, newFact(), at)], { cursors: noted });
    }
    await step('forgotten');
    await finish(rebuild, homeOf(opened), step);
    const proof = await prove(paths.home, work.needles, fact);
    return {
      ...answer('forgotten'),
      id: outcome!.id,
      at: new Date(at).toISOString(),
      proof,
      ms: now() - began,
    };
  });
}

/** What was told between the choice and the forgetting, and would not be taken any more now. */
async function lateOf({ names, events }: Work, seen: number, log: Log): Promise<LogEvent[]> {
  const tombstones = new Tombstones();
  tombstones.addNames(names);
  const known = new Set(events.map(({ id }) => id));
  const late: LogEvent[] = [];
  for await (const { events: some } of pagesAfter(seen, (after) => log.page({ after })))
    for (const event of some) {
      if (event.type === 'unknown' || known.has(event.id)) continue;
      if (tombstones.covers(event as Parameters<Tombstones['covers']>[0])) late.push(event);
    }
  return late;
}

/** Noted before something is forgotten by other ways than `forget`: from then on there is something to finish. */
export async function expectForgetting(log: Log): Promise<void> {
  await log.append([], { cursors: [{ key: UNFINISHED, value: { rebuild: true } }] });
}

/** What a forgetting that was cut off left to do; nothing, mostly. */
export function finishForgettingOf(opened: Opened): Promise<void> {
  return finishForgetting(homeOf(opened));
}

/** As `finishForgettingOf`, when a home is opened; when it fails the home opens all the same, says so, and the next opening tries again. */
export async function finishAtOpening(opened: Opened): Promise<void> {
  try {
    await finishForgettingOf(opened);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    opened.unfinished.push(
      `What was forgotten is in no answer, but may still stand in files: taking it out was cut off and failed again (${why}) The next opening tries again.`,
    );
  }
}

/** Writes everything anew without forgetting anything: what was overwritten or removed leaves the disk. */
export async function compact(
  opened: Opened,
): Promise<{ bytesBefore: number; bytesAfter: number; ms: number }> {
  const { paths, log, runner, now } = opened;
  const began = now();
  await runner.catchUp();
  const { bytesBefore, bytesAfter } = await inTurn(log, async () => {
    await scrubViews(homeOf(opened));
    const report = await log.rewrite();
    await noteCompacted(log, paths);
    return report;
  });
  return { bytesBefore, bytesAfter, ms: now() - began };
}

function homeOf({ paths, log, runner, text, vectors }: Opened): ForgettingHome {
  return { log, runner, indexes: [text, vectors], noteCompacted: () => noteCompacted(log, paths) };
}

async function refuseIfDamaged(log: Log): Promise<void> {
  if (log.damage.length === 0) return;
  throw new AnnalsError(
    'LOG_DAMAGED',
    `Nothing was forgotten, because the log is damaged: ${log.damage[0]!.message}.`,
    {
      hint: 'Run annals verify to see all of it.',
    },
  );
}

function tellingOf(
  { by, events, names, items, shown }: Work,
  fact: string,
  at: number,
): Telling<'memory.forgotten'> {
  const sessions = new Map<string, { agent: string; session: string | null; ids: string[] }>();
  for (const { id, agent, session } of events) {
    const name = JSON.stringify([agent, session]);
    const known = sessions.get(name) ?? { agent, session, ids: [] };
    sessions.set(name, known);
    known.ids.push(id);
  }
  return {
    type: 'memory.forgotten',
    agent: 'annals',
    session: null,
    fact,
    witness: 'cli',
    occurredAt: at,
    body: {
      by,
      copies: shown.copies.included,
      events: [...sessions.values()],
      names: [...names],
      items: [...items],
    },
  };
}

/** Readers' places in files that tell of a forgotten session, or that hold a piece of it: read again from the beginning. */
async function cursorsOf({ sessions, needles }: Work, log: Log): Promise<{ key: string; value: null }[]> {
  const names = new Set(sessions.map(({ session }) => session));
  const words = [...names, ...needles.slice(0, 200)];
  return (await log.cursors()).flatMap(({ key, value }) => {
    const text = `${key}\n${JSON.stringify(value)}`;
    return words.some((word) => text.includes(word)) ? [{ key, value: null }] : [];
  });
}
