// What hooks cost: measured by doctor on this machine now, and what sessions waited for in fact.
import type { Diagnosis, ReceiptsAnswer } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { count } from '../ui/amounts.ts';
import { type Bar, Bars } from './bars.tsx';

/** Times an empty shell. */
const BUDGET = 3;

interface Props {
  readonly diagnosis: Loaded<Pick<Diagnosis, 'checks'>>;
  readonly receipts: Loaded<ReceiptsAnswer>;
}

export function HookCost({ diagnosis, receipts }: Props) {
  const measured = diagnosis.data?.checks.filter(({ figures }) => figures !== null) ?? [];
  const waited = receipts.data === null ? [] : occasionsIn(receipts.data);
  const shell = measured[0]?.figures?.shellMs;
  return (
    <section aria-labelledby="hooks-heading">
      <h2 id="hooks-heading">Hooks</h2>
      {measured.length === 0 && (
        <p role="status">{diagnosis.isLoading ? 'Measuring …' : 'The cost of a hook is not known.'}</p>
      )}
      {shell !== undefined && (
        <Bars
          title={`What a hook takes, measured now; the budget is ${BUDGET} times an empty shell`}
          bars={[bar('An empty shell, p50', shell), ...measured.flatMap(barsOf)]}
        />
      )}
      {waited.length > 0 && <Bars title="What sessions waited for their context, on average" bars={waited} />}
    </section>
  );
}

function barsOf({ message, figures, state }: Diagnosis['checks'][number]): readonly Bar[] {
  const what = message.startsWith('A session start') ? 'A session start' : 'A hook';
  const isBad = state !== 'ok';
  return [bar(`${what}, p50`, figures?.p50Ms ?? 0, isBad), bar(`${what}, p95`, figures?.p95Ms ?? 0, isBad)];
}

function bar(name: string, value: number, isBad = false): Bar {
  return { name, value, text: `${value.toFixed(1)} ms`, isBad };
}

/** Over all projects; `ms` is a mean. */
function occasionsIn({ projects }: ReceiptsAnswer): readonly Bar[] {
  const sums = new Map<string, { ms: number; injections: number }>();
  for (const { occasion, ms, injections } of projects.flatMap(({ occasions }) => occasions)) {
    if (ms === null) continue;
    const sum = sums.get(occasion) ?? { ms: 0, injections: 0 };
    sums.set(occasion, { ms: sum.ms + ms * injections, injections: sum.injections + injections });
  }
  return [...sums].map(([occasion, { ms, injections }]) =>
    bar(`${occasion} (${count(injections)})`, ms / injections),
  );
}
