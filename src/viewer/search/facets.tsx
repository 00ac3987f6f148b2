// What narrows a search. Projects and agents are those that are remembered; types are those of the results.
import { get } from '../api/client.ts';
import type { ListedSession, Page, ProjectStats, SearchAnswer } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { kindName } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import type { Chosen } from './chosen.ts';

const KINDS = ['observation', 'summary', 'memory', 'prompt', 'answer', 'tool', 'imported'];
const TIMES: readonly (readonly [value: string, name: string])[] = [
  ['today', 'Today'],
  ['yesterday', 'Since yesterday'],
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
  const types = [...new Set(results.flatMap(({ type }) => type ?? []))].sort();
  const set = (name: keyof Chosen) => (value: string) => {
    const { [name]: _, ...others } = chosen;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  const isChosen = Object.keys(chosen).length > 0;
  return (
    <fieldset class="facets">
      <legend class="hidden">Narrow the search</legend>
      <Facet
        name="Kind"
        value={chosen.kind}
        options={KINDS.map((kind) => [kind, kindName(kind)])}
        onChange={set('kind')}
      />
      <Facet
        name="Project"
        value={chosen.project}
        options={(projects.data?.items ?? []).map(({ name }) => [name, plainLine(name)])}
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
        options={types.map((type) => [type, plainLine(type)])}
        onChange={set('type')}
      />
      <Facet name="Time" value={chosen.since} options={TIMES} onChange={set('since')} />
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
  onChange(value: string): void;
}

/** A chosen value stays an option when the results do not have it any more. */
function Facet({ name, value = '', options, onChange }: FacetProps) {
  const isKnown = value === '' || options.some(([one]) => one === value);
  return (
    <select
      aria-label={name}
      class={value === '' ? 'facet' : 'facet is-chosen'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{name}</option>
      {!isKnown && <option value={value}>{plainLine(value)}</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
