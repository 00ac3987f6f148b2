import type { ForgetPlan, ForgetReport } from '../api/types.ts';
import { bytes, counted, countedKind, durationText, timeText } from '../ui/amounts.ts';
import { plainLine } from '../ui/plain.ts';

export function Proof({ report: { outcome, at, plan, proof, ms } }: { readonly report: ForgetReport }) {
  if (outcome !== 'forgotten') return <p role="status">There was nothing to forget.</p>;
  return (
    <section aria-labelledby="proof-heading" class="plan">
      <h2 id="proof-heading">Proof</h2>
      <p role="status">
        {counted(plan.events, 'event')} forgotten in {durationText(ms)}
        {at !== null && `, ${timeText(at)}`}.{plan.kinds.length > 0 && ` It was ${forgottenText(plan)}.`}
      </p>
      {proof === null ? null : proof.ok === null ? (
        <p>
          There was nothing to search for: the text is too short, or all of it also occurs in something that
          stays.
        </p>
      ) : (
        <>
          <p class={proof.ok ? undefined : 'bad'}>
            {counted(proof.needles.length, 'text')} of what was forgotten{' '}
            {proof.needles.length === 1 ? 'was' : 'were'} searched for in every byte of{' '}
            {counted(proof.files, 'file')} ({bytes(proof.bytes)}):{' '}
            <strong>{counted(proof.found.length, 'place')} found</strong>.
          </p>
          <p class="quiet-text">
            {proof.control.found
              ? 'A text that stays was found by the same search, so it does find what is there.'
              : 'A text that stays was not found by the same search: do not rely on it.'}
            {proof.unreadable > 0 && ` ${counted(proof.unreadable, 'file')} could not be read.`}
          </p>
          <ul class="file-list">
            {proof.found.map(({ file }) => (
              <li key={file} class="bad">
                {plainLine(file)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** By kind and project: the titles are forgotten too. */
function forgottenText({ kinds, things }: ForgetPlan): string {
  const projects = [...new Set(things.flatMap(({ project }) => project ?? []))].map(plainLine);
  const what = kinds.map(({ kind, count }) => countedKind(count, kind)).join(', ');
  return projects.length === 0 ? what : `${what}, of ${projects.join(', ')}`;
}
