// Makes the entries of lists from rows. An item that was forgotten since its key was read is left out.
import { isoTime } from '../../log/index.ts';
import {
  keyParts,
  type Marks,
  type MemoryDocument,
  memoryKeys,
  type ObservationRow,
  resolveProjects,
  rewrittenCommits,
  rowWithRewritten,
  type SessionRow,
  type SummaryRow,
  sessionKeys,
  stepText,
  type TurnRow,
  type ViewReader,
} from '../../projections/index.ts';
import type { ListedItems, ListKind } from '../api/list.ts';
import type { Home } from '../home/home.ts';
import { itemMarks } from '../home/item-marks.ts';

type Views = Home['views'];

/** Reads the items of each kind by their keys: of sessions and turns the keys of their rows, else their ids. */
export const LISTED: {
  readonly [K in ListKind]: (keys: readonly string[], views: Views) => Promise<readonly ListedItems[K][]>;
} = {
  async session(keys, { turns, projects, memory }) {
    const titles = await sessionTitles(keys, { turns, memory });
    return entries<SessionRow, ListedItems['session']>(keys, turns, projects, (row, project) => {
      const { session, agent, workdir, branch, endReason, starts, continuedIn, copies, usage } = row;
      const title = titles.get(sessionKeys.session(agent, session)) ?? null;
      return {
        ...{ id: session, agent, title, project, workdir, branch },
        startedAt: isoTime(row.startedAt),
        endedAt: isoTime(row.endedAt),
        ...{ endReason, starts, continuedIn, turns: row.turns, counts: row.counts, copies, usage },
      };
    });
  },
  async turn(keys, { turns, projects, memory }) {
    const rows = (await turns.getMany<TurnRow>(keys)).filter((row) => row !== undefined);
    const prompts = rows.flatMap(({ prompt }) => prompt ?? []);
    const documents = await memory.getMany<MemoryDocument>(prompts.map(memoryKeys.document));
    const titles = new Map(prompts.map((id, index) => [id, documents[index]?.title]));
    const sessionKeyOf = ({ agent, session }: TurnRow) => sessionKeys.session(agent, session);
    const ofSessions = await sessionTitles([...new Set(rows.map(sessionKeyOf))], { turns, memory });
    return entries<TurnRow, ListedItems['turn']>(keys, turns, projects, (row, project) => {
      const { id, session, agent, prompt, inherited, unfinished, counts, usage } = row;
      const title = titles.get(prompt ?? '');
      return {
        ...{ id, session, sessionTitle: ofSessions.get(sessionKeyOf(row)) ?? null, agent, project },
        startedAt: isoTime(row.startedAt),
        endedAt: isoTime(row.endedAt),
        prompt: prompt === null || title === undefined ? null : { id: prompt, title },
        ...{ private: row.private, forgotten: row.forgotten, inherited, unfinished, counts, usage },
      };
    });
  },
  observation: (ids, { memory, projects }) =>
    entries<ObservationRow, ListedItems['observation']>(
      ids.map(memoryKeys.observation),
      memory,
      projects,
      ({ workdir: _, order: __, at, marks, ...row }, project) => ({
        ...row,
        ...(marks?.edited === undefined ? {} : editedObservation(marks.edited)),
        ...{ project, at: isoTime(at), ...itemMarks(marks) },
      }),
      (rows) => rowsWithRewritten(rows, memory),
    ),
  summary: (ids, { memory, projects }) =>
    entries<SummaryRow, ListedItems['summary']>(
      ids.map(memoryKeys.summary),
      memory,
      projects,
      ({ workdir: _, order: __, events: ___, parts: ____, at, marks, ...row }, project) => ({
        ...row,
        nextSteps: row.nextSteps.map(stepText),
        ...(marks?.edited === undefined ? {} : editedSummary(marks.edited)),
        ...itemMarks(marks),
        project,
        at: isoTime(at),
      }),
      (rows) => rowsWithRewritten(rows, memory),
    ),
  prompt: (ids, { memory, projects }) =>
    entries<MemoryDocument, ListedItems['prompt']>(
      ids.map(memoryKeys.document),
      memory,
      projects,
      ({ id, turn, session, agent, at, title, body, type, marks }, project) => ({
        ...itemMarks(marks),
        ...{ id, turn: turn!, session: session!, agent, project, at: isoTime(at), title },
        ...{ text: body, plan: type === 'plan' },
      }),
    ),
  memory: (ids, { memory, projects }) =>
    entries<MemoryDocument, ListedItems['memory']>(
      ids.map(memoryKeys.document),
      memory,
      projects,
      ({ id, session, agent, at, title, type, body, files, concepts, marks }, project) => ({
        ...itemMarks(marks),
        ...{ id, session, agent, project, at: isoTime(at), title, type, text: body, files, concepts },
      }),
    ),
};

/** By the keys of their rows: what the agent calls them, else their first prompt. */
async function sessionTitles(
  keys: readonly string[],
  { turns, memory }: Pick<Views, 'turns' | 'memory'>,
): Promise<ReadonlyMap<string, string | null>> {
  const titles = new Map<string, string | null>();
  for (const row of await turns.getMany<SessionRow>(keys)) {
    if (row === undefined) continue;
    const title = row.title ?? (await firstPrompt(row, { turns, memory }));
    titles.set(sessionKeys.session(row.agent, row.session), title);
  }
  return titles;
}

/** A session may begin with private turns, or with work that nobody asked for. */
const FIRST_TURNS = 4;

/** The title of its first prompt that is remembered. */
async function firstPrompt(
  { agent, session }: SessionRow,
  { turns, memory }: Pick<Views, 'turns' | 'memory'>,
): Promise<string | null> {
  const newestFirst = sessionKeys.turnsByTime(agent, session);
  const first = await turns.range(newestFirst, { limit: FIRST_TURNS, reverse: true });
  const keys = first.map(([rowKey]) => sessionKeys.turn(agent, session, keyParts(rowKey).at(-1)!));
  const prompts = (await turns.getMany<TurnRow>(keys)).flatMap((turn) => turn?.prompt ?? []);
  const documents = await memory.getMany<MemoryDocument>(prompts.map(memoryKeys.document));
  return documents.find((document) => document !== undefined)?.title ?? null;
}

async function rowsWithRewritten<R extends ObservationRow | SummaryRow>(
  rows: readonly R[],
  memory: ViewReader,
): Promise<R[]> {
  const sessions = [...new Set(rows.map(({ session }) => session))];
  const rewritten = await Promise.all(sessions.map((session) => rewrittenCommits(memory, session)));
  return rows.map((row) => rowWithRewritten(row, rewritten[sessions.indexOf(row.session)]!));
}

type Edit = NonNullable<Marks['edited']>;

/** A person's words, in place of all of the agent's. */
function editedObservation({ title, body }: Edit) {
  return { title, subtitle: '', narrative: body, facts: [] };
}

function editedSummary({ title, body }: Edit) {
  const none = { investigated: null, learned: null, nextSteps: [], notes: null };
  return { title, ...none, completed: body };
}

async function entries<R extends { readonly workdir: string }, T>(
  keys: readonly string[],
  view: ViewReader,
  projects: ViewReader,
  entry: (row: R, project: string) => T,
  read: (rows: readonly R[]) => Promise<readonly R[]> = async (rows) => rows,
): Promise<T[]> {
  const rows = await read((await view.getMany<R>(keys)).filter((row) => row !== undefined));
  const workdirs = [...new Set(rows.map(({ workdir }) => workdir))];
  const resolved = await resolveProjects(workdirs, projects);
  const names = new Map(workdirs.map((workdir, index) => [workdir, resolved[index]!.name]));
  return rows.map((row) => entry(row, names.get(row.workdir)!));
}
