import { useState } from 'preact/hooks';
import { bytes } from './amounts.ts';
import { plain } from './plain.ts';
import { ScrollText } from './scroll-text.tsx';

const CHARS_SHOWN = 8_000;

/** Text as it is, in its own line breaks. Of a long one first the beginning. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || text.length <= CHARS_SHOWN ? text : text.slice(0, CHARS_SHOWN);
  return (
    <>
      <ScrollText class="text" label={label}>
        {plain(shown)}
      </ScrollText>
      {shown.length < text.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all ({bytes(text.length)})
        </button>
      )}
    </>
  );
}
