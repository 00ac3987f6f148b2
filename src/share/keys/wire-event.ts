// An event on its way to another machine: packed, and how it is named for the engine. It proves its own id; what an export
// proves by its chain, a sealed message proves by its signature.
import { isUtf8 } from 'node:buffer';
import {
  type EventContent,
  ExportCheck,
  hasOwnId,
  ID_PROBLEM,
  packEvent,
  parseBody,
  StoredBody,
  unpackEvent,
} from '../../../log/index.ts';
import { redactText } from '../../capture/redact/index.ts';
import { opaqueName } from './signing.ts';

/** What the shared log calls an event. One event may belong to two projects. @param key of the names */
export function eventName(key: Uint8Array, project: string, id: string): string {
  return opaqueName(key, JSON.stringify(['event', project, id]));
}

type Catalog = ConstructorParameters<typeof ExportCheck>[0];

/** An event whose sealed message would be too large is not sent. */
export const EVENT_BYTES_MAX = 900_000;

/** The event, or one sentence that says what is wrong with it. */
export function wireEvent(plain: Uint8Array, catalog: Catalog): EventContent | string {
  const event = unpackEvent(Buffer.from(plain.buffer, plain.byteOffset, plain.length));
  if (typeof event === 'string') return event;
  const { header, body } = event;
  if (!hasOwnId(header)) return ID_PROBLEM;
  const fields = body.salt !== null && isOneLine(body) ? parseBody(body.json) : null;
  if (fields === null) return 'the body is not a JSON object in one line';
  try {
    return new ExportCheck(catalog).problemOf(event, { fields }) ?? event;
  } catch {
    return 'it was made by a newer version';
  }
}

/** It must fit into a line of an export, and come out of it as it was. */
function isOneLine({ bytes, salt }: StoredBody): boolean {
  const text = bytes.subarray(salt.length);
  return isUtf8(text) && !text.includes(LINE_FEED);
}

const LINE_FEED = 0x0a;

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
 * @param packed a whole event
 */
export function withoutSecrets(packed: Buffer): { readonly id: string; readonly plain: Buffer } {
  const { header, body } = unpackEvent(packed) as EventContent;
  const { id, type } = header;
  if (body.salt === null || WITHOUT_TEXT.has(type)) return { id, plain: packed };
  const fields: unknown = JSON.parse(body.json);
  if (!hasSecret(fields)) return { id, plain: packed };
  const json = JSON.stringify(fields, (_, value) => (typeof value === 'string' ? redactText(value) : value));
  return { id, plain: packEvent({ header, body: StoredBody.of(body.salt, json) }) };
}

/** Whether two reports of an event have the same text, once what is a secret today is redacted in both. */
export function hasSameText(one: EventContent, other: EventContent): boolean {
  if (one.body.salt === null || other.body.salt === null) return false;
  return one.body.json === other.body.json || textWithoutSecrets(one) === textWithoutSecrets(other);
}

function textWithoutSecrets(event: EventContent): string {
  const { body } = unpackEvent(withoutSecrets(packEvent(event)).plain) as EventContent;
  return (body as StoredBody).json;
}

/** A whole packed event, to be read by a person. */
export function wireLine(packed: Buffer): string {
  const { header, body } = unpackEvent(packed) as EventContent;
  return `${JSON.stringify(header).slice(0, -1)},"body":${body.salt === null ? 'null' : body.json}}`;
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return redactText(value) !== value;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
}
