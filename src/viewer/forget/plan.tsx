import type { ForgetPlan } from '../api/types.ts';
import { bytes, counted, countedKind } from '../ui/amounts.ts';
import { Kind, Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Empty } from '../ui/states.tsx';

export function Plan({ plan }: { readonly plan: ForgetPlan }) {
  const { events, sessions, kinds, things, copies, same, derived, spoolFiles } = plan;
  if (events + spoolFiles === 0)
    return (
      <Empty title="Nothing would be forgotten">
        <p>Nothing that is remembered matches, or it was forgotten before.</p>
      </Empty>
    );
  return (
    <section aria-labelledby="plan-heading" class="plan">
      <h2 id="plan-heading">What would be forgotten</h2>
      <p>
        {counted(events, 'event')} of {counted(sessions, 'session')}, {bytes(plan.bytes)} of text
        {spoolFiles > 0 && `, and ${counted(spoolFiles, 'file')} of hooks that wait`}.
      </p>
      <ul class="figures">
        {kinds.map(({ kind, count }) => (
          <li key={kind}>{countedKind(count, kind)}</li>
        ))}
      </ul>
      <Things things={things} total={kinds.reduce((sum, { count }) => sum + count, 0)} />
      {same.events > 0 && (
        <p class="quiet-text">
          {counted(same.events, 'other report')} of the same things {same.included ? 'goes too' : 'stays'}:
          another channel or a copied session holds it.
        </p>
      )}
      {derived > 0 && (
        <p class="quiet-text">
          {counted(derived, 'observation or summary', 'observations and summaries')} made from it: removed, or
          made again from what remains.
        </p>
      )}
      {copies.events > 0 && (
        <>
          <h2>Copies: other items that hold the same text</h2>
          <Things things={copies.things} total={copies.events} />
        </>
      )}
    </section>
  );
}

interface ThingsProps {
  readonly things: ForgetPlan['things'];
  readonly total: number;
}

function Things({ things, total }: ThingsProps) {
  return (
    <ul class="things">
      {things.map(({ id, kind, title, at }) => (
        <li key={id}>
          <a class="row-main" href={href('item', id)}>
            <Kind kind={kind === 'tool use' ? 'tool' : kind} />
            <span class="row-title" dir="auto">
              {plainLine(title)}
            </span>
          </a>
          <Time at={at} />
        </li>
      ))}
      {total > things.length && <li class="quiet-text">and {counted(total - things.length, 'more item')}</li>}
    </ul>
  );
}
