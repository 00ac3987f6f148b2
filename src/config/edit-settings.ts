// Changes the settings file, keeping comments and everything else, completely or not at all. Processes change it one after
// the other, so that none takes back what another one did. A file that cannot be parsed is never overwritten, because a
// person wrote it for a reason.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { AnnalsError } from '../../log/index.ts';
import { notWritten, writeAtomically } from '../platform/atomic-file.ts';
import { wait } from '../platform/clock.ts';
import { makeFolder } from '../platform/disk-files.ts';
import { type ProcessLock, takeLock } from '../platform/process-lock.ts';
import { appendJson, removeJson, replaceJson } from './json-text.ts';
import { jsonOf } from './json-with-comments.ts';
import { readConfig, type SettingName } from './setting-values.ts';
import { SETTINGS } from './settings.ts';

/** Maps a setting's value in the file (undefined when missing) to the new one (undefined removes it). */
export type SettingChange = (value: unknown) => unknown;

export type Edit = readonly [name: SettingName, change: SettingChange];

/** As people write it. */
export const NONE = 'none';

const NOT_REPEATED: ReadonlySet<SettingName> = new Set([
  'embedder.keyVariable',
  'embedder.url',
  'observer.keyVariable',
  'observer.url',
]);

/** A change takes milliseconds; a busy machine may take longer. */
const LOCK_TIMEOUT_MS = 15_000;
/** Older ones are left by a process that was killed. */
const LOCK_AGE_MAX_MS = 60_000;
const TRY_AGAIN_MS = 10;

/**
 * Returns the settings that had to change in the file.
 * @throws AnnalsError USAGE for a value of the wrong form; INPUT_INVALID, INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL, HOME_LOCKED
 */
export async function editSettings(
  path: string,
  edits: readonly Edit[],
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<readonly SettingName[]> {
  const lock = await lockOf(path, lockTimeoutMs);
  try {
    const { text, changed } = withEdits((await readConfig(path)) ?? '', edits, path);
    if (changed.length === 0) return [];
    if (!lock.isOurs()) throw locked(path);
    // If it is a link, replace the file that it names.
    await onDisk(path, async () => writeAtomically(await realpath(path).catch(() => path), text));
    return changed;
  } finally {
    lock.release();
  }
}

/** The file's text with the changes, and the settings that had to change. @throws AnnalsError USAGE, INPUT_INVALID */
export function withEdits(
  text: string,
  edits: readonly Edit[],
  path: string,
): { readonly text: string; readonly changed: readonly SettingName[] } {
  const changed: SettingName[] = [];
  let edited = text;
  for (const [name, change] of edits) {
    const next = withSetting(edited, name, change, path);
    if (next !== edited) changed.push(name);
    edited = next;
  }
  return { text: edited, changed };
}

async function lockOf(path: string, timeoutMs: number): Promise<ProcessLock> {
  await onDisk(path, () => makeFolder(dirname(path)));
  for (let waited = 0; waited < timeoutMs; waited += TRY_AGAIN_MS) {
    const lock = await onDisk(path, async () => takeLock(`${path}.lock`, LOCK_AGE_MAX_MS));
    if (lock !== null) return lock;
    await wait(TRY_AGAIN_MS);
  }
  throw locked(path);
}

function locked(path: string): AnnalsError {
  return new AnnalsError('HOME_LOCKED', `Another process changes the settings file ${path}.`, {
    hint: 'Try again in a minute.',
    facts: { path },
  });
}

async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw notWritten(path, path, error);
  }
}

/** The file's text with the change, or the same text when there is nothing to change. */
function withSetting(text: string, name: SettingName, change: SettingChange, path: string): string {
  const file = objectIn(text, path);
  const before = file[name];
  const after = meant(name, change(before));
  if (JSON.stringify(after) === JSON.stringify(before)) return text;
  if (after === undefined) return removeJson(text, [name]);
  const parsed = SETTINGS.shape[name].safeParse(after, { error: allowedIn });
  if (!parsed.success)
    // If a key was given instead of its variable's name, it must not be repeated.
    throw new AnnalsError(
      'USAGE',
      `${name} cannot be ${NOT_REPEATED.has(name) ? 'that' : JSON.stringify(after)}.`,
      {
        hint: parsed.error.issues.map(({ message }) => message).join('; '),
      },
    );
  const fileText = text.trim() === '' ? '{}\n' : text;
  if (before === undefined) return appendJson(fileText, [], name, after);
  if (Array.isArray(before) && Array.isArray(after)) return withItems(fileText, name, before, after);
  return replaceJson(fileText, [name], after);
}

/** What a setting allows. A message in its schema comes first. */
function allowedIn(issue: z.core.$ZodRawIssue): string | undefined {
  const { minimum, maximum } = issue as { readonly minimum?: number; readonly maximum?: number };
  const isText = issue.origin === 'string';
  if (issue.code === 'invalid_type') return KINDS[String(issue.expected)];
  if (issue.code === 'invalid_value') return `One of: ${(issue.values as unknown[]).join(', ')}.`;
  if (issue.code === 'too_small')
    return isText ? 'It takes a text, not an empty one.' : `It takes a number from ${minimum} on.`;
  if (issue.code === 'too_big')
    return isText
      ? `It takes a text of at most ${maximum} characters.`
      : `It takes a number up to ${maximum}.`;
  return undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'It takes true or false.',
  number: 'It takes a number.',
  int: 'It takes a whole number.',
  string: 'It takes a text.',
};

/** `none` is null where that is no value of its own: no limit, no port. */
function meant(name: SettingName, value: unknown): unknown {
  const { shape } = SETTINGS;
  const isNull =
    value === NONE && !shape[name].safeParse(value).success && shape[name].safeParse(null).success;
  return isNull ? null : value;
}

/** Edits a list item by item, so that comments between the other items stay. */
function withItems(
  text: string,
  name: SettingName,
  before: readonly unknown[],
  after: readonly unknown[],
): string {
  const kept = before.filter((item) => after.includes(item));
  const added = after.slice(kept.length);
  if (JSON.stringify([...kept, ...added]) !== JSON.stringify(after)) return replaceJson(text, [name], after);
  let edited = text;
  for (let at = before.length - 1; at >= 0; at--)
    if (!after.includes(before[at])) edited = removeJson(edited, [name, at]);
  for (const item of added) edited = appendJson(edited, [name], null, item);
  return edited;
}

function objectIn(text: string, path: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  let value: unknown;
  let why = 'it does not hold an object';
  try {
    value = jsonOf(text);
  } catch (error) {
    why = error instanceof Error ? error.message : 'it is not JSON';
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new AnnalsError('INPUT_INVALID', `The settings file ${path} was not changed: ${why}.`, {
    hint: 'Fix the file or move it away, then try again.',
    facts: { path },
  });
}
