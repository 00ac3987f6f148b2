// What `annals doctor` sees, worst first.
import type { Diagnosis } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { Failed } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';

type CheckResult = Diagnosis['checks'][number];

export function Checks({ diagnosis }: { readonly diagnosis: Loaded<Pick<Diagnosis, 'ok' | 'checks'>> }) {
  const { data, error, isLoading, reload } = diagnosis;
  return (
    <section aria-labelledby="checks-heading">
      <h2 id="checks-heading">Checks</h2>
      {data === null && error !== null && <Failed error={error} retry={reload} />}
      {data === null && error === null && <p role="status">Checking hooks, files, log and agents …</p>}
      {data !== null && (
        <>
          <div class="toolbar">
            <p role="status" class="strong">
              {summary(data.checks)}
            </p>
            <button type="button" class="quiet" disabled={isLoading} onClick={reload}>
              {isLoading ? 'Checking …' : 'Check again'}
            </button>
          </div>
          <CheckList checks={data.checks.filter(({ state }) => state === 'problem')} />
          <CheckList checks={data.checks.filter(({ state }) => state === 'warning')} />
          <InOrder checks={data.checks.filter(({ state }) => state === 'ok')} />
        </>
      )}
    </section>
  );
}

function summary(checks: readonly CheckResult[]): string {
  const many = (wanted: CheckResult['state']) => checks.filter(({ state }) => state === wanted).length;
  const [problems, warnings] = [many('problem'), many('warning')];
  if (problems > 0) return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}`;
  return warnings > 0 ? `No problems, ${counted(warnings, 'warning')}` : 'Everything is in order';
}

function InOrder({ checks }: { readonly checks: readonly CheckResult[] }) {
  if (checks.length === 0) return null;
  return (
    <details>
      <summary>{counted(checks.length, 'check')} without a finding</summary>
      <CheckList checks={checks} />
    </details>
  );
}

const STATES: Readonly<Record<CheckResult['state'], string>> = {
  ok: 'In order',
  warning: 'Warning',
  problem: 'Problem',
};

function CheckList({ checks }: { readonly checks: readonly CheckResult[] }) {
  if (checks.length === 0) return null;
  return (
    <ul class="checks">
      {checks.map(({ name, state, message, advice }) => (
        <li key={`${name} ${message}`} class={`check-${state}`}>
          <span class="check-state">{STATES[state]}</span>
          <div>
            <p>
              <span class="strong">{name}</span> <WithCode text={message} />
            </p>
            {advice !== null && (
              <p class="quiet-text">
                What to do: <WithCode text={advice} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
