// Reads JSON that a person wrote by a schema, and says what is wrong in it, field by field.
import type { z } from 'zod';
import { type Json, parseJson } from '../../../log/index.ts';

export interface JsonProblem {
  /** `rules[2].text`; empty for the whole file. */
  readonly field: string;
  /** As JSON, shortened; null when the field is missing. */
  readonly value: string | null;
  readonly allowed: string;
}

const PROBLEMS_MAX = 20;
const VALUE_CHARS_MAX = 60;

/** Never throws. */
export function parseJsonAs<T extends z.ZodType>(
  text: string,
  schema: T,
): { readonly value: z.output<T> } | { readonly problems: readonly JsonProblem[] } {
  const source = text.replace(/^\uFEFF/, '');
  const json = parseJson(source);
  if (!('value' in json))
    return {
      problems: [{ field: '', value: null, allowed: `JSON (${syntaxError(source) ?? json.problem})` }],
    };
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { value: parsed.data };
  const issues = parsed.error.issues.slice(0, PROBLEMS_MAX);
  return { problems: issues.map((issue) => problemOf(issue, json.value as Json)) };
}

/** `rules[0].text is 5; allowed: …` */
export function problemText({ field, value, allowed }: JsonProblem): string {
  return `${field === '' ? 'it' : field} is ${value ?? (field === '' ? 'not usable' : 'missing')}; allowed: ${allowed}`;
}

function problemOf(issue: z.core.$ZodIssue, whole: Json): JsonProblem {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  let value: Json | undefined = whole;
  for (const key of path)
    value =
      value !== null && typeof value === 'object' && Object.hasOwn(value, key)
        ? (value as { readonly [key: PropertyKey]: Json })[key]
        : undefined;
  return {
    field: fieldName(path),
    value: value === undefined ? null : shortJson(value),
    allowed: issue.message,
  };
}

/** Says where the first mistake is. */
function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^\w+$/.test(String(key))) return `[${shortJson(String(key))}]`;
      return index === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}

export function shortJson(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
}
