// The observer on a real home, with a scripted model behind real HTTP.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import type { Annals, ObserveOptions } from '../../src/index.ts';
import { digestsOf, eventsOf, SOUND } from '../e2e/homes.ts';
import { hookEvents } from '../helpers/hooks/claude-hook-events.ts';
import { hookCalls } from '../helpers/hooks/hook-generator.ts';
import { readWhole, Script } from '../helpers/transcripts.ts';
import { EVENTS, FROST, START } from '../projections/observer/replies.ts';
import { SERVER_KEY } from './model-server.ts';
import { observedHomes, USAGE } from './observed-home.ts';

const homes = observedHomes('observe');
const { observed } = homes;
const SESSION = 'bbbbbbbb-0000-4000-8000-000000000000';

function setting({ home }: Annals, settings: Readonly<Record<string, unknown>>): void {
  const path = join(home, 'config.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...settings }));
}

async function titles(annals: Annals): Promise<readonly string[]> {
  const { items } = await annals.list('observation');
  return items.map(({ title }) => title ?? '').sort();
}

async function types(annals: Annals): Promise<readonly string[]> {
  return (await eventsOf(annals)).map(({ type }) => type).filter((type) => type.startsWith('observer.'));
}

describe('a turn', () => {
  test('is asked about once, and its answer is found; a rebuild asks nobody', async () => {
    homes.server.answers.push({ text: FROST, usage: USAGE });
    await observed(async (annals, observe) => {
      const report = await observe();
      expect(report).toMatchObject({ waiting: 1, asked: 1, read: 1, invalid: 0, failed: 0, problem: null });
      expect(report.usd).toBeGreaterThan(0);
      expect(await types(annals)).toEqual(['observer.asked', 'observer.replied']);
      expect(await titles(annals)).toEqual(['Frost narrowed the chute', 'Nights are colder than days']);
      const [first] = (await annals.search('frost narrowed')).results;
      expect((await annals.why(first!.id)).events.map(({ type }) => type)).toContain('observer.replied');
      expect(await observe()).toMatchObject({ waiting: 0, asked: 0 });
      const before = await digestsOf(annals);
      await annals.rebuild();
      expect(await digestsOf(annals)).toEqual(before);
      expect(await annals.verify()).toMatchObject(SOUND);
      expect(homes.server.requests).toHaveLength(1);
      expect((await annals.observerCost()).lastDay).toMatchObject({ calls: 1, usd: report.usd });
    });
  });

  test('is asked about once by two calls at the same time', async () => {
    homes.server.answers.push({ text: FROST, usage: USAGE, delayMs: 50 });
    await observed(async (annals, observe) => {
      const reports = await Promise.all([observe(), observe()]);
      expect(reports.map(({ asked }) => asked).sort()).toEqual([0, 1]);
      expect(homes.server.requests).toHaveLength(1);
      expect(await types(annals)).toEqual(['observer.asked', 'observer.replied']);
    });
  });

  test('is not asked about again when the model was changed, unless --again says so', async () => {
    homes.server.answer = () => ({ text: FROST, usage: USAGE });
    await observed(async (annals, observe) => {
      await observe();
      setting(annals, { 'observer.model': 'claude-sonnet-5-5' });
      expect(await observe()).toMatchObject({ waiting: 0, model: 'claude-sonnet-5-5' });
      expect(await observe({ again: true, dryRun: true })).toMatchObject({ waiting: 1 });
    });
  });

  test('is not asked about again when a second channel reports a part of it later', async () => {
    homes.server.answer = () => ({ text: FROST, usage: USAGE });
    await observed(async (annals, observe) => {
      await observe();
      const use = EVENTS.find(({ type }) => type === 'tool.used')!;
      await annals.append([{ ...use, channel: 'hook' } as NewEvent]);
      expect(await observe()).toMatchObject({ waiting: 0 });
    });
  });

  test('that its hooks reported is not asked about again, and keeps its words, when its transcript is read', async () => {
    const script = new Script({ session: SESSION, cwd: '/home/u/feeder', start: START });
    script.prompt('Why does the feeder jam at night?', { promptId: 'first' });
    for (const number of [1, 2, 3]) {
      script.reply(`Now chute ${number}.`);
      const file_path = `/home/u/feeder/${number}.ts`;
      script.use(`toolu_${number}`, 'Edit', { file_path, old_string: '5', new_string: '9' });
      script.result(`toolu_${number}`, 'The file has been updated.');
    }
    script.reply('The chute was too narrow. I widened it to 9 centimetres.');
    const bytes = Buffer.from(script.bytes());
    const calls = hookCalls(bytes, { promptId: true });
    const hooks = calls.flatMap(({ payload, receipt }) => hookEvents(payload, receipt).events);
    homes.server.answer = () => ({ text: FROST, usage: USAGE });
    const work = async (annals: Annals, observe: () => ReturnType<Annals['observe']>) => {
      expect(await observe()).toMatchObject({ read: 1 });
      const before = await titles(annals);
      expect(before).toContain('Frost narrowed the chute');
      await annals.append(readWhole(bytes).newEvents);
      expect(await titles(annals)).toEqual(before);
      expect(await observe()).toMatchObject({ waiting: 0 });
    };
    await observed(work, {}, hooks);
  });

  test('is shown as it would be sent, with its price', async () => {
    await observed(async (annals, observe) => {
      const { requests, asked } = await observe({ dryRun: true });
      expect(asked).toBe(0);
      expect(requests).toEqual([expect.objectContaining({ part: 1, parts: 1 })]);
      expect(requests[0]!.worstUsd).toBeGreaterThan(0);
      expect(requests[0]!.content).toContain('Why does the feeder jam at night?');
      expect(requests[0]!.content).toContain('Expected 9, got 5');
      expect(requests[0]!.content).toContain('<answer>\nThe chute was too narrow.');
      expect(await types(annals)).toEqual([]);
      homes.server.answers.push({ text: FROST, usage: USAGE });
      await observe();
      expect(JSON.stringify(homes.server.requests[0]!.body)).toContain(
        JSON.stringify(requests[0]!.content).slice(1, -1),
      );
    });
  });

  test('is shown with the command line of a shell, and with all that other tools were given', async () => {
    const script = new Script({ session: SESSION, cwd: '/home/u/feeder', start: START, firstUuid: 1_000 });
    script.prompt('Review the chute, please.', { promptId: 'first' });
    script.use('toolu_91', 'shell', { command: ['bash', '-lc', 'make chute'], timeout_ms: 9_000 });
    script.result('toolu_91', 'made');
    script.use('toolu_92', 'task', { command: 'review', prompt: 'Measure it' });
    script.result('toolu_92', 'It is narrow.');
    script.use('toolu_93', 'Edit', { file_path: '/home/u/feeder/a.ts', old_string: '5', new_string: '9' });
    script.result('toolu_93', 'Updated.');
    script.reply('The chute was too narrow. I widened it.');
    await observed(async (annals, observe) => {
      await annals.append(readWhole(script.bytes()).newEvents);
      const { requests } = await observe({ dryRun: true, session: SESSION });
      const [{ content }] = requests as [(typeof requests)[0]];
      expect(content).toContain('<tool name="shell" outcome="ok">\nmake chute\noutput: made\n</tool>');
      expect(content).toContain(
        '<tool name="task" outcome="ok">\ncommand: review\nprompt: Measure it\noutput: It',
      );
    });
  });

  const longTurn = () => {
    const script = new Script({ session: SESSION, cwd: '/home/u/feeder', start: START, firstUuid: 1_000 });
    const edit = (id: string, file: string) => {
      script.use(id, 'Edit', { file_path: `/home/u/feeder/${file}.ts`, old_string: '5', new_string: '9' });
      script.result(id, 'Updated.');
    };
    script.prompt('Widen every chute.', { promptId: 'first' });
    for (let use = 0; use < 85; use++) edit(`toolu_9${use}`, `chute-${use}`);
    script.reply('All chutes are wide now.');
    return readWhole(script.bytes()).newEvents;
  };

  test('of several parts is shown with what the earlier parts came to', async () => {
    homes.server.answer = ({ body }) => {
      const [, part = '0'] = /part="(\d)/.exec(body.messages[0].content) ?? [];
      return { text: `<observation><title>Chutes of part ${part}</title></observation>` };
    };
    await observed(async (annals, observe) => {
      await annals.append(longTurn());
      await observe({ session: SESSION, limit: 2 });
      const contents = homes.server.requests.map(({ body }) => body.messages[0].content as string);
      const titlesIn = (content: string) => /<titles_so_far>\n(.*)\n<\/titles/s.exec(content)?.[1];
      expect(contents.map(titlesIn)).toEqual([undefined, '- Chutes of part 1']);
    });
  });

  test('of several parts is asked again about the one without an answer', async () => {
    const said = '<observation><title>Chutes of a later part</title></observation>';
    homes.server.answers.push({ text: 'I cannot say.' }, { text: said });
    const work = async (
      annals: Annals,
      observe: (options?: ObserveOptions) => ReturnType<Annals['observe']>,
    ) => {
      const { waiting } = await observe({ dryRun: 'price' });
      expect(waiting).toBeGreaterThan(1);
      expect(await observe({ limit: 2 })).toMatchObject({ invalid: 1, read: 1 });
      expect((await titles(annals)).filter((title) => title === 'Chutes of a later part')).toHaveLength(1);
      expect(await observe({ dryRun: 'price' })).toMatchObject({ waiting: waiting - 1 });
    };
    await observed(work, {}, longTurn());
  });

  test('keeps the words of the rules after an invalid answer, and is given up after a second one', async () => {
    homes.server.answer = () => ({ text: 'I cannot say.', usage: USAGE });
    await observed(async (annals, observe) => {
      const before = await titles(annals);
      expect(await observe()).toMatchObject({ asked: 1, invalid: 1 });
      expect(await observe()).toMatchObject({ asked: 1, invalid: 1 });
      expect(await observe()).toMatchObject({ waiting: 0 });
      expect(await titles(annals)).toEqual(before);
    });
  });

  test('that the model refuses to read is given up at once', async () => {
    homes.server.answer = () => ({ text: '', stopReason: 'refusal', usage: USAGE });
    await observed(async (_, observe) => {
      expect(await observe()).toMatchObject({ asked: 1, invalid: 1 });
      expect(await observe()).toMatchObject({ waiting: 0 });
    });
  });
});

describe('failures', () => {
  test('a wrong key stops it, says so, and is not sent again until a person says so', async () => {
    homes.server.key = 'another key of the server';
    await observed(async (annals, observe) => {
      expect(await observe()).toMatchObject({ asked: 1, failed: 1 });
      const { problem } = await observe();
      expect(problem).toContain('refused the key');
      expect(homes.server.requests).toHaveLength(1);
      homes.server.key = SERVER_KEY;
      homes.server.answers.push({ text: FROST, usage: USAGE });
      await annals.append([
        {
          ...{ type: 'observer.switched', agent: 'annals', session: null, channel: 'cli' },
          ...{ occurredAt: Date.now(), dedupeKey: 'retry', body: { on: true, retry: true } },
        },
      ]);
      expect(await observe()).toMatchObject({ asked: 1, read: 1, problem: null });
    });
  });

  test('a wrong key is tried again when another one is in the environment', async () => {
    homes.server.key = 'another key of the server';
    await observed(async (_, observe) => {
      expect(await observe()).toMatchObject({ asked: 1, failed: 1 });
      expect(await observe()).toMatchObject({ asked: 0 });
      process.env.ANNALS_TEST_KEY = 'another-key';
      homes.server.key = 'another-key';
      homes.server.answers.push({ text: FROST, usage: USAGE });
      expect(await observe()).toMatchObject({ asked: 1, read: 1, problem: null });
    });
  });

  test('without a key nothing is asked, and the reason is said', async () => {
    delete process.env.ANNALS_TEST_KEY;
    await observed(async (_, observe) => {
      expect(await observe()).toMatchObject({
        recipe: null,
        asked: 0,
        problem: expect.stringContaining('ANNALS_TEST_KEY'),
      });
    });
  });
});

describe('the budget', () => {
  test('is never passed: a request that was not answered counts with its worst case', async () => {
    await observed(
      async (annals, observe) => {
        const [{ worstUsd }] = (await observe({ dryRun: true })).requests as unknown as [
          { worstUsd: number },
        ];
        expect(worstUsd).toBeGreaterThan(0.001);
        const report = await observe();
        expect(report).toMatchObject({ asked: 0, problem: expect.stringContaining('$0.001') });
        expect(await types(annals)).toEqual([]);
      },
      { 'observer.usdPerDay': 0.001 },
    );
    expect(homes.server.requests).toEqual([]);
  });
});
