import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { World } from '../../src/cli/command/world.ts';
import { startSession } from '../../src/cli/session-start.ts';
import { exclusionOf } from '../../src/home/exclusion.ts';
import { openAnnals } from '../../src/index.ts';
import { asked, leave } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

async function homeThatExcludes(exclude: unknown): Promise<{ folder: string; home: string }> {
  const folder = await testFolder();
  const home = join(folder, 'home');
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, 'config.json'), JSON.stringify({ exclude }));
  return { folder, home };
}

async function imported(exclude: unknown, cwds: readonly string[]) {
  const { folder, home } = await homeThatExcludes(exclude);
  for (const [index, cwd] of cwds.entries()) {
    const script = new Script({ session: `session-${index}`, cwd, firstUuid: 1 + index * 100 });
    script.prompt(`Question ${index}`);
    script.reply(`Answer ${index}`);
    await writeFile(join(folder, `session-${index}.jsonl`), script.bytes());
  }
  const annals = await openAnnals({ home });
  const report = await annals.import([folder]);
  const status = await annals.status();
  const found = await annals.search('question answer');
  await annals.close();
  return { report, status, found, titles: found.results.map(({ title }) => title).sort() };
}

describe('Excluded folders', () => {
  it('leave nothing of their sessions', async () => {
    const { report, titles } = await imported(['/clients/**'], ['/clients/one/app', '/home/u/app']);
    expect(report).toMatchObject({ sessions: 1, prompts: 1 });
    expect(titles).toEqual([expect.stringMatching(/ 1$/)]);
    const { report: nothing } = await imported(['/clients/**', '/home/**'], ['/home/u/app']);
    expect(nothing).toMatchObject({ sessions: 0, prompts: 0, appended: 0 });
  });

  it('may have a name that would be an expression', async () => {
    const { titles } = await imported(['/Clients (NDA)/**'], ['/Clients (NDA)/acme', '/home/u/app']);
    expect(titles).toEqual([expect.stringMatching(/ 1$/)]);
  });

  it('may be named by a link, also while its target is not there, and be reported by one', async () => {
    const folder = await testFolder();
    const to = (name: string) => join(folder, name);
    for (const name of ['data', 'own']) mkdirSync(to(name));
    symlinkSync(to('data'), to('clients'));
    symlinkSync('unmounted', to('volume'));
    symlinkSync(to('own'), to('mine'));
    const { titles } = await imported(
      [to('clients'), `${to('volume')}/**`, to('own')],
      [to('data/acme/gone'), to('unmounted/acme'), to('mine/app'), to('other')],
    );
    expect(titles).toEqual([expect.stringMatching(/ 3$/)]);
  });

  it('may be behind a link that is made while the home is open', async () => {
    const folder = await testFolder();
    let time = 0;
    const isExcluded = exclusionOf([join(folder, 'clients')], { observer: join(folder, 'o') }, () => time);
    expect(isExcluded(join(folder, 'data/acme'))).toBe(false);
    symlinkSync('data', join(folder, 'clients'));
    time += 1_000;
    expect(isExcluded(join(folder, 'data/acme'))).toBe(true);
  });

  it('are told from the others where links lead round in a circle', async () => {
    const folder = await testFolder();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    const isExcluded = exclusionOf([join(folder, 'a')], { observer: join(folder, 'o') }, () => 0);
    expect([isExcluded(join(folder, 'a/x')), isExcluded(join(folder, 'c'))]).toEqual([true, false]);
  });

  it('keep what a session did elsewhere when it moves into one and out again', async () => {
    const clients = join(await testFolder(), 'clients');
    const within = join(clients, 'walrus/app');
    mkdirSync(within, { recursive: true });
    const { folder, home } = await homeThatExcludes([clients]);
    const script = new Script({ session: 'moving', cwd: '/home/u/app' });
    script.prompt('Before');
    script.prompt('Within the walrus account', { cwd: within });
    script.enqueue('Also the walrus invoices');
    script.dequeue();
    script.meta('custom-title', { customTitle: 'The walrus account' });
    script.prompt('After');
    await writeFile(join(folder, 'moving.jsonl'), script.bytes());
    const annals = await openAnnals({ home });
    await annals.import([folder]);
    const events = [];
    for await (const event of annals.log()) events.push(event);
    await annals.close();
    expect(JSON.stringify(events)).toContain('After');
    expect(JSON.stringify(events)).not.toContain('walrus');
  });

  it('leave nothing of hooks that fired there', async () => {
    const { home } = await homeThatExcludes(['/clients/**']);
    leave(home, 'c-0', asked('Look at the walrus account', { cwd: '/clients/walrus/app' }), Date.now());
    leave(
      home,
      'c-1',
      asked('Look at the heron', { cwd: '/home/u/app', prompt_id: 'other' }),
      Date.now() + 1,
    );
    const annals = await openAnnals({ home });
    const events = [];
    for await (const event of annals.log({ kind: 'prompt' })) events.push(event);
    await annals.close();
    expect(JSON.stringify(events)).toContain('heron');
    expect(JSON.stringify(events)).not.toContain('walrus');
  });
});

describe('The observer’s own folder', () => {
  it.each(['home', 'link/home'])('leaves nothing of hooks and transcripts (%s)', async (way) => {
    const { folder, home } = await homeThatExcludes([]);
    symlinkSync(folder, join(folder, 'link'));
    const given = join(folder, way);
    const own = join(home, 'observer');
    leave(home, 'c-0', asked('Describe the walrus', { cwd: own }), Date.now());
    const script = new Script({ session: 'own', cwd: join(own, 'deeper') });
    script.prompt('Describe the walrus again');
    await writeFile(join(folder, 'own.jsonl'), script.bytes());
    const annals = await openAnnals({ home: given });
    const report = await annals.import([join(folder, 'own.jsonl')]);
    const events = [];
    for await (const event of annals.log()) events.push(event);
    await annals.close();
    expect([report.prompts, events]).toEqual([0, []]);
  });
});

describe('Settings that cannot be read completely', () => {
  const broken: readonly (readonly [string, (path: string) => void | Promise<void>])[] = [
    ['hold a stray comma', (path) => writeFile(path, '{"exclude": ["/clients/**"],, "embedder": "none"}')],
    ['name no list', (path) => writeFile(path, '{"exclude": "/clients/**"}')],
    ['are spelled wrong', (path) => writeFile(path, '{"Exclude": ["/clients/**"]}')],
    ['are a broken link', (path) => symlinkSync('/not/there.json', path)],
    ['are a folder', (path) => mkdirSync(path)],
    ['are not UTF-8', (path) => writeFile(path, Buffer.from('{"exclude":["/M\xfcller/**"]}', 'latin1'))],
  ];

  it.each(broken)(
    'that %s stop recording with a message, and waiting files are recorded once they are fixed',
    async (_, make) => {
      const folder = await testFolder();
      const home = join(folder, 'home');
      await mkdir(home, { mode: 0o700 });
      const config = join(home, 'config.json');
      await make(config);
      leave(home, 'c-0', asked('Look at the walrus', { cwd: '/clients/walrus' }), Date.now());
      leave(home, 'c-1', asked('Look at the heron', { prompt_id: 'other' }), Date.now() + 1);
      const script = new Script({ session: 's', cwd: '/clients/one' });
      script.prompt('Walrus');
      await writeFile(join(folder, 's.jsonl'), script.bytes());

      const paused = await openAnnals({ home });
      await expect(paused.import([join(folder, 's.jsonl')])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(paused.save({ title: 'Walrus', text: 'Remember the walrus' })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
      const status = await paused.status();
      const { text, pausedBecause, degraded } = await paused.context();
      await paused.close();
      expect(status.log.events).toBe(0);
      expect(status.spool).toMatchObject({ new: 2, bad: 0 });
      expect(status.degraded[0]).toMatch(/^Nothing is recorded until the settings are fixed: config\.json /);
      expect([text, degraded[0]]).toEqual(['', status.degraded[0]]);
      expect(status.degraded[0]).toContain(pausedBecause);

      rmSync(config, { recursive: true });
      await writeFile(config, '{"exclude": ["/clients/**"]}');
      const fixed = await openAnnals({ home });
      const events = [];
      for await (const event of fixed.log({ kind: 'prompt' })) events.push(event);
      await fixed.close();
      expect(JSON.stringify(events)).toContain('heron');
      expect(JSON.stringify(events)).not.toContain('walrus');
    },
  );

  it('are reported to the person at session start, and the hook succeeds', async () => {
    const folder = await testFolder();
    const home = join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, 'config.json'), '{"exclude": "/clients/**"}');
    const written: string[] = [];
    const world = {
      environment: {},
      folder,
      stdin: {
        read: async () => JSON.stringify({ hook_event_name: 'SessionStart', cwd: folder, session_id: 's' }),
      },
      stdout: { write: async (text: string) => void written.push(text) },
      open: openAnnals,
    } as unknown as World;
    await startSession(world, { home, agent: 'claude-code' });
    expect(JSON.parse(written.join(''))).toEqual({
      systemMessage: 'Annals keeps nothing: config.json has an "exclude" that is not a list of patterns.\n',
    });
  });
});
