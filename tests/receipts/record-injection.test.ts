// What a session was given is an event: it names items, and nothing of the text is kept or found.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LogEvent } from '../../log/index.ts';
import { hooks } from '../../src/agents/claude-code/hooks.ts';
import type { Annals, OpenOptions } from '../../src/api.ts';
import { answerToStart } from '../../src/brief/start-answer.ts';
import { openAnnals } from '../../src/index.ts';
import { testFolder } from '../helpers/views.ts';
import { fixedFeeder } from '../projections/context/sessions.ts';

const CWD = '/home/u/app';

async function opened(options: OpenOptions = {}): Promise<Annals> {
  const folder = await testFolder();
  await mkdir(join(folder, 'transcripts'));
  await writeFile(join(folder, 'transcripts/one.jsonl'), fixedFeeder());
  const annals = await openAnnals({ home: join(folder, 'home'), ...options });
  onTestFinished(() => annals.close());
  await annals.import([join(folder, 'transcripts')]);
  return annals;
}

async function started(annals: Annals, session: string) {
  const start = { cwd: CWD, kind: 'startup', id: session } as const;
  const { output, injection } = await answerToStart({ name: 'claude-code', hooks }, start, annals);
  await annals.recordInjection(injection!);
  return { output, text: injection!.text };
}

async function injections(annals: Annals): Promise<LogEvent<'context.injected'>[]> {
  const events: LogEvent<'context.injected'>[] = [];
  for await (const event of annals.log({ type: 'context.injected' }))
    if (event.type === 'context.injected') events.push(event);
  return events;
}

test('the start of a session is recorded with the items that its text shows', async () => {
  const annals = await opened();
  const { output, text } = await started(annals, 'next');
  const [event] = await injections(annals);
  expect(event).toMatchObject({ agent: 'claude-code', session: 'next', channel: 'hook' });
  expect(event!.body).toMatchObject({ occasion: 'startup', cwd: CWD, tokens: Math.ceil(text.length / 4) });
  expect(event!.body.hash).toMatch(/^[0-9a-f]{64}$/);
  const items = event!.body.items!;
  expect(items.map(({ id }) => id[0])).toEqual(['y', 'o']);
  for (const { id, events } of items) {
    expect(output).toContain(id.slice(0, 8));
    const { events: all } = await annals.get(id);
    expect(events.length).toBeGreaterThan(0);
    expect(all).toEqual(expect.arrayContaining(events as string[]));
  }
  expect(items[1]).toMatchObject({ files: ['clock.ts'], commands: ['npm test'] });
});

test('it makes no session, no document and no search result', async () => {
  const annals = await opened();
  const before = await annals.stats();
  await started(annals, 'next');
  const after = await annals.stats();
  expect({ ...after, events: 0 }).toEqual({ ...before, events: 0 });
  expect((await annals.list('session')).items.map(({ id }) => id)).not.toContain('next');
  expect((await annals.context({ cwd: CWD })).text).toBe((await annals.context({ cwd: CWD })).text);
});

test('a text that shows a forgotten item leaves no hash and no names', async () => {
  const annals = await opened();
  await started(annals, 'next');
  const [{ body }] = (await injections(annals)) as [LogEvent<'context.injected'>];
  const id = body.items![1]!.id;
  const { plan } = await annals.forget({ ids: [id] });
  expect(plan.kinds).toContainEqual(expect.objectContaining({ kind: 'injection', count: 1 }));
  expect(await injections(annals)).toEqual([]);
});
