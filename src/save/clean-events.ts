// What a program tells the log directly passes the same gate as what is captured: secrets and hidden blocks are
// taken out of bodies before anything is written. Names are not redacted, because two that differ only in what is
// taken out would become one thing, and the second would count as told already: such a telling is refused.
import { AnnalsError, type NewEvent } from '../../log/index.ts';
import { redactText, sanitizeValue } from '../capture/redact/index.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../capture/text/clip.ts';

/** Fields that stay for ever, also when the event is forgotten. */
const NAMES = ['agent', 'session', 'dedupeKey', 'causation'] as const;

/** @throws AnnalsError USAGE when it is no list; INPUT_INVALID for a forgetting, and for a secret in a name */
export function cleanEvents(newEvents: readonly NewEvent[]): NewEvent[] {
  if (!Array.isArray(newEvents))
    throw new AnnalsError('USAGE', 'What is to be appended is not a list of tellings.', {
      hint: 'Give an array, also for one.',
    });
  return newEvents.map(cleanEvent);
}

function cleanEvent<T extends NewEvent>(newEvent: T, index: number): T {
  if (typeof newEvent !== 'object' || newEvent === null)
    throw invalid(`Telling ${index} is no object.`, 'Nothing of this call was stored.');
  if (newEvent.type === 'memory.forgotten')
    throw invalid(
      'A forgetting cannot be appended.',
      'Use forget: it also shows what goes, and takes it out of the views and off the disk.',
    );
  for (const name of NAMES) {
    const value: unknown = newEvent[name];
    if (typeof value === 'string' && redactText(value) !== value)
      throw invalid(
        `Telling ${index} holds a secret in its ${name}.`,
        'A name is kept for ever and must tell no secret. Nothing of this call was stored.',
      );
  }
  const author = newEvent.type === 'prompt.submitted' || newEvent.type === 'memory.saved' ? 'person' : 'tool';
  return {
    ...newEvent,
    body: sanitizeValue(newEvent.body, { author, clipBytes: TRANSCRIPT_CLIP_BYTES }) as T['body'],
  };
}

function invalid(message: string, hint: string): AnnalsError {
  return new AnnalsError('INPUT_INVALID', message, { hint });
}
