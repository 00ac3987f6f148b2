// Forgetting for good, in three steps: choose, see the plan, confirm; then the proof.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, send } from '../api/client.ts';
import type { ForgetPlan, ForgetReport, ForgetSelection } from '../api/types.ts';
import { counted } from '../ui/amounts.ts';
import { selectionText } from '../ui/labels.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Choice, type Chosen, chosenIn, selectionOf } from './choice.tsx';
import { Plan } from './plan.tsx';
import { Proof } from './proof.tsx';

/** What to forget: as it was chosen here, or as an agent proposed it. */
type Asked = { readonly selection: ForgetSelection } | { readonly proposal: string };

interface Planned {
  readonly selection: ForgetSelection;
  readonly plan: ForgetPlan;
  /** Confirms exactly this plan, once. */
  readonly token: string;
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'wait'; readonly what: string }
  /** `all`: the plan with everything ticked. */
  | { readonly at: 'plan'; readonly asked: Asked; readonly all: Planned }
  | { readonly at: 'done'; readonly report: ForgetReport }
  | { readonly at: 'failed'; readonly error: ApiError };

export function ForgetScreen({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const [chosen, setChosen] = useState<Chosen>(() => chosenIn(query));
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const attempt = async (what: string, act: () => Promise<Step>) => {
    setStep({ at: 'wait', what });
    try {
      setStep(await act());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setStep({ at: 'failed', error });
    }
  };
  const plan = (asked: Asked, withCopies?: boolean) =>
    attempt('Looking for it in every event', async () => ({
      at: 'plan',
      asked,
      all: await planned(asked, withCopies, []),
    }));
  const confirm = (token: string) =>
    attempt('Forgetting, and searching every file for what is left', async () => ({
      at: 'done',
      report: await send<ForgetReport>('POST', '/api/forget/confirm', { token }),
    }));
  useEffect(() => {
    const given = chosenIn(query);
    setChosen(given);
    const selection = selectionOf(given);
    if (query.proposal !== undefined) void plan({ proposal: query.proposal });
    else if (selection !== null) void plan({ selection });
    else setStep({ at: 'choose' });
  }, [query]);
  const again = () => setStep({ at: 'choose' });
  return (
    <div class="forget">
      <h1>Forget</h1>
      <p class="quiet-text">
        What is forgotten is gone: from the log, the views, the indexes and the files of hooks. It cannot be
        taken back, and it is not recorded again when an agent reports it again.
      </p>
      {(step.at === 'choose' || step.at === 'failed') && (
        <Choice chosen={chosen} onChange={setChosen} onPlan={(selection) => void plan({ selection })} />
      )}
      {step.at === 'failed' && <Failed error={step.error} />}
      {step.at === 'wait' && <Loading what={step.what} />}
      {step.at === 'plan' && (
        <Planning
          key={step.all.token}
          asked={step.asked}
          all={step.all}
          withCopies={(withCopies) => void plan(step.asked, withCopies)}
          confirm={(token) => void confirm(token)}
          again={again}
        />
      )}
      {step.at === 'done' && (
        <>
          <Proof report={step.report} />
          <button type="button" onClick={again}>
            Forget something else
          </button>
        </>
      )}
    </div>
  );
}

interface PlanningProps {
  readonly asked: Asked;
  readonly all: Planned;
  withCopies(included: boolean): void;
  confirm(token: string): void;
  again(): void;
}

/** Several ticks make one new plan. */
const TICKS_MS = 250;

/** With each change of the ticks the worker makes a new plan, and only that one can be confirmed. */
function Planning({ asked, all, withCopies, confirm, again }: PlanningProps) {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<Planned | null>(all);
  const [error, setError] = useState<ApiError | null>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const controller = new AbortController();
    setCurrent(null);
    setError(null);
    const timer = setTimeout(() => {
      planned(asked, all.plan.copies.included, [...kept], controller.signal).then(
        setCurrent,
        (failure: unknown) => {
          if (failure instanceof ApiError) setError(failure);
        },
      );
    }, TICKS_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [kept]);
  const keep = (ids: readonly string[], isKept: boolean) =>
    setKept((known) => {
      const next = new Set(known);
      for (const id of ids)
        if (isKept) next.add(id);
        else next.delete(id);
      return next;
    });
  const isEmpty = all.plan.events + all.plan.spoolFiles === 0;
  return (
    <>
      <Plan
        asked={selectionText(all.selection)}
        plan={all.plan}
        kept={{ ids: kept, keep }}
        withCopies={withCopies}
      />
      {error !== null && <Failed error={error} />}
      <div class="actions">
        {!isEmpty && (
          <button
            type="button"
            class="primary danger"
            disabled={current === null || current.plan.events + current.plan.spoolFiles === 0}
            onClick={() => current !== null && confirm(current.token)}
          >
            {current === null ? 'Counting what is ticked …' : confirmText(current.plan)}
          </button>
        )}
        <button type="button" onClick={again}>
          Choose something else
        </button>
      </div>
    </>
  );
}

function confirmText({ events, kinds, spoolFiles }: ForgetPlan): string {
  if (events === 0)
    return spoolFiles > 0 ? `Forget ${counted(spoolFiles, 'file')} for good` : 'Nothing is ticked';
  const items = kinds.reduce((sum, { count }) => sum + count, 0);
  const more = items === events ? '' : ` (${counted(events, 'event')})`;
  return `Forget ${counted(items, 'item')} for good${more}`;
}

/** Without `withCopies`, as it was proposed. */
function planned(
  asked: Asked,
  withCopies: boolean | undefined,
  keep: readonly string[],
  signal?: AbortSignal,
): Promise<Planned> {
  return send<Planned>('POST', '/api/forget/plan', { ...asked, withCopies, keep }, signal);
}
