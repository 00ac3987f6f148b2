// Merges an export into a log that already has events: the union of both sets by event id. Events of the other log keep
// their id, origin and times, and get a position here. Events that both have are counted and stay as they are here. If
// any part of the export is damaged, nothing is imported from it.
//
// What either log forgot is forgotten in both (merge-forgetting.ts). This is done before anything else is imported, so
// that forgotten text is never in the log, not even briefly.
import type { EventContent } from '../../log/index.ts';
import type { ImportOptions, MergedExportReport } from '../api.ts';
import { INCOMPLETE } from '../capture/private/private-prompts.ts';
import type { Home } from '../home/home.ts';
import type { SessionName } from '../home/input-counts.ts';
import { checkExport, eventsOfExport, openExport } from './export-folder.ts';
import { mergeForgetting } from './merge-forgetting.ts';

export interface MergedLog {
  readonly report: MergedExportReport;
  /** The sessions in the export. */
  readonly sessions: readonly SessionName[];
  readonly segments: number;
}

/** @throws AnnalsError INPUT_UNREADABLE, PASSPHRASE_WRONG, EXPORT_DAMAGED, LOG_TOO_NEW, DISK_FULL */
export async function mergeExport(
  path: string,
  { onProgress, signal, passphrase }: Pick<ImportOptions, 'onProgress' | 'signal' | 'passphrase'>,
  home: Home,
): Promise<MergedLog> {
  const { log } = home;
  const folder = await openExport(path, passphrase);
  const { manifest } = folder;
  const progress = (done: number, total: number) =>
    onProgress?.({ filesDone: 0, filesTotal: 1, bytesDone: done, bytesTotal: total, file: folder.path });
  const { forgettings } = await checkExport(folder);
  // The export may have private prompts and names of forgotten ones.
  await log.append([], { cursors: [INCOMPLETE] });
  const forgetting = await mergeForgetting(forgettings, home);
  let { appended, duplicates } = forgetting;
  let differing = 0;
  const sessions = new Map<string, SessionName>();
  for await (const page of eventsOfExport(folder, { onProgress: progress })) {
    if (signal?.aborted) break;
    const { events, outcomes } = await forgetting.take(page);
    const known = events.filter((_, index) => outcomes[index]!.outcome === 'duplicate');
    appended += events.length - known.length;
    duplicates += known.length;
    differing += await countDiffering(known, home);
    for (const event of events) noteSession(event, sessions);
  }
  const forgotten = await forgetting.finish();
  const { logId, after, head, events } = manifest;
  return {
    report: {
      path: folder.path,
      logId,
      after: after.position,
      head: head.position,
      events,
      appended,
      duplicates,
      differing,
      forgotten,
    },
    sessions: [...sessions.values()],
    segments: manifest.segments.length,
  };
}

/**
 * Counts events with the same id and different content: two versions of the reader, or different redaction settings.
 * The version that was here first is kept, so the views of the two homes may differ there.
 */
async function countDiffering(theirs: readonly EventContent[], { log }: Home): Promise<number> {
  const ours = await log.getMany(theirs.map(({ header }) => header.id));
  return theirs.filter(({ header, body }, index) => {
    const event = ours[index];
    if (event === undefined || body.salt === null || header.v !== event.version) return false;
    return body.json !== JSON.stringify(event.body) || header.occurredAt !== event.occurredAt;
  }).length;
}

function noteSession({ header }: EventContent, sessions: Map<string, SessionName>): void {
  const { agent, session } = header;
  if (session === null || agent === 'annals') return;
  sessions.set(JSON.stringify([agent, session]), { agent, session });
}
