import type { ForgetSelection } from '../api/types.ts';
import { href } from '../ui/route.ts';

const WAYS = {
  query: {
    name: 'Everything that contains a text',
    label: 'Text, exactly as it was written; case does not matter',
  },
  ids: { name: 'Items by their ids', label: 'Ids, with a space between' },
  session: { name: 'A session', label: 'Id of the session' },
  project: { name: 'A project', label: 'Name of the project' },
  before: { name: 'Everything before a time', label: 'A date, or 90d for what is older than 90 days' },
} as const;

type Way = keyof typeof WAYS;

export interface Chosen {
  readonly way: Way;
  readonly value: string;
}

/** What the address names. */
export function chosenIn(query: Readonly<Record<string, string>>): Chosen {
  const way = (Object.keys(WAYS) as Way[]).find((one) => query[one] !== undefined) ?? 'query';
  return { way, value: query[way] ?? '' };
}

/** Null if nothing is named. */
export function selectionOf({ way, value }: Chosen): ForgetSelection | null {
  const given = value.trim();
  if (given === '') return null;
  return way === 'ids' ? { ids: given.split(/[\s,]+/) } : { [way]: given };
}

interface Props {
  readonly chosen: Chosen;
  onChange(chosen: Chosen): void;
  onPlan(selection: ForgetSelection): void;
}

export function Choice({ chosen, onChange, onPlan }: Props) {
  const selection = selectionOf(chosen);
  const submit = (event: Event) => {
    event.preventDefault();
    if (selection !== null) onPlan(selection);
  };
  return (
    <form class="forget-choice" onSubmit={submit}>
      <label>
        What
        <select
          value={chosen.way}
          onChange={({ currentTarget }) =>
            onChange({ ...chosen, way: currentTarget.value as Way, value: '' })
          }
        >
          {Object.entries(WAYS).map(([way, { name }]) => (
            <option key={way} value={way}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {WAYS[chosen.way].label}
        <input
          value={chosen.value}
          autocomplete="off"
          onInput={({ currentTarget }) => onChange({ ...chosen, value: currentTarget.value })}
        />
      </label>
      <button type="submit" disabled={selection === null}>
        Show what would be forgotten
      </button>
      <p class="quiet-text">
        Nothing changes yet. An item can also be chosen where it is shown: <a href={href('search')}>search</a>{' '}
        for it, open it, and press Forget.
      </p>
    </form>
  );
}
