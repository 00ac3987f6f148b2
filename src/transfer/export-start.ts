// Decides where an export starts: at `since`, after an existing export in the folder, or at the beginning again, because
// something was forgotten since then and the old segments hold it.
import {
  AnnalsError,
  type ChainPosition,
  FORGETTING,
  type Log,
  type Manifest,
  pagesAfter,
  type Segment,
} from '../../log/index.ts';
import type { ExportOptions } from '../api.ts';
import { list, stat } from '../platform/disk-files.ts';
import { isInside } from '../platform/path-inside.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import { type ExportFolder, isExport, openExport } from './export-folder.ts';
import { LOCK, OWN_FILE } from './export-segments.ts';

/** Where writing starts, and what is kept of the folder. */
export interface ExportStart {
  readonly after: ChainPosition;
  readonly from: ChainPosition;
  readonly kept: readonly Segment[];
  readonly blanked: number;
  readonly forgettings: number;
  readonly earlier: readonly string[];
}

/** @throws AnnalsError USAGE: what is deleted or forgotten in the home would take the export along, or miss it */
export function refuseInHome(path: string, home: string): void {
  const { realPath } = repositoryFiles;
  if (!isInside(realPath(path), realPath(home))) return;
  throw new AnnalsError('USAGE', `${path} is in the home that would be exported.`, {
    hint: 'Name a folder elsewhere, on another disk if it is a backup.',
    facts: { path },
  });
}

/** Whether the folder is there. @throws AnnalsError INPUT_INVALID: something else has this path */
export async function hasFolder(path: string): Promise<boolean> {
  const found = await stat(path);
  if (found !== null && found.kind !== 'folder')
    throw new AnnalsError('INPUT_INVALID', `${path} is not a folder.`, { facts: { path } });
  return found !== null;
}

/** The export in the folder; null if it holds none. @throws AnnalsError INPUT_INVALID, PASSPHRASE_WRONG, USAGE */
export async function earlierExport(
  path: string,
  { passphrase }: Pick<ExportOptions, 'passphrase'>,
): Promise<ExportFolder | null> {
  if (await isExport(path)) {
    const earlier = await openExport(path, passphrase);
    if (earlier.exportKey !== null || passphrase === undefined) return earlier;
    throw new AnnalsError('USAGE', `${path} holds an export that is not encrypted.`, {
      hint: 'Name a new folder for an encrypted export, and remove this one when that is done.',
      facts: { path },
    });
  }
  // Segments without a manifest come from an interrupted first export.
  if ((await list(path)).every((name) => name === LOCK || OWN_FILE.test(name))) return null;
  throw new AnnalsError('INPUT_INVALID', `${path} holds something other than an export.`, {
    hint: 'Name a new folder, an empty one, or an export of this log, which is then continued.',
    facts: { path },
  });
}

/** @throws AnnalsError USAGE: the folder holds another log's export, or the export would have a gap */
export async function startOf(
  earlier: Manifest | null,
  since: number | undefined,
  path: string,
  log: Log,
): Promise<ExportStart> {
  if (earlier === null) {
    const position = await chainPositionAt(since ?? 0, log);
    return { after: position, from: position, kept: [], blanked: 0, forgettings: 0, earlier: [] };
  }
  const { logId, after, head, segments, blanked, forgettings } = earlier;
  const lines = earlier.earlier ?? [];
  if (logId !== log.logId || (await log.compareCheckpoint({ logId, ...head })) !== 'held')
    throw new AnnalsError(
      'USAGE',
      `${path} holds the export of another log, or of a different history of this one.`,
      {
        hint: 'Name a new folder.',
        facts: { path },
      },
    );
  if (since !== undefined && since > head.position)
    throw new AnnalsError(
      'USAGE',
      `${path} ends at position ${head.position}; events after ${since} would leave a gap.`,
      { hint: `Leave --since out, or give at most ${head.position}.`, facts: { head: head.position, since } },
    );
  if (since !== undefined && since !== after.position && since !== head.position)
    throw new AnnalsError(
      'USAGE',
      `${path} has the events after position ${after.position}, and is continued at its end, ${head.position}.`,
      { hint: 'Leave --since out, or name a new folder.', facts: { head: head.position, since } },
    );
  if (await isForgetting(head.position, log))
    return { after, from: after, kept: [], blanked: 0, forgettings: 0, earlier: [] };
  return { after, from: head, kept: segments, blanked, forgettings, earlier: lines };
}

/** @throws AnnalsError USAGE: a position beyond the end of the log */
async function chainPositionAt(position: number, log: Log): Promise<ChainPosition> {
  const { chain } = (await log.exportPage({ after: position, limit: 0 })).end;
  return { position, chain };
}

/** Whether something was forgotten after a position. */
async function isForgetting(after: number, log: Log): Promise<boolean> {
  for await (const { events } of pagesAfter(after, (position) => log.exportPage({ after: position })))
    if (events.some(({ header }) => header.type === FORGETTING)) return true;
  return false;
}
