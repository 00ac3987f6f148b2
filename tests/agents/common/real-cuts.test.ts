// Real transcripts of agents with a format of records, read in 50 parts: the events are those of the whole file. Skipped
// where the shared data are missing; record-reader.test.ts cuts a file made by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../../src/agents/index.ts';
import { chance } from '../../helpers/chance.ts';
import { agentTranscripts } from '../../helpers/shared-data.ts';
import { readInParts } from './read-in-parts.ts';

const CUTS = 50;

describe.each([
  ['codex', 'codex'],
  ['copilot', 'copilot-cli'],
  ['cursor', 'cursor'],
  ['gemini-cli', 'gemini-cli'],
])('Transcripts of %s', (name, folder) => {
  const agent = AGENTS.find((one) => one.name === name)!;
  const transcripts = agentTranscripts(folder);
  const files = transcripts === null ? [] : linesFilesIn(transcripts);

  it.skipIf(files.length === 0)('give the same events in 50 parts', () => {
    for (const path of files) {
      const bytes = readFileSync(path);
      const random = chance(bytes.length);
      const ends = Array.from({ length: CUTS }, () => random.below(bytes.length)).sort((a, b) => a - b);
      const whole = readInParts(agent, bytes, [], path).events;
      expect(whole.length).toBeGreaterThan(0);
      expect(readInParts(agent, bytes, ends, path).events).toEqual(whole);
    }
  });
});

function linesFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => join(folder, file));
}
