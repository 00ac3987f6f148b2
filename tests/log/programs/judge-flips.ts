// Run by the corruption test in a separate process, because LevelDB aborts on some damage: flips one bit at a time in a
// fresh copy of a home and prints a verdict for each. Without flips it prints the digest of the undamaged home.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventId, type Log } from '../../../log/index.ts';
import { levelStore } from '../../../log/store.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { toolEvent } from '../../helpers/new-events.ts';

export interface Flip {
  readonly name: string;
  readonly offset: number;
  readonly bit: number;
}

const SMALL_TABLES = { writeBufferBytes: 64 * 1024 };

const [home, copy, undamaged, flips] = process.argv.slice(2) as [string, string, string, string];
if (undamaged === '') {
  await copyHome(home, copy);
  process.stdout.write(`${await everything(copy)}\n`);
} else {
  for (const { name, offset, bit } of JSON.parse(flips) as Flip[]) {
    await copyHome(home, copy);
    await flipBit(join(copy, 'log', name), offset, bit);
    process.stdout.write(`${await judge(copy)}\n`);
  }
}

/** Noticed when opening or verify reports a problem; harmless when all keys, values and answers are unchanged. */
async function judge(home: string): Promise<'noticed' | 'harmless' | 'silent'> {
  let log: Log;
  try {
    log = await openTestLog(home, SMALL_TABLES);
  } catch {
    return 'noticed';
  }
  try {
    if (log.damage.length > 0 || !(await log.verify()).ok) return 'noticed';
  } finally {
    await log.close();
  }
  return (await everything(home)) === undamaged ? 'harmless' : 'silent';
}

/** A digest of every key and value, and of the log's answers to each kind of query. */
async function everything(home: string): Promise<string> {
  const parts: unknown[] = [];
  const digest = createHash('sha256');
  const log = await openTestLog(home, SMALL_TABLES);
  try {
    const { events, end } = await log.page({ after: 0, limit: 10_000, bytesMax: 1e9 });
    parts.push(events, end, await log.cursors(), log.logId);
    for (let session = 0; session < 7; session++)
      parts.push(await log.pageBySession({ agent: 'claude-code', session: `session-${session}`, limit: 40 }));
    parts.push(await log.getMany([1, 51, 701, 2051].map((at) => eventId(toolEvent(at, 'session-1')))));
    for (const after of [1, 350, 1500, 2050]) parts.push((await log.page({ after, limit: 3 })).end);
  } finally {
    await log.close();
  }
  const store = levelStore(join(home, 'log'), SMALL_TABLES);
  for await (const [key, value] of store.iterator())
    digest.update(`${key.length} ${value.length} `).update(key).update(value);
  await store.close();
  return digest.update(JSON.stringify(parts)).digest('hex');
}

async function copyHome(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(join(to, 'log'), { recursive: true });
  await copyFile(join(from, 'head.json'), join(to, 'head.json'));
  for (const name of await readdir(join(from, 'log')))
    await copyFile(join(from, 'log', name), join(to, 'log', name));
}

async function flipBit(path: string, offset: number, bit: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, offset);
  byte[0]! ^= 1 << bit;
  await file.write(byte, 0, 1, offset);
  await file.close();
}
