// Changes of the settings file: one setting at a time, comments and all else as they were, whole or not at all. A
// file that cannot be parsed is never written over: somebody meant something by it.
import { realpath } from 'node:fs/promises';
import { AnnalsError } from '../../log/index.ts';
import { appendJson, removeJson, replaceJson } from '../install/json-text.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { jsonOf } from './json-with-comments.ts';
import { readConfig, type SettingName } from './setting-values.ts';
import { SETTINGS } from './settings.ts';

/** What a setting's own value becomes: undefined takes it out of the file. Given undefined where the file has none. */
export type SettingChange = (value: unknown) => unknown;

const NOT_REPEATED: ReadonlySet<SettingName> = new Set(['embedder.keyVariable', 'embedder.url']);

/**
 * Returns whether the file had to change.
 * @throws AnnalsError USAGE for a value of the wrong form; INPUT_INVALID, INPUT_UNREADABLE, HOME_UNWRITABLE
 */
export async function changeSetting(
  path: string,
  name: SettingName,
  change: SettingChange,
): Promise<boolean> {
  const text = await readConfig(path);
  const edited = withSetting(text ?? '', name, change, path);
  if (edited === text || (text === null && edited === '')) return false;
  try {
    // Where it is a link, the file that it names is replaced.
    await writeAtomically(await realpath(path).catch(() => path), edited);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new AnnalsError('HOME_UNWRITABLE', `${path} could not be written (${code}); it is as it was.`, {
      facts: { path, system: code },
      cause: error,
    });
  }
  return true;
}

/** The file's text with the change; the same text when there is nothing to change. */
export function withSetting(text: string, name: SettingName, change: SettingChange, path: string): string {
  const file = objectIn(text, path);
  const before = file[name];
  const after = change(before);
  if (JSON.stringify(after) === JSON.stringify(before)) return text;
  if (after === undefined) return removeJson(text, [name]);
  const parsed = SETTINGS.shape[name].safeParse(after);
  if (!parsed.success)
    // A key given where its variable's name belongs must not be repeated.
    throw new AnnalsError(
      'USAGE',
      `${name} cannot be ${NOT_REPEATED.has(name) ? 'that' : JSON.stringify(after)}.`,
      {
        hint: parsed.error.issues.map(({ message }) => message).join('; '),
      },
    );
  const whole = text.trim() === '' ? '{}\n' : text;
  if (before === undefined) return appendJson(whole, [], name, after);
  if (Array.isArray(before) && Array.isArray(after)) return withItems(whole, name, before, after);
  return replaceJson(whole, [name], after);
}

/** A list is edited item by item, so that comments between the others stay. */
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
  let why = 'it holds no object';
  try {
    value = jsonOf(text);
  } catch (error) {
    why = error instanceof Error ? error.message : 'it is no JSON';
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new AnnalsError('INPUT_INVALID', `The settings file ${path} was not changed: ${why}.`, {
    hint: 'Mend it or move it away, then try again.',
    facts: { path },
  });
}
