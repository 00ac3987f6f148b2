// Forgetting for good, in three steps: choose, see the plan, confirm; then the proof.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, send } from '../api/client.ts';
import type { ForgetPlan, ForgetReport, ForgetSelection } from '../api/types.ts';
import { counted } from '../ui/amounts.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Choice, type Chosen, chosenIn, selectionOf } from './choice.tsx';
import { Plan } from './plan.tsx';
import { Proof } from './proof.tsx';

interface Planned {
  readonly plan: ForgetPlan;
  /** Confirms exactly this plan, once. */
  readonly token: string;
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'wait'; readonly what: string }
  | { readonly at: 'plan'; readonly planned: Planned }
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
  const plan = (selection: ForgetSelection, withCopies: boolean) =>
    attempt('Looking for it', async () => ({
      at: 'plan',
      planned: await send<Planned>('POST', '/api/forget/plan', { selection, withCopies }),
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
    if (selection === null) setStep({ at: 'choose' });
    else void plan(selection, given.withCopies);
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
        <Choice
          chosen={chosen}
          onChange={setChosen}
          onPlan={(selection) => void plan(selection, chosen.withCopies)}
        />
      )}
      {step.at === 'failed' && <Failed error={step.error} />}
      {step.at === 'wait' && <Loading what={step.what} />}
      {step.at === 'plan' && (
        <>
          <Plan plan={step.planned.plan} />
          <CopiesChoice
            plan={step.planned.plan}
            onChange={(withCopies) => {
              setChosen({ ...chosen, withCopies });
              void plan(selectionOf(chosen)!, withCopies);
            }}
          />
          <div class="actions">
            {step.planned.plan.events + step.planned.plan.spoolFiles > 0 && (
              <button type="button" class="primary danger" onClick={() => void confirm(step.planned.token)}>
                Forget {counted(step.planned.plan.events, 'event')} for good
              </button>
            )}
            <button type="button" onClick={again}>
              Choose something else
            </button>
          </div>
        </>
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

interface CopiesProps {
  readonly plan: ForgetPlan;
  onChange(withCopies: boolean): void;
}

function CopiesChoice({ plan: { copies }, onChange }: CopiesProps) {
  if (copies.events === 0) return null;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={copies.included}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />{' '}
      Also forget the {counted(copies.events, 'other event')} that hold the same text
    </label>
  );
}
