import { resolve } from 'node:path';
import { AnnalsError } from '../../../log/index.ts';
import { editSettings } from '../../config/edit-settings.ts';
import {
  readConfig,
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
  settingValues,
} from '../../config/setting-values.ts';
import { parseSettings, SETTINGS } from '../../config/settings.ts';
import { openHome } from '../../platform/home-folder.ts';
import { homePath, homePaths } from '../../platform/home-paths.ts';
import { nearestWord } from '../../search/query/nearest-word.ts';
import { plainLine, wrap } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { oneOf } from '../command/options.ts';

const INSTALL_AGAIN =
  'Run `annals install claude-code` again: the hook before reads and edits is installed only while this is on.';

const ACTIONS = ['list', 'get', 'set', 'unset', 'add', 'remove', 'path'] as const;
type Action = (typeof ACTIONS)[number];

export const command = defineCommand<object>({
  description:
    'Shows each setting with its value, its source (default, file or environment) and what it does, and changes the ' +
    'settings file. `list` is the default action. `get` prints one value. `set` changes a value, `unset` restores the ' +
    'default. `add` and `remove` change the items of a list. `path` prints the path of the file. Comments in the file ' +
    'are kept. A file that is not JSON is never overwritten.',
  shape: (command) =>
    command
      .addArgument(
        oneOf('[action]', `${ACTIONS.slice(0, -1).join(', ')} or ${ACTIONS.at(-1)} (default: list)`, ACTIONS),
      )
      .addArgument(oneOf('[name]', SETTING_NAMES.join(', '), SETTING_NAMES))
      .argument('[values...]', 'a value, or the items of a list'),
  examples: [
    ['config', 'every setting and what it does'],
    ["config add exclude '~/clients/**'", 'record nothing from these folders from now on'],
    ["config remove exclude '~/clients/**'", 'undo that'],
    ['config set embedder minilm', 'compute vectors with a model from a package that you install'],
    ['config get exclude', 'one pattern per line, for a script'],
  ],
  async run(session, _, words) {
    const action = actionOf(words[0] ?? 'list');
    const path = configPath(session);
    if (action === 'path' || action === 'list') expectNoMore(action, words.slice(1));
    if (action === 'path')
      return session.json ? session.terminal.json({ path }) : session.terminal.line(path);
    if (action === 'list') return list(session, path);
    const name = nameOf(action, words[1]);
    const values = words.slice(2);
    if (action === 'get' || action === 'unset') expectNoMore(`${action} ${name}`, values);
    else if (values.length === 0) throw wrong(`config ${action} ${name} needs a value.`);
    if (action === 'get') return get(session, path, name);
    await change(session, path, { action, name, values });
  },
});

async function list({ json, terminal, world }: Session, path: string): Promise<void> {
  const { settings, degraded } = settingValues(await readConfig(path), world.environment);
  if (json) return terminal.json({ path, settings, degraded });
  const { style } = terminal;
  for (const setting of settings) {
    const from = setting.source === 'environment' ? `environment, ${setting.variable}` : setting.source;
    await terminal.line(`${style.bold(setting.name)} = ${shown(setting)}  ${style.dim(`(${from})`)}`);
    for (const line of wrap(setting.about, terminal.width - 2)) await terminal.line(`  ${line}`);
    if (setting.variable !== null && setting.source !== 'environment')
      await terminal.line(style.dim(`  ${setting.variable} in the environment wins.`));
  }
  for (const sentence of degraded) terminal.note(style.yellow(plainLine(sentence)));
  terminal.tip(style.dim(`The file: ${path}`));
}

/** Prints only the value; a list as one item per line. */
async function get({ json, terminal, world }: Session, path: string, name: SettingName): Promise<void> {
  const { settings, degraded } = settingValues(await readConfig(path), world.environment);
  const setting = settings.find((one) => one.name === name)!;
  if (json) return terminal.json({ ...setting, degraded });
  for (const item of [setting.value ?? []].flat()) await terminal.line(plainLine(String(item)));
  for (const sentence of degraded) terminal.note(terminal.style.yellow(plainLine(sentence)));
}

interface Wanted {
  readonly action: Exclude<Action, 'list' | 'get' | 'path'>;
  readonly name: SettingName;
  readonly values: readonly string[];
}

async function change(session: Session, path: string, wanted: Wanted): Promise<void> {
  const { json, terminal, world } = session;
  const { name, values } = wanted;
  const setting = settingValueOf(name, await readConfig(path), world.environment);
  const isList = Array.isArray(setting.default);
  if ((wanted.action === 'add' || wanted.action === 'remove') && !isList)
    throw wrong(`${name} is not a list.`, `Try \`annals config set ${name} <value>\`.`);
  if (values.some((value) => value.trim() === '')) throw wrong('A value must not be empty.');
  const embedder = await embedderNotes(session, path, wanted);
  await openHome(homeOf(path));
  const edited = await editSettings(path, [[name, (value) => changedValue(wanted, value, isList)]]);
  const changed = edited.length > 0;
  const installed = changed && name === 'recall.edit' ? [INSTALL_AGAIN] : [];
  const notes = [...embedder, ...installed, ...(await observerNotes(session, path, name))];
  const after = settingValueOf(name, await readConfig(path), world.environment);
  if (json) return terminal.json({ path, changed, ...after, notes });
  await terminal.line(`${name} = ${shown(after)}${changed ? '' : '  (unchanged)'}`);
  if (after.source === 'environment')
    terminal.note(terminal.style.yellow(`${after.variable} in the environment wins over the file.`));
  for (const sentence of notes) terminal.note(sentence);
}

/** Notes about the chosen embedder. @throws AnnalsError EMBEDDER_MISSING; nothing has been changed then */
async function embedderNotes(
  { world }: Session,
  path: string,
  { action, name, values: [value = ''] }: Wanted,
): Promise<readonly string[]> {
  if (action !== 'set' || !(name === 'embedder' || name === 'embedder.url')) return [];
  const { settings } = parseSettings(await readConfig(path), world.environment);
  const chosen = SETTINGS.safeParse({ ...settings, [name]: value });
  // `editSettings` refuses an invalid value.
  if (!chosen.success || (name === 'embedder.url' && settings.embedder !== 'remote')) return [];
  const { checkEmbedder } = await import('../../embed/embedders/embedder-needs.ts');
  return checkEmbedder(chosen.data, homeOf(path), world.environment);
}

/** Notes about the observer's model, as it is set now. */
async function observerNotes(
  { world }: Session,
  path: string,
  name: SettingName,
): Promise<readonly string[]> {
  if (!name.startsWith('observer.')) return [];
  const { settings } = parseSettings(await readConfig(path), world.environment);
  const { observer, modes } = homePaths(homeOf(path));
  if (name === 'observer.mode') {
    const { modeNamed } = await import('../../observer/mode/modes.ts');
    const mode = await modeNamed(settings['observer.mode'], modes);
    return 'why' in mode ? [mode.why] : [];
  }
  // Then no model is asked by itself.
  if (name === 'observer.auto' && settings['observer.auto'] === 'off') return [];
  const { checkProvider } = await import('../../observer/providers/provider-needs.ts');
  return checkProvider(settings, world.environment, observer);
}

function changedValue({ action, name, values }: Wanted, value: unknown, isList: boolean): unknown {
  if (action === 'unset') return undefined;
  if (action === 'set') return isList ? [...new Set(values)] : literal(values);
  if (value !== undefined && !Array.isArray(value))
    throw new AnnalsError('INPUT_INVALID', `${name} is not a list in the file; nothing was changed.`, {
      hint: `\`annals config set ${name} <item…>\` or \`unset\` repairs it.`,
    });
  const items: readonly unknown[] = value ?? [];
  if (action === 'add') return [...items, ...new Set(values.filter((item) => !items.includes(item)))];
  const missing = values.find((item) => !items.includes(item));
  if (missing !== undefined)
    throw new AnnalsError('NOT_FOUND', `"${plainLine(missing)}" is not in ${name} in the file.`, {
      hint:
        items.length === 0
          ? 'The list is empty.'
          : `The list holds: ${items.map(String).map(plainLine).join(', ')}.`,
    });
  const left = items.filter((item) => !values.includes(String(item)));
  return left.length === 0 ? undefined : left;
}

/** Parses numbers, true and false as JSON; anything else is text. */
function literal(values: readonly string[]): unknown {
  const [value = '', ...more] = values;
  if (more.length > 0)
    throw wrong(`This setting takes one value, not ${values.length}: "${values.join(' ')}".`);
  return /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value;
}

function settingValueOf(
  name: SettingName,
  text: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): SettingValue {
  return settingValues(text, environment).settings.find((one) => one.name === name)!;
}

function shown({ value }: SettingValue): string {
  return plainLine(JSON.stringify(value));
}

function configPath({ world, chosenHome }: Session): string {
  return homePaths(chosenHome ?? homePath(world.environment, world.userHome)).config;
}

function homeOf(path: string): string {
  return resolve(path, '..');
}

function actionOf(word: string): Action {
  const known = ACTIONS.find((action) => action === word);
  if (known !== undefined) return known;
  const meant =
    nearestWord(word, ACTIONS) ??
    (nearestWord(word, SETTING_NAMES) === null ? null : `get ${nearestWord(word, SETTING_NAMES)}`);
  throw wrong(
    `There is no action "${plainLine(word)}".`,
    meant === null ? undefined : `Did you mean \`annals config ${meant}\`?`,
  );
}

function nameOf(action: Action, word: string | undefined): SettingName {
  if (word === undefined)
    throw wrong(
      `config ${action} needs the name of a setting.`,
      `Settings are: ${SETTING_NAMES.join(', ')}.`,
    );
  const known = SETTING_NAMES.find((name) => name === word);
  if (known !== undefined) return known;
  const meant = nearestWord(word, SETTING_NAMES);
  throw wrong(
    `There is no setting named "${plainLine(word)}".`,
    meant === null ? `Settings are: ${SETTING_NAMES.join(', ')}.` : `Did you mean ${meant}?`,
  );
}

function expectNoMore(what: string, words: readonly string[]): void {
  if (words.length > 0)
    throw wrong(`config ${what} takes no more arguments, but got "${plainLine(words.join(' '))}".`);
}

function wrong(message: string, hint = 'See `annals config --help`.'): AnnalsError {
  return new AnnalsError('USAGE', message, { hint });
}
