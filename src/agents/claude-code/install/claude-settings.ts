// Adds our hooks to the text of Claude Code's settings file, and removes them. Only the text that must change is
// edited: comments, order, indentation, line ends and other hooks stay as they are. A file that cannot be parsed is
// refused, never repaired.
import { type JSONPath, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { AnnalsError, JSON_LIMITS, type Json, jsonProblem } from '../../../../log/index.ts';
import { appendJson, eolOf, removeJson } from '../../../install/json-text.ts';
import { type JsonObject, objectOf, stringOf } from '../../common/json-fields.ts';

/** One handler of an event, and the matcher of its group. */
export interface WantedHook {
  readonly event: string;
  /** Null for an event without matchers. */
  readonly matcher: string | null;
  readonly handler: JsonObject;
}

/**
 * Returns the text with exactly the wanted hooks of ours in it, or the same text if it already has them.
 * @throws AnnalsError INPUT_INVALID
 */
export function withHooks(text: string, wanted: readonly WantedHook[], path: string): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + withHooks(text.slice(1), wanted, path);
  const start = text.trim() === '' ? `{}${eolOf(text)}` : text;
  if (isInstalled(settingsOf(start, path), wanted)) return text;
  let edited = removed(start, path, {});
  for (const { event, matcher, handler } of wanted) {
    const group = { ...(matcher === null ? {} : { matcher }), hooks: [handler] };
    const hooks = objectOf(settingsOf(edited, path).hooks);
    if (hooks === null) edited = appendJson(edited, [], 'hooks', { [event]: [group] });
    else if (hooks[event] === undefined) edited = appendJson(edited, ['hooks'], event, [group]);
    else edited = appendJson(edited, ['hooks', event], null, group);
  }
  if (!isInstalled(settingsOf(edited, path), wanted))
    throw unusable(path, 'its hooks could not be edited safely');
  return edited;
}

/**
 * Returns the text without any of our hooks, whichever home they name. Groups and events that become empty are removed
 * too. `backups` are texts from before an installation, newest first. If the text equals one of them plus our hooks,
 * that backup is returned byte for byte. Otherwise the newest one shows which empty lists are the user's own.
 */
export function withoutHooks(text: string, path: string, backups: readonly string[] = []): string {
  if (text.trim() === '') return text;
  const clean = backups.filter((backup) => isUsable(backup, path) && ourCommands(backup, path).length === 0);
  const same = clean.find((backup) => withHooks(backup, installedHooks(text, path), path) === text);
  return same ?? removed(text, path, clean[0] === undefined ? {} : settingsOf(unmarked(clean[0]), path));
}

function removed(text: string, path: string, before: JsonObject): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + removed(text.slice(1), path, before);
  let edited = text;
  for (let found = ours(settingsOf(edited, path))[0]; found !== undefined; ) {
    edited = removeJson(edited, emptied(settingsOf(edited, path), found, before));
    found = ours(settingsOf(edited, path))[0];
  }
  return edited;
}

/** Our hooks in a text. */
function installedHooks(text: string, path: string): readonly WantedHook[] {
  const settings = settingsOf(unmarked(text), path);
  return ours(settings).flatMap(({ event, group, handler }) => {
    const inGroup = objectOf(groupsOf(settings, event)[group]);
    const hook = objectOf(hooksOf(inGroup)[handler]);
    return hook === null ? [] : [{ event, matcher: stringOf(inGroup?.matcher), handler: hook }];
  });
}

function isUsable(text: string, path: string): boolean {
  try {
    settingsOf(text.trim() === '' ? '{}' : unmarked(text), path);
    return true;
  } catch {
    return false;
  }
}

function unmarked(text: string): string {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return plain.trim() === '' ? '{}' : plain;
}

/** Commands of our hooks in the settings. */
export function ourCommands(text: string, path: string): readonly string[] {
  const plain = text.replace(BYTE_ORDER_MARK, '');
  if (plain.trim() === '') return [];
  const settings = settingsOf(plain, path);
  return ours(settings).map(({ event, group, handler }) =>
    commandOf(objectOf(hooksOf(groupsOf(settings, event)[group])[handler])),
  );
}

const BYTE_ORDER_MARK = '\uFEFF';

interface HookLocation {
  readonly event: string;
  readonly group: number;
  readonly handler: number;
}

function ours(settings: JsonObject): HookLocation[] {
  return Object.keys(objectOf(settings.hooks) ?? {}).flatMap((event) =>
    groupsOf(settings, event).flatMap((group, groupIndex) =>
      hooksOf(group).flatMap((handler, index) =>
        isOurs(objectOf(handler)) ? [{ event, group: groupIndex, handler: index }] : [],
      ),
    ),
  );
}

/** A word as `shellQuote` writes it. */
const QUOTED = String.raw`('(?:[^']|'\\'')*')`;
const CAPTURE = new RegExp(`^\\[ -x ${QUOTED} \\] && exec \\1 claude-code(?: session-start)?; exit 0$`, 's');

/**
 * Matches exactly the hooks that `install` writes, whichever home and program they name. Similar hooks belong to
 * somebody else.
 */
function isOurs(handler: JsonObject | null): boolean {
  const command = stringOf(handler?.command) ?? '';
  if (handler?.args === undefined) return CAPTURE.exec(command)?.[1]?.endsWith("/bin/capture'") === true;
  const [cli, option, , ...call] = Array.isArray(handler.args) ? handler.args : [];
  return (
    /(?:^|[\\/])cli\.cjs$/.test(stringOf(cli) ?? '') &&
    option === '--home' &&
    ['hook claude-code', 'hook claude-code session-start'].includes(call.join(' '))
  );
}

/** A shell command, or the words of a command that is started without a shell. */
function commandOf(handler: JsonObject | null): string {
  const words = [handler?.command, ...(Array.isArray(handler?.args) ? handler.args : [])];
  return words.map((word) => stringOf(word) ?? '').join(' ');
}

/** The path to remove: the handler, or what would be empty without it and was not there before the installation. */
function emptied(
  settings: JsonObject,
  { event, group, handler }: HookLocation,
  before: JsonObject,
): JSONPath {
  const groups = groupsOf(settings, event);
  const hooksBefore = objectOf(before.hooks);
  if (hooksOf(groups[group]).length > 1) return ['hooks', event, group, 'hooks', handler];
  if (groups.length > 1 || hooksBefore?.[event] !== undefined) return ['hooks', event, group];
  if (Object.keys(objectOf(settings.hooks) ?? {}).length > 1 || hooksBefore !== null) return ['hooks', event];
  return ['hooks'];
}

/** Whether each wanted hook is there once, as wanted, and no other hook of ours. */
function isInstalled(settings: JsonObject, wanted: readonly WantedHook[]): boolean {
  const found = ours(settings).map(({ event, group, handler }) => {
    const inGroup = objectOf(groupsOf(settings, event)[group]);
    return JSON.stringify([event, inGroup?.matcher ?? null, hooksOf(inGroup)[handler]]);
  });
  const expected = wanted.map(({ event, matcher, handler }) => JSON.stringify([event, matcher, handler]));
  return JSON.stringify(found.sort()) === JSON.stringify(expected.sort());
}

/** @throws AnnalsError INPUT_INVALID when the text is not a settings file */
function settingsOf(text: string, path: string): JsonObject {
  // No other code of ours treats a lone carriage return as a line end.
  if (/\r(?!\n)/.test(text)) throw unusable(path, 'one of its lines ends with a lone carriage return');
  const problem = jsonProblem(text, JSON_LIMITS, { comments: true });
  if (problem !== null) throw unusable(path, `it is ${problem}`);
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined;
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw unusable(path, `line ${line} cannot be parsed (${printParseErrorCode(error.error)})`);
  }
  const settings = objectOf(value);
  if (settings === null) throw unusable(path, 'it does not hold an object');
  const hooks = objectOf(settings.hooks === undefined ? {} : settings.hooks);
  if (hooks === null) throw unusable(path, '"hooks" is not an object');
  for (const [event, groups] of Object.entries(hooks))
    if (!Array.isArray(groups)) throw unusable(path, `"hooks" → "${event}" is not a list`);
  return settings;
}

function groupsOf(settings: JsonObject, event: string): readonly Json[] {
  const groups = objectOf(settings.hooks)?.[event];
  return Array.isArray(groups) ? groups : [];
}

function hooksOf(group: Json | undefined): readonly Json[] {
  const hooks = objectOf(group)?.hooks;
  return Array.isArray(hooks) ? hooks : [];
}

function unusable(path: string, reason: string): AnnalsError {
  return new AnnalsError('INPUT_INVALID', `The settings file ${path} was not changed: ${reason}.`, {
    hint: 'Fix the file (Claude Code reads it too), then try again.',
    facts: { path },
  });
}
