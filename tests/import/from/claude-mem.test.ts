import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { type Annals, openAnnals, restoreAnnals } from '../../../src/index.ts';
import { claudeMemDatabase, FOLDER, observation, SESSION, withDatabase } from './claude-mem-database.ts';

let folder: string;
let database: string;
let annals: Annals;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'annals-test-'));
  database = join(folder, 'claude-mem.db');
  annals = await openAnnals({ home: join(folder, 'home') });
});

afterEach(async () => {
  await annals.close();
  rmSync(folder, { recursive: true });
});

const importAll = (path = database) => annals.importFrom('claude-mem', [path]);

async function found(words: string): Promise<string | undefined> {
  return (await annals.search(words)).results[0]?.title;
}

describe('a database of claude-mem', () => {
  test('is imported completely, and each memory is found by its own words', async () => {
    claudeMemDatabase(database, 3);
    const { kinds, appended, skipped, unreadable } = await importAll();
    const all = { read: 3, new: 3, changed: 0, unchanged: 0, forgotten: 0 };
    expect(kinds).toEqual({ observation: all, summary: all, prompt: all });
    expect([appended, skipped, unreadable]).toEqual([9, {}, []]);
    for (const number of [1, 2, 3]) {
      expect(await found(`nuthatch${number}`)).toBe(`The kestrel${number} clock drifts`);
      expect(await found(`auger${number}`)).toBe(`Mend the hopper${number}`);
      expect(await found(`starling${number}`)).toBe(`Why does the starling${number} lie?`);
    }
  });

  test('adds nothing when it is imported again, also from another place', async () => {
    claudeMemDatabase(database);
    await importAll();
    const again = await importAll();
    expect(again.appended).toBe(0);
    expect(again.kinds.observation).toEqual({ read: 3, new: 0, changed: 0, unchanged: 3, forgotten: 0 });
    const copy = join(folder, 'backup.db');
    writeFileSync(copy, readFileSync(database));
    expect((await importAll(copy)).appended).toBe(0);
  });

  test('gives a changed memory a new version, and search finds only that one', async () => {
    claudeMemDatabase(database);
    await importAll();
    withDatabase(database, (open) =>
      open.exec("UPDATE observations SET narrative = 'Dunnock.' WHERE id = 1"),
    );
    const { kinds } = await importAll();
    expect(kinds.observation).toMatchObject({ changed: 1, unchanged: 2, new: 0 });
    const { results } = await annals.search('kestrel1 kind:imported');
    expect(results.filter(({ title }) => title === 'The kestrel1 clock drifts')).toHaveLength(1);
    const item = await annals.get(results[0]!.id);
    expect(item.text).toContain('Dunnock.');
    expect(item.text).not.toContain('nuthatch1');
    expect(item.events).toHaveLength(2);
  });

  test('says where a memory comes from, and that a model wrote it', async () => {
    claudeMemDatabase(database);
    await importAll();
    const { results } = await annals.search('nuthatch1');
    const { id, kind, type, session } = results[0]!;
    expect([kind, type, session]).toEqual(['imported', 'discovery', SESSION]);
    expect(await annals.get(id)).toMatchObject({
      title: 'The kestrel1 clock drifts',
      text: expect.stringContaining('Fact: It drifts 1 s a day'),
      files: ['src/clock.ts', 'src/read.ts'],
      details: {
        from: 'claude-mem, observation 1, written 2026-03-04T05:06:07.001Z',
        author: 'agent',
        file: database,
      },
    });
    const why = await annals.why(id);
    expect(why.steps.slice(1)).toEqual([
      'imported from claude-mem, observation 1, written 2026-03-04T05:06:07.001Z; an agent or the tool’s own model wrote it',
      `it was read from ${database}`,
      `there it belongs to session ${SESSION}`,
      `there it belongs to the folder ${FOLDER}`,
    ]);
    expect(why.events.map(({ type: of, channel }) => [of, channel])).toEqual([['import.memory', 'import']]);
  });

  test('belongs to the folder of its session, and to the named project where no folder is known', async () => {
    claudeMemDatabase(database);
    await importAll();
    for (const words of ['nuthatch1', 'nuthatch2'])
      expect((await annals.search(words, { project: 'birdfeeder' })).results[0]?.title).toContain('kestrel');
    expect((await annals.status()).projects.map(({ name }) => name)).toEqual(['birdfeeder']);
    withDatabase(database, (open) => open.exec('DELETE FROM tool_uses'));
    expect((await importAll()).appended).toBe(0);
    // The folder of the database is none of its memories'.
    await annals.close();
    writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify({ exclude: [folder] }));
    annals = await openAnnals({ home: join(folder, 'home') });
    expect(await importAll()).toMatchObject({ appended: 0, skipped: {} });
  });

  test('is forgotten with proof, and is not stored again by a later import', async () => {
    claudeMemDatabase(database);
    await importAll();
    const id = (await annals.search('nuthatch1')).results[0]!.id;
    const { proof } = await annals.forget({ ids: [id] });
    expect(proof).toMatchObject({ ok: true, found: [] });
    const again = await importAll();
    expect(again.appended).toBe(0);
    expect(again.kinds.observation).toMatchObject({ forgotten: 1, unchanged: 2 });
    withDatabase(database, (open) =>
      open.exec("UPDATE observations SET narrative = 'Dunnock.' WHERE id = 1"),
    );
    expect((await importAll()).kinds.observation).toMatchObject({ forgotten: 1, changed: 0 });
    expect((await annals.search('nuthatch1')).results.map((one) => one.id)).not.toContain(id);
  });

  test('is forgotten in all versions, also in one that only another log has', async () => {
    claudeMemDatabase(database, 1);
    await importAll();
    const { results } = await annals.search('nuthatch1');
    const [event] = (await annals.why(results[0]!.id)).events;
    await annals.forget({ ids: [results[0]!.id] });
    const { type, agent, session, channel, occurredAt, body, dedupeKey } = event!;
    const later = {
      ...{ type, agent, session, channel, occurredAt, body },
      dedupeKey: dedupeKey.replace(/1$/, '2'),
    };
    expect(await annals.append([later as NewEvent])).toMatchObject([{ outcome: 'forgotten' }]);
  });

  test('is forgotten with its session, and a later import does not bring it back', async () => {
    await annals.append([
      {
        type: 'prompt.submitted',
        agent: 'claude-code',
        session: SESSION,
        dedupeKey: 'line-1',
        channel: 'transcript',
        occurredAt: 5,
        body: { text: 'Look at the roof', via: 'line', uuid: 'line-1', cwd: FOLDER },
      },
    ]);
    claudeMemDatabase(database);
    await importAll();
    await annals.forget({ session: SESSION });
    expect((await annals.search('nuthatch1 nuthatch3')).results.map(({ session }) => session)).not.toContain(
      SESSION,
    );
    const { kinds, appended } = await importAll();
    expect(appended).toBe(0);
    expect(kinds).toMatchObject({
      observation: { forgotten: 2 },
      summary: { forgotten: 3 },
      prompt: { forgotten: 2 },
    });
    withDatabase(database, (open) => observation(open, 5));
    expect((await importAll()).kinds.observation).toMatchObject({ forgotten: 3, new: 0 });
  });

  test('is the same after a rebuild, at an earlier time, and in a restored home', async () => {
    claudeMemDatabase(database);
    const { log } = await annals.status();
    await importAll();
    const replayed = await annals.replay({ from: 0 });
    expect(replayed.views.filter(({ changed }) => changed)).toEqual([]);
    expect((await annals.search('nuthatch1', { asOf: log.events })).results).toEqual([]);
    await annals.export(join(folder, 'export'));
    await restoreAnnals(join(folder, 'export'), { home: join(folder, 'restored') });
    const restored = await openAnnals({ home: join(folder, 'restored') });
    expect((await restored.search('nuthatch1')).results[0]?.id).toBe(
      (await annals.search('nuthatch1')).results[0]?.id,
    );
    await restored.close();
  });

  test('is imported without secrets and private parts', async () => {
    claudeMemDatabase(database);
    withDatabase(database, (open) => {
      open.exec("UPDATE user_prompts SET prompt_text = 'Fix it <private>the siskin</private>' WHERE id = 1");
      open.exec("UPDATE user_prompts SET prompt_text = '<private>all of it</private>' WHERE id = 2");
      open.exec(`UPDATE observations SET narrative = 'ghp_${'a1B2'.repeat(9)} works' WHERE id = 1`);
    });
    const { skipped, kinds } = await importAll();
    expect(skipped).toEqual({ 'it has no text, or only private text': 1 });
    expect(kinds.prompt).toMatchObject({ read: 3, new: 2 });
    const bodies: string[] = [];
    for await (const event of annals.log()) bodies.push(JSON.stringify(event.body));
    expect(bodies.join('\n')).not.toMatch(/siskin|all of it|ghp_a1B2/);
  });

  test('in use by claude-mem is read with what its write-ahead file holds, and is not touched', async () => {
    const live = join(folder, 'live', 'claude-mem.db');
    mkdirSync(dirname(live));
    claudeMemDatabase(live, 2);
    withDatabase(live, (open) => {
      open.exec('PRAGMA locking_mode = EXCLUSIVE');
      open.exec('PRAGMA journal_mode = WAL');
      observation(open, 3);
      for (const end of ['', '-wal']) copyFileSync(`${live}${end}`, `${database}${end}`);
    });
    const files = () =>
      ['', '-wal'].map((end) => readFileSync(`${database}${end}`).toString('base64')).join(' ');
    const before = files();
    expect((await importAll()).kinds.observation).toMatchObject({ new: 3 });
    expect(await found('nuthatch3')).toBe('The kestrel3 clock drifts');
    expect(files()).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(['claude-mem.db', 'claude-mem.db-wal', 'home', 'live']);
  });
});

describe('what is no database of claude-mem', () => {
  const refusedWith = async (content: Buffer | string, reason: RegExp) => {
    writeFileSync(database, content);
    await expect(importAll()).rejects.toMatchObject({
      code: 'INPUT_UNREADABLE',
      message: expect.stringMatching(reason),
    });
  };

  test('is refused with the reason: missing, empty, text, cut off, another program’s', async () => {
    await expect(importAll()).rejects.toThrow(/does not exist/);
    await refusedWith('', /it is empty/);
    await refusedWith('{"type":"user"}\n'.repeat(100), /not a SQLite database, or it is encrypted/);
    await refusedWith('SQLite format 3\0', /cannot be read as a SQLite database/);
    rmSync(database);
    withDatabase(database, (open) => open.exec('CREATE TABLE notes (text TEXT)'));
    await expect(importAll()).rejects.toThrow(/not claude-mem's/);
  });

  test('a view in the place of a table is not read: it could compute without end', async () => {
    withDatabase(database, (open) =>
      open.exec(`CREATE VIEW observations AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
        SELECT id, 'x' AS narrative FROM n`),
    );
    await expect(importAll()).rejects.toThrow(/not claude-mem's/);
  });

  test('values of any type in any column are read as far as they are texts', async () => {
    withDatabase(database, (open) => {
      open.exec('CREATE TABLE observations (id, title, narrative, facts, concepts, created_at_epoch)');
      open.exec(`INSERT INTO observations VALUES (x'00ff', 7, 'A finch', '{"a":1', 5, 'soon'),
        (NULL, NULL, NULL, NULL, NULL, 1e300), ('a', 'Wren', x'fffe', '[1,["b"],null]', '[]', 9e15)`);
    });
    const { kinds, skipped } = await importAll();
    expect(kinds.observation).toMatchObject({ read: 3, new: 2 });
    expect(skipped).toEqual({ 'it has no text, or only private text': 1 });
    expect(await found('finch')).toContain('A finch');
  });

  test('a damaged table is imported up to the damage, which is reported', async () => {
    claudeMemDatabase(database, 400);
    const bytes = readFileSync(database);
    // Pages in the middle of the file.
    bytes.fill(
      0xff,
      Math.floor(bytes.length / 8192 / 2) * 8192,
      Math.floor(bytes.length / 8192 / 2) * 8192 + 40_960,
    );
    writeFileSync(database, bytes);
    const { unreadable, appended } = await importAll();
    expect(unreadable[0]?.reason).toMatch(/^is damaged: of the table \w+ only \d+ rows could be read/);
    expect(appended).toBeGreaterThan(300);
    expect(existsSync(database)).toBe(true);
  });
});
