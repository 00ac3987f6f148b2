// Parses a settings file in JSON with comments. A file that cannot be parsed, or whose edit could hit the wrong place, is
// refused, never repaired.
import { type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { EVENT_JSON_LIMITS, type Json, jsonProblem } from '../../log/index.ts';
import { type JsonObject, objectOf } from '../agents/common/json-fields.ts';
import { eolOf } from '../config/json-text.ts';
import { type SettingsName, unusable } from './settings-part.ts';

/** A text that can be edited: an empty file holds an empty object. */
export function jsonToEdit(text: string): string {
  return text.trim() === '' ? `{}${eolOf(text)}` : text;
}

/**
 * @param key of the object that is ours to edit; neither it nor a key in it may be there twice
 * @throws AnnalsError INPUT_INVALID
 */
export function parseSettings(text: string, key: string, name: SettingsName): JsonObject {
  const plain = jsonToEdit(text);
  // No other code of ours treats a lone carriage return as a line end.
  if (/\r(?!\n)/.test(plain)) throw unusable(name, 'one of its lines ends with a lone carriage return');
  const problem = jsonProblem(plain, EVENT_JSON_LIMITS, { comments: true });
  if (problem !== null) throw unusable(name, `it is ${problem}`);
  const errors: ParseError[] = [];
  const value = parse(plain, errors, { allowTrailingComma: true }) as Json | undefined;
  const [error] = errors;
  if (error !== undefined) {
    const line = plain.slice(0, error.offset).split('\n').length;
    throw unusable(name, `line ${line} cannot be parsed (${printParseErrorCode(error.error)})`);
  }
  const settings = objectOf(value);
  if (settings === null) throw unusable(name, 'it does not hold an object');
  const repeated = repeatedKey(parseTree(plain, [], { allowTrailingComma: true }), key);
  if (repeated !== null) throw unusable(name, `"${repeated}" is there twice`);
  if (settings[key] !== undefined && objectOf(settings[key]) === null)
    throw unusable(name, `"${key}" is not an object`);
  return settings;
}

function repeatedKey(root: Node | undefined, key: string): string | null {
  const found = (root?.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  return found.length > 1 ? key : repeatedBelow(found[0]?.children?.[1]);
}

function repeatedBelow(node: Node | undefined): string | null {
  const seen = new Set<string>();
  for (const child of node?.children ?? []) {
    const key = child.type === 'property' ? String(child.children?.[0]?.value) : null;
    if (key !== null && seen.has(key)) return key;
    if (key !== null) seen.add(key);
    const below = repeatedBelow(key === null ? child : child.children?.[1]);
    if (below !== null) return below;
  }
  return null;
}
