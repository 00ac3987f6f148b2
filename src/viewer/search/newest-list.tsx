// Results without words, newest first, by day. Of one project a day shows only some until it is asked for more, so that
// the others are seen too.
import type { SearchAnswer, SearchResult } from '../api/types.ts';
import { dayText } from '../ui/amounts.ts';
import { plainLine } from '../ui/plain.ts';
import { ResultRow } from './result-row.tsx';

/** Of one project in a day. */
const SHOWN_MAX = 6;
/** So few more are shown with the others. */
const MORE_MIN = 3;

export interface Day {
  readonly name: string;
  readonly shown: readonly SearchResult[];
  readonly folded: readonly { readonly project: string; readonly key: string; readonly count: number }[];
}

/** @param unfolded keys of what is folded otherwise */
export function daysOf(results: readonly SearchResult[], unfolded: ReadonlySet<string>): readonly Day[] {
  const days = new Map<string, SearchResult[]>();
  for (const result of results) {
    const name = result.at === null ? 'Without a time' : dayText(result.at);
    const day = days.get(name);
    if (day === undefined) days.set(name, [result]);
    else day.push(result);
  }
  return [...days].map(([name, all]) => {
    const folded = [...new Set(all.map(({ project }) => project))]
      .map((project) => {
        const ofProject = all.filter((result) => result.project === project);
        return { project, key: `${name} ${project}`, rest: ofProject.slice(SHOWN_MAX) };
      })
      .filter(({ key, rest }) => rest.length >= MORE_MIN && !unfolded.has(key));
    const hidden = new Set(folded.flatMap(({ rest }) => rest));
    return {
      name,
      shown: all.filter((result) => !hidden.has(result)),
      folded: folded.map(({ project, key, rest }) => ({ project, key, count: rest.length })),
    };
  });
}

interface Props {
  readonly days: readonly Day[];
  readonly query: SearchAnswer['query'];
  /** Of all that are shown. */
  readonly selected: number;
  onFocus(index: number): void;
  unfold(key: string): void;
}

export function NewestList({ days, query, selected, onFocus, unfold }: Props) {
  const order = new Map(days.flatMap(({ shown }) => shown).map(({ id }, index) => [id, index]));
  return (
    <>
      {days.map(({ name, shown, folded }) => (
        <section key={name} class="result-day" aria-label={name}>
          <h2 class="day">{name}</h2>
          <ol class="results" aria-label={`${name}, newest first`}>
            {shown.map((result) => (
              <ResultRow
                key={result.id}
                result={result}
                query={query}
                isSelected={order.get(result.id) === selected}
                onFocus={() => onFocus(order.get(result.id)!)}
              />
            ))}
          </ol>
          {folded.map(({ project, key, count }) => (
            <button key={key} type="button" class="quiet" onClick={() => unfold(key)}>
              Show {count} more of {plainLine(project)}
            </button>
          ))}
        </section>
      ))}
    </>
  );
}
