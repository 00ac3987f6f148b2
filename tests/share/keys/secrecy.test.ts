// What a real server has of a team: nothing readable in its files, subjects and logs, even when it logs every message. And
// who is refused, by the server and by every machine.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCredential, removeMember } from '../../../src/share/keys/acts.ts';
import { opaqueName, signerOf } from '../../../src/share/keys/signing.ts';
import type { Team } from '../../../src/share/keys/team.ts';
import { openSharedLog } from '../../../src/share/log/open-shared-log.ts';
import type { Message, MessageKind, SharedLog } from '../../../src/share/log/shared-log.ts';
import { natsProgram, startNats, type TestServer } from '../servers.ts';
import { NatsAccounts, type Rights } from './nats-accounts.ts';
import { bytesOf, HOUR_MS, TeamScene, textOf } from './team-world.ts';

const PROJECT = 'repo:planted.example/planted-project';
const OTHER = 'repo:planted.example/planted-other';
const TEXT = 'planted text of an event, with planted-password';
const READ_API = [
  'INFO',
  'STREAM.INFO.*',
  'CONSUMER.CREATE.>',
  'CONSUMER.INFO.>',
  'CONSUMER.MSG.NEXT.>',
  'CONSUMER.DELETE.>',
];

describe.skipIf(natsProgram === null)('a team on NATS (skipped where nats-server is not installed)', () => {
  const accounts = new NatsAccounts();
  const logs = mkdtempSync(join(tmpdir(), 'annals-nats-log-'));
  let server: TestServer;
  let scene: TeamScene;
  let ada: Team;
  let ben: Team;
  let shared: SharedLog;
  const nameOf = (...parts: readonly string[]) => opaqueName(ada.teamKey(), JSON.stringify(parts));

  /** A connection with the rights of a user. */
  const connected = (name: string, rights: Rights): Promise<SharedLog> => {
    const credentials = accounts.credentials(name, rights);
    return openSharedLog({ url: server.url, team: ada.id, credentials });
  };
  const readOnly = (): readonly string[] => READ_API.map((call) => `$JS.API.${call}`);
  /** As docs/team.md sets up a member: events of some projects, in its own name. */
  const writing = (team: Team, projects: readonly string[]): Rights => ({
    publish: [
      ...readOnly(),
      ...projects.flatMap((project) =>
        ['event', 'statement'].map(
          (kind) => `annals.v1.${ada.id}.${kind}.${nameOf(project)}.${nameOf(team.machine)}`,
        ),
      ),
      `annals.v1.${ada.id}.record.*.${nameOf(team.machine)}`,
    ],
    subscribe: ['_INBOX.>'],
  });
  const messageOf = (
    team: Team,
    kind: MessageKind,
    project: string,
    bytes: Uint8Array,
    id: string,
  ): Message => ({
    ...{ kind, project: nameOf(project), origin: nameOf(team.machine), bytes, id: nameOf(id) },
  });
  const send = async (team: Team, through: SharedLog, texts: readonly string[], project = PROJECT) => {
    const sealed = await team.seal(texts.map((text) => ({ project, plain: bytesOf(text) })));
    const records = team.pending().map(({ id, bytes }) => messageOf(team, 'record', 'records', bytes, id));
    await through.append(records);
    await through.append(
      sealed.map((bytes, at) => messageOf(team, 'event', project, bytes, `${texts[at]} ${scene.time}`)),
    );
    return sealed;
  };
  const everything = async (): Promise<Message[]> => {
    const found: Message[] = [];
    for (let after = 0; ; ) {
      const page = await shared.page({ after });
      if (page.length === 0) return found;
      found.push(...page);
      after = page.at(-1)!.position;
    }
  };
  const recordsThere = async () =>
    (await everything()).filter(({ kind }) => kind === 'record').map(({ bytes }) => bytes);
  const reasonOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      ({ reason, code }) => reason ?? code,
    );

  beforeAll(async () => {
    const { scene: made, admin } = await TeamScene.of('planted-ada');
    [scene, ada] = [made, admin];
    server = await startNats(
      `${accounts.configuration()}\ndebug: true\ntrace: true\nlog_file: "${join(logs, 'server.log')}"`,
    );
    const credentials = accounts.credentials('operator');
    shared = await openSharedLog({ url: server.url, team: ada.id, create: true, credentials });
    ben = await scene.member(ada, 'planted-ben');
  });
  afterAll(async () => {
    await shared?.close();
    await server?.end();
    rmSync(logs, { recursive: true });
  });

  test('a member writes with the rights of a member, and others read it', async () => {
    const through = await connected('ben', writing(ben, [PROJECT]));
    await send(ben, through, [TEXT, 'planted second text']);
    await through.close();
    await shared.append([...scene.log].map(([id, bytes]) => messageOf(ada, 'record', 'records', bytes, id)));
    await ada.accept(await recordsThere());
    const events = (await everything()).filter(({ kind }) => kind === 'event');
    const texts = await Promise.all(events.map(async ({ bytes }) => textOf((await ada.open(bytes))?.plain)));
    expect(texts).toEqual([TEXT, 'planted second text']);
  });

  test('the server refuses another project, another name, and a reader that writes', async () => {
    const through = await connected('ben-2', writing(ben, [PROJECT]));
    const bytes = bytesOf('x');
    const refused = [
      messageOf(ben, 'event', OTHER, bytes, '1'),
      messageOf(ada, 'event', PROJECT, bytes, '2'),
      messageOf(ada, 'record', 'records', bytes, '3'),
    ];
    for (const message of refused)
      expect(await reasonOf(through.append([message]))).toBe('SHARED_LOG_REFUSED');
    const { id, project } = (await everything()).find(({ kind }) => kind === 'event')!;
    expect(await reasonOf(through.remove(project, [id]))).toBe('SHARED_LOG_REFUSED');
    await through.close();
    const reader = await connected('ci', { publish: readOnly(), subscribe: ['_INBOX.>'] });
    expect(await reasonOf(reader.append([messageOf(ben, 'event', PROJECT, bytes, '4')]))).toBe(
      'SHARED_LOG_REFUSED',
    );
    expect((await reader.page({ after: 0 })).length).toBeGreaterThan(0);
    await reader.close();
  });

  test('the server refuses a credential that has ended, and one of another operator', async () => {
    const ended = Math.floor(Date.now() / 1_000) - 60;
    expect(await reasonOf(connected('ended', { expires: ended }))).toBe('SHARED_LOG_REFUSED');
    const credentials = new NatsAccounts().credentials('stranger');
    expect(await reasonOf(openSharedLog({ url: server.url, team: ada.id, credentials }))).toBe(
      'SHARED_LOG_REFUSED',
    );
    expect(await reasonOf(openSharedLog({ url: server.url, team: ada.id }))).toBe('SHARED_LOG_REFUSED');
  });

  test('machines refuse what the server let through', async () => {
    const [known] = (await everything()).filter(({ kind }) => kind === 'event');
    const eve = await TeamScene.of('planted-eve');
    expect(await reasonOf(eve.admin.open(known!.bytes))).toBe('team');
    expect((await eve.admin.accept(await recordsThere())).added).toBe(0);

    const credential = await makeCredential(
      { name: 'planted-ci', role: 'reader', projects: [PROJECT], until: scene.time + HOUR_MS, server: '' },
      ada,
      scene.world,
    );
    const [foreign] = await send(ada, shared, ['planted foreign text'], OTHER);
    const ci = await scene.joined(credential);
    await ci.accept(await recordsThere());
    expect(textOf((await ci.open(known!.bytes))?.plain)).toBe(TEXT);
    expect(await reasonOf(ci.open(foreign!))).toBe('hidden');
    expect(await reasonOf(ci.seal([{ project: PROJECT, plain: bytesOf('x') }]))).toBe('reader');
    scene.time += 2 * HOUR_MS;
    expect(await reasonOf(ci.open(known!.bytes))).toBe('expired');

    await removeMember('planted-ben', ada, scene.world);
    scene.time += 1;
    const [late] = await send(ben, shared, ['planted late text']);
    const [after] = await send(ada, shared, ['planted text after the removal']);
    expect(await reasonOf(ada.open(late!))).toBe('removed');
    await ben.accept(await recordsThere());
    expect(await ben.open(after!)).toBeNull();
    expect(await reasonOf(ben.seal([{ project: PROJECT, plain: bytesOf('x') }]))).toBe('removed');
  });

  test('nothing readable is in the files, subjects and logs of the server', async () => {
    const stored = (await everything()).length;
    expect(stored).toBeGreaterThan(8);
    await shared.close();
    await server.kill();
    const files = [server.folder, logs].flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((path) => statSync(path).isFile()),
    );
    const found = files.map((path) => readFileSync(path));
    expect(found.reduce((bytes, one) => bytes + one.length, 0)).toBeGreaterThan(10_000);
    // The search works: what the server must have is found.
    expect(found.some((bytes) => bytes.includes(nameOf(PROJECT)))).toBe(true);
    expect(found.filter((bytes) => bytes.includes('[TRC]'))).toHaveLength(1);
    for (const [at, bytes] of found.entries())
      for (const [what, marker] of markers(ada, ben, scene.recoveryKey))
        expect(bytes.includes(marker), `${what} in ${files[at]}`).toBe(false);
  });
});

/** Names, texts, and secrets in every form in which they could be written. */
function markers(ada: Team, ben: Team, recoveryKey: string): [what: string, marker: Buffer | string][] {
  const secrets = [ada, ben].flatMap(({ identity }) => [
    Buffer.from(identity.teamKey, 'base64'),
    Buffer.from(identity.seed, 'base64'),
  ]);
  return [
    ['a text', 'planted'],
    ['a text in base64', Buffer.from('planted text').toString('base64').slice(0, 15)],
    ['the recovery key', recoveryKey],
    ...[ada, ben].map(({ identity }): [string, string] => ['an identity', identity.age]),
    ...secrets.flatMap((secret): [string, Buffer | string][] => [
      ['a secret', secret],
      ['a secret in base64', secret.toString('base64').slice(0, 40)],
      ['a secret in hexadecimal', secret.toString('hex')],
    ]),
    ['a public key', Buffer.from(signerOf(secrets[1]!).publicKey)],
  ];
}
