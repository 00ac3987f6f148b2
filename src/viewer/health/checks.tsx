// What `annals doctor` sees: the overall state in one sentence, then what needs attention with the next step.
import { useContext } from 'preact/hooks';
import type { Diagnosis, Recording } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { RecordingState } from '../frame/recording-notice.tsx';
import { counted, durationText } from '../ui/amounts.ts';
import { href } from '../ui/route.ts';
import { Failed } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import type { DatedDiagnosis } from './diagnosis.ts';

type CheckResult = Diagnosis['checks'][number];

export function Checks({ diagnosis }: { readonly diagnosis: Loaded<DatedDiagnosis> }) {
  const { data, error, isLoading, reload } = diagnosis;
  const recording = useContext(RecordingState);
  if (data === null)
    return error === null ? (
      <p role="status" class="overall">
        Checking hooks, files, log and agents, which takes some seconds …
      </p>
    ) : (
      <Failed error={error} retry={reload} />
    );
  const inState = (wanted: CheckResult['state']) => data.checks.filter(({ state }) => state === wanted);
  const attention = [...inState('problem'), ...inState('warning')];
  return (
    <>
      <div class={`overall overall-${worstOf(data.checks, recording)}`}>
        <p role="status">{overallText(inState('problem').length, inState('warning').length, recording)}</p>
        <span class="quiet-text">{ageText(Date.now() - data.at)}</span>
        <button type="button" class="quiet" disabled={isLoading} onClick={reload}>
          {isLoading ? 'Checking …' : 'Check again'}
        </button>
      </div>
      {attention.length > 0 && (
        <section aria-labelledby="attention-heading">
          <h2 id="attention-heading">What needs attention</h2>
          <CheckList checks={attention} />
        </section>
      )}
      <InOrder checks={inState('ok')} note={slowestText(data.checks)} />
    </>
  );
}

function worstOf(checks: readonly CheckResult[], recording: Recording | null): CheckResult['state'] {
  const has = (wanted: CheckResult['state']) => checks.some(({ state }) => state === wanted);
  if (has('problem') || recording?.state === 'failing') return 'problem';
  return has('warning') || recording?.state === 'off' ? 'warning' : 'ok';
}

/** First whether new sessions are recorded, as the frame says it. */
function overallText(problems: number, warnings: number, recording: Recording | null): string {
  const found =
    problems > 0
      ? `${counted(problems, 'problem')} to solve${warnings > 0 ? `, and ${counted(warnings, 'warning')}` : ''}.`
      : warnings > 0
        ? `${counted(warnings, 'thing')} to look at.`
        : null;
  if (recording?.state === 'off') return `New sessions are not recorded. ${found ?? ''}`.trimEnd();
  if (recording?.state === 'failing') return `Recording fails. ${found ?? ''}`.trimEnd();
  if (found === null) return 'Everything works.';
  return problems > 0 || recording === null ? found : `Annals works. ${found}`;
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

interface InOrderProps {
  readonly checks: readonly CheckResult[];
  readonly note: string;
}

function InOrder({ checks, note }: InOrderProps) {
  if (checks.length === 0) return null;
  return (
    <details class="in-order">
      <summary>{counted(checks.length, 'check')} without a finding</summary>
      <CheckList checks={checks} />
      <p class="quiet-text">{note}</p>
    </details>
  );
}

const STATES: Readonly<Record<CheckResult['state'], string>> = {
  ok: 'In order',
  warning: 'Warning',
  problem: 'Problem',
};

/** What the settings can mend too. */
const OF_AGENTS: ReadonlySet<string> = new Set(['hooks', 'MCP server']);

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
              <p class="check-advice">
                What to do: <WithCode text={advice} />
                {OF_AGENTS.has(name) && (
                  <>
                    {' '}
                    Or{' '}
                    <a href={href('settings', '', { section: 'agents' })}>
                      connect the agent in the settings
                    </a>
                    .
                  </>
                )}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
