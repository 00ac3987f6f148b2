// Places where forgotten text could remain unnoticed. Each test covers a line of code that could be removed without any
// other test failing.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { walData } from '../../log/index.ts';
import type { MemoryDocument } from '../../projections/index.ts';
import { prove } from '../../src/forget/forget-proof.ts';
import { vectorsOfForgotten } from '../../src/forget/forgotten-vectors.ts';
import type { Home } from '../../src/home/home.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { asLog, fakeLog } from '../helpers/fake-log.ts';
import { waiting } from '../helpers/spool.ts';
import { counts, prompt } from '../helpers/toy-projectors.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';

const folder = sharedFolder('forget-leftovers');

test('dead letters of forgotten events are removed, others stay', async () => {
  const log = fakeLog();
  const [one] = await log.append([prompt('session-1', 'one', 'poison one')]);
  const [other] = await log.append([prompt('session-1', 'other', 'poison other')]);
  const fold: typeof counts.fold = async () => {
    throw new TypeError('cannot be folded');
  };
  const runner = await testRunner({
    log: asLog(log),
    generations: memoryGenerations(),
    projectors: [{ ...counts, fold }],
  });
  await runner.catchUp();
  expect((await runner.deadLetters()).map(({ subject }) => subject).sort()).toEqual(
    [one!.id, other!.id].sort(),
  );
  await runner.scrub(new Set([one!.id]));
  expect((await runner.deadLetters()).map(({ subject }) => subject)).toEqual([other!.id]);
  expect(runner.states()).toMatchObject([{ deadLetters: 1 }]);
});

test('vectors of short neighbours are forgotten too, because they include the forgotten title', async () => {
  const document = (id: string, fields: Partial<MemoryDocument>): MemoryDocument =>
    ({
      id,
      title: `title of ${id}`,
      events: [`event of ${id}`],
      tokens: 500,
      neighbours: [],
      ...fields,
    }) as MemoryDocument;
  const documents = [
    document('gone', {}),
    document('short', { tokens: 3, neighbours: ['title of gone'] }),
    document('long', { tokens: 500, neighbours: ['title of gone'] }),
    document('apart', { tokens: 3, neighbours: ['title of long'] }),
  ];
  const vector = (id: string) => ({
    recipe: 'r',
    dim: 1,
    salt: 's',
    event: 'vectors',
    input: id,
    vector: `v-${id}`,
  });
  const views = {
    turns: { range: async (prefix: string) => documents.map(({ id }) => [`${prefix}${id}/r`, vector(id)]) },
    memory: {
      range: async (prefix: string) => documents.map(({ id }) => [`${prefix}turn/${id}`, 1]),
      get: async () => undefined,
      getMany: async (keys: readonly string[]) =>
        keys.map(
          (key) =>
            documents.find(({ id }) => key.endsWith(id)) && {
              ...document('', {}),
              ...documents.find(({ id }) => key.endsWith(id)),
              event: 'vectors',
            },
        ),
    },
  } as unknown as Home['views'];
  const workdirs = [{ agent: 'claude-code', session: 's' }];
  const found = await vectorsOfForgotten(new Set(['event of gone']), workdirs, { views });
  expect(found.events).toEqual(['vectors']);
  expect([...found.vectors].sort()).toEqual(['v-gone', 'v-short']);
  expect(found.recordedAgain.flatMap(({ body }) => body.documents.map(({ id }) => id)).sort()).toEqual([
    'apart',
    'long',
  ]);
});

test('the proof finds a text that a write-ahead file holds in two fragments', async () => {
  const home = join(folder, 'wal');
  mkdirSync(home, { recursive: true });
  const needle = 'the quokka sleeps at the harbour';
  const level = new Level<string, string>(join(home, 'log'));
  // A fragment of the file has 32 KiB including its header: the needle crosses the end of the first one.
  await level.put('key', `${'-'.repeat(32_768 - 50)}${needle}${'-'.repeat(100)}`);
  await level.close();
  writeFileSync(join(home, 'control'), 'the control of the proof');
  const name = readdirSync(join(home, 'log')).find((one) => one.endsWith('.log'))!;
  const file = readFileSync(join(home, 'log', name));
  expect([file.includes(needle), walData(file).includes(needle)]).toEqual([false, true]);
  const proof = await prove(home, [needle], 'the control of the proof');
  expect(proof.found).toEqual([{ needle, file: join('log', name) }]);
  expect([proof.control.found, proof.ok]).toEqual([true, false]);
});

test('a spool file is found in whatever way its JSON escapes the text, by the proof too', async () => {
  const home = join(folder, 'escapes');
  const text = 'пароль <b>/srv/quokka</b> "секретный" 🐨 & конец';
  const escaped = (json: string, which: RegExp) =>
    json.replace(which, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const forms = {
    plain: (json: string) => json,
    ascii: (json: string) => escaped(json, /[\u0080-\uffff]/g),
    upper: (json: string) =>
      escaped(json, /[\u0080-\uffff]/g).replace(/[0-9a-f]{4}/g, (hex) => hex.toUpperCase()),
    html: (json: string) => escaped(json, /[<>&]/g),
    slashes: (json: string) => json.replaceAll('/', '\\/'),
  };
  const bad = join(home, 'spool', 'bad');
  await withHome(home, async (annals) => {
    const [outcome] = await annals.append([{ ...prompt('session-1', 'one', text), channel: 'transcript' }]);
    mkdirSync(bad, { recursive: true });
    for (const [name, form] of Object.entries(forms))
      writeFileSync(join(bad, name), `annals: torn\n${form(JSON.stringify({ prompt: text }))}\n`);
    writeFileSync(join(bad, 'other'), 'annals: torn\n{"prompt":"C:\\\\u0430 stays, \\Users too"}\n');
    const needle = JSON.stringify(text).slice(1, -1);
    expect((await prove(home, [needle], 'torn')).found.map(({ file }) => file)).toEqual(
      expect.arrayContaining(Object.keys(forms).map((name) => join('spool', 'bad', name))),
    );
    const report = await annals.forget({ ids: [outcome!.id] });
    expect(report).toMatchObject({ plan: { spoolFiles: 5 }, proof: { ok: true } });
    expect(readdirSync(bad)).toEqual(['other']);
  });
});

test('vectors on disk are removed if no embedder can bring them up to date', async () => {
  const home = join(folder, 'without-embedder');
  const vectors = () => readdirSync(join(home, 'views', 'vectors'));
  await withHome(home, async (annals) => {
    await annals.save({ title: 'One', text: 'The quokka sleeps.' });
    await annals.search('quokka');
  });
  expect(vectors()).toHaveLength(1);
  writeFileSync(join(home, 'config.json'), '{ "embedder": "none" }');
  await withHome(home, (annals) => annals.forget({ query: 'quokka sleeps' }));
  expect(vectors()).toEqual([]);
});

test('nothing is forgotten while the log is damaged, and no spool file is removed', async () => {
  const home = join(folder, 'damaged');
  await withHome(home, async (annals) => {
    await annals.save({ title: 'One', text: 'The quokka sleeps.' });
  });
  const head = JSON.parse(readFileSync(join(home, 'head.json'), 'utf8'));
  writeFileSync(join(home, 'head.json'), JSON.stringify({ ...head, position: head.position + 1_000 }));
  mkdirSync(join(home, 'spool/bad'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'spool/bad/c-0'), 'What of the quokka sleeps now?', { mode: 0o600 });
  await withHome(home, async (annals) => {
    const before = await eventsOf(annals);
    await expect(annals.forget({ query: 'quokka sleeps' })).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    expect(await eventsOf(annals)).toEqual(before);
    expect(waiting(home, 'bad')).toEqual(['c-0']);
  });
});
