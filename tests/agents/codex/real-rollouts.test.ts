// Rollouts of real sessions: legacy ones of 0.39 to 0.142, paginated ones of 0.169.0. What is expected of each is counted
// in its raw lines.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../src/agents/codex/index.ts';
import { rolloutFormat } from '../../../src/agents/codex/transcript.ts';
import { type JsonObject, objectOf, stringOf } from '../../../src/agents/common/json-fields.ts';
import type { TranscriptRecord } from '../../../src/agents/common/records.ts';
import { chance } from '../../helpers/chance.ts';
import { agentSamples, agentTranscripts } from '../../helpers/shared-data.ts';
import { readLines } from './rollout.ts';

const CUTS = Number(process.env.ANNALS_TEST_CUTS ?? 8);
const folders = [agentTranscripts('codex'), agentSamples('codex', '0.169.0')];

interface RealRollout {
  readonly path: string;
  readonly lines: readonly JsonObject[];
}

function rolloutsIn(folder: string | null): readonly RealRollout[] {
  if (folder === null) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.jsonl'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({
      path,
      lines: readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as JsonObject),
    }));
}

/** How often a rollout has each of these kinds of lines. */
function countsOf({ lines }: RealRollout): { readonly prompts: number; readonly calls: number } {
  const kinds = lines.map((line) => {
    const payload = objectOf(line.payload);
    return stringOf(objectOf(payload?.item)?.type) ?? stringOf(payload?.type) ?? '';
  });
  const count = (...names: readonly string[]) => kinds.filter((kind) => names.includes(kind)).length;
  return {
    prompts: count('user_message', 'UserMessage'),
    calls: count('function_call', 'custom_tool_call', 'tool_search_call', 'web_search_call'),
  };
}

/** What the reader of records takes from a line that it reads again. */
function callsOf(records: readonly TranscriptRecord[]): readonly string[] {
  return records.flatMap((one) =>
    one.kind === 'call' ? [JSON.stringify([one.id, one.name, one.input])] : [],
  );
}

describe.skipIf(folders.includes(null))('Real rollouts', () => {
  const [legacy, paginated] = folders.map(rolloutsIn) as [readonly RealRollout[], readonly RealRollout[]];

  it.each([...legacy, ...paginated])('have every prompt and call once: $path', (rollout) => {
    const { records } = readLines(rollout.lines);
    const ids = (kind: string) =>
      records.flatMap((one) => (one.kind === kind && 'id' in one ? [one.id] : []));
    const { prompts, calls } = countsOf(rollout);
    // Two patches of one rollout were made from within a script, and have no call of their own.
    const nested = ids('call').filter((id) => id.startsWith('call_patch_apply_')).length;
    expect({ prompts: ids('prompt').length, calls: ids('call').length - nested }).toEqual({ prompts, calls });
    for (const kind of ['prompt', 'call', 'result', 'reply'])
      expect(new Set(ids(kind)).size).toBe(ids(kind).length);
    expect(ids('call')).toEqual(expect.arrayContaining(ids('result')));
    expect(records[0]).toMatchObject({ kind: 'session' });
    expect(records.filter(({ kind }) => kind === 'unknown')).toEqual([]);
  });

  it('add up to what the list of the data says', () => {
    const all = legacy.map(({ lines }) => readLines(lines).records);
    const count = (kind: string) => all.flat().filter((one) => one.kind === kind).length;
    // The list has 597 tool uses: without the two patches from within a script.
    expect({ files: all.length, prompts: count('prompt'), calls: count('call') }).toEqual({
      files: 6,
      prompts: 57,
      calls: 599,
    });
  });

  it(`give the same records when the reading is interrupted at ${CUTS} places`, () => {
    const random = chance(7);
    for (const { lines } of [...legacy, ...paginated]) {
      const whole = readLines(lines).records;
      for (let cut = 0; cut < CUTS; cut++) {
        const at = random.below(lines.length + 1);
        const first = readLines(lines.slice(0, at));
        const second = readLines(lines.slice(at), first.memory, first.offset);
        expect([...first.records, ...second.records]).toEqual(whole);
      }
    }
  });

  it('give the same call when its line is read again with a later memory', () => {
    for (const { lines } of [...legacy, ...paginated]) {
      const later = readLines(lines).memory;
      let { memory } = rolloutFormat;
      let offset = 0;
      for (const line of lines) {
        const location = { offset, path: '/rollout-1.jsonl' };
        const first = rolloutFormat.records(line, memory, location);
        const again = callsOf(rolloutFormat.records(line, later, location).records);
        for (const call of callsOf(first.records)) expect(again).toContain(call);
        memory = first.memory;
        offset += Buffer.byteLength(JSON.stringify(line)) + 1;
      }
    }
  });

  it('name the same calls and turns as the hooks of their sessions', () => {
    const records = paginated.flatMap(({ lines }) => readLines(lines).records);
    const calls = new Set(records.flatMap((one) => (one.kind === 'call' ? [one.id] : [])));
    const turns = new Set(records.flatMap((one) => (one.kind === 'prompt' ? [one.turn] : [])));
    const folder = join(agentSamples('codex', '0.169.0')!, 'hooks');
    const hooks = readdirSync(folder).map((name) =>
      objectOf(codex.hooks!.read(JSON.parse(readFileSync(join(folder, name), 'utf8'))) as JsonObject),
    );
    const used = hooks.filter((hook) => hook?.hook_event_name === 'PostToolUse');
    expect(used.map((hook) => calls.has(stringOf(hook?.tool_use_id) ?? ''))).toEqual(used.map(() => true));
    const named = hooks.flatMap((hook) => stringOf(hook?.prompt_id) ?? []);
    expect(named.map((turn) => turns.has(turn))).toEqual(named.map(() => true));
    expect([used.length, named.length]).toEqual([12, 43]);
  });

  it('know how commands ended, as their output says', () => {
    for (const { lines } of [...legacy, ...paginated]) {
      const { records } = readLines(lines);
      for (const line of lines) {
        const payload = objectOf(line.payload);
        const code = /^Process exited with code (\d+)$/m.exec(stringOf(payload?.output) ?? '')?.[1];
        const result = records.find((one) => one.kind === 'result' && one.id === payload?.call_id);
        if (code === undefined || result?.kind !== 'result') continue;
        // The call that waited for a command did not fail with it.
        const waited = records.find(
          (one) => one.kind === 'call' && one.id === result.id && one.name === 'write_stdin',
        );
        if (waited === undefined) expect(result.outcome).toBe(code === '0' ? 'ok' : 'failed');
      }
    }
  });
});
