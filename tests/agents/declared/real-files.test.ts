// The examples read the real transcripts of Pi and Droid. Skipped where the shared data are missing; declared-format.test.ts
// reads lines made by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDescription } from '../../../src/agents/declared/check-description.ts';
import { chance } from '../../helpers/chance.ts';
import { agentTranscripts } from '../../helpers/shared-data.ts';
import { readInParts } from '../common/read-in-parts.ts';
import { example, WORLD } from './world.ts';

const CUTS = 50;

describe.each([
  // Three lines change the model and the level of thinking.
  ['pi', { lines: 13, sessions: 1, prompts: 1, toolUses: 4, replies: 4, notPrompts: {} }],
  // One of two texts in a person's place is the program's.
  [
    'droid',
    {
      lines: 3,
      sessions: 1,
      prompts: 1,
      toolUses: 0,
      replies: 0,
      notPrompts: { 'notice of the program': 1 },
    },
  ],
] as const)('Real transcripts of %s', (name, counts) => {
  const folder = agentTranscripts(name);
  const files = folder === null ? [] : filesIn(folder);

  test.skipIf(files.length === 0)('have the known counts', async () => {
    const found = await checkDescription(example(name), files, WORLD.machine);
    expect(found).toMatchObject({
      ...counts,
      files: 1,
      unknown: {},
      parked: 0,
      callsWithoutResult: 0,
      resultsWithoutCall: 0,
      withoutTime: 0,
      withoutFolder: 0,
      notRecognised: [],
      unreadable: [],
    });
  });

  test.skipIf(files.length === 0)('give the same events in 50 parts', () => {
    for (const path of files) {
      const bytes = readFileSync(path);
      const random = chance(bytes.length);
      const { agent } = example(name);
      const whole = readInParts(agent, bytes, [], path).events;
      expect(whole.length).toBeGreaterThan(1);
      for (let cut = 0; cut < CUTS; cut++)
        expect(readInParts(agent, bytes, [random.below(bytes.length)], path).events).toEqual(whole);
      const ends = Array.from({ length: CUTS }, () => random.below(bytes.length)).sort((a, b) => a - b);
      expect(readInParts(agent, bytes, ends, path).events).toEqual(whole);
    }
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => join(folder, file));
}
