// Items without a time are in no span of time; `why` lists events in log order.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

test('why lists its events in log order', () =>
  withSession(async (annals) => {
    const { rows } = await annals.timeline({});
    const whys = await Promise.all(rows.map(({ id }) => annals.why(id)));
    const most = whys.sort((a, b) => b.events.length - a.events.length)[0]!;
    const positions = most.events.map(({ position }) => position);
    expect(positions.length).toBeGreaterThan(4);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  }));
