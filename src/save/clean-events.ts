// Cleans events that a program appends directly, as captured events are cleaned: secrets and hidden blocks are removed
// from bodies before anything is written. Names are not redacted: two names that differ only in the removed part would
// become one, and the second event would count as a duplicate. An event with a secret in a name is refused.
import { AnnalsError, type NewEvent } from '../../log/index.ts';
import { redactText, sanitizeValue } from '../capture/redact/index.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../capture/text/clip.ts';

/** Fields that are kept for ever, even when the event is forgotten. */
const NAMES = ['agent', 'session', 'dedupeKey', 'causation'] as const;

/** @throws AnnalsError USAGE: not a list; INPUT_INVALID: a `memory.forgotten` event, or a secret in a name */
export function cleanEvents(newEvents: readonly NewEvent[]): NewEvent[] {
  if (!Array.isArray(newEvents))
    throw new AnnalsError('USAGE', 'The events to append are not a list.', {
      hint: 'Pass an array, even for one event.',
    });
  return newEvents.map(cleanEvent);
}

function cleanEvent<T extends NewEvent>(newEvent: T, index: number): T {
  if (typeof newEvent !== 'object' || newEvent === null)
    throw invalid(`Event ${index} is not an object.`, 'Nothing from this call was stored.');
  if (newEvent.type === 'memory.forgotten')
    throw invalid(
      'A memory.forgotten event cannot be appended.',
      'Use forget: it also shows what goes, and removes it from the views and the disk.',
    );
  for (const name of NAMES) {
    const value: unknown = newEvent[name];
    if (typeof value === 'string' && redactText(value) !== value)
      throw invalid(
        `Event ${index} holds a secret in its ${name}.`,
        'A name is kept for ever, so it must not hold a secret. Nothing from this call was stored.',
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
