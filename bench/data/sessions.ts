// Synthetic sessions in the shape and size of a typical coding session: turns of a prompt, tool uses and
// answers, each line with its parent, its prompt and its message's usage, bodies of about 600 bytes. The same
// numbers give the same events; `offset` and times grow as in a real transcript.
import type { NewEvent } from '../../log/index.ts';

export interface SessionSizes {
  readonly sessions: number;
  readonly eventsPerSession: number;
}

const EVENTS_PER_TURN = 20;
const FOLDERS = ['/home/someone/projects/atlas', '/home/someone/projects/birdfeeder', '/srv/work/ledger'];
const FILES = ['src/reader.ts', 'src/append.ts', 'test/reader.test.ts', 'docs/format.md', 'package.json'];
const WORDS = (
  'the reader fails when a line is cut in the middle so append returns before sync and the test expects ' +
  'an error with its position now check export function const await import value buffer offset index file'
).split(' ');
const USAGE = { input: 4, output: 220, cacheRead: 48_000, cacheCreation: 900 };

/** The events of one session after the other. */
export function syntheticSessions({ sessions, eventsPerSession }: SessionSizes): NewEvent[] {
  return Array.from({ length: sessions }, (_, number) => session(number, eventsPerSession)).flat();
}

function session(number: number, events: number): NewEvent[] {
  const id = `5f0c7d1e-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const newEvents: NewEvent[] = [started(id, number)];
  for (let index = 1; index < events; index++) newEvents.push(newEvent(id, number, index));
  return newEvents;
}

function started(id: string, number: number): NewEvent {
  const body = { source: 'startup', cwd: folderOf(number), branch: 'main', offset: 0 };
  return { ...common(id, number, 0), type: 'session.started', dedupeKey: `${id}-start`, body };
}

function newEvent(id: string, number: number, index: number): NewEvent {
  const workdir = (index - 1) % EVENTS_PER_TURN;
  const first = index - workdir;
  const uuid = (at: number): string => `${id.slice(0, 24)}${String(number * 100_000 + at).padStart(12, '0')}`;
  const line = {
    uuid: uuid(index),
    parent: uuid(index - 1),
    offset: index * 1_900,
    promptId: `prompt-${number}-${first}`,
    cwd: folderOf(number),
    branch: 'main',
    agentVersion: '2.1.196',
    entrypoint: 'cli',
  };
  const seed = number * 1_009 + index;
  if (workdir === 0) {
    const body = { ...line, text: prose(seed, 40), via: 'line', source: 'typed' } as const;
    return { ...common(id, number, index), type: 'prompt.submitted', dedupeKey: line.uuid, body };
  }
  const message = { messageId: `msg_${number}_${index >> 1}`, model: 'claude', usage: USAGE };
  const serves = { ...line, promptUuid: uuid(first) };
  if (workdir % 3 === 1 || workdir === EVENTS_PER_TURN - 1) {
    const body = { ...serves, ...message, block: 0, text: prose(seed, 45) };
    return { ...common(id, number, index), type: 'agent.replied', dedupeKey: line.uuid, body };
  }
  return toolUse(id, number, index, { ...serves, ...message }, seed);
}

function toolUse(id: string, number: number, index: number, line: object, seed: number): NewEvent {
  const toolUseId = `toolu_${number}_${index}`;
  const failed = seed % 9 === 0;
  const file = `${folderOf(number)}/${FILES[seed % FILES.length]}`;
  const bash = {
    command: `npm test -- ${prose(seed, 4)}`,
    description: `Run the tests of ${prose(seed, 3)}`,
  };
  const body = {
    ...line,
    toolUseId,
    name: seed % 2 === 0 ? 'Bash' : 'Read',
    input: seed % 2 === 0 ? bash : { file_path: file, limit: 200 },
    outcome: failed ? ('failed' as const) : ('ok' as const),
    result: prose(seed, 30),
    error: failed ? `Error: ${prose(seed + 1, 12)}` : null,
    resultOffset: index * 1_900 + 800,
    endedAt: timeOf(number, index) + 900,
  };
  return { ...common(id, number, index), type: 'tool.used', dedupeKey: toolUseId, body };
}

function common(session: string, number: number, index: number) {
  return {
    agent: 'claude-code',
    session,
    channel: 'transcript',
    occurredAt: timeOf(number, index),
  } as const;
}

function timeOf(number: number, index: number): number {
  return 1_767_225_600_000 + number * 3_600_000 + index * 1_700;
}

function folderOf(number: number): string {
  return FOLDERS[number % FOLDERS.length]!;
}

function prose(seed: number, words: number): string {
  let text = '';
  for (let at = 0; at < words; at++)
    text += `${WORDS[(seed * 31 + at * at * 7) % WORDS.length]}${at % 11 === 0 ? seed + at : ''} `;
  return text.trimEnd();
}
