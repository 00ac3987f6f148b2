// Our hooks in the settings file of an agent.
import type { JSONPath } from 'jsonc-parser';
import type { Json } from '../../log/index.ts';
import { type JsonObject, objectOf, stringOf } from '../agents/common/json-fields.ts';
import { appendJson, removeJson } from '../config/json-text.ts';
import { jsonToEdit, parseSettings } from './json-settings.ts';
import { type OurCommand, ourCommand } from './our-command.ts';
import { type SettingsName, type SettingsPart, unusable } from './settings-part.ts';

/** How an agent's settings file is made. */
export interface SettingsForm extends SettingsName {
  /** `groups`: {event: [{matcher, hooks: [handler]}]}. `flat`: {event: [handler]}. */
  readonly kind: 'groups' | 'flat';
  /** Other keys that the file must have. Added if missing, never changed. */
  readonly required: JsonObject;
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

const HOOKS = 'hooks';

/** Required keys stay in a file that was changed since: the user's own hooks may need them. */
export function hooksPart(wanted: readonly WantedHook[], form: SettingsForm): SettingsPart {
  return {
    added: (text) => added(text, wanted, form),
    removed: (text, before) => removed(text, form, settingsOf(before, form)),
    found(text) {
      const found = ours(settingsOf(text, form), form);
      return found.length === 0 ? null : hooksPart(found, form);
    },
  };
}

/** What our hooks in the settings run. */
export function ourCommands(text: string, form: SettingsForm): readonly OurCommand[] {
  return ours(settingsOf(text, form), form).map(({ command }) => command);
}

/** Whether a text holds nothing but what an installation adds to a missing file. */
export function isEmptySettings(text: string, required: JsonObject): boolean {
  return ['{}', JSON.stringify(required)].includes(text.replace(/\s+/g, ''));
}

function added(text: string, wanted: readonly WantedHook[], form: SettingsForm): string {
  const settings = settingsOf(text, form);
  for (const { event } of wanted) checkList(settings, event, form);
  if (isInstalled(settings, wanted, form)) return text;
  let edited = removed(jsonToEdit(text), form, {});
  for (const [key, value] of Object.entries(form.required))
    if (settings[key] === undefined) edited = appendJson(edited, [], key, value);
  for (const hook of wanted) {
    const item = itemOf(hook, form);
    const hooks = objectOf(settingsOf(edited, form).hooks);
    if (hooks === null) edited = appendJson(edited, [], HOOKS, { [hook.event]: [item] });
    else if (hooks[hook.event] === undefined) edited = appendJson(edited, [HOOKS], hook.event, [item]);
    else edited = appendJson(edited, [HOOKS, hook.event], null, item);
  }
  if (!isInstalled(settingsOf(edited, form), wanted, form))
    throw unusable(form, 'its hooks could not be edited safely');
  return edited;
}

function removed(text: string, form: SettingsForm, before: JsonObject): string {
  let edited = text;
  for (;;) {
    const settings = settingsOf(edited, form);
    const [found] = ours(settings, form);
    if (found === undefined) return edited;
    edited = removeJson(edited, emptied(settings, found.path, before));
  }
}

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
      const path = [HOOKS, event, index];
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
  if (Object.keys(objectOf(settings.hooks) ?? {}).length > 1 || hooksBefore !== null) return [HOOKS, event];
  return [HOOKS];
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

function settingsOf(text: string, form: SettingsForm): JsonObject {
  return parseSettings(text, HOOKS, form);
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
