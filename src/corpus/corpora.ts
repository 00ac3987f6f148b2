// The corpora of a home: they are made of events that name memories, so whatever is forgotten is in none of them.
import { AnnalsError, isoTime } from '../../log/index.ts';
import { type CorpusRow, corpora, NO_SESSION } from '../../projections/index.ts';
import type { CorpusInfo, ShownCorpus } from '../api/observer/corpus.ts';
import type { Home, ReadHome } from '../home/home.ts';
import { oneAtATime } from '../home/one-at-a-time.ts';
import { type Request, requestsNamed } from '../observer/run/spending.ts';
import { corpusText, itemOf, type Passage, passagesOf } from './passages.ts';

export const AGENT = 'annals';

export interface OpenCorpus {
  readonly name: string;
  /** The event that made it. */
  readonly event: string;
  readonly at: number | null;
  readonly body: NonNullable<CorpusRow['body']>;
  readonly passages: readonly Passage[];
}

/** @throws AnnalsError NOT_FOUND */
export async function openCorpus(name: string, { views }: Pick<ReadHome, 'views'>): Promise<OpenCorpus> {
  const all = await corpora(views.turns);
  const row = all.get(name);
  if (row === undefined || row.body === null)
    throw new AnnalsError('NOT_FOUND', `No corpus is called “${name}”.`, {
      hint:
        all.size === 0
          ? 'There is none yet: `annals corpus build <name> <query>` makes one.'
          : `Known: ${[...all.keys()].sort().join(', ')}.`,
    });
  return { name, ...row, body: row.body, passages: await passagesOf(row.body.members, views) };
}

export async function listCorpora(home: Home): Promise<readonly CorpusInfo[]> {
  const names = [...(await corpora(home.views.turns)).keys()].sort();
  return Promise.all(names.map(async (name) => infoOf(await openCorpus(name, home), home)));
}

/** @throws AnnalsError NOT_FOUND */
export async function showCorpus(name: string, home: Home): Promise<ShownCorpus> {
  const corpus = await openCorpus(name, home);
  return {
    ...(await infoOf(corpus, home)),
    items: corpus.passages.map(itemOf),
    text: corpusText(corpus.passages),
  };
}

/** Of two changes at once, the second sees what the first did. */
export const changingAlone = oneAtATime();

/** @throws AnnalsError NOT_FOUND */
export function deleteCorpus(name: string, home: Home): Promise<{ readonly name: string }> {
  return changingAlone(home, () => deleteNow(name, home));
}

async function deleteNow(name: string, home: Home): Promise<{ readonly name: string }> {
  await home.runner.catchUp();
  await openCorpus(name, home);
  const at = home.now();
  await home.log.append([
    {
      ...{ type: 'corpus.deleted', agent: AGENT, session: null, channel: 'api', occurredAt: at },
      ...{ dedupeKey: `corpus ${name} ${at}`, body: { name } },
    },
  ]);
  return { name };
}

/** The requests about a corpus since it was built. */
export function questionsTo({ event }: OpenCorpus, { turns }: Home['views']): Promise<Request[]> {
  return requestsNamed(AGENT, NO_SESSION, [event], turns);
}

export async function infoOf(corpus: OpenCorpus, { views }: Pick<Home, 'views'>): Promise<CorpusInfo> {
  const { name, at, body, passages } = corpus;
  const asked = await questionsTo(corpus, views);
  return {
    ...{ name, query: body.query, limit: body.limit, matched: body.matched },
    builtAt: isoTime(at),
    ...{ members: passages.length, gone: body.members.length - passages.length },
    bytes: Buffer.byteLength(corpusText(passages)),
    ...{ questions: asked.length, usd: asked.reduce((sum, { usd }) => sum + (usd ?? 0), 0) },
  };
}
