// Search as you type. The query and the facets are in the address.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, get } from '../api/client.ts';
import type { SearchAnswer, SearchResult } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted, endOfDay } from '../ui/amounts.ts';
import { useAsOf } from '../ui/as-of.tsx';
import { takeKeys, useKeys } from '../ui/keyboard.ts';
import { plainLine } from '../ui/plain.ts';
import { go, href, noteRoute } from '../ui/route.ts';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { type Chosen, FACETS, hasWords } from './chosen.ts';
import { Facets } from './facets.tsx';
import { KnownTypes } from './known-types.tsx';
import { daysOf, NewestList } from './newest-list.tsx';
import { Operators, openOperator } from './operators.tsx';
import { ResultRow } from './result-row.tsx';

/** An earlier day is read from the log, which takes seconds: a key that follows sooner replaces the query. */
const TYPING_PAST_MS = 800;
const RESULTS = 40;
/** Without words there is no best: what one project did may be folded. */
const NEWEST = 200;

export function SearchScreen({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { text, chosen, change } = useAsked(query);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current!.focus();
    if (text !== (query.q ?? '')) change(text, chosen);
  }, []);
  const asOf = useAsOf();
  const [typed, setTyped] = useState(text);
  const given = { ...chosen, q: typed, asOf: endOfDay(asOf) };
  const limit = hasWords(typed) ? RESULTS : NEWEST;
  const asksNothing = typed.trim() === '' && Object.keys(chosen).length === 0;
  const answer = useData(
    JSON.stringify(given),
    async (signal) =>
      asksNothing
        ? null
        : {
            limit,
            ...(await get<SearchAnswer>(
              '/api/search',
              { ...given, limit, explain: true, soFar: asOf === '' || undefined },
              signal,
            )),
          },
    { keepsOld: true },
  );
  const isHalfTyped = openOperator(typed) !== null || (answer.error !== null && isWrong(answer.error));
  const found = asksNothing || isHalfTyped ? [] : (answer.data?.results ?? []);
  const isUnfit = answer.data?.lowConfidence === true && found.length > 0;
  /** The query whose unfitting results are shown all the same. */
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const isFolded = isUnfit && unfolded !== typed;
  const { holding, similar } = parted(answer.data, found);
  /** The query whose similar results are shown too. */
  const [widened, setWidened] = useState<string | null>(null);
  const isWide = holding.length === 0 || widened === typed;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isNewest = answer.data !== null && isWithoutWords(answer.data.query);
  const days = isNewest ? daysOf(found, opened) : [];
  const results = isNewest
    ? days.flatMap(({ shown }) => shown)
    : isFolded
      ? []
      : isWide
        ? [...holding, ...similar]
        : holding;
  const isCurrent = typed === text && !answer.isLoading;
  useNextQuery({ text, typed, isAsking: answer.isLoading, isPast: asOf !== '' }, setTyped);
  const { selected, setSelected } = useSelection({ results, isCurrent, field });
  return (
    <div class="search">
      <h1 class="hidden">Search</h1>
      <div class="search-field">
        <input
          ref={field}
          type="search"
          value={text}
          placeholder="Words, an error, a file, operators"
          aria-label="Search everything that is remembered"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => change(currentTarget.value, chosen)}
        />
        <Operators add={(operator) => change(`${text} ${operator}`.trimStart(), chosen)} />
      </div>
      <Facets chosen={chosen} results={found} onChange={(facets) => change(text, facets)} />
      {asksNothing && <WhatToType />}
      {isHalfTyped && <WhatIsMissing text={typed} error={answer.error} />}
      {!isHalfTyped && answer.error !== null && <Failed error={answer.error} retry={answer.reload} />}
      {!isHalfTyped && !asksNothing && answer.data === null && answer.error === null && (
        <Loading {...(asOf === '' ? { what: 'Searching' } : {})} />
      )}
      {!isHalfTyped && !asksNothing && answer.data !== null && answer.error === null && (
        <>
          <Summary
            answer={answer.data}
            parts={{ holding, similar }}
            isFolded={isFolded}
            isCurrent={isCurrent}
          />
          {isFolded ? (
            <NothingFits
              query={answer.data.query}
              text={typed}
              nearest={found.length}
              show={() => setUnfolded(typed)}
            />
          ) : results.length === 0 ? (
            <NothingFound answer={answer.data} text={typed} chosen={chosen} />
          ) : isNewest ? (
            <NewestList
              days={days}
              query={answer.data.query}
              selected={selected}
              onFocus={setSelected}
              unfold={(key) => setOpened(new Set([...opened, key]))}
            />
          ) : (
            <ol class="results" aria-label="Results, best first">
              {results.map((result, index) => (
                <ResultRow
                  key={result.id}
                  result={result}
                  query={answer.data!.query}
                  isSelected={index === selected}
                  onFocus={() => setSelected(index)}
                />
              ))}
            </ol>
          )}
          {!isFolded && !isWide && similar.length > 0 && (
            <button type="button" class="similar" onClick={() => setWidened(typed)}>
              Show {similar.length} similar {similar.length === 1 ? 'one' : 'ones'}, without the word
            </button>
          )}
        </>
      )}
    </div>
  );
}

function isWithoutWords({ text, phrases }: SearchAnswer['query']): boolean {
  return text.trim() === '' && phrases.length === 0;
}

interface Parted {
  /** Those that hold the one word that is asked for; of several words, all. */
  readonly holding: SearchAnswer['results'];
  /** Those that only mean something like it. */
  readonly similar: SearchAnswer['results'];
}

/** A person who types one word looks for that word. */
function parted(answer: SearchAnswer | null, found: SearchAnswer['results']): Parted {
  const isOneWord = /^[\p{L}\p{N}_]+$/u.test(answer?.query.text.trim() ?? '') && !answer!.lowConfidence;
  // Without shares: beyond the best, only words find a result.
  const holds = ({ shares }: SearchResult) => !isOneWord || shares == null || shares.termCoverage > 0;
  return { holding: found.filter(holds), similar: found.filter((result) => !holds(result)) };
}

interface WhatIsMissingProps {
  readonly text: string;
  readonly error: ApiError | null;
}

/** While a query is typed it is often wrong: that is no failure, and asking it again would give the same answer. */
function WhatIsMissing({ text, error }: WhatIsMissingProps) {
  const open = openOperator(text);
  return (
    <p class="state" role="status">
      {open !== null ? (
        <>
          <code>{open.operator}</code> {open.meaning}
        </>
      ) : (
        <WithCode text={[error?.message, error?.hint].filter(Boolean).join(' ')} />
      )}
    </p>
  );
}

/** The query is. */
function isWrong({ status }: ApiError): boolean {
  return status === 400 || status === 404;
}

/** What is asked, noted in the address. Another address asks something else. */
function useAsked(query: Readonly<Record<string, string>>) {
  const [asked, setAsked] = useState(() => {
    const { text, chosen } = askedOf(query);
    return { text: `${text}${takeKeys()}`, chosen };
  });
  const shown = useRef(query);
  useEffect(() => {
    if (shown.current !== query) setAsked(askedOf(query));
    shown.current = query;
  }, [query]);
  const change = (text: string, chosen: Chosen) => {
    setAsked({ text, chosen });
    noteRoute(href('search', '', { ...chosen, q: text }));
  };
  return { ...asked, change };
}

function askedOf(query: Readonly<Record<string, string>>): { text: string; chosen: Chosen } {
  const chosen = FACETS.map((name) => [name, query[name]]).filter(([, value]) => value);
  return { text: query.q ?? '', chosen: Object.fromEntries(chosen) };
}

interface Selectable {
  readonly results: SearchAnswer['results'];
  /** False while they are those of an earlier query. */
  readonly isCurrent: boolean;
  readonly field: { readonly current: HTMLInputElement | null };
}

/** `j` and `k` move, also from the field with the arrows; Enter opens. */
function useSelection({ results, isCurrent, field }: Selectable) {
  const [selected, setSelected] = useState(-1);
  // Enter came before the results of what was typed.
  const wantsFirst = useRef(false);
  const shown = results.map(({ id }) => id).join();
  useEffect(() => setSelected(-1), [shown]);
  useEffect(() => {
    if (!isCurrent || !wantsFirst.current) return;
    wantsFirst.current = false;
    open();
  }, [isCurrent]);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(results.length - 1, selected + by));
    setSelected(next);
    document.querySelectorAll<HTMLElement>('.results > li > a')[next]?.focus();
  };
  const open = () => {
    wantsFirst.current = selected < 0 && !isCurrent;
    const result = results[Math.max(0, selected)];
    if (result !== undefined && !wantsFirst.current) go(href('item', result.id));
  };
  const up = () => {
    if (selected > 0) return move(-1);
    setSelected(-1);
    field.current?.focus();
  };
  useKeys([
    { key: 'j', about: 'Next result', act: () => move(1) },
    { key: 'k', about: 'Previous result', act: () => move(-1) },
    { key: 'ArrowDown', about: 'Next result, also from the field', inFields: true, act: () => move(1) },
    { key: 'ArrowUp', about: 'Previous result', inFields: true, act: up },
    { key: 'Enter', about: 'Open the result', inFields: true, act: open },
  ]);
  return { selected, setSelected };
}

interface Typing {
  readonly text: string;
  /** What is asked now, or was asked last. */
  readonly typed: string;
  readonly isAsking: boolean;
  readonly isPast: boolean;
}

/** What was typed is asked at once, or when the answer before it is there: a slow memory gets fewer queries. */
function useNextQuery({ text, typed, isAsking, isPast }: Typing, ask: (text: string) => void): void {
  useLayoutEffect(() => {
    if (text === typed) return;
    if (!isPast) {
      if (!isAsking) ask(text);
      return;
    }
    const timer = setTimeout(() => ask(text), TYPING_PAST_MS);
    return () => clearTimeout(timer);
  }, [text, typed, isAsking, isPast]);
}

interface Summarized {
  readonly answer: SearchAnswer & { readonly limit: number };
  readonly parts: Parted;
  readonly isFolded: boolean;
  readonly isCurrent: boolean;
}

function Summary({ answer, parts: { holding, similar }, isFolded, isCurrent }: Summarized) {
  const { results, limit, lowConfidence, degraded, hints = [], ms } = answer;
  const isNewest = isWithoutWords(answer.query);
  const all =
    results.length === limit
      ? `The ${isNewest ? 'newest' : 'best'} ${limit}`
      : counted(results.length, 'result');
  const hold =
    holding.length === 0 ? 'None holds' : holding.length === 1 ? '1 holds' : `${holding.length} hold`;
  const many = similar.length === 0 ? all : `${hold} the word · ${similar.length} similar`;
  const what = isNewest ? all : lowConfidence ? 'Only the nearest; nothing fits well' : many;
  return (
    <div class="search-summary" aria-busy={!isCurrent}>
      <p class={isFolded ? 'hidden' : 'quiet-text'} role="status">
        {isFolded ? 'Nothing fits' : results.length === 0 ? 'No results' : what} · {Math.round(ms)} ms
      </p>
      {!isFolded &&
        [...degraded, ...hints].map((sentence) => (
          <p key={sentence} class="notice">
            {plainLine(sentence)}
          </p>
        ))}
    </div>
  );
}

interface NothingFitsProps {
  readonly query: SearchAnswer['query'];
  readonly text: string;
  readonly nearest: number;
  show(): void;
}

/** Something is always nearest, but it would only be read in vain. */
function NothingFits({ query: { phrases, conditions, text: words }, text, nearest, show }: NothingFitsProps) {
  if (phrases.length > 0)
    return (
      <Empty
        title={`Nothing that is remembered holds ${phrases.map((one) => `“${plainLine(one)}”`).join(' and ')}`}
      >
        <p>
          <a href={href('search', '', { q: text.replaceAll('"', '') })}>
            Search for the words without quotation marks
          </a>
        </p>
      </Empty>
    );
  return (
    <Empty
      title={
        conditions.length === 0
          ? `Nothing that is remembered fits “${plainLine(text)}”`
          : `Within the filters nothing fits “${plainLine(words)}”`
      }
    >
      <p>
        Try fewer or other words. What is nearest has little to do with it.{' '}
        {conditions.length > 0 && (
          <a href={href('search', '', { q: words })}>Search for the words without the filters</a>
        )}
      </p>
      <button type="button" onClick={show}>
        Show the nearest {nearest} anyway
      </button>
    </Empty>
  );
}

/** What people ask most; each works without words and lists the newest. */
const QUESTIONS: readonly (readonly [query: string, question: string])[] = [
  ['kind:summary since:today', 'What was done today?'],
  ['kind:summary since:yesterday until:yesterday', 'What was done yesterday?'],
  ['type:decision', 'What was decided?'],
  ['type:bugfix', 'Which errors were fixed, and how?'],
  ['outcome:failed', 'What failed last?'],
  ['type:test outcome:failed', 'Which tests failed last?'],
  ['concept:gotcha', 'What surprised the agents?'],
  ['kind:memory', 'What did you or an agent save?'],
];

function WhatToType() {
  return (
    <Empty title="Everything that is remembered">
      <p>Prompts, answers, tool uses, observations and memories, by words and by meaning. Or ask:</p>
      <ul class="questions">
        {QUESTIONS.map(([query, question]) => (
          <li key={query}>
            <a href={href('search', '', { q: query })}>{question}</a> <code>{query}</code>
          </li>
        ))}
      </ul>
    </Empty>
  );
}

interface NothingFoundProps {
  readonly answer: SearchAnswer;
  readonly text: string;
  readonly chosen: Chosen;
}

function NothingFound({ answer, text, chosen }: NothingFoundProps) {
  const isFiltered = Object.keys(chosen).length > 0;
  const type = answer.query.conditions.find(({ field, not }) => field === 'type' && !not);
  return (
    <Empty title={text.trim() === '' && !isFiltered ? 'Nothing is remembered yet' : 'Nothing found'}>
      {type !== undefined && <KnownTypes asked={String(type.value)} />}
      {isFiltered ? (
        <p>
          <a href={href('search', '', { q: text })}>Search without the filters</a>
        </p>
      ) : text.trim() === '' ? (
        <p>
          <code>annals up</code> reads the transcripts that are on this machine.
        </p>
      ) : (
        <p>
          Try fewer or other words. A minus in front of a word excludes it; quotation marks ask for a whole
          phrase.
        </p>
      )}
    </Empty>
  );
}
