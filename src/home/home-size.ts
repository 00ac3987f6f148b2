// What a home takes on disk, part by part, how fast it grows, and how much of it writing it anew would give back. Asking
// must cost the same for every home: files are only looked at, and growth is estimated from a sample of the events.
import { basename, join } from 'node:path';
import type { EventSize, Log } from '../../log/index.ts';
import type { Status } from '../api.ts';
import { folderBytes, list } from '../platform/disk-files.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import type { Home } from './home.ts';

const DAY_MS = 24 * 60 * 60_000;
const RECENT_DAYS = 30;
/** Of a share between a third and two thirds it is wrong by some 2 percent; looking at so many takes some ms. */
const SAMPLE_EVENTS = 500;
/** The reader's place under which the last writing anew notes what it left. */
const COMPACTED = 'annals/compacted';

type Size = Status['size'];
type Part = Size['views'][number];

/** What log and views took when they had just been written anew, and how many events there were. */
interface Compacted {
  readonly events: number;
  readonly bytes: number;
}

export async function sizeOf({ paths, log, now }: Pick<Home, 'paths' | 'log' | 'now'>): Promise<Size> {
  const { bytes: logBytes, views } = await writtenBytes(paths);
  const grown = logBytes + sum(views);
  return {
    bytes: await folderBytes(paths.home),
    log: logBytes,
    views,
    spool: await folderBytes(join(paths.home, 'spool')),
    perDay: growth(await log.sample(SAMPLE_EVENTS), grown, now()),
    reclaimable: await reclaimable(log, grown, await leftBytes(paths)),
  };
}

/** Notes, behind a writing anew, what is left: what comes on top of it later is partly not needed. */
export async function noteCompacted(log: Log, paths: HomePaths): Promise<void> {
  const { bytes, views } = await writtenBytes(paths);
  const value: Compacted = { events: log.head().position, bytes: bytes + sum(views) };
  await log.append([], { cursors: [{ key: COMPACTED, value }] });
}

/** The log, and each view from the largest on. */
async function writtenBytes(paths: HomePaths): Promise<{ bytes: number; views: readonly Part[] }> {
  const views: Part[] = [];
  for (const name of await list(paths.views))
    views.push({ name, bytes: await folderBytes(join(paths.views, name)) });
  views.sort((one, other) => other.bytes - one.bytes);
  return { bytes: await folderBytes(paths.log), views };
}

/** Bytes of log and views a day, by when the events happened: an import of a year is a year's growth. */
function growth(sample: readonly EventSize[], grown: number, now: number): Size['perDay'] {
  if (sample.length === 0) return null;
  const first = sample.reduce((earliest, { at }) => Math.min(earliest, at), now);
  const days = Math.max(1, (now - first) / DAY_MS);
  const recent = sample.filter(({ at }) => at > now - RECENT_DAYS * DAY_MS);
  const share = sum(recent) / sum(sample);
  return {
    last30Days: Math.round((grown * share) / Math.min(RECENT_DAYS, days)),
    overall: Math.round(grown / days),
  };
}

/** null where nothing says how much is needed: the home was never written anew. */
async function reclaimable(log: Log, grown: number, left: number): Promise<number | null> {
  const noted = (await log.cursor(COMPACTED)) as Compacted | undefined;
  if (noted === undefined || noted.events === 0) return left === 0 ? null : left;
  const needed = noted.bytes * (log.head().position / noted.events);
  return left + Math.max(0, Math.round(grown - needed));
}

/** What an exchange that was cut off left beside the log; the next opening removes it too. */
async function leftBytes({ home, log }: HomePaths): Promise<number> {
  let bytes = 0;
  for (const end of ['fresh', 'next', 'old'])
    bytes += await folderBytes(join(home, `${basename(log)}.${end}`));
  return bytes;
}

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}
