// How many streams of changes are open.
import { expect, onTestFinished, test } from 'vitest';
import { ChangeStreams } from '../../src/http/change-streams.ts';
import { openAnnals } from '../../src/index.ts';
import { testFolder } from '../helpers/views.ts';

async function streamsOfHome(): Promise<ChangeStreams> {
  const annals = await openAnnals({ home: `${await testFolder()}/home` });
  onTestFinished(() => annals.close());
  return new ChangeStreams(annals);
}

test('at most 32 are open, also when more start at once', async () => {
  const streams = await streamsOfHome();
  const { signal, abort } = aborter();
  const started = await Promise.allSettled(Array.from({ length: 50 }, () => streams.start(null, 0, signal)));
  const refused = started.filter(({ status }) => status === 'rejected');
  expect([refused.length, streams.open]).toEqual([18, 32]);
  expect(refused[0]).toMatchObject({ reason: { status: 503, code: 'BUSY' } });
  abort();
  expect(streams.open).toBe(0);
});

test('none stays open whose client left before it began', async () => {
  const streams = await streamsOfHome();
  for (const isEarly of [true, false]) {
    const { signal, abort } = aborter();
    if (isEarly) abort();
    const starting = streams.start(null, 0, signal);
    abort();
    await starting;
    expect(streams.open).toBe(0);
  }
});

function aborter(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
