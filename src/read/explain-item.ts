// Explains where an item comes from: the path from it to the exact events.
import type { LogEvent } from '../../log/index.ts';
import { documentEvents } from '../../projections/index.ts';
import type { Why } from '../api.ts';
import { actSteps } from './act-steps.ts';
import { originOf, originSteps } from './import-origin.ts';
import { readingSteps } from './reading-steps.ts';
import { type ItemSources, itemName, type ResolvedItem } from './resolve-id.ts';

export async function explainItem(found: ResolvedItem, { log, memory, turns }: ItemSources): Promise<Why> {
  const events = (await log.getMany(await eventsOf(found, memory))).filter((event) => event !== undefined);
  events.sort((a, b) => a.position - b.position);
  return {
    id: itemName(found),
    title: titleOf(found),
    kind: found.kind === 'document' ? found.document.kind : found.kind,
    steps: [
      ...steps(found, events),
      ...(found.kind === 'document' ? await readingSteps(found.document, events, turns) : []),
      ...(await actSteps(found.kind === 'document' ? events : [], turns)),
    ],
    events,
  };
}

async function eventsOf(found: ResolvedItem, memory: ItemSources['memory']): Promise<readonly string[]> {
  switch (found.kind) {
    case 'document':
      return documentEvents(found.document, memory);
    case 'turn':
      return found.items.flatMap((item) => item.reports.map((report) => report.event));
    case 'session':
      return found.session.reports.map((report) => report.event);
    case 'event':
      return [found.event.id];
  }
}

function titleOf(found: ResolvedItem): string {
  switch (found.kind) {
    case 'document':
      return found.document.title;
    case 'turn':
      return `Turn of session ${found.turn.session}`;
    case 'session':
      return found.session.title ?? found.session.session;
    case 'event':
      return found.event.type;
  }
}

function steps(found: ResolvedItem, events: readonly LogEvent[]): string[] {
  const path: string[] = [];
  if (found.kind === 'document') {
    const { id, kind, turn, session, workdir, marks } = found.document;
    const made = events.filter((event) => marks?.acts.includes(event.id) !== true).length;
    path.push(`${kind} ${id} was made from ${made} event${made === 1 ? '' : 's'}`);
    const origin = originOf(events);
    if (origin !== null) return [...path, ...originSteps(origin, session)];
    if (turn !== null) path.push(`it belongs to turn ${turn} of session ${session}`);
    else if (session !== null) path.push(`it was saved in session ${session}`);
    if (workdir !== '') path.push(`that session began in ${workdir}`);
  }
  return path;
}
