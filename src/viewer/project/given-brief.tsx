// Exactly the text that the next session of a project is given, its size, and what had no room.
import type { ContextAnswer } from '../api/types.ts';
import { count, counted } from '../ui/amounts.ts';
import { useRecorded } from '../ui/as-of.tsx';
import { plain, plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { ScrollText } from '../ui/scroll-text.tsx';
import { Shown } from '../ui/states.tsx';

const LEFT_OUT_SHOWN = 60;

export function GivenBrief({ project }: { readonly project: string }) {
  const brief = useRecorded<ContextAnswer>('/api/context', { project, form: 'both' }, { live: 1_000 });
  return (
    <section aria-labelledby="brief-heading">
      <h2 id="brief-heading">What the next session is given</h2>
      <Shown loaded={brief}>
        {({ text, tokens, items, leftOut = [], pausedBecause, degraded }) => (
          <>
            {[...(pausedBecause === null ? [] : [pausedBecause]), ...degraded].map((sentence) => (
              <p key={sentence} class="notice">
                {plainLine(sentence)}
              </p>
            ))}
            <p class="quiet-text">
              {text === ''
                ? 'Nothing: nothing is known that helps.'
                : `About ${count(tokens)} tokens, from ${counted(items.length, 'item')}.`}
            </p>
            {text !== '' && (
              <ScrollText class="text given" label="What the next session is given">
                <WithLinks text={plain(text)} />
              </ScrollText>
            )}
            {leftOut.length > 0 && (
              <details>
                <summary>
                  {counted(leftOut.length, 'line')} left out: the text has at most 9,000 characters
                </summary>
                <ul class="things">
                  {leftOut.slice(0, LEFT_OUT_SHOWN).map(({ section, id, text }, index) => (
                    <li key={`${index} ${id}`}>
                      <span class="quiet-text">{plainLine(section)}</span>
                      {id === null ? (
                        <span>{plainLine(text)}</span>
                      ) : (
                        <a href={href('item', id)}>{plainLine(text)}</a>
                      )}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

/** `(o-jfzry8, 2026-07-29 11:24)` links to the item. */
function WithLinks({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(?<=\()([a-z]-[0-9a-z]{6,12})(?=[,)])/).map((part, index) =>
        index % 2 === 1 ? (
          <a key={`${index} ${part}`} href={href('item', part)}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}
