// Checks all events of a call before any is queued. One invalid event rejects the call; the error names the event and
// the field, never the value: error messages leave the machine, captured text does not.
import { CATALOG } from '../catalog/index.ts';
import { AnnalsError } from '../errors.ts';
import { CHANNELS, type Channel, type NewEvent } from '../event.ts';
import type { EventContent } from '../format/exported-event.ts';
import { eventId } from '../format/ids.ts';
import { isTime } from '../times.ts';

/** A valid event with its complete body as JSON text. */
export interface CheckedEvent {
  readonly id: string;
  readonly version: number;
  readonly newEvent: NewEvent;
  /** Empty for an imported event. */
  readonly json: string;
  /** Set for an event imported from another log. */
  readonly imported?: EventContent;
}

/** @throws AnnalsError INPUT_INVALID */
export function checkNewEvents(newEvents: readonly NewEvent[]): CheckedEvent[] {
  return newEvents.map(checkNewEvent);
}

function checkNewEvent(newEvent: NewEvent, index: number): CheckedEvent {
  const wrong = wrongField(newEvent);
  if (wrong !== null) throw invalid(index, 'unknown', [wrong]);
  const kind = CATALOG[newEvent.type];
  const body = kind.body.safeParse(newEvent.body);
  if (!body.success) throw invalid(index, newEvent.type, ['body', ...(body.error.issues[0]?.path ?? [])]);
  return {
    id: eventId(newEvent),
    version: kind.version,
    newEvent,
    json: toJson(body.data, index, newEvent.type),
  };
}

/** The first invalid field of the envelope. Checked by hand for speed: every event passes here. */
function wrongField(newEvent: { readonly [field in keyof NewEvent]?: unknown }): keyof NewEvent | null {
  const { type, agent, session, dedupeKey, channel, occurredAt, causation } = newEvent;
  if (typeof type !== 'string' || !Object.hasOwn(CATALOG, type)) return 'type';
  if (typeof agent !== 'string' || agent === '') return 'agent';
  if (session !== null && typeof session !== 'string') return 'session';
  if (typeof dedupeKey !== 'string' || dedupeKey === '') return 'dedupeKey';
  if (!CHANNELS.includes(channel as Channel)) return 'channel';
  if (occurredAt !== null && !isTime(occurredAt)) return 'occurredAt';
  if (causation !== null && causation !== undefined && typeof causation !== 'string') return 'causation';
  return null;
}

/** Unknown fields are kept unchecked, so values that JSON cannot represent (a bigint, a cycle) fail here. */
function toJson(body: unknown, index: number, type: string): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw invalid(index, type, ['body']);
  }
}

function invalid(index: number, type: string, path: readonly PropertyKey[]): AnnalsError {
  const field = path.map(String).join('.');
  return new AnnalsError(
    'INPUT_INVALID',
    `Event ${index} (${type}) cannot be stored: ${field === '' ? 'it' : field} does not have the documented form.`,
    {
      hint: 'Nothing of this call was stored. docs/events.md lists the fields of each event type.',
      facts: { index, type, field },
    },
  );
}
