// Checks a whole call before anything of it is queued. A bad telling refuses the call and says which telling
// and which field, never what stood there: error messages leave the machine, captured text does not.
import { z } from 'zod';
import { CATALOG } from './catalog/index.ts';
import { AnnalsError } from './errors.ts';
import { type Telling, WITNESSES } from './event.ts';
import { eventId } from './ids.ts';

/** A telling that may be written: its body whole, as JSON text. */
export interface CheckedTelling {
  readonly id: string;
  readonly version: number;
  readonly telling: Telling;
  readonly json: string;
}

const envelope = z.object({
  type: z.string().refine((type) => Object.hasOwn(CATALOG, type)),
  agent: z.string().min(1),
  session: z.string().nullable(),
  fact: z.string().min(1),
  witness: z.enum(WITNESSES),
  occurredAt: z.number().int().nullable(),
  causation: z.string().nullish(),
});

/** @throws AnnalsError INPUT_INVALID */
export function checkTellings(tellings: readonly Telling[]): CheckedTelling[] {
  return tellings.map(checkTelling);
}

function checkTelling(telling: Telling, index: number): CheckedTelling {
  const outside = envelope.safeParse(telling);
  if (!outside.success) throw invalid(index, 'unknown', outside.error.issues[0]?.path ?? []);
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
