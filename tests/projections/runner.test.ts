import { describe, expect, it } from 'vitest';
import { asLog, fakeLog } from '../helpers/fake-log.ts';
import { counts, prompt, prompts, titles } from '../helpers/toy-projectors.ts';
import { diskShelf, testFolder, testRunner } from '../helpers/views.ts';

describe('the runner', () => {
  it('brings views up to the head and serves their rows', async () => {
    const log = fakeLog();
    await log.append(prompts(300));
    const runner = await testRunner({
      log: asLog(log),
      shelf: diskShelf(await testFolder()),
      projectors: [titles, counts],
    });
    expect(runner.states().map(({ lag }) => lag)).toEqual([400, 400]);
    await runner.catchUp();
    expect(runner.states()).toMatchObject([
      { name: 'counts', position: 400, lag: 0 },
      { name: 'titles', position: 400, lag: 0 },
    ]);
    expect(await runner.view('counts').get('session/session-0')).toMatchObject({ prompts: 43 });
    expect(await runner.view('titles').range('word/number/')).toHaveLength(300);
    await log.append([prompt('session-0', 'later', 'number nine')]);
    await runner.catchUp();
    expect(await runner.view('titles').range('word/number/')).toHaveLength(301);
    const compared = await runner.verifyRebuilt();
    expect(compared.map(({ equal }) => equal)).toEqual([true, true]);
    await runner.rebuild();
    expect(await runner.digest('titles')).toBe(compared[1]!.live);
    expect(await runner.view('titles').range('word/number/')).toHaveLength(301);
  });
});
