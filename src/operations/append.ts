// What a program tells the log directly passes the same gate as what is captured: secrets and hidden blocks are
// taken out before anything is written.
import { AnnalsError, type Telling } from '../../log/index.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../capture/clip.ts';
import { sanitizeValue } from '../capture/redact/index.ts';

/** @throws AnnalsError INPUT_INVALID for a `memory.forgotten`: forgetting is more than telling it */
export function cleanTelling<T extends Telling>(telling: T): T {
  if (telling.type === 'memory.forgotten')
    throw new AnnalsError('INPUT_INVALID', 'A forgetting cannot be appended.', {
      hint: 'Use forget: it also shows what goes, and takes it out of the views and off the disk.',
    });
  const author = telling.type === 'prompt.submitted' || telling.type === 'memory.saved' ? 'person' : 'tool';
  return {
    ...telling,
    body: sanitizeValue(telling.body, { author, clipBytes: TRANSCRIPT_CLIP_BYTES }) as T['body'],
  };
}
