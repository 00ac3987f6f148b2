// Computes the size of a home on disk, part by part, its growth, and how much `compact` would free. The cost must not
// depend on the size of the home: only file sizes are read, and growth is estimated from a sample of the events.
import { basename, join } from 'node:path';
import type { EventSize, Log } from '../../log/index.ts';
import type { Status } from '../api.ts';
import { folderBytes, list } from '../platform/disk-files.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import type { Home } from './home.ts';

const DAY_MS = 24 * 60 * 60_000;
const RECENT_DAYS = 30;
/** For a share between a third and two thirds the error is about 2 percent; sampling this many takes a few ms. */
const SAMPLE_EVENTS = 500;
/** The cursor under which the last `compact` records the size it left. */
const COMPACTED = 'annals/compacted';

type Size = Status['size'];
type Part = Size['views'][number];

/** Size of log and views right after a `compact`, and the number of events then. */
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

/** Records the size after a `compact`; growth beyond it is partly reclaimable. */
export async function noteCompacted(log: Log, paths: HomePaths): Promise<void> {
  const { bytes, views } = await writtenBytes(paths);
  const value: Compacted = { events: log.head().position, bytes: bytes + sum(views) };
  await log.append([], { cursors: [{ key: COMPACTED, value }] });
}

/** The size of the log, of the rows and of each index, largest first. */
async function writtenBytes(paths: HomePaths): Promise<{ bytes: number; views: readonly Part[] }> {
  const bytesOf = new Map<string, number>();
  for (const entry of await list(paths.views)) {
    // The rows of all views are in one generation, `rows-<n>`, which `CURRENT` names.
    const name = /^(rows-|CURRENT)/.test(entry) ? 'rows' : entry;
    const bytes = await folderBytes(join(paths.views, entry));
    bytesOf.set(name, (bytesOf.get(name) ?? 0) + bytes);
  }
  const views = Array.from(bytesOf, ([name, bytes]): Part => ({ name, bytes }));
  views.sort((one, other) => other.bytes - one.bytes);
  return { bytes: await folderBytes(paths.log), views };
}

/** Bytes of log and views per day, by the time of the events: importing a year of sessions counts as a year's growth. */
function growth(sample: readonly EventSize[], grown: number, now: number): Size['perDay'] {
  if (sample.length === 0) return null;
  const first = sample.reduce((earliest, { at }) => Math.min(earliest, at ?? now), now);
  const days = Math.max(1, (now - first) / DAY_MS);
  const recent = sample.filter(({ at }) => at !== null && at > now - RECENT_DAYS * DAY_MS);
  const share = sum(recent) / sum(sample);
  return {
    last30Days: Math.round((grown * share) / Math.min(RECENT_DAYS, days)),
    overall: Math.round(grown / days),
  };
}

/** Bytes that `compact` would free; null if the home was never compacted, so that the needed size is unknown. */
async function reclaimable(log: Log, grown: number, left: number): Promise<number | null> {
  const noted = (await log.cursor(COMPACTED)) as Compacted | undefined;
  if (noted === undefined || noted.events === 0) return left === 0 ? null : left;
  const needed = noted.bytes * (log.head().position / noted.events);
  return left + Math.max(0, Math.round(grown - needed));
}

/** Bytes that an interrupted swap left beside the log; the next opening removes them too. */
async function leftBytes({ home, log }: HomePaths): Promise<number> {
  let bytes = 0;
  for (const end of ['fresh', 'next', 'old'])
    bytes += await folderBytes(join(home, `${basename(log)}.${end}`));
  return bytes;
}

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}
