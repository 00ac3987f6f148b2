// Whatever a line or a description holds, nothing throws, and each line is counted.
import { expect, test } from 'vitest';
import { parseDescription } from '../../../src/agents/declared/declared-agent.ts';
import { type Chance, chance } from '../../helpers/chance.ts';
import { readInParts } from '../common/read-in-parts.ts';
import { bytesOf, example, HERON, WORLD } from './world.ts';

const LINES = 5_000;
const DESCRIPTIONS = 1_000;
const LINES_A_FILE = 100;

const NAMES = [
  ...['type', 'id', 'timestamp', 'message', 'role', 'content', 'text', 'name', 'arguments', 'input', 'usage'],
  ...[
    'toolCallId',
    'tool_use_id',
    'isError',
    'is_error',
    'cwd',
    'version',
    'visibility',
    '__proto__',
    'cacheRead',
  ],
];
const WORDS = [
  ...[
    'session',
    'session_start',
    'message',
    'user',
    'assistant',
    'toolResult',
    'toolCall',
    'tool_use',
    'text',
  ],
  ...[
    'tool_result',
    'user_only',
    '2026-04-24T20:33:40Z',
    'nonsense',
    '',
    '{"a":1}',
    '{',
    '<system-reminder>',
  ],
  ...['<private>', '</system-reminder>', 'call_1', 'x'.repeat(300), '\u0000', '/home/u'],
];

function value(random: Chance, depth: number): unknown {
  const kind = random.below(depth > 4 ? 5 : 8);
  if (kind < 3) return WORDS[random.below(WORDS.length)];
  if (kind === 3) return [0, -1, 1.5, 1e300, 1_777_062_820][random.below(5)];
  if (kind === 4) return [null, true, false][random.below(3)];
  if (kind === 5) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return object(random, depth + 1, 1 + random.below(5));
}

function object(random: Chance, depth: number, fields: number): object {
  return Object.fromEntries(
    Array.from({ length: fields }, () => [NAMES[random.below(NAMES.length)], value(random, depth)]),
  );
}

/** A line of about the right shape. */
function line(random: Chance): object {
  return {
    ...object(random, 0, random.below(6)),
    type: ['message', 'message', 'session', 'session_start', value(random, 3)][random.below(5)],
    ...(random.below(3) === 0 ? {} : { message: object(random, 1, 5) }),
  };
}

test.each(['pi', 'droid'] as const)('lines of any content, as %s', (name) => {
  const random = chance(7);
  const { agent } = example(name);
  for (let file = 0; file < LINES / LINES_A_FILE / 2; file++) {
    const lines = Array.from({ length: LINES_A_FILE }, () => line(random));
    const bytes = bytesOf(lines);
    const whole = readInParts(agent, bytes);
    expect(whole.state.counts.lines).toBe(LINES_A_FILE);
    expect(whole.state.counts.parked).toBe(0);
    const { unknownLines, known } = whole.state.counts;
    expect(known + Object.values(unknownLines).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(
      LINES_A_FILE,
    );
    const cuts = [random.below(bytes.length), random.below(bytes.length)].sort((a, b) => a - b);
    expect(readInParts(agent, bytes, cuts).events).toEqual(whole.events);
  }
});

test('descriptions of any content', () => {
  const random = chance(11);
  const lines = bytesOf(Array.from({ length: 20 }, () => line(random)));
  let usable = 0;
  for (let count = 0; count < DESCRIPTIONS; count++) {
    const read = parseDescription(mutated(random), WORLD);
    if ('problems' in read) expect(read.problems.length).toBeGreaterThan(0);
    else {
      usable += 1;
      readInParts(read.agent, lines);
      read.agent.transcripts!.isTranscript('/home/u/.pi/agent/sessions/a/b.jsonl');
    }
  }
  expect(usable).toBeGreaterThan(DESCRIPTIONS / 20);
  expect(usable).toBeLessThan(DESCRIPTIONS);
});

const PATHS = [
  '.',
  '$',
  'a.b',
  '.a[]',
  '$.x',
  'message.content[].text',
  '[]',
  'a..b',
  '__proto__',
  'constructor.name',
];
const BASES = [HERON, example('pi').description, example('droid').description].map((one) =>
  JSON.stringify(one),
);

/** A description that is right, with some changes. */
function mutated(random: Chance): string {
  const base = BASES[random.below(BASES.length)]!;
  if (random.below(8) === 0) return base.slice(0, random.below(base.length));
  const description = JSON.parse(base) as unknown;
  for (let change = random.below(4); change >= 0; change--) {
    let at = description as Record<string, unknown>;
    for (let depth = random.below(4); depth >= 0; depth--) {
      const keys = Object.keys(at);
      const key = keys[random.below(keys.length)];
      if (key === undefined) break;
      const inner = at[key];
      if (depth > 0 && typeof inner === 'object' && inner !== null) at = inner as Record<string, unknown>;
      else {
        const kind = random.below(4);
        if (kind === 0) delete at[key];
        else at[key] = kind === 1 ? value(random, 2) : PATHS[random.below(PATHS.length)];
        break;
      }
    }
  }
  return JSON.stringify(description);
}
