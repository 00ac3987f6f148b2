// Why a thing is remembered: the path from it to the exact events, and what each of them stands on.
import type { LogEvent } from '../../log/index.ts';
import type { Why } from '../api.ts';
import { type Found, nameOf, type Sources } from './find.ts';

export async function whyOf(found: Found, { log }: Sources): Promise<Why> {
  const events = (await log.getMany(eventsOf(found))).filter((event) => event !== undefined);
  events.sort((a, b) => a.position - b.position);
  return {
    id: nameOf(found),
    title: titleOf(found),
    kind: found.kind === 'document' ? found.document.kind : found.kind,
    steps: steps(found, events),
    events,
  };
}

function eventsOf(found: Found): readonly string[] {
  switch (found.kind) {
    case 'document':
      return found.document.events;
    case 'turn':
      return found.items.flatMap((item) => item.tellings.map((telling) => telling.event));
    case 'session':
      return found.session.tellings.map((telling) => telling.event);
    case 'event':
      return [found.event.id];
  }
}

function titleOf(found: Found): string {
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

function steps(found: Found, events: readonly LogEvent[]): string[] {
  const path: string[] = [];
  if (found.kind === 'document') {
    const { id, kind, turn, session, place } = found.document;
    path.push(
      `${kind} ${id} was made by the memory view from ${events.length} event${events.length === 1 ? '' : 's'}`,
    );
    if (turn !== null) path.push(`it belongs to turn ${turn} of session ${session}`);
    else if (session !== null) path.push(`it was saved in session ${session}`);
    if (place !== '') path.push(`that session began in ${place}`);
  }
  return path;
}
