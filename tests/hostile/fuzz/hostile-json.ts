// Invalid or extreme JSON text: too deep, too wide, too long, with duplicate keys, with invalid keys, torn, in another
// encoding. It is made from a valid value, so that most of it still looks as expected.
import type { Chance } from '../../helpers/chance.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function pick<T>(among: readonly T[], { below }: Chance): T {
  return among[below(among.length)]!;
}

/** True once in `n` calls on average. */
export function oneIn(count: number, { below }: Chance): boolean {
  return below(count) === 0;
}

/** The bytes of a value that was changed in one to three ways. */
export function hostileBytes(value: Fields, luck: Chance): Buffer {
  const fields: Record<string, unknown> = { ...value };
  const raw = new Map<string, string>();
  for (let left = 1 + luck.below(3); left > 0; left--) changeField(fields, raw, luck);
  return spoiled(textOf(fields, raw, luck), luck);
}

/** A valid value, damaged only as text. */
export function spoiled(text: string, luck: Chance): Buffer {
  const bytes = Buffer.from(text);
  switch (luck.below(14)) {
    case 0:
      return bytes.subarray(0, luck.below(bytes.length + 1));
    case 1:
      for (let left = 1 + luck.below(8); left > 0 && bytes.length > 0; left--)
        bytes[luck.below(bytes.length)] = luck.below(256);
      return bytes;
    case 2:
      return Buffer.concat([Buffer.from('\uFEFF'), bytes]);
    case 3:
      return Buffer.from(text.slice(0, 100_000), 'utf16le');
    case 4:
      return Buffer.concat([bytes, bytes.subarray(0, 200_000)]);
    case 5:
      return Buffer.concat([bytes, Buffer.alloc(luck.below(100), pick([0, 0xff, 0xc3, 0x20, 0x0d], luck))]);
    default:
      return bytes;
  }
}

function changeField(fields: Record<string, unknown>, raw: Map<string, string>, luck: Chance): void {
  const names = Object.keys(fields);
  const name = oneIn(6, luck) ? pick(ODD_KEYS, luck) : (pick(names, luck) ?? 'a');
  const how = luck.below(12);
  if (how === 0) delete fields[name];
  else if (how <= 2) raw.set(name, deepJson(luck));
  else if (how === 3) raw.set(name, wideJson(luck));
  else if (how === 4) raw.set(name, pick(ODD_NUMBERS, luck));
  else if (how <= 7) raw.set(name, JSON.stringify(longText(luck)));
  else if (how === 8) raw.set(name, `"${pick(ODD_ESCAPES, luck).repeat(1 + luck.below(20))}"`);
  else raw.set(name, JSON.stringify(oddValue(luck, 3)));
}

/** Object text written by hand, with some duplicate keys and some escaped ones. */
function textOf(fields: Fields, raw: ReadonlyMap<string, string>, luck: Chance): string {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    raw.get(name) ?? JSON.stringify(value) ?? 'null',
  ]);
  for (const [name, text] of raw) if (!Object.hasOwn(fields, name)) entries.push([name, text]);
  if (oneIn(8, luck)) entries.push(pick(entries.length === 0 ? [['a', '1']] : entries, luck));
  if (oneIn(8, luck))
    entries.push([pick(Object.keys(fields), luck) ?? 'a', JSON.stringify(oddValue(luck, 2))]);
  return `{${entries.map(([name, text]) => `${keyText(name!, luck)}:${text}`).join(',')}}`;
}

function keyText(name: string, luck: Chance): string {
  if (!oneIn(40, luck)) return JSON.stringify(name);
  return `"${[...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
}

function deepJson(luck: Chance): string {
  const depth = oneIn(50, luck)
    ? pick([60_000, 300_000], luck)
    : pick([20, 90, 101, 130, 1_600, 8_000], luck);
  const [open, close] = pick(
    [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"text":', '}]'],
      ['{"__proto__":', '}'],
      ['[[],', ']'],
    ] as const,
    luck,
  );
  return `${open.repeat(depth)}1${oneIn(5, luck) ? '' : close.repeat(depth)}`;
}

function wideJson(luck: Chance): string {
  const count = oneIn(50, luck)
    ? pick([20_000, 99_000, 110_000, 400_000], luck)
    : pick([50, 300, 2_000], luck);
  const item = pick(['0', '""', '[]', '{}', 'null', '"a fairly long text of its own"'], luck);
  // Fewer of long items: the input itself must not take the memory that is measured.
  const many = Math.min(count, item.length > 4 ? 20_000 : 400_000);
  if (oneIn(2, luck)) return `[${`${item},`.repeat(many)}0]`;
  const key = pick(['k', 'password', 'api_key_', 'x'.repeat(30), '__proto__'], luck);
  return `{${Array.from({ length: Math.min(many, 110_000) }, (_, index) => `"${key}${index}":${item}`).join(',')}}`;
}

const PIECES = [
  'a',
  '"',
  '\\',
  '<',
  '<private>',
  '</private>',
  '<system-reminder>',
  'cookie: ab=cd ',
  'password=',
  'Authorization: Bearer ',
  'AKIA',
  'eyJhbGciOi',
  '-----BEGIN PRIVATE KEY-----\n',
  'https://user:',
  'data:image/png;base64,AAAA',
  'QUJDREVGR0hJSktM',
  '😀',
  'e\u0301',
  '\u0000',
  '\ud800',
  '\u2028',
  '\n',
  '    ',
  '(((',
  '[redacted:',
  '${a',
  '/..',
  '1',
];

export function longText(luck: Chance): string {
  const chars = oneIn(400, luck)
    ? pick([300_000, 1_000_000, 4_000_000, 8_500_000], luck)
    : pick(oneIn(30, luck) ? [30_000, 100_000] : [1, 40, 300, 3_000], luck);
  const piece = Array.from({ length: 1 + luck.below(3) }, () => pick(PIECES, luck)).join('');
  // Characters that JSON writes in six bytes fill the file and the memory with fewer.
  const many = JSON.stringify(piece).length > 2 * piece.length + 2 ? Math.min(chars, 1_500_000) : chars;
  const text = piece.repeat(Math.ceil(many / piece.length)).slice(0, many);
  return oneIn(3, luck) ? `${text}(` : text;
}

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'a'.repeat(5_000),
  '\u0000',
  '\ud800',
];
const ODD_NUMBERS = [
  '1e999',
  '-1e999',
  '-0',
  '1e-400',
  '123456789012345678901234567890',
  '9007199254740993',
  '8.64e15',
  '-1',
];
const ODD_ESCAPES = [
  '\\u0000',
  '\\ud800',
  '\\udfff\\ud800',
  '\\u001b[31m',
  '\\u202e',
  '\\/',
  '\\u2028',
  '\\b',
  '\\uffff',
];

export function oddValue(luck: Chance, levels: number): unknown {
  const simple = [null, true, 0, -1, 1.5, '', 'text', '\u0000', '..', '/dev/zero', 'user', [], {}];
  if (levels === 0 || oneIn(3, luck)) return pick(simple, luck);
  const items = Array.from({ length: luck.below(5) }, () => oddValue(luck, levels - 1));
  if (oneIn(2, luck)) return items;
  return Object.fromEntries(
    items.map((item, index) => [oneIn(4, luck) ? pick(ODD_KEYS, luck) : `k${index}`, item]),
  );
}

export type { Chance };
