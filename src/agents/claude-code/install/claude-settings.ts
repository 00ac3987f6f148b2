// Our hooks in the text of Claude Code's settings file. The text is edited where it has to change and nowhere
// else: comments, order, indentation, line ends and other people's hooks stay as they are. What cannot be
// parsed is refused, never repaired.
import { type JSONPath, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { AnnalsError, JSON_LIMITS, type Json, jsonProblem } from '../../../../log/index.ts';
import { appendJson, eolOf, removeJson } from '../../../install/json-text.ts';
import { type JsonObject, objectOf, stringOf } from '../transcript-line.ts';

/** One handler of an event, and the matcher of its group. */
export interface WantedHook {
  readonly event: string;
  /** Null where the event knows no matcher. */
  readonly matcher: string | null;
  readonly handler: JsonObject;
}

/** The text with exactly the wanted hooks of ours in it. The same text when they stand there already. @throws AnnalsError INPUT_INVALID */
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
 * The text without any of our hooks, whichever home they name; groups and events that they leave empty go too. `backups`
 * are texts from before an installation, newest first: where the text is one of them with our hooks and nothing else
 * has changed since, that one comes back byte for byte; else the newest says which empty lists are the user's own.
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

/** Our hooks as they stand in a text. */
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

/** Commands of ours that stand in the settings. */
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
const CAPTURE = new RegExp(`^\\[ -x ${QUOTED} \\] && exec \\1 claude-code; exit 0$`, 's');
const CLIENT = new RegExp(
  `^\\[ -x ${QUOTED} \\] && \\1 ${QUOTED} '--home' ${QUOTED} hook claude-code session-start 2>/dev/null; exit 0$`,
  's',
);

/** Exactly a hook that `install` writes, whichever home and program it names. What only looks alike is somebody else's. */
function isOurs(handler: JsonObject | null): boolean {
  const command = stringOf(handler?.command) ?? '';
  if (handler?.args === undefined) {
    const script = CAPTURE.exec(command)?.[1];
    return script === undefined ? CLIENT.test(command) : script.endsWith("/bin/capture'");
  }
  const [cli, option, , ...call] = Array.isArray(handler.args) ? handler.args : [];
  return (
    /(?:^|[\\/])cli\.cjs$/.test(stringOf(cli) ?? '') &&
    option === '--home' &&
    ['hook claude-code', 'hook claude-code session-start'].includes(call.join(' '))
  );
}

/** A shell command, or the words of one that is started without a shell. */
function commandOf(handler: JsonObject | null): string {
  const words = [handler?.command, ...(Array.isArray(handler?.args) ? handler.args : [])];
  return words.map((word) => stringOf(word) ?? '').join(' ');
}

/** The path to take out: the handler, or what would be empty without it and was not there before us. */
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

/** Whether each wanted hook stands there once, as wanted, and nothing else of ours. */
function isInstalled(settings: JsonObject, wanted: readonly WantedHook[]): boolean {
  const found = ours(settings).map(({ event, group, handler }) => {
    const inGroup = objectOf(groupsOf(settings, event)[group]);
    return JSON.stringify([event, inGroup?.matcher ?? null, hooksOf(inGroup)[handler]]);
  });
  const due = wanted.map(({ event, matcher, handler }) => JSON.stringify([event, matcher, handler]));
  return JSON.stringify(found.sort()) === JSON.stringify(due.sort());
}

/** @throws AnnalsError INPUT_INVALID when it is no settings file */
function settingsOf(text: string, path: string): JsonObject {
  // Nothing else of ours takes it for the end of a line.
  if (/\r(?!\n)/.test(text)) throw unusable(path, 'a line of it ends with a carriage return alone');
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
  if (settings === null) throw unusable(path, 'it holds no object');
  const hooks = objectOf(settings.hooks === undefined ? {} : settings.hooks);
  if (hooks === null) throw unusable(path, '"hooks" is no object');
  for (const [event, groups] of Object.entries(hooks))
    if (!Array.isArray(groups)) throw unusable(path, `"hooks" → "${event}" is no list`);
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
    hint: 'Mend it (Claude Code reads it too), then try again.',
    facts: { path },
  });
}
