// Run as a process of its own, because LevelDB ends the process on some damage: takes one damage after another,
// does it to a fresh copy of a home and says what came of it. Arguments: home, older copy, place for copies.
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
  /** rebuilt: only `verify --rebuilt` said it. replayed: a view lost its newest writes and made them again. */
  readonly verdict: 'noticed' | 'rebuilt' | 'replayed' | 'harmless' | 'silent';
  /** What a person was told first, and where. */
  readonly said: readonly string[];
  /** What must never be shown: a stack, a failure without a hint, a sentence over several lines. */
  readonly bugs: readonly string[];
  /** What differs unsaid. */
  readonly differs: readonly string[];
}

const NOW = Date.UTC(2026, 1, 1);
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
let whole: Whole | null = null;

/** What a home that nobody damaged holds and says. */
interface Whole {
  /** What each of READS gives. */
  readonly reads: Readonly<Record<string, string>>;
  readonly stores: Stores;
  readonly degraded: readonly string[];
}

/** The log, and each view that has rows. */
type Stores = Readonly<Record<string, RawStore>>;

interface RawStore {
  /** Below the home: another generation of a view has another. */
  readonly name: string;
  /** What all its keys and values come to. */
  readonly rows: string;
  readonly meta: string;
}

export interface Question {
  readonly damage: Damage;
  /** Else a home that says at the first look that it is damaged is not asked what else it does. */
  readonly thoroughly: boolean;
}

process.on('message', ({ damage, thoroughly }: Question) => {
  void judge(damage, thoroughly).then((finding) => process.send!(finding));
});

async function judge(damage: Damage, thoroughly: boolean): Promise<Finding> {
  whole ??= await readWhole();
  const said: string[] = [];
  const bugs: string[] = [];
  const differs: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isAnnalsError(error)) said.push(`${what}: ${error.code}: ${error.message}`);
      const wrong = wrongOf(error);
      if (wrong !== null) bugs.push(`${what}: ${wrong}`);
    }
  };
  const say = (what: string, sentences: readonly string[]): void => {
    for (const sentence of sentences) {
      if (whole!.degraded.includes(sentence)) continue;
      said.push(`${what}: ${sentence}`);
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
        if (content !== whole!.reads[name]) differs.push(name);
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
    if (said.length > 0 || bugs.length > 0) return { verdict: 'noticed', said, bugs, differs: [] };
  }
  freshCopy(workdirs, damage);
  let isNoticed = false;
  await inHome('open', async (annals) => {
    await attempt('status', async () => say('status', (await annals.status()).degraded));
    // The first look has verified it.
    if (damage.owner === 'log' && thoroughly) await verify(annals);
    isNoticed = said.length > 0;
    await ask(annals, isNoticed ? FEW : readsOf(damage));
  });
  if (said.length > 0 || bugs.length > 0) return { verdict: 'noticed', said, bugs, differs: [] };
  let lost = false;
  try {
    for (const [name, { rows, ...now }] of Object.entries(await rawStores())) {
      const before = whole.stores[name]!;
      if (rows !== before.rows) differs.push(`rows of ${name}`);
      if (now.name !== before.name || (name !== 'log' && now.meta !== before.meta)) lost = true;
    }
  } catch {
    // LevelDB says by itself that it cannot read them; what we say of it comes next.
    differs.push('what LevelDB reads');
  }
  // Another generation with the same rows: the view had lost its newest writes and was filled again.
  if (differs.length === 0) return { verdict: lost ? 'replayed' : 'harmless', said, bugs, differs };
  if (damage.owner === 'views') {
    // As it was at first: LevelDB merges a damaged table into a new one whose checksums are right.
    freshCopy(workdirs, damage);
    await inHome('verify', verify);
  }
  if (said.length > 0) return { verdict: 'noticed', said, bugs, differs: [] };
  await inHome('open again', async (annals) => {
    const { problems } = await annals.verify({ rebuilt: true });
    say(
      'verify --rebuilt',
      problems.map(({ message }) => message),
    );
  });
  return { verdict: said.length > 0 ? 'rebuilt' : 'silent', said, bugs, differs };
}

/**
 * What has to be asked where nothing was said. Whatever is read of rows is the same where all rows are, each read
 * through and looked up: that is done for log and views after every damage.
 */
function readsOf({ owner, name, region }: Damage): readonly string[] {
  if (owner === 'views' && /\/(turns|projects|memory|context)\//.test(name)) return [];
  if (region === 'index snapshot') return ['search', 'get'];
  return owner === 'log' && region !== 'folder' ? ['log', 'get'] : Object.keys(READS);
}

/** What is still asked of a home that has said that it is damaged: it may fail, but never with a stack. */
const FEW = ['get', 'context', 'timeline'];

/** Every question is a part of its own, so that a difference says where it is. */
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
      const { ms: _, ...answer } = { ms: 0, ...(await annals.context({ cwd, now: NOW, form: 'both' })) };
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

/** Past our own code: every row read through and looked up, and which generation it is. */
async function rawStores(): Promise<Stores> {
  const stores: Record<string, RawStore> = { log: await rawStore('log', '') };
  for (const view of ['turns', 'projects', 'memory', 'context']) {
    const folder = readFileSync(join(copy, 'views', view, 'CURRENT'), 'utf8').trim();
    stores[view] = await rawStore(join('views', view, folder), 'r/');
  }
  return stores;
}

/** One that holds the same bytes as one before need not be read again. */
async function rawStore(name: string, prefix: string): Promise<RawStore> {
  const files = `${name} ${fingerprint(workdirs, name)}`;
  const known = read.get(files);
  if (known !== undefined) return known;
  const store = { name, ...(await readStore(join(copy, name), prefix)) };
  read.set(files, store);
  return store;
}

/** By what their files hold. */
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

async function readWhole(): Promise<Whole> {
  freshCopy(workdirs, null);
  const reads: Record<string, string> = {};
  const annals = await openAnnals({ home: copy });
  const { degraded } = await annals.status();
  for (const [name, read] of Object.entries(READS)) reads[name] = (await read(annals)).content;
  await annals.close();
  return { reads, stores: await rawStores(), degraded };
}

/** What is wrong with how a failure looks; null when it is as it should be. */
function wrongOf(error: unknown): string | null {
  if (!isAnnalsError(error) || error.code === 'INTERNAL')
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.hint === null) return `no hint: ${error.code}: ${error.message}`;
  return /\n/.test(error.message) || !/\.$/.test(error.message) ? `not one sentence: ${error.message}` : null;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
