// Row keys: parts joined by "/", each part escaped so that it holds no "/", backslash or control character.
// So every prefix that ends in "/" is exactly one group of rows. Keys are ordered as their UTF-8 bytes are,
// which is not how JavaScript compares strings: `compareKeys` is for those who merge.

/** `key('turn', session, id)` → `turn/<session>/<id>`. */
export function key(...parts: readonly string[]): string {
  let joined = escapePart(parts[0] ?? '');
  for (let index = 1; index < parts.length; index++) joined += `/${escapePart(parts[index]!)}`;
  return joined;
}

/** The prefix of all rows below these parts. */
export function below(...parts: readonly string[]): string {
  return `${key(...parts)}/`;
}

export function keyParts(rowKey: string): string[] {
  const parts = rowKey.split('/');
  return rowKey.includes('%') ? parts.map((part) => decodeURIComponent(part)) : parts;
}

/** The order of keys by UTF-8 bytes: negative, 0 or positive. */
export function compareKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a !== b) return byteRank(a) - byteRank(b);
  }
  return one.length - other.length;
}

/** The smallest key after every key that begins with `prefix`. */
export function prefixEnd(prefix: string): string {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0)!;
    if (point === 0x10ffff) continue;
    return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  throw new RangeError('No key stands after every key.');
}

function escapePart(part: string): string {
  return isPlain(part) ? part : escaped(part);
}

/** Printable ASCII without "%", "/" and backslash, as nearly all parts are. */
function isPlain(part: string): boolean {
  for (let index = 0; index < part.length; index++) {
    const unit = part.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x25 || unit === 0x2f || unit === 0x5c) return false;
  }
  return true;
}

function escaped(part: string): string {
  // A surrogate without its other half has no UTF-8 form: it becomes U+FFFD here, as it would on disk.
  return part.replace(/[%/\\\u0000-\u001f\u007f]|\p{Surrogate}/gu, (char) =>
    char >= '\ud800' && char <= '\udfff'
      ? '\ufffd'
      : `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

/** UTF-16 puts surrogates (code points above U+FFFF) before U+E000–U+FFFF; UTF-8 puts them last. */
function byteRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}
