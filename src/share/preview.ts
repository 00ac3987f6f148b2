// What sharing a project would send, with its history: the same rules and the same texts as when it is sent.
import { isOwnEvent, type Log, packEvent, pagesAfter } from '../../log/index.ts';
import type { SharePreview } from '../api/share/sharing.ts';
import { wireLine, withoutSecrets } from './keys/wire-event.ts';
import { Rows } from './rows/sync-rows.ts';
import { leavingOf } from './sync/forgetting-parts.ts';
import { type LookAtFolder, Placement, type SharedProject } from './sync/placement.ts';

/** Writes nothing. @param lines at most so many events are shown as they would be sent */
export async function previewOf(
  project: SharedProject,
  log: Pick<Log, 'exportPage' | 'origin' | 'logId'>,
  lookAt: LookAtFolder,
  lines: number,
): Promise<SharePreview> {
  const placement = new Placement({ log, rows: new Rows([]), projects: [project], lookAt });
  for await (const { events } of pagesAfter(0, (after) => log.exportPage({ after }))) placement.learn(events);
  const sessions = new Map<string, { agent: string; session: string; events: number }>();
  const types: Record<string, number> = {};
  const shown: string[] = [];
  let [events, bytes] = [0, 0];
  for await (const event of ownEvents(log)) {
    const [leaving] = leavingOf(event, placement);
    if (leaving === undefined) continue;
    // What takes it back leaves too.
    placement.noteLeaving(event, project.key);
    const { plain } = withoutSecrets(packEvent(leaving.event));
    events += 1;
    bytes += plain.length;
    const { agent, session, type } = event.header;
    types[type] = (types[type] ?? 0) + 1;
    if (shown.length < lines) shown.push(wireLine(plain));
    if (session === null) continue;
    const key = JSON.stringify([agent, session]);
    const known = sessions.get(key) ?? { agent, session, events: 0 };
    sessions.set(key, known);
    known.events += 1;
  }
  const { key, name } = project;
  return { key, name, events, bytes, types, sessions: [...sessions.values()], lines: shown };
}

async function* ownEvents(log: Pick<Log, 'exportPage' | 'origin' | 'logId'>) {
  for await (const { events } of pagesAfter(0, (after) => log.exportPage({ after })))
    for (const event of events) if (isOwnEvent(event.header, log)) yield event;
}
