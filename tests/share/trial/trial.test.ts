// Two new machines with nothing but docs/team.md: its configuration and its commands, run as they stand there with the
// built command, against a server with TLS. With ANNALS_TEST_NETWORKS=1 and as root each machine is in a network of its
// own, the workers exchange, and PostgreSQL is tried too.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildCommand } from '../../e2e/command.ts';
import { sharedFolder } from '../../e2e/homes.ts';
import { REPOSITORY } from '../../helpers/program.ts';
import { freePort, natsProgram, postgresProgram } from '../servers.ts';
import { inNetworks, onThisMachine, type Place, type Places } from './places.ts';

const IN_NETWORKS = process.env.ANNALS_TEST_NETWORKS === '1' && process.getuid?.() === 0;
const PAGE = readFileSync(join(REPOSITORY, 'docs/team.md'), 'utf8');
/** The server of the page. */
const NAMED = 'nats.example.com';
/** What the second machine may see of the first one's words, ms. */
const SEEN_MS_MAX = 30_000;

const folder = sharedFolder('trial');

beforeAll(buildCommand);

describe('with docs/team.md alone (skipped where no server is installed)', () => {
  test.skipIf(natsProgram === null)('two machines come to one memory through NATS', () => trial(startNats));

  test.skipIf(!IN_NETWORKS || postgresProgram === null)(
    'two machines come to one memory through PostgreSQL',
    () => trial(startPostgres),
  );
});

/** Starts a server and returns the address with user and password. */
type Start = (places: Places, stop: (child: ChildProcess) => void) => Promise<string>;

async function trial(start: Start): Promise<void> {
  const within = join(folder, start.name);
  const places = IN_NETWORKS ? inNetworks(within, NAMED) : onThisMachine(within);
  const { first, second } = places;
  onTestFinished(async () => {
    if (IN_NETWORKS) for (const machine of [first, second]) await machine.run('annals worker stop || true');
    places.end();
  });
  const address = await start(places, (child) => onTestFinished(() => void child.kill('SIGKILL')));
  for (const machine of [first, second])
    await machine.run('git init -q app && git -C app remote add origin git@github.com:acme/app.git');
  cpSync(join(places.server.folder, 'nats/server.pem'), join(first.folder, 'server.pem'));

  await save(first, 'zebrafish');
  const joined = await first.run(commandsOf('### 2.'), `${address}\n`);
  expect(joined).toMatch(/^Recovery key: AGE-SECRET-KEY-1/m);
  expect(joined).toMatch(/^app: 2 events/m);
  expect(joined).not.toContain(new URL(address).password);
  cpSync(join(first.folder, 'app/invitation.txt'), join(second.folder, 'invitation.txt'));
  await second.run(commandsOf('### 3.'));
  await exchange(first, second);
  await finds(second, 'zebrafish');
  await save(second, 'okapi');
  await exchange(second, first);
  await finds(first, 'okapi');
  expect(await first.run('annals share members')).toMatch(/desktop: member/);
  const digests = await Promise.all(
    [first, second].map((one) => one.run('annals verify --shared | tail -1')),
  );
  expect(digests[0]).toMatch(/4 shared events/);
  expect(digests[1]).toBe(digests[0]);
}

function save({ run }: Place, word: string): Promise<string> {
  return run(`cd app && annals save --title 'About the ${word}' --text 'The ${word}, in full'`);
}

/** What the workers do, or `share sync` without them. */
async function exchange(from: Place, to: Place): Promise<void> {
  const command = IN_NETWORKS ? 'annals worker start' : 'annals share sync';
  await from.run(command);
  await to.run(command);
}

async function finds({ run }: Place, word: string): Promise<void> {
  const until = Date.now() + SEEN_MS_MAX;
  let found = '';
  while (!found.includes(`About the ${word}`)) {
    if (found !== '' && (!IN_NETWORKS || Date.now() > until)) throw new Error(`It does not come: ${found}`);
    found = await run(`annals search ${word}${IN_NETWORKS ? '; annals share status' : ''}`);
  }
}

async function startNats({ server, serverName, listen }: Places, stop: (child: ChildProcess) => void) {
  await makeCertificate(server, serverName);
  mkdirSync(join(server.folder, 'data'));
  const isOld = /v2\.\d\./.test(execFileSync(natsProgram!, ['--version'], { encoding: 'utf8' }));
  const password = newPassword();
  const port = await freePort();
  const configuration = blockWith('# nats/nats.conf')
    .replaceAll('/etc/nats', join(server.folder, 'nats'))
    .replace('/data', `"${join(server.folder, 'data')}"`)
    // Servers before 2.10 do not know it.
    .replace(isOld ? ', sync_interval: always' : '', '');
  writeFileSync(join(server.folder, 'nats/nats.conf'), configuration);
  appendFileSync(join(server.folder, 'nats/nats.conf'), `\nlisten: "${listen}:${port}"\n`);
  const words = [natsProgram!, '-c', join(server.folder, 'nats/nats.conf')];
  stop(await server.start(words, /Server is ready/, { PASSWORD: password }));
  return `tls://annals:${password}@${serverName}:${port}`;
}

async function startPostgres({ server, serverName, listen }: Places, stop: (child: ChildProcess) => void) {
  await makeCertificate(server, serverName);
  const password = newPassword();
  const data = join(server.folder, 'data');
  const programs = dirname(postgresProgram!);
  const asPostgres = (command: string) => `su postgres -s /bin/sh -c "${command}"`;
  await server.run(`chmod 755 '${folder}' '${dirname(server.folder)}' . && mkdir data && chown postgres data
    ${asPostgres(`${programs}/initdb -D ${data} -A trust`)}
    cp nats/server*.pem data/ && chown postgres data/*.pem && chmod 600 data/server-key.pem
    printf "ssl = on\\nssl_cert_file = 'server.pem'\\nssl_key_file = 'server-key.pem'\\nunix_socket_directories = '${data}'\\n" >> data/postgresql.conf
    printf 'local all postgres trust\\nhostssl annals annals all scram-sha-256\\n' > data/pg_hba.conf`);
  const words = [
    'su',
    'postgres',
    '-s',
    '/bin/sh',
    '-c',
    `exec ${programs}/postgres -D ${data} -h ${listen}`,
  ];
  stop(await server.start(words, /ready to accept/));
  await server.run(`psql -q -h '${data}' -U postgres`, blockWith('CREATE USER').replace('…', password));
  return `postgres://annals:${password}@${serverName}/annals`;
}

/** It begins with a letter, as on the page: a configuration of NATS reads digits as a number. */
function newPassword(): string {
  return `p${randomBytes(12).toString('hex')}`;
}

async function makeCertificate(server: Place, serverName: string): Promise<void> {
  mkdirSync(join(server.folder, 'nats'));
  const [command] = commandsOf('### 1.')
    .split('\n')
    .filter((line) => line.startsWith('openssl req'));
  await server.run(`${command!.replaceAll(NAMED, serverName)} 2>/dev/null`);
}

/** The commands of a part of the page, as a script. */
function commandsOf(heading: string): string {
  const part = PAGE.slice(PAGE.indexOf(`\n${heading}`) + 1);
  const block = /```console\n(.*?)```/s.exec(part)![1]!;
  return block.replaceAll(/^\$ /gm, '');
}

function blockWith(start: string): string {
  return /^.*?(?=```)/s.exec(PAGE.slice(PAGE.indexOf(start)))![0];
}
