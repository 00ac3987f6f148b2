// A home opens even if an interrupted forgetting cannot be finished.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import { UNFINISHED } from '../../src/forget/unfinished-forgetting.ts';
import { searchBytes } from '../e2e/byte-search.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { openTestLog } from '../helpers/logs.ts';

const folder = sharedFolder('forget-unfinished');

const prompt = (number: number, text: string): NewEvent<'prompt.submitted'> => ({
  type: 'prompt.submitted',
  agent: 'claude-code',
  session: 'session-1',
  dedupeKey: `uuid-of-the-prompt-${number}`,
  channel: 'transcript',
  occurredAt: 1_767_225_600_000 + number * 1_000,
  body: { text, via: 'line', uuid: `uuid-of-the-prompt-${number}` },
});

/** Flips one bit of the record that holds a word; a second call restores it. */
async function flip(home: string, word: string): Promise<void> {
  const level = new Level<Buffer, Buffer>(join(home, 'log'), {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
  });
  for await (const [key, value] of level.iterator()) {
    if (key.length !== 9 || !value.includes(word)) continue;
    value[value.length - 5]! ^= 1;
    await level.put(key, value);
  }
  await level.close();
}

test('a home whose forgetting cannot be finished opens, says so, and finishes when it can', async () => {
  const home = join(folder, 'damaged');
  await withHome(home, async (annals) => {
    await annals.append(
      [1, 2, 3, 4].map((number) => prompt(number, `words number ${number} that were said`)),
    );
    const [first] = await eventsOf(annals);
    const cutOff = annals.forget(
      { ids: [first!.id] },
      {
        onStep: (step) => {
          if (step === 'forgotten') throw new Error('cut off');
        },
      },
    );
    await expect(cutOff).rejects.toThrow('cut off');
  });
  await flip(home, 'words number 3');
  for (const _ of [1, 2])
    await withHome(home, async (annals) => {
      expect((await annals.status()).degraded.join('\n')).toContain('may still be in files');
      expect((await annals.verify()).ok).toBe(false);
    });
  await flip(home, 'words number 3');
  await withHome(home, async (annals) => {
    expect((await annals.status()).degraded).toEqual([]);
    expect(await annals.verify()).toMatchObject({ ok: true });
  });
});

const cutOffAfter = (last: string) => ({
  onStep: (step: string) => {
    if (step === last) throw new Error('cut off');
  },
});

/** Two homes with the same log, one of them with a memory more; the views of that one fit no log but its own. */
async function withViewsOfAnother(name: string, forget: boolean): Promise<string> {
  const [home, other] = [join(folder, name), join(folder, `${name}-other`)];
  await withHome(home, (annals) => annals.append([prompt(1, 'the quokka sleeps at the harbour')]));
  cpSync(home, other, { recursive: true });
  await withHome(other, async (annals) => {
    await annals.append([prompt(2, 'something else'), prompt(3, 'and more')]);
    await annals.replay();
  });
  if (forget)
    await withHome(home, async (annals) => {
      const [event] = await eventsOf(annals);
      await expect(annals.forget({ ids: [event!.id] }, cutOffAfter('forgotten'))).rejects.toThrow('cut off');
    });
  rmSync(join(home, 'views'), { recursive: true });
  cpSync(join(other, 'views'), join(home, 'views'), { recursive: true });
  return home;
}

test('nothing is forgotten while the views do not match the log', async () => {
  const home = await withViewsOfAnother('blocked', false);
  await withHome(home, async (annals) => {
    await expect(annals.forget({ query: 'quokka sleeps' })).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    expect(JSON.stringify(await eventsOf(annals))).toContain('quokka');
    await annals.rebuild();
    expect(await annals.forget({ query: 'quokka sleeps' })).toMatchObject({ proof: { ok: true } });
  });
  expect(searchBytes(home, 'quokka')).toEqual([]);
});

test('a forgetting whose views do not match the log stays unfinished until they are built again', async () => {
  const home = await withViewsOfAnother('blocked-later', true);
  for (const _ of [1, 2])
    await withHome(home, async (annals) => {
      expect((await annals.status()).degraded.join('\n')).toContain('may still be in files');
    });
  await withHome(home, (annals) => annals.rebuild());
  await withHome(home, async (annals) => {
    expect((await annals.status()).degraded).toEqual([]);
    expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true });
  });
  expect(searchBytes(home, 'quokka')).toEqual([]);
});

test('a forgetting whose text is found afterwards stays unfinished, and the next opening does the work again', async () => {
  const home = join(folder, 'found');
  const kept = join(home, 'kept.txt');
  await withHome(home, async (annals) => {
    await annals.append([prompt(1, 'the quokka sleeps at the harbour'), prompt(2, 'something else')]);
    const [event] = await eventsOf(annals);
    const report = await annals.forget(
      { ids: [event!.id] },
      {
        onStep: (step) => {
          if (step === 'rewritten') writeFileSync(kept, 'the quokka sleeps at the harbour');
        },
      },
    );
    expect(report).toMatchObject({ outcome: 'forgotten', proof: { ok: false } });
    expect((await annals.status()).degraded).toEqual([expect.stringContaining('found it in a file')]);
  });
  expect(await markOf(home)).toBe(true);
  rmSync(kept);
  await withHome(home, async (annals) => expect((await annals.status()).degraded).toEqual([]));
  expect(await markOf(home)).toBeUndefined();
});

async function markOf(home: string): Promise<unknown> {
  const log = await openTestLog(home);
  try {
    return await log.cursor(UNFINISHED);
  } finally {
    await log.close();
  }
}

test('events reported while their session is being forgotten are forgotten too', async () => {
  await withHome(join(folder, 'late'), async (annals) => {
    await annals.append([prompt(1, 'the first words of all this talk')]);
    const outcomes: string[] = [];
    const appendLate = async (step: string) => {
      if (step !== 'found' && step !== 'forgotten') return;
      const [outcome] = await annals.append([prompt(step === 'found' ? 2 : 3, `late words, at ${step}`)]);
      outcomes.push(outcome!.outcome);
    };
    expect(await annals.forget({ session: 'session-1' }, { onStep: appendLate })).toMatchObject({
      outcome: 'forgotten',
      proof: { ok: true },
    });
    expect(outcomes).toEqual(['appended', 'forgotten']);
    expect(JSON.stringify(await eventsOf(annals))).not.toContain('late words');
    expect((await annals.search('late words')).results).toEqual([]);
    expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true });
  });
});

test('two concurrent forget calls both finish', async () => {
  await withHome(join(folder, 'two'), async (annals) => {
    await annals.append([1, 2, 3].map((number) => prompt(number, `words number ${number} that were said`)));
    const [first, second] = await eventsOf(annals);
    const reports = await Promise.all([
      annals.forget({ ids: [first!.id] }),
      annals.forget({ ids: [second!.id] }),
      annals.compact(),
    ]);
    expect(reports).toMatchObject([{ proof: { ok: true } }, { proof: { ok: true } }, {}]);
    expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true });
    expect((await annals.status()).degraded).toEqual([]);
  });
});

test('the proof looks for the words that were asked for, however much else there is to look for', async () => {
  await withHome(join(folder, 'asked'), async (annals) => {
    const words = (number: number) =>
      Array.from({ length: 40 }, (_, at) => `rare${number}word${at}`).join(' ');
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    await annals.append(numbers.map((number) => prompt(number, `hunter22 ${words(number)}`)));
    const { proof } = await annals.forget({ query: 'hunter22' });
    expect(proof).toMatchObject({ ok: true });
    expect(proof?.needles).toContain('hunter22');
  });
});

test('a short text is removed from the spool too, and the proof is null if nothing can be searched for', async () => {
  const home = join(folder, 'short');
  await withHome(home, async (annals) => {
    await annals.append([prompt(1, 'pin: 4711')]);
    const bad = join(home, 'spool', 'bad');
    mkdirSync(bad, { recursive: true });
    writeFileSync(join(bad, 'x1'), 'annals: torn\n{"prompt":"pin: 4711"\n');
    writeFileSync(join(bad, 'x2'), 'annals: torn\n{"prompt":"pin: 47110"\n');
    const [event] = await eventsOf(annals);
    const report = await annals.forget({ ids: [event!.id] });
    expect(report).toMatchObject({ plan: { spoolFiles: 1 }, proof: { needles: [], ok: null } });
    expect(readdirSync(bad)).toEqual(['x2']);
  });
});
