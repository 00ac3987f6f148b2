// What a program tells the log directly passes the same gate as what is captured: secrets and hidden blocks are
// taken out before anything is written.
import type { Telling } from '../../log/index.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../capture/clip.ts';
import { sanitizeValue } from '../capture/redact/index.ts';

export function cleanTelling<T extends Telling>(telling: T): T {
  const author = telling.type === 'prompt.submitted' || telling.type === 'memory.saved' ? 'person' : 'tool';
  return {
    ...telling,
    body: sanitizeValue(telling.body, { author, clipBytes: TRANSCRIPT_CLIP_BYTES }) as T['body'],
  };
}
