// Items without a time are in no span of time; `why` lists events in log order.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIST_KINDS } from '../../src/api.ts';
import { type Annals, openAnnals } from '../../src/index.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

async function withSession(work: (annals: Annals, session: string) => Promise<void>): Promise<void> {
  const folder = await testFolder();
  const script = new Script({ start: Date.UTC(2026, 2, 1) });
  script.prompt('Make the hatch faster');
  for (let use = 0; use < 6; use++) {
    script.use(`toolu_${use}`, 'Edit', { file_path: `/home/u/hatch-${use}.ts` });
    script.result(`toolu_${use}`, 'done', {}, {});
  }
  script.reply('It is twice as fast now.');
  script.prompt('Thank the heron');
  const lines = script.bytes().toString().trimEnd().split('\n');
  const { timestamp: _, ...undated } = JSON.parse(lines.at(-1)!) as Record<string, unknown>;
  writeFileSync(
    join(folder, 'session.jsonl'),
    `${[...lines.slice(0, -1), JSON.stringify(undated)].join('\n')}\n`,
  );
  const annals = await openAnnals({ home: join(folder, 'home') });
  try {
    await annals.import([join(folder, 'session.jsonl')]);
    await work(annals, script.session);
  } finally {
    await annals.close();
  }
}

const titles = async (annals: Annals, options: Parameters<Annals['timeline']>[0]) =>
  (await annals.timeline(options)).rows.map(({ title }) => title).join('\n');

test('the timeline of a session shows items without a time, but not within a span', () =>
  withSession(async (annals, session) => {
    expect(await titles(annals, { session })).toContain('heron');
    const within = await titles(annals, { session, since: '2026-02-01', until: '2026-04-01' });
    expect(within).toContain('hatch');
    expect(within).not.toContain('heron');
  }));

test('forgetting everything before a time uses the time of recording for events without a time', () =>
  withSession(async (annals, session) => {
    await annals.forget({ before: '2026-04-01' });
    const left = await titles(annals, { session });
    expect(left).toContain('heron');
    expect(left).not.toContain('hatch');
  }));

/** A transcript without any time, as Cursor writes them. */
function withoutTimes(session: string, prompts: readonly string[]): string {
  const script = new Script({ session });
  for (const [index, prompt] of prompts.entries()) {
    script.prompt(prompt);
    script.use(`toolu_${session}_${index}`, 'Edit', { file_path: `/home/u/${session}-${index}.ts` });
    script.result(`toolu_${session}_${index}`, 'done', {}, {});
    script.reply(`Done: number ${index} of ${session}.`);
  }
  const lines = script.bytes().toString().trimEnd().split('\n');
  return lines.map((line) => `${JSON.stringify({ ...JSON.parse(line), timestamp: undefined })}\n`).join('');
}

const PROMPTS = ['first', 'second', 'third', 'fourth', 'fifth'].map(
  (one) => `Mend the ${one} hatch of the boat`,
);

async function withUndated(
  sessions: readonly string[],
  work: (annals: Annals) => Promise<void>,
): Promise<void> {
  const folder = await testFolder();
  const paths = sessions.map((session) => join(folder, `${session}.jsonl`));
  for (const [index, path] of paths.entries()) writeFileSync(path, withoutTimes(sessions[index]!, PROMPTS));
  const annals = await openAnnals({ home: join(folder, 'home') });
  try {
    await annals.import(paths);
    await work(annals);
  } finally {
    await annals.close();
  }
}

test('a session without times is in the order of its transcript everywhere', () =>
  withUndated(['heron'], async (annals) => {
    const asked = (text: string) => [...text.matchAll(/Mend the (\w+) hatch/g)].map(([, which]) => which);
    const timeline = await annals.timeline({ session: 'heron' });
    expect(
      asked(timeline.rows.flatMap((row) => (row.kind === 'prompt' ? [row.title] : [])).join('\n')),
    ).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    const third = timeline.rows.find((row) => row.kind === 'prompt' && row.title.includes('third'))!;
    const around = await annals.timeline({ around: third.id, before: 1, after: 1 });
    expect(around.rows).toHaveLength(3);
    expect(around.rows[1]!.id).toBe(third.id);
    const { items } = await annals.list('turn');
    expect(asked(items.map((turn) => turn.prompt?.title ?? '').join('\n'))).toEqual([
      'fifth',
      'fourth',
      'third',
      'second',
      'first',
    ]);
    for (const kind of LIST_KINDS) {
      const whole = (await annals.list(kind)).items;
      const paged = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { items: page, next } = await annals.list(kind, { limit: 2, ...(after && { after }) });
        paged.push(...page);
        after = next;
      }
      expect(paged).toEqual(whole);
    }
    const { text } = await annals.context({ cwd: '/home/u/app' });
    expect(text).toContain('Where the last session stopped');
    expect(asked(/- Asked: .*/.exec(text)![0])).toEqual(['fifth']);
  }));

test('of several sessions without times none is called the last', () =>
  withUndated(['heron', 'egret'], async (annals) => {
    const { text } = await annals.context({ cwd: '/home/u/app' });
    expect(text).toContain('Where a session stopped; which was the last is unknown');
    expect(text).not.toMatch(/newest first|last session/);
  }));

test('why lists its events in log order', () =>
  withSession(async (annals) => {
    const { rows } = await annals.timeline({});
    const whys = await Promise.all(rows.map(({ id }) => annals.why(id)));
    const most = whys.sort((a, b) => b.events.length - a.events.length)[0]!;
    const positions = most.events.map(({ position }) => position);
    expect(positions.length).toBeGreaterThan(4);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  }));
