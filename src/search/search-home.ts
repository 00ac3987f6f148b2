// Searches a home: chooses the projects and searches them in one state of the views. During an import it answers from the
// views and indexes as they are, and says so.
import { AnnalsError } from '../../log/index.ts';
import { newestDocuments } from '../../projections/index.ts';
import type { SearchAnswer } from '../api.ts';
import type { ReadHome } from '../home/home.ts';
import { knownProjects, type NamedProjectIndex, projectIndexesOf } from '../home/home-projects.ts';
import { importSentences, mayReadNow } from '../home/home-state.ts';
import { namedSession } from '../home/named-session.ts';
import { notedDocument } from '../overtaken/noted-document.ts';
import { type Evidence, type EvidenceOptions, findEvidence } from './find-evidence.ts';
import { conditionsOf, type InnerSearchOptions, parseQuery, type SearchWorld, search } from './index.ts';

/** How many documents without a vector a search embeds itself: this takes a fifth of a second. */
const EMBEDDED_MAX = 1_000;
/** The same limit during an import, which makes vectors anyway. */
const EMBEDDED_WHILE_IMPORTING_MAX = 50;

export async function searchMemory(
  query: string,
  options: InnerSearchOptions,
  home: ReadHome,
): Promise<SearchAnswer> {
  const { text, embedding, now } = home;
  const began = now();
  const { signal } = options;
  signal?.throwIfAborted();
  const state = home.state();
  if (home.prepare !== undefined && !state.isImporting)
    await home.prepare(await searchedProjects(query, options, home.views));
  const behind: string[] = [];
  const answer = await inSearchWorld(
    home,
    (views) => {
      // It waited for the searches before it.
      signal?.throwIfAborted();
      return searchedProjects(query, options, views);
    },
    (world, projects) => search(world, projects, query, options),
    behind,
  );
  const degraded = [
    ...state.problems,
    ...importSentences(state, Math.min(state.projected, text.position())),
    ...embedding.problems(),
    ...answer.degraded,
    ...withoutVectors(behind),
  ];
  return { ...answer, degraded, ms: now() - began };
}

/** Evidence for what the projects hold that bears on a text (find-evidence.ts). Reads the views as they are now. */
export function evidenceInHome(
  text: string,
  projects: readonly NamedProjectIndex[],
  options: EvidenceOptions,
  home: ReadHome,
): Promise<readonly Evidence[]> {
  return inSearchWorld(
    home,
    async () => projects,
    (world) => findEvidence(world, projects, text, options),
    [],
  );
}

/** @param behind takes the names of projects whose vectors are missing */
async function inSearchWorld<T>(
  home: ReadHome,
  choose: (views: Pick<ReadHome['views'], 'memory' | 'projects'>) => Promise<readonly NamedProjectIndex[]>,
  ask: (world: SearchWorld, projects: readonly NamedProjectIndex[]) => Promise<T>,
  behind: string[],
): Promise<T> {
  const { readers, text, vectors, now } = home;
  const state = home.state();
  const isFrozen = mayReadNow(state) && text.position() >= state.required;
  return readers.query(async (upstream) => {
    const memory = upstream(text.follows);
    const projects = await choose({ memory: memory.rows, projects: upstream('projects').rows });
    // An import makes vectors last.
    const index = vectors.at(memory, state.isImporting);
    const embeddedMax = state.isImporting ? EMBEDDED_WHILE_IMPORTING_MAX : EMBEDDED_MAX;
    const waiting = new Set(index && (await vectors.waiting(memory, projects, embeddedMax)));
    const ready: SearchWorld['vectors'] = index && {
      search(_, textOf, depth) {
        behind.push(...Array.from(waiting, ({ name }) => name));
        const made = projects.filter((one) => !waiting.has(one));
        return index.search(made, textOf, depth);
      },
    };
    const recent: SearchWorld['recent'] = (workdirs, span) => newestDocuments(memory.rows, workdirs, span);
    const sessionId: SearchWorld['sessionId'] = async (given) =>
      (await namedSession(given, upstream('turns').rows)).id;
    const noteViews = { memory: memory.rows, context: upstream('context').rows };
    const noted: SearchWorld['noted'] = (document) => notedDocument(document, noteViews);
    return ask({ ...text.at(memory, isFrozen), vectors: ready, recent, sessionId, noted, now }, projects);
  });
}

function withoutVectors(projects: readonly string[]): string[] {
  if (projects.length === 0) return [];
  const named = projects.length === 1 ? (projects[0] ?? '') : `${projects.length} projects`;
  return [
    `The vectors of ${named} are not made yet; the next import or \`annals rebuild vectors\` makes them. Until then words alone rank these documents.`,
  ];
}

/** @throws AnnalsError NOT_FOUND: an unknown project; USAGE: as `parseQuery` */
async function searchedProjects(
  query: string,
  options: InnerSearchOptions,
  views: Pick<ReadHome['views'], 'memory' | 'projects'>,
): Promise<readonly NamedProjectIndex[]> {
  const known = await knownProjects(views);
  let chosen = known.indexes;
  for (const { field, value, not } of [...parseQuery(query).conditions, ...conditionsOf(options)]) {
    if (field !== 'project') continue;
    const named = projectIndexesOf(String(value), known);
    if (named.length === 0) throw unknownProject(String(value), known.indexes);
    const ids = new Set(named.map(({ id }) => id));
    chosen = chosen.filter(({ id }) => ids.has(id) !== not);
  }
  return chosen;
}

function unknownProject(name: string, all: readonly NamedProjectIndex[]): AnnalsError {
  const known = all.map((projectIndex) => projectIndex.name).sort();
  return new AnnalsError('NOT_FOUND', `No project is called “${name}”.`, {
    hint:
      known.length === 0
        ? 'Nothing is recorded yet: try annals import ~/.claude/projects.'
        : `Known: ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  });
}
