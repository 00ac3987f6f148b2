// What an export's lines must be beyond standing in their chain. Whoever made the file wrote the chain too, so it
// says nothing about what stands in a body: a body of another form would be taken in, and every later reading of
// the home would stumble over it. A type or version that only a newer annals knows is taken as it comes.
import type { CATALOG } from '../catalog/index.ts';
import { AnnalsError } from '../errors.ts';
import type { ExportedEvent } from '../format/exported-event.ts';
import { NEWEST } from '../format/upcast.ts';
import { FORGETTING, idsForgottenBy } from './imported-events.ts';

/** Checks events one by one, in their order, and keeps what only all of them together can say. */
export class ExportCheck {
  readonly #catalog: typeof CATALOG;
  readonly #ids = new Set<string>();
  readonly #named = new Set<string>();
  readonly #blank = new Map<string, number>();
  /** The events that say what was forgotten. */
  readonly forgettings: ExportedEvent[] = [];

  constructor(catalog: typeof CATALOG) {
    this.#catalog = catalog;
  }

  /** In half a sentence what is wrong with it; null when nothing is. @throws AnnalsError LOG_TOO_NEW */
  problemOf(event: ExportedEvent): string | null {
    const { header, body, position } = event;
    if (this.#ids.has(header.id)) return 'its id stands in an earlier line already';
    this.#ids.add(header.id);
    if (header.type === FORGETTING) return this.#problemOfForgetting(event);
    if (body.salt === null) this.#blank.set(header.id, position);
    return this.#fits(event) ? null : wrongBody(header.type);
  }

  /** The position of the first event without a body that no forgetting here names; null when there is none. */
  firstUnnamed(): number | null {
    for (const [id, position] of this.#blank) if (!this.#named.has(id)) return position;
    return null;
  }

  #problemOfForgetting(event: ExportedEvent): string | null {
    const { header, body } = event;
    const reader = NEWEST.get(FORGETTING)!;
    if (header.v > reader)
      throw new AnnalsError(
        'LOG_TOO_NEW',
        `The export says what was forgotten in version ${header.v}; this version of annals reads up to ${reader}.`,
        { hint: 'Update annals.', facts: { version: header.v, reader } },
      );
    if (body.salt === null || !this.#fits(event)) return wrongBody(FORGETTING);
    const ids = idsForgottenBy(event);
    if (!ids.every((id) => EVENT_ID.test(id))) return wrongBody(FORGETTING);
    for (const id of ids) this.#named.add(id);
    this.forgettings.push(event);
    return null;
  }

  #fits({ header, body }: ExportedEvent): boolean {
    if (body.salt === null || NEWEST.get(header.type) !== header.v) return true;
    try {
      const kind = this.#catalog[header.type as keyof typeof CATALOG];
      const fields = JSON.parse(body.json) as object;
      const parsed = kind.body.safeParse(fields);
      if (!parsed.success) return false;
      // Reading adds no defaults: whoever goes through a list must find one.
      return Object.entries(parsed.data).every(
        ([name, value]) => !Array.isArray(value) || Object.hasOwn(fields, name),
      );
    } catch {
      // Nested deeper than can be looked into.
      return false;
    }
  }
}

const EVENT_ID = /^[0-9a-f]{32}$/;

/** Never what stands there: messages leave the machine, captured text does not. */
function wrongBody(type: string): string {
  return `the body does not have the form of a ${type}`;
}
