import { useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';

const OPERATORS: readonly (readonly [example: string, meaning: string])[] = [
  ['"a phrase"', 'exactly these words'],
  ['-word', 'without this word'],
  ['project:', 'only this project'],
  ['kind:prompt', 'prompt, answer, tool, memory, observation, summary, imported'],
  [
    'type:bugfix',
    'bugfix, feature, refactor, change, discovery, decision, security; the name of a tool; test',
  ],
  ['file:clock.ts', 'what touched this file'],
  ['concept:gotcha', 'what was noted as this'],
  ['outcome:failed', 'how a tool use ended: ok, failed, cancelled'],
  ['agent:codex', 'only this agent'],
  ['session:', 'only this session'],
  ['since:7d', 'not older: 7d, 12h, yesterday, last-week, a date'],
  ['until:2026-05-01', 'not newer'],
];

/** What may follow an operator that is typed as the last word without a value; null if there is none. */
export function openOperator(text: string): { readonly operator: string; readonly meaning: string } | null {
  const operator = /(?:^|\s)-?([a-z]+:)(?:"[^"]*)?$/.exec(text)?.[1];
  const known = OPERATORS.find(([example]) => operator !== undefined && example.startsWith(operator));
  return known === undefined ? null : { operator: operator!, meaning: known[1] };
}

export function Operators({ add }: { add(operator: string): void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Operators
      </button>
      {isOpen && (
        <Dialog title="Operators" onClose={() => setOpen(false)}>
          <ul class="operators">
            {OPERATORS.map(([example, meaning]) => (
              <li key={example}>
                <button
                  type="button"
                  onClick={() => {
                    add(example);
                    setOpen(false);
                  }}
                >
                  <code>{example}</code>
                </button>
                <span>{meaning}</span>
              </li>
            ))}
          </ul>
          <p class="quiet-text">A minus in front of an operator excludes: -type:change.</p>
        </Dialog>
      )}
    </>
  );
}
