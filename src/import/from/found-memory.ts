// What a reader of another tool's memory yields.
import { type BodyInput, isTime, type Json } from '../../../log/index.ts';
import type { SkippedMemory } from '../../api.ts';
import type { Unreadable } from '../../capture/transcripts/discover.ts';

export type MemoryKind = BodyInput<'import.memory'>['kind'];

/** A memory as the tool has it: nothing is redacted so far. */
export interface FoundMemory {
  readonly tool: string;
  /** Which of the tool's databases or folders; null when `originalId` is unique by itself. */
  readonly installation: string | null;
  readonly originalId: string;
  readonly kind: MemoryKind;
  readonly author: 'user' | 'agent';
  readonly file: string;
  readonly title?: string | null;
  readonly text?: string | null;
  readonly parts?: readonly { readonly name: string; readonly text: string }[];
  readonly type?: string | null;
  readonly session?: string | null;
  /** The agent whose session it is. */
  readonly sessionAgent?: string | null;
  readonly project?: string | null;
  readonly cwd?: string | null;
  readonly concepts?: readonly string[];
  readonly files?: readonly string[];
  readonly metadata?: Json;
  /** When it was written, Unix ms. */
  readonly at?: number | null;
}

/** In the order of the source. */
export type Finding =
  | { readonly memory: FoundMemory }
  | { readonly skipped: SkippedMemory }
  /** A file that could not be read, or not to its end. */
  | { readonly unreadable: Unreadable }
  /** A database or file that is being read. */
  | { readonly file: string };

export type ReadMemories = (path: string, tool: string) => AsyncGenerator<Finding>;

/** Several texts of a field: a list, a list as JSON, or one text. Anything else is none. */
export function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value))
    return value.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (typeof value !== 'string' || value.trim() === '') return [];
  if (!value.trimStart().startsWith('[')) return [value];
  try {
    return textsIn(JSON.parse(value));
  } catch {
    return [value];
  }
}

/** Before this, a number of seconds; from it on, of milliseconds: 1973 in milliseconds, the year 5138 in seconds. */
const MILLISECONDS_FROM = 1e11;

/** Unix ms of a time in any of the forms that tools use; null for none. */
export function timeIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  const time =
    typeof number === 'string'
      ? Date.parse(number)
      : typeof number === 'number'
        ? Math.round(Math.abs(number) < MILLISECONDS_FROM ? number * 1000 : number)
        : null;
  return isTime(time) ? time : null;
}
