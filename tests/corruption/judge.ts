// Run as a process of its own, because LevelDB ends the process on some damage: takes one damage after another,
// does it to a fresh copy of a home and says what came of it. The copy is made of links, of which LevelDB writes
// to none: it makes new files, and so does every writer of ours. Arguments: home, older copy, place for copies.
import { createHash } from 'node:crypto';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { type Annals, isAnnalsError, openAnnals } from '../../src/index.ts';
import type { Damage } from './damages.ts';
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

type Parts = Readonly<Record<string, string>>;

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
let whole: { parts: Parts; degraded: readonly string[] } | null = null;

process.on('message', (damage: Damage) => {
  void judge(damage).then((finding) => process.send!(finding));
});

async function judge(damage: Damage): Promise<Finding> {
  whole ??= await readWhole();
  freshCopy();
  harm(damage);
  const said: string[] = [];
  const bugs: string[] = [];
  const found: Record<string, string> = {};
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
        found[name] = content;
      });
  };
  const verify = (annals: Annals): Promise<void> =>
    attempt('verify', async () =>
      say(
        'verify',
        (await annals.verify()).problems.map(({ message }) => message),
      ),
    );
  let isNoticed = false;
  await inHome('open', async (annals) => {
    await attempt('status', async () => say('status', (await annals.status()).degraded));
    if (damage.owner === 'log') await verify(annals);
    isNoticed = said.length > 0;
    // Whatever is read of a view's rows is the same where all rows are, each read through and looked up.
    if (!isOfRows(damage)) await ask(annals, isNoticed ? FEW : Object.keys(READS));
    else if (isNoticed) await ask(annals, ['timeline']);
  });
  if (said.length > 0 || bugs.length > 0) return { verdict: 'noticed', said, bugs, differs: [] };
  try {
    Object.assign(found, await rawParts());
  } catch {
    // LevelDB says by itself that it cannot read them; what we say of it comes next.
  }
  const differs = Object.entries(whole.parts).flatMap(([name, content]) =>
    found[name] === content || (found[name] === undefined && isOfRows(damage) && name in READS) ? [] : [name],
  );
  if (differs.length === 0) return { verdict: 'harmless', said, bugs, differs };
  // Another generation with the same rows: the view had lost its newest writes and was filled again.
  if (differs.every((name) => name.startsWith('generation of ')))
    return { verdict: 'replayed', said, bugs, differs };
  if (damage.owner === 'views') {
    // As it was at first: LevelDB merges a damaged table into a new one whose checksums are right.
    freshCopy();
    harm(damage);
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

/** Damage to what holds a view's rows; indexes have none. */
function isOfRows({ owner, name }: Damage): boolean {
  return owner === 'views' && /\/(turns|projects|memory|context)\//.test(name);
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
async function rawParts(): Promise<Parts> {
  const parts: Record<string, string> = { 'log on disk': (await rawStore(join(copy, 'log'), '')).rows };
  for (const view of ['turns', 'projects', 'memory', 'context']) {
    const folder = readFileSync(join(copy, 'views', view, 'CURRENT'), 'utf8').trim();
    const { rows, meta } = await rawStore(join(copy, 'views', view, folder), 'r/');
    parts[`rows of ${view}`] = rows;
    parts[`generation of ${view}`] = `${folder} ${meta}`;
  }
  return parts;
}

async function rawStore(folder: string, prefix: string): Promise<{ rows: string; meta: string }> {
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

async function readWhole(): Promise<{ parts: Parts; degraded: readonly string[] }> {
  freshCopy();
  const parts: Record<string, string> = {};
  const annals = await openAnnals({ home: copy });
  const { degraded } = await annals.status();
  for (const [name, read] of Object.entries(READS)) parts[name] = (await read(annals)).content;
  await annals.close();
  return { parts: { ...parts, ...(await rawParts()) }, degraded };
}

/** What is wrong with how a failure looks; null when it is as it should be. */
function wrongOf(error: unknown): string | null {
  if (!isAnnalsError(error) || error.code === 'INTERNAL')
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.hint === null) return `no hint: ${error.code}: ${error.message}`;
  return /\n/.test(error.message) || !/\.$/.test(error.message) ? `not one sentence: ${error.message}` : null;
}

function freshCopy(): void {
  rmSync(copy, { recursive: true, force: true });
  link(home, copy);
}

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    // A lock on a link would be a lock on every copy.
    else if (!/^LO(CK|G|G\.old)$/.test(entry.name)) linkSync(source, target);
  }
}

function harm(damage: Damage): void {
  const path = join(copy, damage.name);
  const bytes = damage.act === 'flip' || damage.act === 'cut' ? readFileSync(path) : Buffer.alloc(0);
  rmSync(path, { recursive: true });
  if (damage.act === 'flip') bytes[damage.offset]! ^= 1 << damage.bit;
  if (damage.act === 'flip') writeFileSync(path, bytes);
  if (damage.act === 'cut') writeFileSync(path, bytes.subarray(0, damage.size));
  if (damage.act === 'older') cpSync(join(older, damage.name), path, { recursive: true });
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
