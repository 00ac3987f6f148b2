// Other occurrences of a forgotten line, even if only an id in another copy of it leads there.
import { expect, test } from 'vitest';
import { eventId, type LogEvent, type NewEvent } from '../../log/index.ts';
import { findOtherOccurrences } from '../../src/forget/elsewhere.ts';
import type { Home } from '../../src/home/home.ts';
import { openMemoryLog } from '../helpers/logs.ts';

const SAID = 'The key of the feeder is under the third flowerpot on the left.';
const LINE = '3f0b2a1c-0000-4000-8000-000000000001';
const AT = Date.UTC(2026, 4, 4);

function prompt(session: string, dedupeKey: string, body: NewEvent<'prompt.submitted'>['body']): NewEvent {
  const channel = body.via === 'hook' ? 'hook' : 'transcript';
  const occurredAt = channel === 'hook' ? AT + 40 : AT;
  return { type: 'prompt.submitted', agent: 'claude-code', session, dedupeKey, channel, occurredAt, body };
}

test('a fork of a fork is found from the original’s hook, through the transcript that names both', async () => {
  const hook = prompt('original', 'spool-file-1', {
    text: SAID,
    via: 'hook',
    promptId: 'prompt-id-of-the-original',
  });
  const line = { text: SAID, via: 'line', uuid: LINE } as const;
  const newEvents = {
    line: prompt('original', LINE, { ...line, promptId: 'prompt-id-of-the-original' }),
    // A fork has its own prompt id on every line; that of the SDK its own uuids as well.
    fork: prompt('a-fork', LINE, { ...line, promptId: 'prompt-id-of-the-fork' }),
    forkOfFork: prompt('a-fork-of-it', '9d0b2a1c-0000-4000-8000-000000000002', {
      ...line,
      uuid: '9d0b2a1c-0000-4000-8000-000000000002',
      promptId: 'prompt-id-of-the-second-fork',
    }),
    other: prompt('another', 'another-uuid-0001', { text: 'Fill the bird bath.', via: 'line' }),
  };
  const log = await openMemoryLog();
  await log.append([hook, ...Object.values(newEvents)]);
  const selected = new Map([[eventId(hook), (await log.get(eventId(hook))) as LogEvent]]);
  const opened = { log } as unknown as Pick<Home, 'log'>;
  const { same } = await findOtherOccurrences(
    { events: selected, query: null },
    { withCopies: false, kept: new Map() },
    opened,
  );
  const { line: read, fork, forkOfFork } = newEvents;
  expect([...same.keys()].sort()).toEqual([read, fork, forkOfFork].map((one) => eventId(one)).sort());
});
