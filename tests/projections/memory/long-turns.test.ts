// A turn of several parts gets its events one by one, in one process and over restarts: its documents are those of a replay.
import { expect, test } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import {
  contextProjector,
  documentEvents,
  type MemoryDocument,
  memoryKeys,
  memoryProjector,
  type ObservationRow,
  type Runner,
  type SummaryRow,
  turnsProjector,
} from '../../../projections/index.ts';
import { chance } from '../../helpers/chance.ts';
import { hookNewEvents } from '../../helpers/hooks/hook-generator.ts';
import { openMemoryLog } from '../../helpers/logs.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

const projectors = [turnsProjector, memoryProjector, contextProjector];

/** 150 tool uses: three parts, with failures, their fixes, a commit in between and a sub-agent. */
function longTurn(isOpen: boolean): Buffer {
  const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000001', version: '2.1.210' });
  const extra = { promptId: 'run-1' };
  script.prompt('Please rename the option everywhere; it is called twice as often as it is used.', extra);
  for (let use = 0; use < 150; use++) {
    const id = `toolu_${use}`;
    if (use % 10 === 3) {
      script.use(id, 'Bash', { command: 'npm test' }, extra);
      const failed = use % 20 === 3;
      const said = failed ? 'Exit code 1\nExpected 2, got 3\n1 failed' : '12 passed';
      script.result(id, said, extra, failed ? { is_error: true } : {});
    } else if (use === 50) {
      script.use(id, 'Bash', { command: 'git commit -am "refactor: rename the option"' }, extra);
      script.result(id, '[main abcdef1] refactor: rename the option\n 3 files changed', extra);
    } else {
      const input = { file_path: `/home/u/app/src/file-${use % 40}.ts`, old_string: 'a', new_string: 'b' };
      script.use(id, 'Edit', input, extra);
      script.result(id, 'The file has been updated.', extra);
    }
    if (use % 7 === 0)
      script.reply(
        `I renamed the option in file ${use}, because the reader calls it by its old name.`,
        extra,
      );
  }
  const answer = 'Renamed the option in 40 files. The documentation already said the new name everywhere.';
  if (!isOpen) script.reply(answer, extra);
  return script.bytes();
}

async function digests(runner: Runner): Promise<readonly string[]> {
  return Promise.all(projectors.map(({ name }) => runner.digest(name)));
}

test.each([1, 2])('documents of a long turn are the same live as by replay (seed %i)', async (seed) => {
  const { below, cut, interleaved, shuffled } = chance(seed);
  const isOpen = seed === 1;
  const bytes = longTurn(isOpen);
  const ends = new Set(isOpen ? ['agent.stopped', 'session.ended'] : []);
  const lists: NewEvent[][] = [
    [...readWhole(bytes).newEvents],
    hookNewEvents(bytes, { promptId: seed % 2 === 0, loseEvery: 5 }).filter(({ type }) => !ends.has(type)),
  ];
  const events = seed === 3 ? shuffled(lists.flat()) : interleaved(lists);
  const log = await openMemoryLog();
  const generations = memoryGenerations();
  let live = await testRunner({ log, generations, projectors, pageSize: 1 + below(9) });
  for (const piece of cut(events, 25)) {
    await log.append(piece);
    await live.catchUp();
    if (isOpen || below(6) > 0) continue;
    await live.close();
    live = await testRunner({ log, generations, projectors, pageSize: 1 + below(9) });
  }
  expect(await live.deadLetters()).toEqual([]);
  const replayed = await testRunner({ log, generations: memoryGenerations(), projectors });
  await replayed.catchUp();
  expect(await digests(live)).toEqual(await digests(replayed));
});

test('a summary of several parts has the events of all of them', async () => {
  const log = await openMemoryLog();
  await log.append([...readWhole(longTurn(false)).newEvents]);
  const runner = await testRunner({ log, generations: memoryGenerations(), projectors });
  await runner.catchUp();
  const memory = runner.view('memory');
  const observations = (await memory.range<ObservationRow>(memoryKeys.observations())).map(([, row]) => row);
  const [[, summary]] = (await memory.range<SummaryRow>(memoryKeys.summaries())) as [[string, SummaryRow]];
  expect(summary.parts).toBe(3);
  const document = (await memory.get<MemoryDocument>(memoryKeys.document(summary.id)))!;
  const events = await documentEvents(document, memory);
  for (const { evidence } of observations)
    expect(events).toEqual(expect.arrayContaining([...evidence.events]));
  expect(document.events.length).toBeLessThan(events.length);
});
