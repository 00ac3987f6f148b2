import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

async function imported(exclude: unknown, cwds: readonly string[]) {
  const folder = await testFolder();
  const home = join(folder, 'home');
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, 'config.json'), JSON.stringify({ exclude }));
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
  return { report, status, titles: found.results.map(({ title }) => title).sort() };
}

describe('Excluded folders', () => {
  it('leave nothing of their sessions', async () => {
    const { report, titles } = await imported(['/clients/**'], ['/clients/one/app', '/home/u/app']);
    expect(report).toMatchObject({ sessions: 1, prompts: 1 });
    expect(titles).toEqual(['Answer 1', 'Question 1']);
  });

  it('are none when the setting has the wrong form, and status says so', async () => {
    const { report, status } = await imported('/clients/**', ['/clients/one/app']);
    expect(report.prompts).toBe(1);
    expect(status.degraded.join(' ')).toContain('exclude');
  });
});
