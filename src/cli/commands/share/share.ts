import { hostname } from 'node:os';
import { AnnalsError } from '../../../../log/index.ts';
import type { ShareStatus } from '../../../api.ts';
import { readText } from '../../../platform/atomic-file.ts';
import { givenPath } from '../../../platform/path-inside.ts';
import { plainLine, plainText } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf, optionOneOf, wholeNumber } from '../../command/options.ts';
import { insideAgent } from '../../inside-agent.ts';
import { bytes, count, counted } from '../../output/amount.ts';
import { forgettingLine, isOpen } from '../../output/shared-forgetting.ts';
import { credential, members, recover, refuseAgent, remove, rotate, type TeamCall } from './team-actions.ts';

interface Options {
  readonly name?: string;
  readonly credentials?: string;
  readonly ca?: string;
  readonly replicas?: number;
  readonly withHistory?: boolean;
  readonly events?: number;
  readonly role?: string;
  readonly days?: number;
  readonly url?: string;
  readonly project?: readonly string[];
  readonly remove?: readonly string[];
  readonly force?: boolean;
}

interface Call extends Options {
  readonly word: string;
}

type Act = (session: Session, call: Call) => Promise<void>;

interface ActWithWord {
  readonly act: Act;
  /** What the word is, or what it is when none is given. */
  readonly word: string | ((session: Session) => string | Promise<string>);
}

/** Actions with one further word. */
const WITH_WORD: Readonly<Record<string, ActWithWord>> = {
  join: { word: askedAddress, act: join },
  invite: { word: 'a name for the new machine', act: invite },
  credential: { word: 'a name for the reader', act: onTeam(credential) },
  remove: { word: 'the name of a member', act: onTeam(remove) },
  recover: { word: 'the address of the server', act: onTeam(recover) },
  preview: { word: thisFolder, act: preview },
  start: { word: thisFolder, act: (session, call) => project(session, call, false) },
  stop: { word: thisFolder, act: (session, call) => project(session, call, true) },
};
const ALONE: Readonly<Record<string, Act>> = { status, accept, members, rotate, sync, leave };
/** What may be the first use of a home. */
const MAKES_HOME: readonly string[] = ['join', 'accept', 'recover'];
/** What an agent may do. */
const FOR_AGENTS: readonly string[] = ['status', 'members', 'preview', 'sync'];
const NAMES = [...Object.keys(ALONE), ...Object.keys(WITH_WORD)];

export const command = defineCommand<Options>({
  description:
    'Shares what is remembered of chosen projects with your other machines and your team, through a NATS or PostgreSQL server ' +
    'of yours. `join` makes a team; nothing leaves this machine until you `start` a project, and events are sealed before they ' +
    'leave. `invite` and `accept` bring in another machine, `credential` lets CI read; `members`, `remove` and `rotate` (new keys) are for the team, ' +
    '`recover` is for a lost machine. `preview` shows what would be sent. The worker exchanges events as they come; `sync` does it once (docs/team.md).',
  shape: (command) =>
    command
      .addArgument(oneOf('[action]', `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`, NAMES))
      .argument(
        '[word]',
        'of join and recover: the address of the server (join asks for it, or reads it from standard input); of invite, ' +
          'credential and remove: a name; of preview, start and stop: the project (default: that of this folder)',
      )
      .option(
        '--name <name>',
        'of join and recover: what the other members call this machine (default: its host name)',
      )
      .option('--credentials <file>', 'of join, recover, invite and credential: a credentials file of NATS')
      .option(
        '--ca <file>',
        "of join and recover: the authority that signed the server's certificate, as PEM",
      )
      .option(
        '--replicas <number>',
        'of join: copies in a cluster of NATS (default: 1)',
        wholeNumber('--replicas', 1, 5),
      )
      .addOption(optionOneOf('--role <role>', 'of invite: member (default), reader or admin', ROLES, roleOf))
      .option(
        '--days <number>',
        'of invite: it may be taken for so many days (default: 7); of credential: it reads for so many (default: 90)',
        wholeNumber('--days', 1, 365),
      )
      .option(
        '--project <project...>',
        'of invite and credential: the only projects that it may read, and write (default: all)',
      )
      .option('--url <url>', 'of invite and credential: the address with another login than yours')
      .option('--remove <name...>', 'of recover: members whose machine is lost')
      .option(
        '--force',
        'of leave: also while the server cannot be reached, so that the others never learn of it',
      )
      .option('--with-history', 'of start: also what was captured before')
      .option(
        '--events <number>',
        'of preview: print so many events exactly as they would be sealed',
        wholeNumber('--events', 1, 10_000),
      ),
  examples: [
    ['share join', 'makes a team, on a server whose address it asks for'],
    ['share join tls://nats.example.com:4222 --credentials team.creds', 'the same, with a login from a file'],
    ['share invite desktop > invitation.txt', 'for another machine, which takes it with share accept'],
    ['share invite freelancer --project app web', 'who reads and writes only these'],
    ['share preview app --events 3', 'what would leave this machine'],
    ['share start --with-history', 'the project of this folder, also what was captured before'],
  ],
  needsHome: ([action = 'status']) => !MAKES_HOME.includes(action),
  async run(session, options, [action = 'status', word, ...more]) {
    const alone = ALONE[action];
    const withWord = WITH_WORD[action];
    if (insideAgent(session.world.environment) && !FOR_AGENTS.includes(action)) refuseAgent(action);
    if (more.length > 0) throw wrong(`share ${action} takes no further words.`);
    if (alone !== undefined) {
      if (word !== undefined) throw wrong(`share ${action} takes no further words.`);
      return alone(session, { ...options, word: '' });
    }
    if (withWord === undefined) throw wrong(`share has no action “${plainLine(action)}”.`);
    const wanted = withWord.word;
    if (word !== undefined) return withWord.act(session, { ...options, word });
    if (typeof wanted === 'string') throw wrong(`share ${action} needs ${wanted}.`);
    return withWord.act(session, { ...options, word: await wanted(session) });
  },
});

/** With machines that have not confirmed. */
const FORGETTINGS_SHOWN_MAX = 5;

const ROLES = ['admin', 'member', 'reader'] as const;
type Role = (typeof ROLES)[number];

function roleOf(word: string): string {
  if (ROLES.some((role) => role === word)) return word;
  throw wrong(`--role is ${ROLES.join(', ')}, not “${plainLine(word)}”.`);
}

function wrong(message: string): AnnalsError {
  return new AnnalsError('USAGE', message, { hint: 'See `annals share --help`.' });
}

/** An address may have a password, which other users of this machine can read in a command line. */
async function askedAddress({ terminal, world: { stdin } }: Session): Promise<string> {
  const text = stdin.isTerminal
    ? await stdin.readSecret(() => terminal.note('Address of the server, with user and password:'))
    : await stdin.read();
  if (text.trim() !== '') return text.trim();
  throw wrong('share join needs the address of a server.');
}

function thisFolder({ world: { folder } }: Session): string {
  return folder;
}

async function join({ terminal, annals, json, name: program }: Session, call: Call): Promise<void> {
  const { word: url, name = hostname(), credentials, ca, replicas } = call;
  const joined = await (await annals()).shareJoin({
    ...{ url, name },
    ...(credentials !== undefined && { credentials: await textOf(credentials) }),
    ...(ca !== undefined && { ca: await textOf(ca) }),
    ...(replicas !== undefined && { replicas }),
  });
  if (json) return terminal.json(joined);
  await terminal.line(`This machine made the team ${joined.team} on ${plainLine(joined.server)}.`);
  await terminal.line(`Recovery key: ${joined.recoveryKey}`);
  terminal.note('Keep it away from this machine: it opens everything, and it is not shown again.');
  terminal.note(
    `Nothing is sent yet. Next, in a folder of a project: ${program} share preview, ${program} share start.`,
  );
}

function onTeam(act: (session: Session, call: TeamCall) => Promise<void>): Act {
  return async (session, { word, name, days, project: projects, remove = [], url, credentials, ca }) =>
    act(session, {
      ...{ word, name, days, projects, remove, url },
      credentials: credentials === undefined ? undefined : await textOf(credentials),
      ca: ca === undefined ? undefined : await textOf(ca),
    });
}

async function invite({ terminal, annals, json }: Session, call: Call): Promise<void> {
  const { word, role, days, project: projects, url, credentials } = call;
  const invited = await (await annals()).shareInvite({
    name: word,
    ...(projects !== undefined && { projects }),
    ...(url !== undefined && { url }),
    ...(credentials !== undefined && { credentials: await textOf(credentials) }),
    ...(role !== undefined && { role: role as Role }),
    ...(days !== undefined && { days }),
  });
  if (json) return terminal.json(invited);
  await terminal.line(invited.invitation);
  terminal.note('It brings the address of the server and its credentials: give it to nobody else.');
}

async function accept({ terminal, annals, json, world }: Session): Promise<void> {
  const { stdin } = world;
  const text = stdin.isTerminal
    ? await stdin.readSecret(() => terminal.note('Paste the invitation:'))
    : await stdin.read();
  const accepted = await (await annals()).shareAccept(text.trim());
  if (json) return terminal.json(accepted);
  await terminal.line(`This machine is in the team ${accepted.team} on ${plainLine(accepted.server)}.`);
  terminal.note('It can read and send when the machine that invited it has been connected.');
}

async function leave({ terminal, annals, json }: Session, { force = false }: Call): Promise<void> {
  const left = await (await annals()).shareLeave({ force });
  if (json) return terminal.json(left);
  await terminal.line(
    `This machine left the team${left.team === null ? '' : ` ${left.team}`}. What others sent stays here.`,
  );
  if (!left.sent) terminal.note('The others do not know of it. Have an admin remove this machine.');
}

async function project(
  { terminal, annals, json, name: program }: Session,
  call: Call,
  stop: boolean,
): Promise<void> {
  const { word, withHistory = false } = call;
  const shared = await (await annals()).shareProject(word, { stop, withHistory });
  if (json) return terminal.json({ ...shared, shared: !stop });
  const name = plainLine(shared.name);
  await terminal.line(
    stop
      ? `${name} is no longer shared. What was sent stays with those who have it.`
      : `${name} is shared${withHistory ? ', with its history' : ' from now on'}.`,
  );
  if (!stop) terminal.note(`The worker sends it while it runs; \`${program} share sync\` sends it now.`);
}

async function preview({ terminal, annals, json }: Session, { word, events = 0 }: Call): Promise<void> {
  const found = await (await annals()).sharePreview(word, events);
  if (json) return terminal.json(found);
  await terminal.line(
    `${plainLine(found.name)}: ${counted(found.events, 'event')} of ${counted(found.sessions.length, 'session')}, ${bytes(found.bytes)}, with its history.`,
  );
  for (const [type, number] of Object.entries(found.types).sort())
    await terminal.line(`  ${plainLine(type)}  ${count(number)}`);
  for (const line of found.lines) await terminal.line(plainText(line));
}

async function sync({ terminal, annals, json }: Session): Promise<void> {
  const report = await (await annals()).shareSync();
  if (json) return terminal.json(report);
  const known = report.known === 0 ? '' : ` (${count(report.known)} were there)`;
  await terminal.line(
    `Sent ${counted(report.sent, 'event')}${known}, received ${counted(report.received, 'event')}.`,
  );
  for (const sentence of [...report.held, ...report.remains]) terminal.note(plainLine(sentence));
}

async function status({ terminal, annals, json, name }: Session): Promise<void> {
  const library = await annals();
  const [found, forgettings] = [await library.shareStatus(), await library.shareForgettings()];
  if (json) return terminal.json({ ...found, forgettings });
  if (found.team === null && found.warnings.length > 0) {
    for (const warning of found.warnings) await terminal.line(plainLine(warning));
    return;
  }
  if (found.team === null) {
    terminal.note(`This home is in no team. \`${name} share join <url>\` makes one.`);
    return;
  }
  const open = forgettings.filter(({ sent, machines }) => !sent || machines.some(isOpen));
  for (const line of [...statusLines(found), ...open.slice(0, FORGETTINGS_SHOWN_MAX).map(forgettingLine)])
    await terminal.line(plainLine(line));
  const more = open.length - FORGETTINGS_SHOWN_MAX;
  if (more > 0)
    terminal.note(`${counted(more, 'more forgetting')} without every confirmation (--json lists all).`);
}

function statusLines(found: ShareStatus): string[] {
  const { engine, read, unopened, refused, unsent } = found;
  const role = found.role ?? 'waits until the machine that invited it is connected';
  return [
    `Team ${found.team}, this machine is ${found.name} (${role}).`,
    engine === null
      ? `${found.server} cannot be reached.`
      : `${found.server}: ${engine.name} ${engine.version}, read up to ${count(read)} of ${count(engine.head)}.`,
    ...found.projects.map(({ name, waiting, held }) => {
      if (held !== null) return `Project ${name}: not sent. ${held}`;
      return `Project ${name}: ${waiting === 0 ? 'all sent' : `up to ${counted(waiting, 'event')} to send`}.`;
    }),
    ...(found.projects.length === 0 ? ['No project is shared from here.'] : []),
    ...(unopened > 0 ? [`${counted(unopened, 'message')} cannot be opened yet: the key is missing.`] : []),
    ...refused.map(({ position, reason }) => `Refused message ${position}: ${reason}`),
    ...(unsent > 0 ? [`${counted(unsent, 'event')} too large to be sent.`] : []),
    ...found.warnings,
  ];
}

/** @throws AnnalsError INPUT_UNREADABLE */
async function textOf(file: string): Promise<string> {
  const text = await readText(givenPath(file)).catch(() => undefined);
  if (text !== undefined) return text;
  throw new AnnalsError('INPUT_UNREADABLE', `${plainLine(file)} cannot be read.`);
}
