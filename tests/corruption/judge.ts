// Run as a separate process, because LevelDB aborts on some damage: applies one damage at a time to a fresh copy of a
// home and prints a verdict. Arguments: home, older copy, folder for copies.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { type Annals, isAnnalsError, openAnnals } from '../../src/index.ts';
import { fingerprint, freshCopy } from './copy.ts';
import type { Damage } from './damages.ts';
import { glance } from './glance.ts';
import { FOLDERS } from './home.ts';

export interface Finding {
  /** rebuilt: only `verify --rebuilt` reports it. replayed: a view lost its newest writes and made them again. */
  readonly verdict: 'noticed' | 'rebuilt' | 'replayed' | 'harmless' | 'silent';
  /** The first reports to the user, and where they appeared. */
  readonly reports: readonly string[];
  /** Reports that must never appear: a stack, a failure without a hint, a message of several lines. */
  readonly bugs: readonly string[];
  /** Reads that differ without any report. */
  readonly differs: readonly string[];
}

const QUERIES = [
  'reader fails when a line is cut',
  'append returns before sync',
  'taught lesson 12',
  'npm test position',
  'buffer offset',
  'exprot functon',
  'Run the tests',
  'ledger birdfeeder',
  'import value file',
  'part 31',
] as const;
const SESSIONS = ['000000000000', '000000000004', '000000000009'].map(
  (end) => `5f0c7d1e-0000-4000-8000-${end}`,
);

const [home, older, copies] = process.argv.slice(2) as [string, string, string];
const copy = join(copies, 'copy');
const workdirs = { home, older, copy };
let undamaged: Undamaged | null = null;

/** The contents and reports of the undamaged home. */
interface Undamaged {
  /** The result of each of READS. */
  readonly reads: Readonly<Record<string, string>>;
  readonly stores: Stores;
  readonly degraded: readonly string[];
}

/** The log, and each view that has rows. */
type Stores = Readonly<Record<string, RawStore>>;

interface RawStore {
  /** Path below the home: another generation of a view has another path. */
  readonly name: string;
  /** Digest of all its keys and values. */
  readonly rows: string;
  readonly meta: string;
}

export interface Question {
  readonly damage: Damage;
  /** Otherwise a home that is reported as damaged at the first look is not queried further. */
  readonly thoroughly: boolean;
}

process.on('message', ({ damage, thoroughly }: Question) => {
  void judge(damage, thoroughly).then((finding) => process.send!(finding));
});

async function judge(damage: Damage, thoroughly: boolean): Promise<Finding> {
  undamaged ??= await readUndamaged();
  const reports: string[] = [];
  const bugs: string[] = [];
  const differs: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isAnnalsError(error)) reports.push(`${what}: ${error.code}: ${error.message}`);
      const wrong = wrongOf(error);
      if (wrong !== null) bugs.push(`${what}: ${wrong}`);
    }
  };
  const say = (what: string, sentences: readonly string[]): void => {
    for (const sentence of sentences) {
      if (undamaged!.degraded.includes(sentence)) continue;
      reports.push(`${what}: ${sentence}`);
      if (sentence === '' || /\n|^\s+at /.test(sentence)) bugs.push(`${what}: ${sentence}`);
    }
  };
  const inHome = (what: string, work: (annals: Annals) => Promise<void>): Promise<void> =>
    attempt(what, async () => {
      const annals = await openAnnals({ home: copy });
      try {
        await work(annals);
      } finally {
        await annals.close();
      }
    });
  const ask = async (annals: Annals, names: readonly string[]): Promise<void> => {
    for (const name of names)
      await attempt(name, async () => {
        const { content, degraded } = await READS[name]!(annals);
        say(name, degraded);
        if (content !== undamaged!.reads[name]) differs.push(name);
      });
  };
  const verify = (annals: Annals): Promise<void> =>
    attempt('verify', async () =>
      say(
        'verify',
        (await annals.verify()).problems.map(({ message }) => message),
      ),
    );
  if (!thoroughly) {
    freshCopy(workdirs, damage);
    await attempt('first look', async () => say('first look', await glance(copy, damage)));
    if (reports.length > 0 || bugs.length > 0) return { verdict: 'noticed', reports, bugs, differs: [] };
  }
  freshCopy(workdirs, damage);
  let isNoticed = false;
  await inHome('open', async (annals) => {
    await attempt('status', async () => say('status', (await annals.status()).degraded));
    // The first look has verified it.
    if (damage.owner === 'log' && thoroughly) await verify(annals);
    isNoticed = reports.length > 0;
    await ask(annals, isNoticed ? FEW : readsOf(damage));
  });
  if (reports.length > 0 || bugs.length > 0) return { verdict: 'noticed', reports, bugs, differs: [] };
  let lost = false;
  try {
    for (const [name, { rows, ...now }] of Object.entries(await rawStores())) {
      const before = undamaged.stores[name]!;
      if (rows !== before.rows) differs.push(`rows of ${name}`);
      if (now.name !== before.name || (name !== 'log' && now.meta !== before.meta)) lost = true;
    }
  } catch {
    // LevelDB itself reports that it cannot read them; our own report follows.
    differs.push('what LevelDB reads');
  }
  // Another generation with the same rows: the view had lost its newest writes and was filled again.
  if (differs.length === 0) return { verdict: lost ? 'replayed' : 'harmless', reports, bugs, differs };
  if (damage.owner === 'views') {
    // Restored to the damaged state: LevelDB merges a damaged table into a new one with correct checksums.
    freshCopy(workdirs, damage);
    await inHome('verify', verify);
  }
  if (reports.length > 0) return { verdict: 'noticed', reports, bugs, differs: [] };
  await inHome('open again', async (annals) => {
    const { problems } = await annals.verify({ rebuilt: true });
    say(
      'verify --rebuilt',
      problems.map(({ message }) => message),
    );
  });
  return { verdict: reports.length > 0 ? 'rebuilt' : 'silent', reports, bugs, differs };
}

/**
 * The reads that are needed when nothing was reported. Reads of rows are equal when all rows are equal; after every
 * damage all rows of log and views are scanned and looked up.
 */
function readsOf({ owner, name, region }: Damage): readonly string[] {
  if (owner === 'views' && /\/(turns|projects|memory|context)\//.test(name)) return [];
  if (region === 'index snapshot') return ['search', 'get'];
  return owner === 'log' && region !== 'folder' ? ['log', 'get'] : Object.keys(READS);
}

/** Queries for a home that was reported as damaged: they may fail, but never with a stack. */
const FEW = ['get', 'context', 'timeline'];

/** Every query is a separate part, so that a difference shows where it is. */
const READS: Readonly<
  Record<string, (annals: Annals) => Promise<{ content: string; degraded: readonly string[] }>>
> = {
  log: async (annals) => {
    const digest = createHash('sha256');
    for await (const event of annals.log()) digest.update(JSON.stringify(event));
    for (const session of SESSIONS)
      for await (const { id } of annals.log({ session, limit: 50 })) digest.update(id);
    return { content: digest.digest('hex'), degraded: [] };
  },
  search: async (annals) => {
    const answers = [];
    for (const query of QUERIES) answers.push(await annals.search(query));
    return {
      content: hashOf(answers.map(({ results }) => results)),
      degraded: answers.flatMap(({ degraded }) => degraded),
    };
  },
  get: async (annals) => {
    const { results } = await annals.search(QUERIES[0]);
    const items = [];
    for (const { id } of results.slice(0, 5)) items.push(await annals.get(id), await annals.why(id));
    return { content: hashOf(items), degraded: [] };
  },
  context: async (annals) => {
    const answers = [];
    for (const cwd of FOLDERS) {
      const { ms: _, ...answer } = { ms: 0, ...(await annals.context({ cwd, form: 'both' })) };
      answers.push(answer);
    }
    return { content: hashOf(answers.map(({ text, personText }) => [text, personText])), degraded: [] };
  },
  timeline: async (annals) => {
    const answers = [];
    for (const session of SESSIONS) answers.push(await annals.timeline({ session, limit: 40 }));
    return {
      content: hashOf(answers.map(({ rows }) => rows)),
      degraded: answers.flatMap(({ degraded }) => degraded),
    };
  },
};

/** Reads below our own code: every row scanned and looked up, and the name of the generation. */
async function rawStores(): Promise<Stores> {
  const folder = readFileSync(join(copy, 'views', 'CURRENT'), 'utf8').trim();
  return { log: await rawStore('log', ''), rows: await rawStore(join('views', folder), 'r/') };
}

/** A store with the same bytes as an earlier one need not be read again. */
async function rawStore(name: string, prefix: string): Promise<RawStore> {
  const files = `${name} ${fingerprint(workdirs, name)}`;
  const known = read.get(files);
  if (known !== undefined) return known;
  const store = { name, ...(await readStore(join(copy, name), prefix)) };
  read.set(files, store);
  return store;
}

/** Keyed by the contents of their files. */
const read = new Map<string, RawStore>();

async function readStore(folder: string, prefix: string): Promise<{ rows: string; meta: string }> {
  const store = new Level<Buffer, Buffer>(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  const digest = createHash('sha256');
  try {
    await store.open();
    const iterator = store.iterator(prefix === '' ? {} : { gte: Buffer.from(prefix), lt: Buffer.from('s') });
    for (;;) {
      const entries = await iterator.nextv(1_000);
      if (entries.length === 0) break;
      const looked = await store.getMany(entries.map(([key]) => key));
      entries.forEach(([key, value], index) => {
        digest.update(`${key.length} ${value.length} `).update(key).update(value);
        digest.update(looked[index]?.equals(value) === true ? 'same' : 'other');
      });
    }
    await iterator.close();
    return { rows: digest.digest('hex'), meta: String(await store.get(Buffer.from('m/meta'))) };
  } finally {
    await store.close();
  }
}

async function readUndamaged(): Promise<Undamaged> {
  freshCopy(workdirs, null);
  const reads: Record<string, string> = {};
  const annals = await openAnnals({ home: copy });
  const { degraded } = await annals.status();
  for (const [name, read] of Object.entries(READS)) reads[name] = (await read(annals)).content;
  await annals.close();
  return { reads, stores: await rawStores(), degraded };
}

/** What is wrong with the form of an error; null when it is fine. */
function wrongOf(error: unknown): string | null {
  if (!isAnnalsError(error) || error.code === 'INTERNAL')
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.hint === null) return `no hint: ${error.code}: ${error.message}`;
  return /\n/.test(error.message) || !/\.$/.test(error.message) ? `not one sentence: ${error.message}` : null;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
