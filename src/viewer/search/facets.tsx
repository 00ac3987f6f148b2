// What narrows a search. Projects and agents are those that are remembered; types are those of the results.
import { get } from '../api/client.ts';
import type { ListedSession, Page, ProjectStats, SearchAnswer } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { kindName } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import type { Chosen } from './chosen.ts';

const KINDS = ['observation', 'summary', 'memory', 'prompt', 'answer', 'tool', 'imported'];
const YESTERDAY = 'yesterday';
const TIMES: readonly (readonly [since: string, name: string])[] = [
  ['today', 'Today'],
  [YESTERDAY, 'Yesterday'],
  ['this-week', 'This week'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['365d', 'A year'],
];

interface Props {
  readonly chosen: Chosen;
  readonly results: SearchAnswer['results'];
  onChange(chosen: Chosen): void;
}

export function Facets({ chosen, results, onChange }: Props) {
  const projects = useData('projects', (signal) =>
    get<{ items: ProjectStats[] }>('/api/projects', {}, signal),
  );
  const sessions = useData('agents', (signal) =>
    get<Page<ListedSession>>('/api/sessions', { limit: 200 }, signal),
  );
  const agents = [...new Set(sessions.data?.items.map(({ agent }) => agent))].sort();
  const countOf = (values: readonly (string | null)[]) => {
    const counts = new Map<string, number>();
    for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  };
  const types = countOf(results.map(({ type }) => type));
  const set = (name: keyof Chosen) => (value: string) => {
    const { [name]: _, ...others } = chosen;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  // Every other time lasts until now.
  const setTime = (since: string) => {
    const { since: _, until: __, ...others } = chosen;
    onChange({
      ...others,
      ...(since === '' ? {} : { since }),
      ...(since === YESTERDAY ? { until: YESTERDAY } : {}),
    });
  };
  const isChosen = Object.keys(chosen).length > 0;
  return (
    <fieldset class="facets">
      <legend class="hidden">Narrow the search</legend>
      <Facet
        name="Kind"
        value={chosen.kind}
        options={KINDS.map((kind) => [kind, kindName(kind)])}
        counts={countOf(results.map(({ kind }) => kind))}
        onChange={set('kind')}
      />
      <Facet
        name="Project"
        value={chosen.project}
        options={(projects.data?.items ?? []).map(({ name }) => [name, plainLine(name)])}
        counts={countOf(results.map(({ project }) => project))}
        onChange={set('project')}
      />
      <Facet
        name="Agent"
        value={chosen.agent}
        options={agents.map((agent) => [agent, agent])}
        onChange={set('agent')}
      />
      <Facet
        name="Type"
        value={chosen.type}
        options={[...types.keys()].sort().map((type) => [type, plainLine(type)])}
        counts={types}
        onChange={set('type')}
      />
      <Facet name="Time" value={chosen.since} options={TIMES} onChange={setTime} />
      {isChosen && (
        <button type="button" class="quiet" onClick={() => onChange({})}>
          Clear
        </button>
      )}
    </fieldset>
  );
}

interface FacetProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, name: string])[];
  /** How many of the results have each value. */
  readonly counts?: ReadonlyMap<string, number>;
  onChange(value: string): void;
}

/** A chosen value stays an option when the results do not have it any more. */
function Facet({ name, value = '', options, counts = new Map(), onChange }: FacetProps) {
  const isKnown = value === '' || options.some(([one]) => one === value);
  const all = isKnown ? options : [[value, plainLine(value)] as const, ...options];
  const inResults = all.filter(([one]) => counts.has(one));
  const others = all.filter(([one]) => !counts.has(one));
  const option = ([one, text]: readonly [string, string]) => (
    <option key={one} value={one}>
      {counts.has(one) ? `${text} · ${counts.get(one)}` : text}
    </option>
  );
  return (
    <select
      aria-label={name}
      class={value === '' ? 'facet' : 'facet is-chosen'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{name}</option>
      {inResults.length === 0 ? (
        others.map(option)
      ) : (
        <>
          <optgroup label="In these results">{inResults.map(option)}</optgroup>
          {others.length > 0 && <optgroup label="Others">{others.map(option)}</optgroup>}
        </>
      )}
    </select>
  );
}
