// Lists what agents proposed and nobody answered, and records a person's answer. Confirming appends the answer and the act
// in one batch.
import { AnnalsError, type NewEvent } from '../../log/index.ts';
import { type ProposalRow, waitingProposals } from '../../projections/index.ts';
import type { ActInput, DecideReport, Proposal, ProposedItem } from '../api/act.ts';
import type { Home } from '../home/home.ts';
import { type ActWorld, dedupeKeyOf } from './act-event.ts';
import { preparedAct } from './do-act.ts';

const PREFIX_CHARS_MIN = 4;

export async function proposals({ views }: Home): Promise<readonly Proposal[]> {
  return (await waitingProposals(views.turns)).map(proposalOf);
}

/**
 * A proposal to forget is confirmed when it was done: the caller calls `forget` first.
 * @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID; as `act`
 */
export async function decide(
  given: string,
  { confirmed }: { readonly confirmed: boolean },
  home: Home,
  world: ActWorld,
): Promise<DecideReport> {
  await home.runner.catchUp();
  const row = await waitingNamed(given.trim(), home);
  const answer: NewEvent<'memory.confirmed'> = {
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
  await home.log.append(done === null ? [answer] : [answer, { ...done, causation: row.event }]);
  return { outcome: confirmed ? 'confirmed' : 'refused', proposal: proposalOf(row) };
}

async function waitingNamed(id: string, { views }: Home): Promise<ProposalRow> {
  const waiting = await waitingProposals(views.turns);
  const found = id.length < PREFIX_CHARS_MIN ? [] : waiting.filter(({ event }) => event.startsWith(id));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new AnnalsError('AMBIGUOUS_ID', `“${id}” matches more than one proposal.`, {
      hint: 'Give more of the id.',
    });
  throw new AnnalsError('NOT_FOUND', `No proposal with the id “${id}” waits.`, {
    hint: '`annals proposals` lists them.',
  });
}

/** Null when it would change nothing, and for forgetting. */
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

function proposalOf({ event, at, body }: ProposalRow): Proposal {
  const { act, item, by, title, text, selection, client } = body;
  return {
    id: event,
    act,
    item: item === null ? null : named(item),
    by: by === null ? null : named(by),
    title,
    text,
    selection: selection as Proposal['selection'],
    client,
    at: at === null ? null : new Date(at).toISOString(),
  };
}

function named({ id, kind, title }: ProposedItem): ProposedItem {
  return { id, kind, title };
}
