// Synthetic events in about the mix and size of a coding session: one in nine is a prompt, a third are answers, the
// rest tool uses with results from one line to a few kilobytes. The same number gives the same event. They come out
// of JSON.parse, like those of a transcript: a concatenated string is flattened at its first read, and that cost would
// be measured as the reader's.
import type { NewEvent } from '../../log/index.ts';

const WORDS =
  'the error in log reader append export function const return test passes file import index await while value'.split(
    ' ',
  );

export function mixedEvents(count: number, from = 0): NewEvent[] {
  return JSON.parse(JSON.stringify(Array.from({ length: count }, (_, index) => newEvent(from + index))));
}

function newEvent(number: number): NewEvent {
  const common = {
    agent: 'claude-code',
    session: `5f0c7d1e-0000-4000-8000-${String(Math.floor(number / 400)).padStart(12, '0')}`,
    channel: 'transcript',
    occurredAt: 1_767_225_600_000 + number * 1_700,
  } as const;
  const line = {
    uuid: `0b9a-${number}`,
    parent: `0b9a-${number - 1}`,
    offset: number * 2_000,
    promptId: `p-${Math.floor(number / 9)}`,
    cwd: '/home/someone/projects/annals',
    branch: 'main',
  };
  if (number % 9 === 0)
    return {
      ...common,
      type: 'prompt.submitted',
      dedupeKey: line.uuid,
      body: { ...line, text: prose(number, 40), via: 'line' },
    };
  if (number % 3 === 0)
    return {
      ...common,
      type: 'agent.replied',
      dedupeKey: line.uuid,
      body: { ...line, text: prose(number, 90), messageId: `msg_${number}`, model: 'claude' },
    };
  return {
    ...common,
    type: 'tool.used',
    dedupeKey: `toolu_${number}`,
    body: {
      ...line,
      toolUseId: `toolu_${number}`,
      name: 'Bash',
      input: { command: `npm test -- ${prose(number, 6)}`, description: prose(number + 1, 8) },
      outcome: 'ok',
      result: prose(number, 20 + ((number * 7919) % 400)),
      detail: { interrupted: false, isImage: false, exitCode: 0 },
    },
  };
}

function prose(seed: number, words: number): string {
  let text = '';
  for (let at = 0; at < words; at++)
    text += `${WORDS[(seed * 31 + at * at * 7) % WORDS.length]}${at % 11 === 0 ? seed + at : ''} `;
  return text;
}
