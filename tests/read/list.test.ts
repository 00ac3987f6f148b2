// Lists of what is remembered, newest first, page by page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LIST_KINDS } from '../../src/api.ts';
import type { Annals, ListKind, ListOptions } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';
import { Script } from '../helpers/transcripts.ts';

const folder = sharedFolder('list');
const SESSIONS = [1, 2, 3, 4].map((number) => `${number}${'1'.repeat(7)}-2222-4333-8444-555555555555`);
const START = Date.UTC(2026, 4, 4);
const DAY = 86_400_000;

/** Four sessions in two folders, each with two turns; the last one begins with a private turn. */
function transcripts(): readonly string[] {
  const source = join(folder, 'transcripts');
  mkdirSync(source, { recursive: true });
  return SESSIONS.map((session, index) => {
    const script = new Script({
      session,
      cwd: index % 2 === 0 ? '/home/u/feeder' : '/home/u/pond',
      start: START + index * DAY,
      firstUuid: 1 + index * 1_000,
    });
    if (index === 3) {
      script.prompt('<private>the axolotl</private>');
      script.reply('Noted.');
    }
    for (const turn of [1, 2]) {
      script.prompt(`Request ${turn} of session ${index}: widen the chute`);
      script.use(`toolu_${index}_${turn}`, 'Edit', {
        file_path: `/home/u/feeder/chute-${turn}.ts`,
        old_string: '5',
        new_string: '9',
      });
      script.result(`toolu_${index}_${turn}`, 'The file has been updated.');
      script.reply('The chute was too narrow because frost builds up in it. I widened it to 9 centimetres.');
    }
    const path = join(source, `${session}.jsonl`);
    writeFileSync(path, script.bytes());
    return path;
  });
}

async function filled<T>(name: string, work: (annals: Annals) => Promise<T>): Promise<T> {
  return withHome(join(folder, name), async (annals) => {
    await annals.import(transcripts());
    for (const day of [0, 2])
      await annals.save({
        title: `Saved ${day}`,
        text: 'The chute is 9 cm.',
        project: 'feeder',
        at: START + day * DAY,
      });
    return work(annals);
  });
}

async function pages<K extends ListKind>(annals: Annals, kind: K, options: ListOptions) {
  const items = [];
  let after: string | undefined;
  for (let page = 0; page < 100; page++) {
    const { items: some, next } = await annals.list(kind, {
      ...options,
      ...(after === undefined ? {} : { after }),
    });
    items.push(...some);
    if (next === null) return items;
    after = next;
  }
  throw new Error('The list has no end.');
}

describe('a list', () => {
  test('of sessions begins with the newest and has their counts', () =>
    filled('sessions', async (annals) => {
      const { items, next } = await annals.list('session');
      expect(items.map(({ id }) => id)).toEqual([...SESSIONS].reverse());
      expect(next).toBeNull();
      expect(items[3]).toMatchObject({
        agent: 'claude-code',
        title: 'Request 1 of session 0: widen the chute',
        project: 'feeder',
        workdir: '/home/u/feeder',
        startedAt: '2026-05-04T00:00:01.000Z',
        turns: 2,
        counts: { prompts: 2, toolUses: 2, failed: 0 },
      });
      // It begins with a private turn.
      expect(items[0]!.title).toBe('Request 1 of session 3: widen the chute');
    }));

  test('of sessions has one that goes on before those that began and ended meanwhile, on its first page', () =>
    filled('last', async (annals) => {
      const prompt = { kind: 'prompt', agent: 'api', cwd: '/home/u/feeder' } as const;
      const report = (session: string, day: number) =>
        annals.report({ ...prompt, session, text: `Close lid ${day}`, at: START + day * DAY });
      await report('long-1', 5);
      await report('short-1', 6);
      await report('long-1', 9);
      const { items } = await annals.list('session', { limit: 1 });
      expect(items.map(({ id, title }) => [id, title])).toEqual([['long-1', 'Close lid 5']]);
      const all = await pages(annals, 'session', { limit: 1 });
      expect(all.map(({ id }) => id)).toEqual(['long-1', 'short-1', ...[...SESSIONS].reverse()]);
    }));

  test('of turns has each prompt, and nothing of a private one', () =>
    filled('turns', async (annals) => {
      const { items } = await annals.list('turn', { session: SESSIONS[3]! });
      expect(items.map(({ prompt, private: isPrivate }) => [prompt?.title ?? null, isPrivate])).toEqual([
        ['Request 2 of session 3: widen the chute', false],
        ['Request 1 of session 3: widen the chute', false],
        [null, true],
      ]);
      // As in the list of sessions, whichever turn it is.
      const title = 'Request 1 of session 3: widen the chute';
      expect(items.map(({ sessionTitle }) => sessionTitle)).toEqual([title, title, title]);
    }));

  test('of what turns made has the complete items', () =>
    filled('derived', async (annals) => {
      const observations = (await annals.list('observation')).items;
      const summaries = (await annals.list('summary')).items;
      const prompts = (await annals.list('prompt')).items;
      const memories = (await annals.list('memory')).items;
      expect([observations, summaries, prompts, memories].map(({ length }) => length)).toEqual([8, 8, 8, 2]);
      expect(observations[0]).toMatchObject({
        session: SESSIONS[3],
        project: 'pond',
        filesModified: [expect.any(String)],
      });
      expect(summaries[0]).toMatchObject({
        request: 'Request 2 of session 3: widen the chute',
        requestBy: 'person',
      });
      expect(prompts[0]).toMatchObject({ text: 'Request 2 of session 3: widen the chute', plan: false });
      expect(memories.map(({ title, text }) => [title, text])).toEqual([
        ['Saved 2', 'The chute is 9 cm.'],
        ['Saved 0', 'The chute is 9 cm.'],
      ]);
      for (const { id } of [...observations, ...summaries, ...prompts, ...memories])
        expect((await annals.get(id)).id).toBe(id);
    }));

  test('read in pages is the list read at once, for every kind and filter', () =>
    filled('pages', async (annals) => {
      for (const kind of LIST_KINDS)
        for (const filter of [
          {},
          { project: 'feeder' },
          { session: SESSIONS[1]! },
          { session: SESSIONS[1]!.slice(0, 9) },
        ]) {
          const whole = (await annals.list(kind, { ...filter, limit: 1_000 })).items;
          expect(await pages(annals, kind, { ...filter, limit: 1 })).toEqual(whole);
          expect(await pages(annals, kind, { ...filter, limit: 3 })).toEqual(whole);
          if ('project' in filter)
            expect(new Set(whole.map(({ project }) => project))).toEqual(new Set(['feeder']));
        }
    }));

  test('of a session in another project is empty', () =>
    filled('other', async (annals) => {
      for (const kind of LIST_KINDS)
        expect((await annals.list(kind, { project: 'pond', session: SESSIONS[0]! })).items).toEqual([]);
    }));

  test('does not hold what was forgotten', () =>
    filled('forgotten', async (annals) => {
      await annals.forget({ session: SESSIONS[2]! });
      for (const kind of LIST_KINDS) {
        const { items } = await annals.list(kind, { limit: 1_000 });
        expect(JSON.stringify(items)).not.toContain(SESSIONS[2]);
      }
    }));

  test('refuses an unknown kind, a wrong cursor, an unknown session and an ambiguous one', () =>
    filled('refused', async (annals) => {
      const { next } = await annals.list('prompt', { limit: 1 });
      const codeOf = (call: Promise<unknown>) => call.catch(({ code }: { code: string }) => code);
      expect(await codeOf(annals.list('tool' as ListKind))).toBe('USAGE');
      expect(await codeOf(annals.list('prompt', { after: 'nonsense' }))).toBe('USAGE');
      expect(await codeOf(annals.list('turn', { after: next! }))).toBe('USAGE');
      expect(await codeOf(annals.list('turn', { session: 'nobody' }))).toBe('NOT_FOUND');
      expect(await codeOf(annals.list('turn', { project: 'nothing' }))).toBe('NOT_FOUND');
    }));
});

test('stats count what the lists hold', () =>
  filled('stats', async (annals) => {
    const stats = await annals.stats();
    const count = async (kind: ListKind) => (await annals.list(kind, { limit: 1_000 })).items.length;
    expect(stats.sessions).toBe(await count('session'));
    expect(stats.turns).toBe(await count('turn'));
    expect(stats.documents.observation).toBe(await count('observation'));
    expect(stats.documents.summary).toBe(await count('summary'));
    expect(stats.documents.prompt).toBe(await count('prompt'));
    expect(stats.documents.memory).toBe(await count('memory'));
    expect(
      stats.projects.map(({ name, sessions, lastAt }) => [name, sessions, lastAt?.slice(0, 10)]),
    ).toEqual([
      ['feeder', 2, '2026-05-06'],
      ['pond', 2, '2026-05-07'],
    ]);
    expect(stats.from).toBe('2026-05-04T00:00:01.000Z');
  }));

test('an empty home has empty lists', () =>
  withHome(join(folder, 'empty'), async (annals) => {
    for (const kind of LIST_KINDS) expect(await annals.list(kind)).toEqual({ items: [], next: null });
    expect(await annals.stats()).toMatchObject({ sessions: 0, from: null, to: null, projects: [] });
  }));
