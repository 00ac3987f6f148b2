// Makes a corpus: what a search finds now, as a list that stays the same until it is built again.
import { AnnalsError } from '../../log/index.ts';
import { corpora, type DocumentKind } from '../../projections/index.ts';
import type { BuildCorpusOptions, CorpusInfo } from '../api/observer/corpus.ts';
import { redactText } from '../capture/redact/index.ts';
import type { Home } from '../home/home.ts';
import { parseQuery } from '../search/index.ts';
import { searchMemory } from '../search/search-home.ts';
import { AGENT, changingAlone, infoOf, openCorpus } from './corpora.ts';
import { fitting, passagesOf } from './passages.ts';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const LIMIT = 200;
const LIMIT_MAX = 500;
const SEARCH_LIMIT = 1_000;
const QUERY_CHARS_MAX = 1_000;
/** What a corpus is made of unless the query says. */
const KINDS: readonly DocumentKind[] = ['observation', 'summary', 'memory', 'imported'];

/** @throws AnnalsError USAGE, INPUT_INVALID; NOT_FOUND: a project, or the corpus when no query is given */
export function buildCorpus(name: string, options: BuildCorpusOptions, home: Home): Promise<CorpusInfo> {
  return changingAlone(home, () => build(name, options, home));
}

async function build(name: string, options: BuildCorpusOptions, home: Home): Promise<CorpusInfo> {
  if (!NAME.test(name))
    throw new AnnalsError('USAGE', `“${name}” cannot be the name of a corpus.`, {
      hint: 'Small letters, digits and hyphens, beginning with a letter, at most 40 characters.',
    });
  await home.runner.catchUp();
  const { query, limit } = await definitionOf(name, options, home);
  const { ids, matched } = await found(query, home);
  const best = fitting(await passagesOf(ids.slice(0, limit), home.views));
  const members = [...best]
    .sort((a, b) => (a.document.at ?? 0) - (b.document.at ?? 0) || (a.document.id < b.document.id ? -1 : 1))
    .map(({ document }) => document.id);
  if (members.length === 0)
    throw new AnnalsError('INPUT_INVALID', 'No memory fits this query well, so there is no corpus to make.', {
      hint: 'Try it with `annals search` first. kind:prompt, kind:answer or kind:tool in the query makes a corpus of those.',
    });
  const at = home.now();
  await home.log.append([
    {
      ...{ type: 'corpus.built', agent: AGENT, session: null, channel: 'api', occurredAt: at },
      ...{ dedupeKey: `corpus ${name} ${at}`, body: { name, query, limit, members, matched } },
    },
  ]);
  await home.runner.catchUp();
  return infoOf(await openCorpus(name, home), home);
}

async function definitionOf(
  name: string,
  { query, limit }: BuildCorpusOptions,
  home: Home,
): Promise<{ readonly query: string; readonly limit: number }> {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw new AnnalsError('USAGE', `A corpus has 1 to ${LIMIT_MAX} members.`);
  if (query === undefined) {
    const { body } = await openCorpus(name, home);
    return { query: body.query, limit: limit ?? body.limit };
  }
  if ((await corpora(home.views.turns)).has(name))
    throw new AnnalsError('INPUT_INVALID', `There is a corpus “${name}” already.`, {
      hint: `\`annals corpus rebuild ${name}\` takes in what is new; \`annals corpus delete ${name}\` makes room for another query.`,
    });
  const clean = redactText(query.trim());
  if (clean === '' || clean.length > QUERY_CHARS_MAX)
    throw new AnnalsError('USAGE', `A corpus needs a query of 1 to ${QUERY_CHARS_MAX} characters.`, {
      hint: 'Words and operators: project:birdfeeder type:decision since:30d',
    });
  return { query: clean, limit: limit ?? LIMIT };
}

/** What fits well, best first; newest first for a query without words. */
async function found(
  query: string,
  home: Home,
): Promise<{ readonly ids: readonly string[]; readonly matched: number }> {
  const { conditions, text } = parseQuery(query);
  const named = conditions.some(({ field, not }) => field === 'kind' && !not);
  const all: { readonly ids: readonly string[]; readonly score: number; readonly at: string }[] = [];
  for (const kind of named ? [undefined] : KINDS) {
    const { results } = await searchMemory(
      query,
      { limit: SEARCH_LIMIT, onlyFitting: true, ...(kind === undefined ? {} : { kind }) },
      home,
    );
    for (const { id, parts, score, at } of results)
      all.push({ ids: [id, ...parts.map((part) => part.id)], score, at: at ?? '' });
  }
  all.sort((a, b) => (text === '' ? (a.at < b.at ? 1 : -1) : b.score - a.score));
  const ids = [...new Set(all.flatMap((one) => one.ids))];
  return { ids, matched: ids.length };
}
