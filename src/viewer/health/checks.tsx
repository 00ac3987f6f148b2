// What `annals doctor` sees, worst first.
import type { Diagnosis } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted, durationText } from '../ui/amounts.ts';
import { Failed } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import type { DatedDiagnosis } from './diagnosis.ts';

type CheckResult = Diagnosis['checks'][number];

export function Checks({ diagnosis }: { readonly diagnosis: Loaded<DatedDiagnosis> }) {
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
            <span class="quiet-text">{ageText(Date.now() - data.at)}</span>
            <button type="button" class="quiet" disabled={isLoading} onClick={reload}>
              {isLoading ? 'Checking …' : 'Check again'}
            </button>
          </div>
          <CheckList checks={data.checks.filter(({ state }) => state === 'problem')} />
          <CheckList checks={data.checks.filter(({ state }) => state === 'warning')} />
          <InOrder checks={data.checks.filter(({ state }) => state === 'ok')} />
          <p class="quiet-text">{slowestText(data.checks)}</p>
        </>
      )}
    </section>
  );
}

function ageText(ms: number): string {
  return ms < 60_000 ? 'checked just now' : `checked ${durationText(ms)} ago`;
}

const SLOWEST = 3;

function slowestText(checks: readonly CheckResult[]): string {
  const times = [...new Map(checks.map(({ name, ms }) => [name, ms]))].sort((a, b) => b[1] - a[1]);
  const total = times.reduce((sum, [, ms]) => sum + ms, 0);
  const slowest = times.slice(0, SLOWEST).map(([name, ms]) => `${name} ${durationText(ms)}`);
  return `The checks took ${durationText(total)}; the slowest: ${slowest.join(', ')}.`;
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
