// Sanitizes all captured values: hidden blocks are removed from every string of a JSON value, then secrets, then the
// string is clipped. Strings are handled one by one, so a tag opened in one cannot remove the next, and no key is lost.
// Pictures become a note of their size; account e-mails and ids are dropped.
import { isRecord, type Json } from '../../../log/index.ts';
import { clip } from '../text/clip.ts';
import { type Author, stripTags } from '../text/tags.ts';
import { withoutTerminalSequences } from '../text/terminal-sequences.ts';
import { AS_DATA, looksChosen } from './chosen-values.ts';
import { unescaped, withoutEncoded } from './escapes.ts';
import { type FieldName, fieldName } from './field-names.ts';
import { familyOfKey } from './key-names.ts';
import { redactText } from './redact-text.ts';
import { isVendorsValue } from './vendor-names.ts';

export interface SanitizeOptions {
  readonly author: Author;
  /** Limit of each string, bytes of UTF-8. */
  readonly clipBytes: number;
  /** Called with the kind of each replaced secret. */
  readonly onRedacted?: (kind: string) => void;
}

/** Sanitizes one text: terminal sequences, hidden blocks, embedded pictures, secrets, then length. */
export function sanitizeText(text: string, options: SanitizeOptions): string {
  const shown = withoutPictures(withoutTerminalSequences(text));
  const clean = withoutSecrets(shown, options);
  // What escapes hide is removed from the text without them; a text in which they hide nothing keeps them.
  const meant = unescaped(clean);
  const cleanMeant = meant === clean ? meant : withoutSecrets(meant, options);
  return clip(cleanMeant === meant ? clean : cleanMeant, options.clipBytes);
}

function withoutSecrets(text: string, options: SanitizeOptions): string {
  const clean = redactText(stripTags(text, options).text, options.onRedacted);
  return withoutEncoded(clean, (decoded) => redactText(decoded) !== decoded);
}

/** Sanitizes a JSON value. Values that JSON cannot hold (undefined, functions, NaN) become null. Never throws. */
export function sanitizeValue(value: unknown, options: SanitizeOptions): Json {
  return walk(value, options, 0);
}

/** No tool makes deeper values; recursion stays far from the stack's limit. */
const DEPTH_MAX = 100;
const TOO_DEEP = '[annals: nested too deep]';

function walk(value: unknown, options: SanitizeOptions, depth: number): Json {
  if (typeof value === 'string') return sanitizeText(value, options);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEPTH_MAX) return TOO_DEEP;
  if (Array.isArray(value))
    return value.map((item, index) => {
      const flag = flagIn(value[index - 1]);
      return flag === null
        ? walk(item, options, depth + 1)
        : field(flag, fieldName(flag), item, options, depth);
    });
  const picture = pictureNote(value as Record<string, unknown>);
  if (picture !== null) return picture;
  const fields: { [name: string]: Json } = {};
  const label = secretLabel(value as Record<string, unknown>);
  for (const key of Object.keys(value)) {
    const own = fieldName(key);
    const name = freeName(fields, own.plain ? key : sanitizeText(key, options));
    const isLabelled = label !== null && LABELLED.has(key.toLowerCase());
    const [called, named] = isLabelled ? [label, fieldName(label)] : [key, own];
    const kept = field(called, named, (value as Record<string, unknown>)[key], options, depth);
    if (name !== '__proto__') fields[name] = kept;
    else Object.defineProperty(fields, name, { value: kept, ...OWN });
  }
  return fields;
}

/** `--api-key` before its value, in the list of a command's words. */
function flagIn(word: unknown): string | null {
  return typeof word === 'string' ? (/^--?([a-z][\w-]{1,40})$/i.exec(word)?.[1] ?? null) : null;
}

/** Fields that name what another field of the object holds: variables and headers, fields of a form. */
const LABELS = ['name', 'Name', 'key', 'Key', 'header', 'element', 'selector', 'label', 'placeholder'];
const LABELLED: ReadonlySet<string> = new Set(['value', 'text']);
const LABEL_CHARS_MAX = 80;

/** The word of a label that names a secret: `DB_PASSWORD`, `Password field`, `input[name="password"]`. */
function secretLabel(value: Readonly<Record<string, unknown>>): string | null {
  for (const name of LABELS) {
    const label = Object.hasOwn(value, name) ? value[name] : null;
    if (typeof label !== 'string' || label.length > LABEL_CHARS_MAX) continue;
    const found = label.match(/[\w-]+/g)?.find((word) => familyOfKey(word) !== null);
    if (found !== undefined) return found;
  }
  return null;
}

/** Assigning a field of this name would set the object's prototype. */
const OWN = { enumerable: true, writable: true, configurable: true };

/** Keeps both keys when redaction made them equal. */
function freeName(fields: Readonly<Record<string, Json>>, name: string): string {
  if (!Object.hasOwn(fields, name)) return name;
  let count = 2;
  while (Object.hasOwn(fields, `${name} (${count})`)) count++;
  return `${name} (${count})`;
}

/** A field's value. Its key counts as in `key=value` text. */
function field(
  key: string,
  { account, family, vendors }: FieldName,
  value: unknown,
  options: SanitizeOptions,
  depth: number,
): Json {
  if (!account && family === null && vendors.length === 0) return walk(value, options, depth + 1);
  const redacted = (kind: string): string => {
    options.onRedacted?.(kind);
    return `[redacted:${kind}]`;
  };
  if (account) return value === null || value === undefined || value === '' ? null : redacted('account');
  if (Array.isArray(value) && depth < DEPTH_MAX)
    return value.map((item) =>
      field(key, { account, family, vendors, plain: false }, item, options, depth + 1),
    );
  if (typeof value !== 'string' && typeof value !== 'number') return walk(value, options, depth + 1);
  if (family === null && typeof value === 'string' && isVendorsValue(vendors, value.slice(0, 200)))
    return redacted('vendor-key');
  if (family === null || (typeof value === 'number' && family !== 'password'))
    return walk(value, options, depth + 1);
  const text = stripTags(String(value), options).text;
  // Already a mark, or a text with more than the secret: the formats decide.
  if (text.startsWith('[redacted:')) return walk(text, options, depth + 1);
  if (family === 'cookie' || family === 'authorization') {
    const line = redactText(`${key}: ${text}`, options.onRedacted);
    return clip(
      line.startsWith(`${key}: `) ? line.slice(key.length + 2) : redacted(family),
      options.clipBytes,
    );
  }
  const own = redactText(text);
  if (own !== text && /^\[redacted:[a-z-]+\]$/.test(own)) return walk(text, options, depth + 1);
  return looksChosen(text, { ...AS_DATA, family, key })
    ? redacted(family === 'key' ? 'api-key' : family)
    : walk(value, options, depth + 1);
}

/** `{type: 'image', …}` with base64 data, in any shape that agents use, as a note of type and size. */
function pictureNote(value: Readonly<Record<string, unknown>>): Json | null {
  const { source, file } = value;
  const holder = isRecord(source) ? source : isRecord(file) ? file : value;
  const data = typeof holder.data === 'string' ? holder.data : holder.base64;
  if (typeof data !== 'string' || data.length < 64 || !/^[A-Za-z0-9+/_-]{64}/.test(data)) return null;
  const mediaType = [
    holder.media_type,
    holder.mediaType,
    holder.mimeType,
    holder.mime_type,
    holder.type,
  ].find((item) => typeof item === 'string' && item.includes('/'));
  const encoded = holder.type === 'base64' || holder.base64 !== undefined || mediaType !== undefined;
  if (!encoded) return null;
  const type = value.type === 'image' || String(mediaType).startsWith('image/') ? 'image' : 'data';
  return { type, mediaType: (mediaType as string | undefined) ?? null, bytes: bytesOfBase64(data) };
}

const EMBEDDED = /data:([a-z]+\/[\w.+-]{1,80});base64,([A-Za-z0-9+/]{256,}={0,2})/g;

/** Replaces the data of `data:image/png;base64,…` inside a text, and keeps its type and size. */
function withoutPictures(text: string): string {
  if (!text.includes(';base64,')) return text;
  return text.replace(
    EMBEDDED,
    (_, type: string, data: string) => `data:${type};[annals: ${bytesOfBase64(data)} bytes]`,
  );
}

function bytesOfBase64(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}
