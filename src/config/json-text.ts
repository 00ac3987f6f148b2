// Edits JSON text with comments and changes only what it adds or removes. (The editing functions of jsonc-parser
// reformat neighbours and remove comments after them; its tree only gives us the positions.)
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

/** Adds a property to an object, or an item (`key` null) to a list, after all others. */
export function appendJson(text: string, container: JSONPath, key: string | null, value: unknown): string {
  const node = nodeAt(text, container);
  const eol = eolOf(text);
  const unit = indentUnit(text);
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const from = last === undefined ? node.offset + 1 : last.offset + last.length;
  const ownComma = last === undefined ? null : commaAfter(text, from, close);
  const comma = last !== undefined && ownComma === null ? ',' : '';
  // A list that ends with a comma keeps a trailing comma.
  const trailing = ownComma === null ? '' : ',';
  const between = text.slice(from, close);
  // After the comments of the last one, before the white space in front of the closing bracket.
  const at = from + between.trimEnd().length;
  const tail = text.slice(at, close);
  const head = `${text.slice(0, from)}${comma}${text.slice(from, at)}`;
  const named = key === null ? '' : `${JSON.stringify(key)}: `;
  if (!text.trim().includes('\n') && text.trim() !== '{}') {
    // A one-line file stays one line.
    const gap = last === undefined ? '' : ' ';
    return `${head}${gap}${named}${JSON.stringify(value)}${trailing}${text.slice(at)}`;
  }
  const outer = lineIndent(text, node.offset);
  const indent =
    last !== undefined && startsLine(text, last.offset) ? lineIndent(text, last.offset) : outer + unit;
  const body = JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
  const closing = tail.includes('\n') ? tail : eol + outer;
  return `${head}${eol}${indent}${named}${body}${trailing}${closing}${text.slice(close)}`;
}

/** Replaces an existing value. */
export function replaceJson(text: string, path: JSONPath, value: unknown): string {
  const node = nodeAt(text, path);
  const indent = lineIndent(text, node.offset);
  const body = JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', eolOf(text) + indent);
  return text.slice(0, node.offset) + body + text.slice(node.offset + node.length);
}

/** Removes a property or an item, with its comma and the white space before it. */
export function removeJson(text: string, path: JSONPath): string {
  const value = nodeAt(text, path);
  const node = typeof path.at(-1) === 'string' ? value.parent! : value;
  const siblings = node.parent!.children!;
  const end = node.parent!.offset + node.parent!.length - 1;
  const index = siblings.indexOf(node);
  const after = node.offset + node.length;
  const ownComma = commaAfter(text, after, siblings[index + 1]?.offset ?? end);
  const previous = siblings[index - 1];
  const stop = ownComma === null ? after : ownComma + 1;
  const untilComma = ownComma === null ? '' : text.slice(after, ownComma);
  const before = text.slice(0, node.offset);
  // A line comment must keep its line end.
  const start = /^[ \t]*\r?\n/.test(text.slice(stop)) ? before.trimEnd().length : node.offset;
  const edited = `${text.slice(0, start)}${untilComma}${text.slice(stop)}`;
  if (ownComma !== null || previous === undefined) return edited;
  const comma = commaAfter(text, previous.offset + previous.length, node.offset)!;
  return edited.slice(0, comma) + edited.slice(comma + 1);
}

export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function nodeAt(text: string, path: JSONPath): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  if (node === undefined) throw new TypeError(`no value at ${path.join('.')}`);
  return node;
}

/** Offset of the comma between two positions, ignoring comments. Null when there is none. */
function commaAfter(text: string, from: number, to: number): number | null {
  for (let at = from; at < to; at++) {
    if (text.startsWith('//', at)) at = lineEnd(text, at);
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 1;
    else if (text[at] === ',') return at;
  }
  return null;
}

/** A line may end with a carriage return alone. */
function lineEnd(text: string, from: number): number {
  const end = text.slice(from).search(/[\r\n]/);
  return end < 0 ? text.length : from + end;
}

function startsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset));
}

/** White space at the start of the line that contains an offset. */
function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indentUnit(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
}
