// Lists what agents proposed and nobody answered, and records a person's answer. Confirming appends the answer and the act
// in one batch. What shall be forgotten is forgotten first, so that no answer says it was when it was not.
import { AnnalsError, isAnnalsError, isoTime, type NewEvent } from '../../log/index.ts';
import { type ProposalRow, waitingProposals } from '../../projections/index.ts';
import type { ActInput, DecideOptions, DecideReport, Proposal, ProposedItem } from '../api/act.ts';
import type { ForgetReport } from '../api/forget.ts';
import { forget } from '../forget/index.ts';
import type { Home } from '../home/home.ts';
import { recordWorkdirs } from '../home/record-workdirs.ts';
import { resolveId } from '../read/resolve-id.ts';
import { showItem } from '../read/show-item.ts';
import { type ActWorld, actingAlone, dedupeKeyOf } from './act-event.ts';
import { preparedAct } from './do-act.ts';

const PREFIX_CHARS_MIN = 4;

export async function proposals(home: Home): Promise<readonly Proposal[]> {
  const waiting = await waitingProposals(home.views.turns);
  return Promise.all(waiting.map((row) => proposalOf(row, home)));
}

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE; as `act` and `forget` */
export async function decide(
  given: string,
  { confirmed, ...options }: DecideOptions,
  home: Home,
  world: ActWorld,
): Promise<DecideReport> {
  await home.runner.catchUp();
  const row = await waitingNamed(given.trim(), home);
  const proposal = await proposalOf(row, home);
  if (!confirmed || proposal.selection === null) {
    if (!(await answer(row, confirmed, home, world))) throw notWaiting(row.event);
    return { outcome: confirmed ? 'confirmed' : 'refused', proposal, forgetting: null };
  }
  const forgetting = await forgetProposed(proposal.selection, options, home, world);
  if (forgetting.outcome === 'declined') return { outcome: 'declined', proposal, forgetting };
  // What was forgotten by its words took the proposal, which holds them, with it: then nothing is answered.
  await answer(row, true, home, world);
  return { outcome: 'confirmed', proposal, forgetting };
}

function forgetProposed(
  { withCopies, ...selection }: NonNullable<Proposal['selection']>,
  options: Omit<DecideOptions, 'confirmed'>,
  home: Home,
  world: ActWorld,
): Promise<ForgetReport> {
  if (options.confirm === undefined)
    throw new AnnalsError('USAGE', 'What this proposal forgets has to be shown and confirmed first.', {
      hint: '`annals proposals confirm` does both; over HTTP, POST /api/forget/plan with its id as `proposal`.',
    });
  const chosen = { ...options, withCopies: options.withCopies ?? withCopies ?? false };
  return forget(selection, chosen, home, world.randomBytes);
}

/** False: it does not wait any more. */
function answer(row: ProposalRow, confirmed: boolean, home: Home, world: ActWorld): Promise<boolean> {
  return actingAlone(home, async () => {
    await home.runner.catchUp();
    const waits = (await waitingProposals(home.views.turns)).some(({ event }) => event === row.event);
    if (waits) await appendAnswer(row, confirmed, home, world);
    return waits;
  });
}

async function appendAnswer(
  row: ProposalRow,
  confirmed: boolean,
  home: Home,
  world: ActWorld,
): Promise<void> {
  const decision: NewEvent<'memory.confirmed'> = {
    type: 'memory.confirmed',
    agent: 'annals',
    session: null,
    dedupeKey: dedupeKeyOf(world),
    channel: 'api',
    occurredAt: home.now(),
    causation: row.event,
    body: { proposal: row.event, confirmed },
  };
  const done = confirmed ? await actIn(row, home, world) : null;
  await home.log.append(done === null ? [decision] : [decision, { ...done, causation: row.event }]);
  const { act, cwd } = row.body;
  if (done !== null && act === 'note' && cwd !== null) await recordWorkdirs([cwd], home);
}

async function waitingNamed(id: string, { views }: Home): Promise<ProposalRow> {
  const waiting = await waitingProposals(views.turns);
  const found = id.length < PREFIX_CHARS_MIN ? [] : waiting.filter(({ event }) => event.startsWith(id));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new AnnalsError('AMBIGUOUS_ID', `“${id}” matches more than one proposal.`, {
      hint: 'Give more of the id.',
    });
  throw notWaiting(id);
}

function notWaiting(id: string): AnnalsError {
  return new AnnalsError('NOT_FOUND', `No proposal with the id “${id}” waits.`, {
    hint: '`annals proposals` lists them.',
  });
}

/** Null when it would change nothing, and for what was forgotten. */
async function actIn({ body }: ProposalRow, home: Home, world: ActWorld): Promise<NewEvent | null> {
  const { act, item, by, title, text, project, cwd } = body;
  if (act === 'forget') return null;
  const input: ActInput = {
    act,
    ...(item === null ? {} : { id: item.id }),
    ...(by === null ? {} : { by: by.id }),
    ...(title === null ? {} : { title }),
    ...(text === null ? {} : { text }),
    ...(project === null ? {} : { project }),
    ...(cwd === null ? {} : { cwd }),
  };
  return (await preparedAct(input, home, world))?.event ?? null;
}

async function proposalOf({ event, at, body }: ProposalRow, home: Home): Promise<Proposal> {
  const { act, item, by, title, text, client } = body;
  const selection = body.selection as Proposal['selection'];
  const { ids = [], session } = selection ?? {};
  return {
    id: event,
    act,
    item: item === null ? null : named(item),
    by: by === null ? null : named(by),
    title,
    text,
    selection,
    items: await Promise.all((session === undefined ? ids : [session]).map((id) => itemNamed(id, home))),
    client,
    at: isoTime(at),
  };
}

function named({ id, kind, title }: ProposedItem): ProposedItem {
  return { id, kind, title };
}

async function itemNamed(id: string, { log, views }: Home): Promise<ProposedItem> {
  const sources = { log, ...views };
  try {
    return named(await showItem(await resolveId(id, sources), sources, async () => ''));
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return { id, kind: error.code === 'FORGOTTEN' ? 'forgotten' : 'unknown', title: '' };
  }
}
