// An event on its way to another machine: the line of an export, and how it is named for the engine. The line proves its
// own id; what an export proves by its chain, a sealed message proves by its signature.
import { ExportCheck, type ExportedEvent, exportedLine, parseExportedLine } from '../../../log/index.ts';
import { redactText } from '../../capture/redact/index.ts';
import { opaqueName } from './signing.ts';

/** What the shared log calls an event. One event may belong to two projects. @param key of the names */
export function eventName(key: Uint8Array, project: string, id: string): string {
  return opaqueName(key, JSON.stringify(['event', project, id]));
}

type Catalog = ConstructorParameters<typeof ExportCheck>[0];

/** An event whose sealed message would be too large is not sent. */
export const EVENT_BYTES_MAX = 900_000;

export function wireText(event: ExportedEvent): Uint8Array {
  return Buffer.from(exportedLine(withoutSecrets(event)));
}

/** The event, or one sentence that says what is wrong with it. */
export function wireEvent(plain: Uint8Array, catalog: Catalog): ExportedEvent | string {
  const event = parseExportedLine(Buffer.from(plain).toString('utf8'));
  if (typeof event === 'string') return event;
  if (event.body.salt === null) return 'it has no body';
  try {
    return new ExportCheck(catalog).problemOf(event) ?? event;
  } catch {
    return 'it was made by a newer version';
  }
}

/** Types that hold numbers, hashes and names instead of text: a vector looks like a secret. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  'vectors.computed',
  'context.injected',
  'workdir.seen',
  'memory.forgotten',
  'observer.asked',
]);

/**
 * Secrets are redacted before an event is stored. This looks again, with the rules of today; an event that has one all the
 * same is sent without it.
 */
function withoutSecrets(event: ExportedEvent): ExportedEvent {
  const { header, body } = event;
  if (body.salt === null || WITHOUT_TEXT.has(header.type)) return event;
  const fields: unknown = JSON.parse(body.json);
  if (!hasSecret(fields)) return event;
  const json = JSON.stringify(fields, (_, value) => (typeof value === 'string' ? redactText(value) : value));
  return { ...event, body: { ...body, json } };
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return redactText(value) !== value;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
}
