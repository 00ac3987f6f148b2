// Checks a whole call before anything of it is queued. A bad telling refuses the call and says which telling
// and which field, never what stood there: error messages leave the machine, captured text does not.
import { CATALOG } from './catalog/index.ts';
import { AnnalsError } from './errors.ts';
import { type Telling, WITNESSES, type Witness } from './event.ts';
import { eventId } from './ids.ts';
import { isTime } from './times.ts';
import type { CarriedEvent } from './transfer/carried.ts';

/** A telling that may be written: its body whole, as JSON text. */
export interface CheckedTelling {
  readonly id: string;
  readonly version: number;
  readonly telling: Telling;
  readonly json: string;
  /** An event of another log, taken over as it is. */
  readonly carried?: Pick<CarriedEvent, 'header' | 'body'>;
}

/** @throws AnnalsError INPUT_INVALID */
export function checkTellings(tellings: readonly Telling[]): CheckedTelling[] {
  return tellings.map(checkTelling);
}

function checkTelling(telling: Telling, index: number): CheckedTelling {
  const wrong = wrongField(telling);
  if (wrong !== null) throw invalid(index, 'unknown', [wrong]);
  const kind = CATALOG[telling.type];
  const body = kind.body.safeParse(telling.body);
  if (!body.success) throw invalid(index, telling.type, ['body', ...(body.error.issues[0]?.path ?? [])]);
  return {
    id: eventId(telling),
    version: kind.version,
    telling,
    json: toJson(body.data, index, telling.type),
  };
}

/** The first field of the envelope that is not as documented. By hand: each event passes here. */
function wrongField(telling: { readonly [field in keyof Telling]?: unknown }): keyof Telling | null {
  const { type, agent, session, fact, witness, occurredAt, causation } = telling;
  if (typeof type !== 'string' || !Object.hasOwn(CATALOG, type)) return 'type';
  if (typeof agent !== 'string' || agent === '') return 'agent';
  if (session !== null && typeof session !== 'string') return 'session';
  if (typeof fact !== 'string' || fact === '') return 'fact';
  if (!WITNESSES.includes(witness as Witness)) return 'witness';
  if (occurredAt !== null && !isTime(occurredAt)) return 'occurredAt';
  if (causation !== null && causation !== undefined && typeof causation !== 'string') return 'causation';
  return null;
}

/** Unknown fields are kept as they come, so what JSON cannot hold (a bigint, a circle) is found here. */
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
    `Telling ${index} (${type}) cannot be stored: ${field === '' ? 'it' : field} does not have the documented form.`,
    { hint: 'Nothing of this call was stored.', facts: { index, type, field } },
  );
}
