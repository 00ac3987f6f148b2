// Checks an export's lines beyond their chain. The author of a file wrote its chain too, so the chain does not prove
// that a body has a valid form; an invalid body would be imported and break every later read of the home. An event of
// an unknown type or version is imported unchecked.
import type { CATALOG } from '../catalog/index.ts';
import { AnnalsError } from '../errors.ts';
import type { EventContent } from '../format/exported-event.ts';
import { EVENT_ID } from '../format/keys.ts';
import { NEWEST } from '../format/upcast.ts';
import { FORGETTING, idsForgottenBy } from './imported-events.ts';

interface Known {
  /** In the export. */
  readonly position?: number;
  /** Its body, if it was parsed. */
  readonly fields?: object | undefined;
}

/** Checks events one by one, in order, and collects what can be decided only after the last. */
export class ExportCheck {
  readonly #catalog: typeof CATALOG;
  readonly #ids = new Set<string>();
  readonly #named = new Set<string>();
  readonly #blank = new Map<string, number>();
  /** The `memory.forgotten` events. */
  readonly forgettings: EventContent[] = [];

  constructor(catalog: typeof CATALOG) {
    this.#catalog = catalog;
  }

  /** A clause that says what is wrong with an event; null when it is valid. @throws AnnalsError LOG_TOO_NEW */
  problemOf(event: EventContent, { position = 0, fields }: Known = {}): string | null {
    const { header, body } = event;
    if (this.#ids.has(header.id)) return 'its id already occurs in an earlier line';
    this.#ids.add(header.id);
    if (header.type === FORGETTING) return this.#problemOfForgetting(event, fields);
    if (body.salt === null) this.#blank.set(header.id, position);
    return this.#fits(event, fields) ? null : wrongBody(header.type);
  }

  /** The position of the first blanked event that no `memory.forgotten` names; null when there is none. */
  firstUnnamed(): number | null {
    for (const [id, position] of this.#blank) if (!this.#named.has(id)) return position;
    return null;
  }

  #problemOfForgetting(event: EventContent, fields: object | undefined): string | null {
    const { header, body } = event;
    const reader = NEWEST.get(FORGETTING)!;
    if (header.v > reader)
      throw new AnnalsError(
        'LOG_TOO_NEW',
        `The export has a memory.forgotten of version ${header.v}; this version of annals reads up to ${reader}.`,
        { hint: 'Update annals.', facts: { version: header.v, reader } },
      );
    if (body.salt === null || !this.#fits(event, fields)) return wrongBody(FORGETTING);
    const ids = idsForgottenBy(event);
    if (!ids.every((id) => EVENT_ID.test(id))) return wrongBody(FORGETTING);
    for (const id of ids) this.#named.add(id);
    this.forgettings.push(event);
    return null;
  }

  #fits({ header, body }: EventContent, known: object | undefined): boolean {
    if (body.salt === null || NEWEST.get(header.type) !== header.v) return true;
    try {
      const kind = this.#catalog[header.type as keyof typeof CATALOG];
      const fields = known ?? (JSON.parse(body.json) as object);
      const parsed = kind.body.safeParse(fields);
      if (!parsed.success) return false;
      // Reading adds no defaults, so every list must be present.
      return Object.entries(parsed.data).every(
        ([name, value]) => !Array.isArray(value) || Object.hasOwn(fields, name),
      );
    } catch {
      // Nested too deeply to check.
      return false;
    }
  }
}

/** Never quotes the body: messages leave the machine, captured text does not. */
function wrongBody(type: string): string {
  return `the body does not have the form of a ${type}`;
}
