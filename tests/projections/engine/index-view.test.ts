import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  type FeedPosition,
  type IndexView,
  type Upstream,
} from '../../../projections/index.ts';
import { asLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompt, prompts } from '../../helpers/toy-projectors.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

/** Titles by row key, in memory; built when it is first asked. */
function titleIndex(): IndexView & { readonly titles: Map<string, unknown>; refills: number } {
  const titles = new Map<string, unknown>();
  let workdir: FeedPosition | null = null;
  let position = 0;
  const build = async (upstream: Upstream, into: Map<string, unknown>): Promise<void> => {
    into.clear();
    for await (const rows of upstream.all(10)) for (const [key, row] of rows) into.set(key, row);
  };
  const digestOf = (map: Map<string, unknown>): string => canonicalJson([...map].sort());
  return {
    name: 'index',
    version: 1,
    follows: 'counts',
    reads: () => true,
    titles,
    refills: 0,
    feedPosition: () => workdir,
    position: () => position,
    async catchUp(upstream) {
      if (workdir === null) return true;
      while (
        workdir.generation !== upstream.feedPosition.generation ||
        workdir.seq < upstream.feedPosition.seq
      ) {
        const page = await upstream.changes(workdir, 10);
        if (page === null) {
          await this.rebuild(upstream);
          break;
        }
        for (const key of page.keys) titles.set(key, (await upstream.rows.get(key)) ?? null);
        workdir = { ...workdir, seq: page.seq };
      }
      position = upstream.position;
      return true;
    },
    async rebuild(upstream) {
      this.refills++;
      await build(upstream, titles);
      workdir = upstream.feedPosition;
      position = upstream.position;
    },
    async digest(upstream) {
      if (workdir === null) await this.rebuild(upstream);
      return digestOf(titles);
    },
    async digestRebuilt(upstream) {
      const aside = new Map<string, unknown>();
      await build(upstream, aside);
      return digestOf(aside);
    },
    close: async () => undefined,
  };
}

describe('an index beside the key-value views', () => {
  it('is built when first asked, then follows the feed, and is rebuilt with its upstream', async () => {
    const log = fakeLog();
    const index = titleIndex();
    await log.append(prompts(60));
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: [counts],
      indexes: [index],
    });
    await runner.catchUp();
    expect(index.titles.size).toBe(0);
    expect(runner.states()[1]).toMatchObject({ name: 'index', position: 80, lag: 0 });
    await runner.readers.query((upstream) => index.rebuild(upstream('counts')));
    expect(index.titles.size).toBe(67);
    await log.append([prompt('session-0', 'later', 'number nine')]);
    await runner.catchUp();
    expect(index.titles.has('prompt/session-0/later')).toBe(true);
    expect(index.refills).toBe(1);
    expect(runner.states()[1]).toMatchObject({ position: 81, lag: 0 });
    expect((await runner.verifyRebuilt()).map(({ name, equal }) => [name, equal])).toEqual([
      ['counts', true],
      ['index', true],
    ]);
    const reports = await runner.rebuild(['counts']);
    expect(reports.map(({ name }) => name)).toEqual(['counts', 'index']);
    expect(index.refills).toBe(2);
    index.titles.set('prompt/session-0/made-up', {});
    expect((await runner.verifyRebuilt())[1]).toMatchObject({ name: 'index', equal: false });
  });
});
