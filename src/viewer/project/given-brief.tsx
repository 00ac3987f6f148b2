// The text that the next session of a project is given, its size, and what had no room.
import { useState } from 'preact/hooks';
import type { ContextAnswer } from '../api/types.ts';
import { count, counted } from '../ui/amounts.ts';
import { useRecorded } from '../ui/as-of.tsx';
import { plain, plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { ScrollText } from '../ui/scroll-text.tsx';
import { Shown } from '../ui/states.tsx';
import { BriefText, sectionsOf } from './brief-text.tsx';

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
            {text !== '' && <Given text={plain(text)} />}
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

/** Sections that are shown at first. */
const SECTIONS_SHOWN = 3;

/** Rendered, or letter by letter as the agent gets it. */
function Given({ text }: { readonly text: string }) {
  const [isRaw, setRaw] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const sections = sectionsOf(text);
  const shown = isWhole ? sections : sections.slice(0, SECTIONS_SHOWN);
  return (
    <>
      {isRaw ? (
        <ScrollText class="text given" label="The text as the agent gets it">
          {text}
        </ScrollText>
      ) : (
        <BriefText sections={shown} />
      )}
      <p class="brief-acts">
        {!isRaw && shown.length < sections.length && (
          <button type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        )}
        <button type="button" class="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          As the agent gets it
        </button>
      </p>
    </>
  );
}
