import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    expect(titles).toEqual(['Answer 1', 'Question 1']);
  });

  it('are none when the setting has the wrong form, and every answer says so', async () => {
    const { report, status, found } = await imported('/clients/**', ['/clients/one/app']);
    expect(report.prompts).toBe(1);
    expect(status.degraded.join(' ')).toContain('exclude');
    expect(found.degraded.join(' ')).toContain('exclude');
  });

  it('keep what happened elsewhere of a session that moves into one and out again', async () => {
    const { folder, home } = await homeThatExcludes(['/clients/**']);
    const script = new Script({ session: 'moving', cwd: '/home/u/app' });
    script.prompt('Before');
    script.prompt('Within the walrus account', { cwd: '/clients/walrus/app' });
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

  it('leave nothing of what hooks told there', async () => {
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
