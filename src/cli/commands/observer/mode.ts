import { join } from 'node:path';
import { AnnalsError } from '../../../../log/index.ts';
import { editSettings } from '../../../config/edit-settings.ts';
import { readConfig, settingValues } from '../../../config/setting-values.ts';
import type { Mode } from '../../../observer/mode/mode.ts';
import { listModes, modeNamed, readMode } from '../../../observer/mode/modes.ts';
import { openHome } from '../../../platform/home-folder.ts';
import { homePath, homePaths } from '../../../platform/home-paths.ts';
import { givenPath } from '../../../platform/path-inside.ts';
import { plainLine } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { counted } from '../../output/amount.ts';
import { printJsonProblems } from '../../output/json-problems.ts';

const ACTIONS = ['list', 'use', 'validate'] as const;
const SETTING = 'observer.mode';

export const command = defineCommand<object>({
  description:
    'A mode says what the model finds worth remembering: types, concepts, guidance, language. `code` is built in; others are ' +
    'JSON files in the folder `modes` of the home (docs/modes.md). `list` shows them, `use` sets observer.mode, `validate` ' +
    'says what is wrong in one. What was read in another mode stays as it is.',
  shape: (command) =>
    command
      .addArgument(oneOf('[action]', 'list (default), use or validate', ACTIONS).argOptional())
      .argument('[mode]', 'the name of a mode; for validate also a file'),
  examples: [
    ['mode', 'the modes that there are'],
    ['mode validate research.json', 'what is wrong in a file'],
    ['mode use research', 'the next turns are read in this mode'],
  ],
  async run(session, _, [action = 'list', name]): Promise<number> {
    if (action === 'list' && name === undefined) return listAll(session);
    if (action === 'use' && name !== undefined) return use(session, name);
    if (action === 'validate' && name !== undefined) return validate(session, name);
    throw new AnnalsError(
      'USAGE',
      ACTIONS.some((known) => known === action)
        ? `mode ${action} takes ${action === 'list' ? 'no further words' : 'the name of one mode'}.`
        : `mode has no action “${plainLine(action)}”.`,
      { hint: 'Known: list, use <mode>, validate <mode>.' },
    );
  },
});

function pathsOf({ world, chosenHome }: Session) {
  return homePaths(chosenHome ?? homePath(world.environment, world.userHome));
}

async function listAll(session: Session): Promise<number> {
  const { terminal, world, json } = session;
  const { style } = terminal;
  const { modes: folder, config } = pathsOf(session);
  const { settings } = settingValues(await readConfig(config), world.environment);
  const used = settings.find((one) => one.name === SETTING)!.value;
  const modes = (await listModes(folder)).map(({ name, path, read }) => ({
    ...{ name, path, used: name === used },
    ...('mode' in read
      ? { description: read.mode.description, problems: [] }
      : { description: null, problems: read.problems }),
  }));
  if (json) {
    await terminal.json({ folder, modes });
    return 0;
  }
  for (const { name, used, path, description, problems } of modes) {
    const about = description ?? `cannot be used: ${counted(problems.length, 'problem')}`;
    const from = path === null ? 'built in' : path;
    await terminal.line(
      `${used ? '*' : ' '} ${style.bold(plainLine(name))}  ${plainLine(about)}  ${style.dim(`(${plainLine(from)})`)}`,
    );
  }
  if (!modes.some((one) => one.used))
    terminal.note(style.yellow(`observer.mode is ${plainLine(String(used))}, which is not among them.`));
  terminal.tip(style.dim(`Yours are files in ${folder}`));
  return 0;
}

async function use(session: Session, name: string): Promise<number> {
  const { terminal, json } = session;
  const { modes: folder, config, home } = pathsOf(session);
  const mode = await modeNamed(name, folder);
  if ('why' in mode) throw new AnnalsError('INPUT_INVALID', plainLine(mode.why));
  await openHome(home);
  const changed = await editSettings(config, [[SETTING, () => mode.name]]);
  if (json) await terminal.json({ name: mode.name, changed: changed.length > 0 });
  else
    await terminal.line(
      `Turns are read in the mode ${mode.name} from now on. \`annals observe --again\` reads earlier ones again.`,
    );
  return 0;
}

async function validate(session: Session, name: string): Promise<number> {
  const { terminal, world, json } = session;
  const { modes: folder } = pathsOf(session);
  const ofHome = (await listModes(folder)).find((one) => one.name === name);
  const path = ofHome === undefined ? givenPath(name, world.folder) : ofHome.path;
  const read = ofHome?.read ?? readMode(path!);
  if ('problems' in read) {
    if (json) await terminal.json({ ok: false, problems: read.problems });
    else await printJsonProblems(session, name, read.problems);
    return 1;
  }
  if (json) await terminal.json({ ok: true, problems: [], ...amountsOf(read.mode) });
  else await printMode(session, read.mode, path, folder);
  return 0;
}

function amountsOf({ name, types, concepts, verbosity, language }: Mode) {
  return { name, types: types.length, concepts: concepts.length, verbosity, language };
}

async function printMode(
  { terminal }: Session,
  mode: Mode,
  path: string | null,
  folder: string,
): Promise<void> {
  const { types, concepts, verbosity, language } = mode;
  const named = (terms: Mode['types']) => terms.map(({ name }) => name).join(', ');
  await terminal.line(`The mode ${terminal.style.bold(mode.name)} can be used.`);
  await terminal.line(`  types: ${named(types)}`);
  await terminal.line(`  concepts: ${concepts.length === 0 ? 'none' : named(concepts)}`);
  await terminal.line(`  ${verbosity}, in ${language ?? 'the language of each request'}`);
  const wanted = join(folder, `${mode.name}.json`);
  if (path !== null && path !== wanted)
    terminal.tip(`Copy it to ${wanted}, then \`annals mode use ${mode.name}\`.`);
}
