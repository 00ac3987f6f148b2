// What happens to everything that was made of it or may hold it, also where Annals cannot reach.
import type { ForgetPlan } from '../api/types.ts';
import { counted } from '../ui/amounts.ts';
import { WithCode } from '../ui/with-code.tsx';

const FATES = { gone: 'Removed', stays: 'Stays', none: 'None' } as const;

export function Elsewhere({ plan: { derived, spoolFiles, team } }: { readonly plan: ForgetPlan }) {
  const made =
    derived === 0
      ? 'No observation or summary was made from it.'
      : `${counted(derived, 'observation or summary', 'observations and summaries')} made from it: removed, or made again from what remains.`;
  const rows: readonly (readonly [where: string, fate: keyof typeof FATES, what: string])[] = [
    ['Views and indexes', 'gone', `${made} Words and vectors of it leave both indexes, on disk too.`],
    [
      'Files of hooks and contexts',
      'gone',
      spoolFiles === 0
        ? 'The texts that sessions start with are written again.'
        : `${counted(spoolFiles, 'file')} of hooks that wait; the texts that sessions start with are written again.`,
    ],
    [
      'Other machines',
      team ? 'gone' : 'none',
      team
        ? 'The machines of your team forget what they share of it when they are connected, and the server removes its copy.'
        : 'No machine shares this memory. One that got it through an export keeps it until it merges a newer one.',
    ],
    [
      'Transcripts of the agents',
      'stays',
      'The agent’s own files are not touched. Delete them yourself if the text must go; Annals does not record it again.',
    ],
    [
      'Exports and backups',
      'stays',
      'Annals cannot reach copies outside its home. The next `annals export` into the same folder removes it there.',
    ],
  ];
  return (
    <section aria-labelledby="elsewhere-heading" class="plan">
      <h2 id="elsewhere-heading">What happens to copies</h2>
      <dl class="fates">
        {rows.map(([where, fate, what]) => (
          <div key={where}>
            <dt>{where}</dt>
            <dd>
              <span class={`fate fate-${fate}`}>{FATES[fate]}</span> <WithCode text={what} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
