// What real versions of Gemini CLI wrote. Skipped where the shared data are missing; the other tests here have their forms.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { geminiCli } from '../../../src/agents/gemini-cli/index.ts';
import { documentFormat, lineFormat } from '../../../src/agents/gemini-cli/transcript.ts';
import { countRecords, damaged, recordsOf } from '../../helpers/agents/records.ts';
import { chance } from '../../helpers/chance.ts';
import { agentSamples, agentTranscripts } from '../../helpers/shared-data.ts';
import { firstTurn, textOf } from './session.ts';

const transcripts = agentTranscripts('gemini-cli');
const samples = agentSamples('gemini-cli', '0.61.0');

describe.skipIf(transcripts === null)('Real transcripts of Gemini CLI', () => {
  // Of three messages that the data's simple rule counts as prompts in the first file, the program sent one.
  test.each([
    ['Mai0313__VibeCodingTracker/gemini.jsonl', 2, 12],
    ['computermode__test-repo/5ac8a003-3138-4e2d-ad7e-600cf2d89ebc.json', 2, 3],
    ['computermode__test-repo/9640edb1-da8c-4f11-8e8a-96de872f2548.json', 1, 1],
    ['computermode__test-repo/c2038ea7-d503-42dd-bac6-4e0b1407648d.json', 1, 1],
    ['computermode__test-repo/1b9023d0-518b-48d4-b9eb-9d3eb08534cb.json', 1, 1],
  ])('hold the prompts and tool uses that they are known to hold: %s', (name, prompt, call) => {
    const path = join(transcripts!, name);
    const text = readFileSync(path, 'utf8');
    const { recognises, format, otherFormat } = geminiCli.transcripts!;
    const lines = name.endsWith('l') ? [JSON.parse(text.slice(0, text.indexOf('\n'))) as JsonObject] : [];
    const start = { path, text: text.slice(0, 65_536), lines };
    expect(recognises(start)).toBe(true);
    const counts = countRecords(recordsOf(otherFormat!(start) ?? format!, text, path));
    expect(counts).toMatchObject({ session: 1, prompt, call, result: call });
    expect(counts.unknown).toBeUndefined();
  });
});

describe.skipIf(samples === null)('Samples of Gemini CLI 0.61.0', () => {
  test('hold nothing unknown, and name the folder', () => {
    const files = readdirSync(join(samples!, 'transcripts'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(samples!, 'transcripts', name));
    expect(files).toHaveLength(7);
    const all = files.flatMap((path) => recordsOf(lineFormat, readFileSync(path, 'utf8'), path));
    expect(countRecords(all)).toMatchObject({ session: 8, prompt: 7, call: 12, result: 12 });
    expect(all.filter(({ kind }) => kind === 'unknown')).toEqual([]);
    expect(new Set(all.flatMap((record) => (record.kind === 'workdir' ? [record.cwd] : [])))).toEqual(
      new Set(['/home/u/app']),
    );
  });
});

test('Damaged payloads and lines throw nothing', () => {
  const random = chance(61);
  const payload = {
    ...{ session_id: 's', cwd: '/a', transcript_path: '/a', prompt: 'p', tool_name: 'run_shell_command' },
    tool_response: { llmContent: [{ text: 'Output: x\nExit Code: 1' }], returnDisplay: 'x', error: null },
  };
  const events = ['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'AfterTool', 'Else'];
  const lines = textOf(firstTurn)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  const location = { offset: 0, path: '/a' };
  for (let round = 0; round < 10_000; round++) {
    const hook_event_name = events[round % events.length]!;
    geminiCli.hooks!.read(damaged({ ...payload, hook_event_name }, random));
    const line = damaged(lines[round % lines.length]!, random);
    lineFormat.records(line, lineFormat.memory, location);
    documentFormat.records({ sessionId: 's', projectHash: 'h', messages: [line] }, {}, location);
  }
});
