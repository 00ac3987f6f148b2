// Uniting an export with a log that holds events already: the union of both sets by event id. Events of the
// other log keep their id, origin and times; here they get a position of their own. What both hold is counted
// and stays as it stands here. Nothing is taken from an export that is damaged anywhere.
//
// What either log forgot is forgotten in both (merge-forgetting.ts): that is settled before anything else is
// taken, so that at no moment something stands here that says more than it may.
import type { ExportedEvent } from '../../log/index.ts';
import type { ImportOptions, MergedExportReport } from '../api.ts';
import type { Home } from '../home/home.ts';
import type { SessionOrSubagent } from '../home/input-counts.ts';
import { checkExport, eventsOfExport, openExport } from './export-folder.ts';
import { mergeForgetting } from './merge-forgetting.ts';

export interface MergedLog {
  readonly report: MergedExportReport;
  /** The sessions and sub-agents that it tells of. */
  readonly spoken: readonly SessionOrSubagent[];
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
  const forgetting = await mergeForgetting(forgettings, home);
  let { appended, duplicates } = forgetting;
  let differing = 0;
  const spoken = new Map<string, SessionOrSubagent>();
  for await (const page of eventsOfExport(folder, { onProgress: progress })) {
    if (signal?.aborted) break;
    const events = await forgetting.blanked(page);
    const outcomes = await log.importEvents(events);
    const known = events.filter((_, index) => outcomes[index]!.outcome === 'duplicate');
    appended += events.length - known.length;
    duplicates += known.length;
    differing += await countDiffering(known, home);
    for (const event of events) noteSpoken(event, spoken);
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
    spoken: [...spoken.values()],
    segments: manifest.segments.length,
  };
}

/**
 * Events that both hold under one id, with other words: two versions of the reader, or other settings of what
 * is taken out. Which of them stands depends on who was first, so the two homes' views may differ there.
 */
async function countDiffering(theirs: readonly ExportedEvent[], { log }: Home): Promise<number> {
  const ours = await log.getMany(theirs.map(({ header }) => header.id));
  return theirs.filter(({ header, body }, index) => {
    const event = ours[index];
    if (event === undefined || body.salt === null || header.v !== event.version) return false;
    return body.json !== JSON.stringify(event.body) || header.occurredAt !== event.occurredAt;
  }).length;
}

function noteSpoken({ header, body }: ExportedEvent, spoken: Map<string, SessionOrSubagent>): void {
  const { agent, session } = header;
  if (session === null || agent === 'annals') return;
  const agentId = body.salt === null ? null : agentIdOf(body.json);
  spoken.set(JSON.stringify([agent, session, agentId]), { agent, session, agentId });
}

/** Most bodies have none, and need not be parsed to know that. */
function agentIdOf(json: string): string | null {
  if (!json.includes('"agentId":"')) return null;
  const { agentId } = JSON.parse(json) as { agentId?: unknown };
  return typeof agentId === 'string' ? agentId : null;
}
