// Adds our hooks to the text of an agent's settings file, and removes them. Only the text that must change is edited:
// comments, order, indentation, line ends and other hooks stay as they are. A file that cannot be parsed is refused,
// never repaired.
import {
  type JSONPath,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { AnnalsError, JSON_LIMITS, type Json, jsonProblem } from '../../log/index.ts';
import { type JsonObject, objectOf, stringOf } from '../agents/common/json-fields.ts';
import { appendJson, eolOf, removeJson } from './json-text.ts';
import { type OurCommand, ourCommand } from './our-command.ts';

/** How an agent's settings file is made. */
export interface SettingsForm {
  /** `groups`: {event: [{matcher, hooks: [handler]}]}. `flat`: {event: [handler]}. */
  readonly kind: 'groups' | 'flat';
  /** Other keys that the file must have. Added if missing, never changed. */
  readonly required: JsonObject;
  /** Of the file, for messages. */
  readonly path: string;
  /** Who else reads the file, for messages. */
  readonly title: string;
}

/** One handler of an event, and the matcher of its group. */
export interface WantedHook {
  readonly event: string;
  /** Null for an event without matchers. */
  readonly matcher: string | null;
  readonly handler: JsonObject;
}

interface FoundHook extends WantedHook {
  readonly path: JSONPath;
  readonly command: OurCommand;
}

/**
 * Returns the text with exactly the wanted hooks of ours in it, or the same text if it already has them.
 * @throws AnnalsError INPUT_INVALID
 */
export function withHooks(text: string, wanted: readonly WantedHook[], form: SettingsForm): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + withHooks(text.slice(1), wanted, form);
  const start = text.trim() === '' ? `{}${eolOf(text)}` : text;
  const settings = settingsOf(start, form);
  for (const { event } of wanted) checkList(settings, event, form);
  if (isInstalled(settings, wanted, form)) return text;
  let edited = removed(start, form, {});
  for (const [key, value] of Object.entries(form.required))
    if (settings[key] === undefined) edited = appendJson(edited, [], key, value);
  for (const hook of wanted) {
    const item = itemOf(hook, form);
    const hooks = objectOf(settingsOf(edited, form).hooks);
    if (hooks === null) edited = appendJson(edited, [], 'hooks', { [hook.event]: [item] });
    else if (hooks[hook.event] === undefined) edited = appendJson(edited, ['hooks'], hook.event, [item]);
    else edited = appendJson(edited, ['hooks', hook.event], null, item);
  }
  if (!isInstalled(settingsOf(edited, form), wanted, form))
    throw unusable(form, 'its hooks could not be edited safely');
  return edited;
}

/**
 * Returns the text without any of our hooks, whichever home they name; null if the file was made by an installation and
 * holds nothing else. Groups and events that become empty are removed too. `backups` are texts from before an
 * installation, newest first. If the text equals one of them plus our hooks, that backup is returned byte for byte.
 * Otherwise the newest one shows which empty lists are the user's own. Required keys stay in a file that was changed
 * since: the user's own hooks may need them.
 */
export function withoutHooks(
  text: string,
  form: SettingsForm,
  backups: readonly string[] = [],
): string | null {
  if (text.trim() === '') return text;
  const installed = ours(settingsOf(unmarked(text), form), form);
  if (installed.length === 0) return text;
  const clean = backups.filter((backup) => isUsable(backup, form) && ourCommands(backup, form).length === 0);
  const same = clean.find((backup) => withHooks(backup, installed, form) === text);
  if (same !== undefined) return same;
  const before = clean[0] === undefined ? {} : settingsOf(unmarked(clean[0]), form);
  const rest = removed(text, form, before);
  return clean.length === 0 && isMadeByUs(rest, form) ? null : rest;
}

/** What our hooks in the settings run. */
export function ourCommands(text: string, form: SettingsForm): readonly OurCommand[] {
  return ours(settingsOf(unmarked(text), form), form).map(({ command }) => command);
}

/** Whether a text holds nothing but what an installation adds to a missing file. */
function isMadeByUs(text: string, { required }: SettingsForm): boolean {
  return ['{}', JSON.stringify(required)].includes(text.replace(/\s+/g, ''));
}

function removed(text: string, form: SettingsForm, before: JsonObject): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + removed(text.slice(1), form, before);
  let edited = text;
  for (;;) {
    const settings = settingsOf(edited, form);
    const [found] = ours(settings, form);
    if (found === undefined) return edited;
    edited = removeJson(edited, emptied(settings, found.path, before));
  }
}

function isUsable(text: string, form: SettingsForm): boolean {
  try {
    settingsOf(unmarked(text), form);
    return true;
  } catch {
    return false;
  }
}

function unmarked(text: string): string {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return plain.trim() === '' ? '{}' : plain;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** The item of an event's list that holds a handler. */
function itemOf({ matcher, handler }: WantedHook, { kind }: SettingsForm): JsonObject {
  return kind === 'flat' ? handler : { ...(matcher === null ? {} : { matcher }), hooks: [handler] };
}

function ours(settings: JsonObject, { kind }: SettingsForm): FoundHook[] {
  const found = (path: JSONPath, event: string, matcher: string | null, value: Json): FoundHook[] => {
    const handler = objectOf(value);
    const command = ourCommand(handler);
    return handler === null || command === null ? [] : [{ path, event, matcher, handler, command }];
  };
  return Object.keys(objectOf(settings.hooks) ?? {}).flatMap((event) =>
    itemsOf(settings, event).flatMap((item, index) => {
      const path = ['hooks', event, index];
      if (kind === 'flat') return found(path, event, null, item);
      const matcher = stringOf(objectOf(item)?.matcher);
      return hooksOf(item).flatMap((handler, at) => found([...path, 'hooks', at], event, matcher, handler));
    }),
  );
}

/** The path to remove: the handler, or what would be empty without it and was not there before the installation. */
function emptied(settings: JsonObject, path: JSONPath, before: JsonObject): JSONPath {
  const [, event = '', index] = path;
  const items = itemsOf(settings, String(event));
  const hooksBefore = objectOf(before.hooks);
  if (path.length > 3 && hooksOf(items[Number(index)]).length > 1) return path;
  if (items.length > 1 || hooksBefore?.[event] !== undefined) return path.slice(0, 3);
  if (Object.keys(objectOf(settings.hooks) ?? {}).length > 1 || hooksBefore !== null) return ['hooks', event];
  return ['hooks'];
}

/** Whether each wanted hook is there once, as wanted, no other hook of ours, and all required keys. */
function isInstalled(settings: JsonObject, wanted: readonly WantedHook[], form: SettingsForm): boolean {
  const texts = (hooks: readonly WantedHook[]) =>
    hooks.map(({ event, matcher, handler }) => JSON.stringify([event, matcher, handler])).sort();
  return (
    Object.keys(form.required).every((key) => settings[key] !== undefined) &&
    JSON.stringify(texts(ours(settings, form))) === JSON.stringify(texts(wanted))
  );
}

/** @throws AnnalsError INPUT_INVALID when the text is not a settings file */
function settingsOf(text: string, form: SettingsForm): JsonObject {
  // No other code of ours treats a lone carriage return as a line end.
  if (/\r(?!\n)/.test(text)) throw unusable(form, 'one of its lines ends with a lone carriage return');
  const problem = jsonProblem(text, JSON_LIMITS, { comments: true });
  if (problem !== null) throw unusable(form, `it is ${problem}`);
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined;
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw unusable(form, `line ${line} cannot be parsed (${printParseErrorCode(error.error)})`);
  }
  const settings = objectOf(value);
  if (settings === null) throw unusable(form, 'it does not hold an object');
  const repeated = repeatedKey(parseTree(text, [], { allowTrailingComma: true }));
  if (repeated !== null) throw unusable(form, `"${repeated}" is there twice`);
  if (settings.hooks !== undefined && objectOf(settings.hooks) === null)
    throw unusable(form, '"hooks" is not an object');
  return settings;
}

/** A key that "hooks", or an object in it, has twice: an edit could hit the wrong one. */
function repeatedKey(root: Node | undefined): string | null {
  const hooks = (root?.children ?? []).filter(({ children }) => children?.[0]?.value === 'hooks');
  return hooks.length > 1 ? 'hooks' : repeatedBelow(hooks[0]?.children?.[1]);
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

/** Only lists that we add to: Gemini CLI's "hooks" also held switches. */
function checkList(settings: JsonObject, event: string, form: SettingsForm): void {
  const items = objectOf(settings.hooks)?.[event];
  if (items !== undefined && !Array.isArray(items))
    throw unusable(form, `"hooks" → "${event}" is not a list`);
}

function itemsOf(settings: JsonObject, event: string): readonly Json[] {
  const items = objectOf(settings.hooks)?.[event];
  return Array.isArray(items) ? items : [];
}

function hooksOf(group: Json | undefined): readonly Json[] {
  const hooks = objectOf(group)?.hooks;
  return Array.isArray(hooks) ? hooks : [];
}

function unusable({ path, title }: SettingsForm, reason: string): AnnalsError {
  return new AnnalsError('INPUT_INVALID', `The settings file ${path} cannot be used: ${reason}.`, {
    hint: `It was not changed. Fix it (${title} reads it too), then try again.`,
    facts: { path },
  });
}
