// The values that a description names, in the form that records have.
import type { Json, Usage } from '../../../log/index.ts';
import { idOf, type JsonObject, parseTranscriptLine, timeOf, wholeOf } from '../common/json-fields.ts';
import type { Conditions, Field, Rule } from './description.ts';
import { type FieldPath, parseFieldPath, type Scope, valuesAt } from './field-path.ts';

/** Whether all conditions hold. */
export function fulfils(conditions: Conditions, scope: Scope): boolean {
  return Object.entries(conditions).every(([path, wanted]) => {
    const found = valuesAt(pathOf(path), scope);
    const values = found.length === 0 ? [null] : found;
    if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted)) {
      const allowed = listed(wanted);
      return values.some((value) => allowed.includes(value));
    }
    const excluded = [null, ...listed(wanted.not)];
    return values.every((value) => !excluded.includes(value));
  });
}

function listed(values: Json): readonly Json[] {
  return Array.isArray(values) ? values : [values];
}

export function scopeOf(line: JsonObject): Scope {
  return { line, item: line, document: line };
}

const parsed = new Map<string, FieldPath>();

/** @param path one that the schema accepted */
export function pathOf(path: string): FieldPath {
  let found = parsed.get(path);
  if (found === undefined) {
    found = parseFieldPath(path)!;
    parsed.set(path, found);
  }
  return found;
}

function* valuesOf(field: Field | undefined, scope: Scope): Generator<readonly Json[]> {
  const paths = field === undefined ? [] : typeof field === 'string' ? [field] : field;
  for (const path of paths) yield valuesAt(pathOf(path), scope);
}

export function firstAt(field: Field | undefined, scope: Scope): Json | undefined {
  for (const values of valuesOf(field, scope)) {
    const found = values.find((value) => value !== null);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function textsAt(field: Field | undefined, scope: Scope): readonly string[] {
  for (const values of valuesOf(field, scope)) {
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length > 0) return texts;
  }
  return [];
}

export function idAt(field: Field | undefined, scope: Scope): string | null {
  for (const values of valuesOf(field, scope))
    for (const value of values) {
      const id = idOf(typeof value === 'number' ? String(value) : value);
      if (id !== null) return id;
    }
  return null;
}

/** Agents write ISO 8601, or seconds or milliseconds since 1970. */
export function timeAt(value: Json | undefined): number | null {
  if (typeof value !== 'number') return timeOf(value);
  return wholeOf(Math.abs(value) < SECONDS_MAX ? value * 1_000 : value);
}

/** As seconds, the year 5138; as milliseconds, 1973. */
const SECONDS_MAX = 1e11;

/** Some agents write the input of a tool as JSON in a string. */
export function inputAt(field: Field | undefined, scope: Scope): Json {
  const input = firstAt(field, scope) ?? null;
  if (typeof input !== 'string') return input;
  const inner = parseTranscriptLine(Buffer.from(input));
  return inner ?? input;
}

export function usageAt(fields: Extract<Rule, { record: 'reply' }>['usage'], scope: Scope): Usage | null {
  if (fields === undefined) return null;
  const [input, output, cacheRead, cacheCreation] = USAGE.map((name) =>
    wholeOf(firstAt(fields[name], scope)),
  );
  if ([input, output, cacheRead, cacheCreation].every((count) => count === null)) return null;
  const cached = fields.inputHoldsCached === true ? (cacheRead ?? 0) : 0;
  return {
    input: Math.max(0, (input ?? 0) - cached),
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheCreation: cacheCreation ?? 0,
  };
}

const USAGE = ['input', 'output', 'cacheRead', 'cacheCreation'] as const;
