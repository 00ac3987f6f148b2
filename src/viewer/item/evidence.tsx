// What an observation is based on: commands, tests, errors, commits.
import { detail, listDetail, type ShownItem, textDetail } from '../api/types.ts';
import { plainLine } from '../ui/plain.ts';

type Json = ShownItem['details'];

export function Evidence({ details }: { readonly details: Json }) {
  const evidence = detail(details, 'evidence') ?? null;
  if (evidence === null) return null;
  const tests = each(evidence, 'tests', (test) => ({
    what: 'Test',
    text: textDetail(test, 'command'),
    outcome: [textDetail(test, 'before'), textDetail(test, 'after')].filter(Boolean).join(' → '),
  }));
  const tested = new Set(tests.map(({ text }) => text));
  const rows = [
    ...listDetail(evidence, 'decisions').map((text) => ({ what: 'Decision', text, outcome: '' })),
    ...tests,
    ...each(evidence, 'errors', (error) => ({
      what: 'Error',
      text: textDetail(error, 'error'),
      outcome: textDetail(error, 'fixedBy') === null ? '' : `fixed by ${textDetail(error, 'fixedBy')}`,
    })),
    ...each(evidence, 'commands', (command) => ({
      what: 'Command',
      text: textDetail(command, 'command'),
      outcome: textDetail(command, 'outcome') ?? 'outcome not known',
    })).filter(({ text }) => !tested.has(text)),
    ...each(evidence, 'commits', (commit) => ({
      what: 'Commit',
      text: textDetail(commit, 'message'),
      outcome: `${textDetail(commit, 'hash') ?? ''} ${rewrittenWords(commit)}`.trim(),
    })),
    ...listDetail(evidence, 'lessons').map((text) => ({ what: 'Lesson', text, outcome: '' })),
  ];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="evidence-heading">
      <h2 id="evidence-heading">Evidence</h2>
      <ul class="evidence">
        {rows.map(({ what, text, outcome }, index) => (
          <li key={index}>
            <span class="what">{what}</span>
            <span class="evidence-text" dir="auto">
              {plainLine(text ?? '')}
            </span>
            <span class={outcome === 'failed' ? 'bad' : 'quiet-text'}>{plainLine(outcome)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function rewrittenWords(commit: Json): string {
  const rewritten = textDetail(commit, 'rewritten');
  if (rewritten === null) return '';
  return rewritten === 'yes' ? '(rewritten later)' : '(may have been rewritten later)';
}

function each<T>(evidence: Json, name: string, make: (entry: Json) => T): readonly T[] {
  const entries = detail(evidence, name);
  return Array.isArray(entries) ? entries.map(make) : [];
}
