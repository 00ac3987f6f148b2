import { AnnalsError } from '../../../../log/index.ts';
import {
  installedText,
  installService,
  type ServiceReport,
  uninstallService,
} from '../../../service/install-service.ts';
import { type Command, type UnitFile, unitFileOf } from '../../../service/unit-files.ts';
import { plainText } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { installRequest } from '../../install-request.ts';

export interface ServiceOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const command = defineCommand<ServiceOptions>({
  description:
    'Lets the service manager of your account run the worker: a systemd user unit on Linux, a launchd agent on macOS. ' +
    'Shows the file and the commands, and asks first. `uninstall` removes exactly that. Not needed for recording: ' +
    'sessions start the worker themselves.',
  shape: (command) =>
    command
      .addArgument(oneOf('<action>', 'install or uninstall', ['install', 'uninstall']))
      .option('--dry-run', 'show what would be done; do nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['service install --dry-run', 'look first'],
    ['service install', 'asks, then installs and starts it'],
    ['service uninstall', 'stops it and removes the file'],
  ],
  async run(session, options, [action]) {
    const unit = unitOf(session);
    if (action === 'install') return install(session, unit, options);
    if (action === 'uninstall') return uninstall(session, unit, options);
    throw new AnnalsError('USAGE', `service has no action "${action ?? ''}".`, {
      hint: 'Known: install, uninstall.',
    });
  },
});

const NOT_INSTALLED = 'The service is not installed.';

function unitOf(session: Session): UnitFile {
  const { home, program } = installRequest(session);
  const { environment, userHome } = session.world;
  const place = { platform: process.platform, userHome, environment, userId: process.getuid?.() ?? null };
  const unit = unitFileOf({ ...program, home }, place);
  if (unit !== null) return unit;
  throw new AnnalsError('USAGE', 'On this system there is no service manager that Annals knows.', {
    hint: 'docs/service.md says how to make a task of Windows.',
  });
}

async function install(session: Session, unit: UnitFile, { dryRun, yes }: ServiceOptions): Promise<number> {
  const before = await installedText(unit);
  const commands = [...(before === null || unit.unload === null ? [] : [unit.unload.end]), ...unit.activate];
  const show = async () => {
    await session.terminal.line(`${before === null ? 'Writes' : 'Replaces'} ${unit.path}:`);
    await session.terminal.line(plainText(unit.text));
    for (const words of commands) await session.terminal.line(`Runs: ${plainText(words.join(' '))}`);
  };
  if (dryRun === true) return dry(session, unit, before !== unit.text, commands, show);
  if (!(await agreed(session, yes, show))) return 0;
  const code = await report(
    session,
    await installService(unit),
    `The worker runs as a service of your account. ${unit.path}`,
  );
  session.terminal.tip(
    `It still ends when nothing happens for a while; \`${session.name} config set worker.idleMinutes 0\` keeps it.`,
  );
  return code;
}

async function uninstall(session: Session, unit: UnitFile, { dryRun, yes }: ServiceOptions): Promise<number> {
  const before = await installedText(unit);
  const commands = before === null ? [] : [...unit.deactivate, ...unit.afterwards];
  const show = async () => {
    if (before === null) return session.terminal.line(NOT_INSTALLED);
    for (const words of commands) await session.terminal.line(`Runs: ${plainText(words.join(' '))}`);
    await session.terminal.line(`Removes ${unit.path}`);
  };
  if (dryRun === true) return dry(session, unit, before !== null, commands, show);
  if (before !== null && !(await agreed(session, yes, show))) return 0;
  const done = await uninstallService(unit);
  return report(session, done, done.changed ? `The service is removed. ${unit.path}` : NOT_INSTALLED);
}

async function dry(
  { json, terminal }: Session,
  { path, text }: UnitFile,
  changed: boolean,
  commands: readonly Command[],
  show: () => Promise<void>,
): Promise<number> {
  if (json) await terminal.json({ path, text, changed, commands: commands.map((words) => words.join(' ')) });
  else await show();
  return 0;
}

async function agreed({ terminal, world }: Session, yes: boolean | undefined, show: () => Promise<void>) {
  if (yes === true) return true;
  if (!world.stdin.isTerminal)
    throw new AnnalsError('USAGE', 'Nothing was done: there is no terminal to ask.', {
      hint: 'Add --yes, or look first with --dry-run.',
    });
  await show();
  terminal.note(terminal.style.bold('Do this? [y/N]'));
  if (/^y(es)?$/i.test((await world.stdin.readLine()).trim())) return true;
  terminal.note('Nothing was done.');
  return false;
}

async function report({ json, terminal }: Session, done: ServiceReport, sentence: string): Promise<number> {
  if (json) await terminal.json(done);
  else if (done.failed.length === 0) await terminal.line(sentence);
  for (const line of json ? [] : done.failed)
    terminal.note(`This failed, try it by hand: ${plainText(line)}`);
  return done.failed.length === 0 ? 0 : 1;
}
