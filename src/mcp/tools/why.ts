import * as z from 'zod';
import type { LogEvent } from '../../../log/index.ts';
import { eventLine } from '../../terminal-text/event-line.ts';
import {
  estimateTokens,
  fittingEntries,
  nextCall,
  shortLine,
  shownId,
  TOKENS_MAX,
} from '../common/past-text.ts';
import { defineTool } from '../common/tool.ts';

const STEP_CHARS_MAX = 500;

const event = z.object({
  id: z.string(),
  position: z.int(),
  type: z.string(),
  channel: z.string().describe('How it was learned: hook, transcript, api, cli or import.'),
  agent: z.string(),
  session: z.string().nullable(),
  at: z.string().nullable().describe('ISO 8601, UTC.'),
  line: z.string().describe('What it reported, in short.'),
});
type Event = z.output<typeof event>;

export const why = defineTool({
  name: 'why',
  title: 'Source of a memory',
  description:
    'Traces a thing of earlier sessions back to the exact events that it came from: who reported what, when and how. Use it to ' +
    'check a claim before you rely on it.',
  input: z.strictObject({ id: z.string().min(1).max(500).describe('An id, or its unambiguous beginning.') }),
  output: z.object({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    steps: z.array(z.string()),
    events: z.array(event).describe('Oldest first.'),
    moreEvents: z.int().describe('Further events that are not listed.'),
  }),
  effect: 'reads',
  async run({ id }, { ask }) {
    const found = await ask((annals) => annals.why(id));
    const steps = found.steps.map((step) => shortLine(step, STEP_CHARS_MAX));
    const room = TOKENS_MAX - estimateTokens(JSON.stringify(steps));
    const events = [...fittingEntries(found.events.map(entryOf), room)];
    const answer = {
      id: shownId(found.id),
      kind: found.kind,
      title: shortLine(found.title),
      steps,
      events,
      moreEvents: found.events.length - events.length,
    };
    const { title, kind, moreEvents } = answer;
    const lines = [
      `## ${answer.id} · ${kind}: ${title}`,
      ...steps,
      ...(events.length === 0 ? ['No event in the log supports this.'] : events.map(eventText)),
      ...(moreEvents === 0 ? [] : [`And ${moreEvents} more events.`]),
    ];
    const calls = events.slice(0, 1).map(({ id }) => nextCall('get', { ids: [id] }));
    return { answer, lines, nextCalls: calls };
  },
});

function entryOf(one: LogEvent): Event {
  const { id, position, type, channel, agent, session, occurredAt } = one;
  return {
    ...{ id, position, type: shortLine(type), channel, agent: shortLine(agent) },
    session: session === null ? null : shownId(session),
    at: occurredAt === null ? null : new Date(occurredAt).toISOString(),
    line: shortLine(eventLine(one)),
  };
}

function eventText({ id, position, type, channel, agent, at, line }: Event): string {
  return `- ${[`#${position}`, id, `${type} from ${channel}`, agent, at?.slice(0, 19) ?? 'time unknown'].join(' · ')}: ${line}`;
}
