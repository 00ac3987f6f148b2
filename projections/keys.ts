// Row keys: parts joined by "/", each part escaped so that it holds neither "/" nor control characters.
// So every prefix that ends in "/" is exactly one group of rows.

/** `key('turn', session, id)` → `turn/<session>/<id>`. */
export function key(...parts: readonly string[]): string {
  return parts.map(escapePart).join('/');
}

/** The prefix of all rows below these parts. */
export function below(...parts: readonly string[]): string {
  return `${key(...parts)}/`;
}

export function keyParts(rowKey: string): string[] {
  return rowKey.split('/').map((part) => decodeURIComponent(part));
}

function escapePart(part: string): string {
  return part.replace(
    /[%/\u0000-\u001f\u007f]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}
