// Vectors come after the text: what a search reports in between, and after an import that was stopped there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

async function transcript(prompts: number): Promise<{ folder: string; home: string }> {
  const folder = await testFolder();
  const script = new Script({ session: 'session-1', cwd: '/home/u/app', firstUuid: 1 });
  for (let number = 0; number < prompts; number++) {
    script.prompt(`Question ${number} about lanterns`);
    script.reply(`Answer ${number}`);
  }
  await writeFile(join(folder, 'session-1.jsonl'), script.bytes());
  return { folder, home: join(folder, 'home') };
}

describe('After an import', () => {
  it('a word search finds everything before the vectors are made, and the next import makes the missing vectors', async () => {
    const { folder, home } = await transcript(600);
    const stop = new AbortController();
    const first = await openAnnals({ home });
    const meanwhile: (readonly string[])[] = [];
    await first.import([folder], {
      signal: stop.signal,
      async onSearchable(report) {
        expect(report.prompts).toBe(600);
        const { results, degraded } = await first.search('lanterns');
        expect(results).toHaveLength(10);
        meanwhile.push(degraded);
        stop.abort();
      },
    });
    await first.close();
    const second = await openAnnals({ home });
    const stopped = await second.search('lanterns');
    const progress: (readonly [number, number])[] = [];
    await second.import([folder], { onVectors: (done, total) => progress.push([done, total]) });
    const complete = await second.search('lanterns');
    await second.close();
    const warning =
      'The vectors of app are not made yet; the next import or `annals rebuild vectors` makes them. Until then words alone rank these documents.';
    expect(meanwhile).toEqual([[warning]]);
    expect(stopped.degraded).toEqual([warning]);
    expect(stopped.results).toHaveLength(10);
    expect(progress).toEqual([[0, 1]]);
    expect(complete.degraded).toEqual([]);
  });

  it('a search makes the few vectors that are missing itself', async () => {
    const { folder, home } = await transcript(3);
    const annals = await openAnnals({ home });
    const asked: (readonly string[])[] = [];
    await annals.import([folder], {
      onSearchable: async () => {
        asked.push((await annals.search('lanterns')).degraded);
      },
    });
    await annals.close();
    expect(asked).toEqual([[]]);
  });
});
