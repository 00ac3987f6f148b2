// Real transcripts of agents with a format of records, read in 50 parts: the events are those of the whole file. Skipped
// where the shared data are missing; record-reader.test.ts cuts a file made by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { readRecords } from '../../../src/agents/common/record-reader.ts';
import { freshState } from '../../../src/agents/common/record-state.ts';
import { sanitizerOf } from '../../../src/agents/common/sanitizer.ts';
import { AGENTS } from '../../../src/agents/index.ts';
import { PrivatePrompts } from '../../../src/capture/private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../../../src/capture/text/clip.ts';
import { linesOf } from '../../../src/capture/transcripts/line-splitter.ts';
import { chance } from '../../helpers/chance.ts';
import { agentTranscripts } from '../../helpers/shared-data.ts';

const CUTS = 50;

describe.each([
  ['codex', 'codex'],
  ['copilot', 'copilot-cli'],
  ['gemini-cli', 'gemini-cli'],
])('Transcripts of %s', (name, folder) => {
  const transcripts = agentTranscripts(folder);
  const files = transcripts === null ? [] : linesFilesIn(transcripts);

  it.skipIf(files.length === 0)('give the same events in 50 parts', () => {
    for (const path of files) {
      const bytes = readFileSync(path);
      const random = chance(bytes.length);
      const ends = Array.from({ length: CUTS }, () => random.below(bytes.length)).sort((a, b) => a - b);
      const whole = read(name, path, bytes, []);
      expect(whole.length).toBeGreaterThan(0);
      expect(read(name, path, bytes, ends)).toEqual(whole);
    }
  });
});

function linesFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => join(folder, file));
}

function read(name: string, path: string, bytes: Buffer, ends: readonly number[]): readonly NewEvent[] {
  const agent = AGENTS.find((one) => one.name === name)!;
  const format = agent.transcripts!.format!;
  const world = {
    agent: name,
    format,
    path,
    sanitizer: sanitizerOf(TRANSCRIPT_CLIP_BYTES),
    fallbackSession: 'file',
    privatePrompts: new PrivatePrompts(),
    lineAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  let state = freshState(format);
  const events: NewEvent[] = [];
  for (const end of [...ends, bytes.length]) {
    const outcome = readRecords(state, linesOf(bytes.subarray(state.offset, end), state.offset), world);
    // A cursor is JSON.
    state = JSON.parse(JSON.stringify(outcome.state)) as typeof state;
    events.push(...outcome.events);
  }
  return events;
}
