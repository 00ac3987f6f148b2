// `annals share` on a scripted library: what it asks and how it shows the answers.
import { expect, test } from 'vitest';
import type { SharedForgetting, ShareMember, ShareStatus } from '../../src/api.ts';
import { call } from './call.ts';
import { type FakeAnnals, fakeAnnals } from './fake-annals.ts';

const STATUS: ShareStatus = {
  ...{ team: 'ab12', name: 'laptop', role: 'admin', server: 'nats://127.0.0.1:4222', read: 1_000 },
  engine: { name: 'NATS JetStream', version: '2.12.1', head: 1_200 },
  projects: [
    { key: 'repo:github.com/acme/app', name: 'app', waiting: 0, held: null },
    { key: 'repo:github.com/acme/web', name: 'web', waiting: 12, held: null },
    { key: 'repo:github.com/acme/old', name: 'old', waiting: 3, held: 'Its author may read, not write.' },
  ],
  ...{ unopened: 2, refused: [{ position: 7, reason: 'It is cut off, or was changed.' }], unsent: 1 },
  warnings: ['A warning.'],
};

const MEMBERS: readonly ShareMember[] = [
  {
    machine: 'ab12ab12ab12',
    name: 'ada',
    role: 'admin',
    projects: null,
    until: null,
    removedAt: null,
    self: true,
  },
  {
    ...{ machine: 'cd34cd34cd34', name: 'ci', role: 'reader', projects: ['repo:github.com/acme/app'] },
    ...{ until: Date.UTC(2026, 0, 2), removedAt: Date.UTC(2026, 0, 1), self: false },
  },
];

function scripted(): FakeAnnals {
  const fake = fakeAnnals();
  const noted =
    <T>(method: string, result: T) =>
    async (...args: readonly unknown[]) => {
      fake.calls.push([method, ...args]);
      return result;
    };
  fake.shareStatus = noted('shareStatus', STATUS);
  fake.shareJoin = noted('shareJoin', {
    team: 'ab12',
    server: 'nats://h:4222',
    recoveryKey: 'AGE-SECRET-KEY-1X',
  });
  fake.shareLeave = async (options) => {
    fake.calls.push(['shareLeave', options]);
    return { team: 'ab12', sent: options?.force !== true };
  };
  fake.shareInvite = noted('shareInvite', { invitation: 'ANNALS-INVITE-x' });
  fake.shareCredential = noted('shareCredential', { credential: 'ANNALS-READER-x', sent: true });
  fake.shareMembers = noted('shareMembers', MEMBERS);
  fake.shareRemove = noted('shareRemove', {
    ...{ removed: [{ machine: 'cd34', name: 'ben' }], rotated: ['repo:github.com/acme/app'], sent: false },
  });
  fake.shareRotate = noted('shareRotate', { rotated: [], sent: true });
  fake.shareRecover = noted('shareRecover', { team: 'ab12', server: 'nats://h:4222' });
  fake.shareAccept = noted('shareAccept', { team: 'ab12', server: 'nats://h:4222' });
  fake.shareProject = noted('shareProject', { key: 'repo:github.com/acme/app', name: 'app' });
  fake.sharePreview = noted('sharePreview', {
    ...{ key: 'repo:github.com/acme/app', name: 'app', events: 3, bytes: 2_048, lines: ['{"a":1}'] },
    ...{
      types: { 'tool.used': 2, 'agent.replied': 1 },
      sessions: [{ agent: 'codex', session: 's', events: 3 }],
    },
  });
  fake.shareSync = noted('shareSync', {
    ...{ sent: 5, known: 2, messages: 9, received: 4, remains: ['A copy remains.'], held: [] },
  });
  return fake;
}

const share = (words: readonly string[], stdin = '') =>
  call(['share', ...words], { annals: scripted(), stdin });

test.each([
  [
    ['join', 'nats://h:4222', '--name', 'laptop', '--replicas', '3'],
    ['shareJoin', { url: 'nats://h:4222', name: 'laptop', replicas: 3 }],
    'This machine made the team ab12 on nats://h:4222.\nRecovery key: AGE-SECRET-KEY-1X\n',
  ],
  [
    ['invite', 'ci', '--role', 'reader', '--days', '2'],
    ['shareInvite', { name: 'ci', role: 'reader', days: 2 }],
    'ANNALS-INVITE-x\n',
  ],
  [
    ['invite', 'guest', '--project', 'app', 'web'],
    ['shareInvite', { name: 'guest', projects: ['app', 'web'] }],
    'ANNALS-INVITE-x\n',
  ],
  [
    ['credential', 'ci', '--days', '30', '--url', 'nats://ci:x@h:4222'],
    ['shareCredential', { name: 'ci', days: 30, url: 'nats://ci:x@h:4222' }],
    'ANNALS-READER-x\n',
  ],
  [
    ['members'],
    ['shareMembers'],
    'ab12ab12 ada: admin, this machine\n' +
      'cd34cd34 ci: reader, only repo:github.com/acme/app, until 2026-01-02, removed 2026-01-01\n',
  ],
  [['remove', 'ben'], ['shareRemove', 'ben'], 'Removed ben (1 machine). 1 project got a new key.\n'],
  [['rotate'], ['shareRotate'], '0 projects got a new key.\n'],
  [
    ['leave'],
    ['shareLeave', { force: false }],
    'This machine left the team ab12. What others sent stays here.\n',
  ],
  [
    ['start', 'app'],
    ['shareProject', 'app', { stop: false, withHistory: false }],
    'app is shared from now on.\n',
  ],
  [
    ['start', 'app', '--with-history'],
    ['shareProject', 'app', { stop: false, withHistory: true }],
    'app is shared, with its history.\n',
  ],
  [
    ['stop', 'app'],
    ['shareProject', 'app', { stop: true, withHistory: false }],
    'app is no longer shared. What was sent stays with those who have it.\n',
  ],
  [
    ['preview', 'app', '--events', '1'],
    ['sharePreview', 'app', 1],
    'app: 3 events of 1 session, 2.0 kB, with its history.\n  agent.replied  1\n  tool.used  2\n{"a":1}\n',
  ],
  [['sync'], ['shareSync'], 'Sent 5 events (2 were there), received 4 events.\n'],
])('share %j', async (words, wanted, printed) => {
  const { code, stdout, annals } = await share(words);
  expect({ code, stdout, calls: annals.calls }).toEqual({ code: 0, stdout: printed, calls: [wanted] });
});

test('share leave --force says when the others do not know of it', async () => {
  const { code, stderr, annals } = await share(['leave', '--force']);
  expect({ code, calls: annals.calls }).toEqual({ code: 0, calls: [['shareLeave', { force: true }]] });
  expect(stderr).toContain('Have an admin remove this machine.');
});

test('verify --shared prints what this machine has of each project', async () => {
  const annals = scripted();
  annals.shareDigests = async () => [
    { key: 'repo:github.com/acme/app', events: 1_200, digest: 'ab'.repeat(16) },
  ];
  const { stdout } = await call(['verify', '--shared'], { annals });
  expect(stdout).toContain(`  repo:github.com/acme/app  1,200 shared events, digest ${'ab'.repeat(16)}\n`);
});

const GONE: SharedForgetting = {
  ...{ id: 'ef56', project: 'app', at: Date.UTC(2026, 0, 9), events: 2, sent: true },
  machines: [
    { machine: 'a', name: 'desktop', confirmed: 1, seen: 1, silent: null },
    { machine: 'b', name: 'tower', confirmed: null, seen: Date.UTC(2026, 0, 2), silent: null },
    { machine: 'c', name: 'new', confirmed: null, seen: null, silent: null },
    { machine: 'd', name: 'ci', confirmed: null, seen: null, silent: 'reader' },
    { machine: 'e', name: 'lost', confirmed: null, seen: 1, silent: 'removed' },
  ],
};
const GONE_LINE =
  'Forgotten 2026-01-09 (2 events of app): confirmed by desktop; not yet by tower (last seen 2026-01-02), new (never seen); ' +
  'never by ci (only reads), lost (was removed, and keeps what it had).';

test.each([['share'], ['verify', '--shared']])('%s %s names who confirmed a forgetting', async (...words) => {
  const annals = scripted();
  annals.shareDigests = async () => [];
  annals.shareForgettings = async () => [
    GONE,
    { ...GONE, machines: GONE.machines.slice(0, 1) },
    { ...GONE, machines: [], sent: false },
  ];
  const { stdout } = await call(words, { annals });
  expect(stdout).toContain(`${GONE_LINE}\n`);
  expect(stdout).toContain('Forgotten 2026-01-09 (2 events of app): not sent yet.\n');
  // The status shows only what is still open.
  const isShown = stdout.includes('Forgotten 2026-01-09 (2 events of app): confirmed by desktop.\n');
  expect(isShown).toBe(words[0] === 'verify');
});

test('share accept takes the invitation from standard input, never from the command line', async () => {
  const { code, annals } = await share(['accept'], 'ANNALS-INVITE-x\n');
  expect({ code, calls: annals.calls }).toEqual({ code: 0, calls: [['shareAccept', 'ANNALS-INVITE-x']] });
  expect((await share(['accept', 'ANNALS-INVITE-x'])).code).toBe(2);
});

test('share join takes the address from standard input, so that no command line has its password', async () => {
  const { code, annals } = await share(['join', '--name', 'laptop'], 'tls://annals:secret@h:4222\n');
  const wanted = { url: 'tls://annals:secret@h:4222', name: 'laptop' };
  expect({ code, calls: annals.calls }).toEqual({ code: 0, calls: [['shareJoin', wanted]] });
});

test('without a name, share start is about the project of this folder', async () => {
  const { stderr, annals } = await share(['start']);
  expect(annals.calls).toEqual([
    ['shareProject', '/home/robin/birdfeeder', { stop: false, withHistory: false }],
  ]);
  expect(stderr).toContain('share sync` sends it now.');
});

test('share status names what waits, what was refused and what is missing', async () => {
  const { stdout } = await share([]);
  expect(stdout.split('\n')).toEqual([
    'Team ab12, this machine is laptop (admin).',
    'nats://127.0.0.1:4222: NATS JetStream 2.12.1, read up to 1,000 of 1,200.',
    'Project app: all sent.',
    'Project web: up to 12 events to send.',
    'Project old: not sent. Its author may read, not write.',
    '2 messages cannot be opened yet: the key is missing.',
    'Refused message 7: It is cut off, or was changed.',
    '1 event too large to be sent.',
    'A warning.',
    '',
  ]);
});

test.each([
  [['elsewhere']],
  [['join']],
  [['invite']],
  [['sync', 'now']],
  [['invite', 'ci', '--role', 'boss']],
])('share %j is a wrong call', async (words) => {
  const { code, annals } = await share(words);
  expect({ code, calls: annals.calls }).toEqual({ code: 2, calls: [] });
});

test('share recover takes the key from standard input', async () => {
  const words = ['recover', 'nats://h:4222', '--name', 'desktop', '--remove', 'laptop'];
  const { code, stdout, annals } = await share(words, 'AGE-SECRET-KEY-1X\n');
  const recovery = {
    recoveryKey: 'AGE-SECRET-KEY-1X',
    url: 'nats://h:4222',
    name: 'desktop',
    remove: ['laptop'],
  };
  expect({ code, calls: annals.calls }).toEqual({ code: 0, calls: [['shareRecover', recovery]] });
  expect(stdout).toBe('This machine is an admin of the team ab12 on nats://h:4222.\n');
});

test('an agent sees the team and does not change it', async () => {
  const asAgent = (words: readonly string[]) =>
    call(['share', ...words], { annals: scripted(), environment: { CLAUDECODE: '1' } });
  for (const words of [
    ['join', 'nats://h'],
    ['invite', 'x'],
    ['start', 'app'],
    ['remove', 'x'],
    ['leave'],
    ['rotate'],
  ])
    expect((await asAgent(words)).annals.calls, words.join(' ')).toEqual([]);
  expect((await asAgent(['members'])).code).toBe(0);
});
