// What must hold for the transcripts of every agent, shown on a small session: tests/agents/<name>/sample.ts. Claude Code has
// a reader of its own, with its own tests.
import { existsSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../src/agents/common/agent.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { AGENTS, agentOfFile, startOfFile } from '../../../src/agents/index.ts';
import { damaged } from '../../helpers/agents/records.ts';
import { chance } from '../../helpers/chance.ts';
import { testFolder } from '../../helpers/views.ts';
import { readInParts } from './read-in-parts.ts';
import type { Sample } from './sample.ts';

const CUTS = 50;
const DAMAGES = 500;

const read = AGENTS.filter(({ transcripts }) => transcripts?.format !== undefined);
const samplePath = (agent: Agent) => join(import.meta.dirname, '..', agent.name, 'sample.ts');

const bytesOf = (lines: readonly JsonObject[]) =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

test('every agent whose transcripts are read has a sample', () => {
  expect(read.filter((agent) => !existsSync(samplePath(agent))).map(samplePath)).toEqual([]);
});

describe.each(read.map((agent) => [agent.name, agent] as const))(
  'A transcript of %s',
  async (_name, agent) => {
    const { sample } = (await import(samplePath(agent))) as { sample: Sample };
    const { path, lines, prompt, counts } = sample;
    const bytes = bytesOf(lines);
    const eventsOf = (given: Buffer, ends: readonly number[] = []) =>
      readInParts(agent, given, ends, path).events;
    const whole = eventsOf(bytes);

    test('is known by its name in the folders, and by its lines elsewhere', () => {
      const inFolder = agent.transcripts!.isTranscript(path);
      expect(inFolder).toBe(true);
      const start = { path: '/tmp/copy', text: bytes.toString('utf8'), lines };
      expect(agentOfFile(start, AGENTS).name).toBe(agent.name);
    });

    test.skipIf(agent.transcripts!.format!.form === 'document')(
      'is known by a first line of any length',
      async () => {
        const copy = join(await testFolder(), 'copy.jsonl');
        writeFileSync(copy, bytes.toString('utf8').replace('{', `{${' '.repeat(70_000)}`));
        const file = await open(copy);
        const start = await startOfFile(copy, file);
        await file.close();
        expect(agentOfFile(start, AGENTS).name).toBe(agent.name);
      },
    );

    test.skipIf(agent.transcripts!.format!.form === 'document')(
      'is read on behind what a crash of the machine destroyed',
      () => {
        const texts = (events: typeof whole) =>
          events.map(({ type, body }) => [type, 'text' in body ? body.text : null]);
        const destroyed = (torn: string) =>
          Buffer.concat(
            lines.flatMap((line) => [Buffer.from(torn), Buffer.alloc(5_000), bytesOf([line])]).slice(3),
          );
        const [first = {}] = lines;
        for (const [torn, parked] of [
          ['', 0],
          ['{"torn', lines.length - 1],
        ] as const) {
          const given = Buffer.concat([bytesOf([first]), destroyed(torn)]);
          expect(texts(eventsOf(given))).toEqual(texts(whole));
          expect(readInParts(agent, given, [], path).state.counts).toMatchObject({ parked });
        }
        // The first line was read before its line break was lost.
        const cut = bytesOf([first]).length - 1;
        const given = Buffer.concat([bytesOf([first]).subarray(0, cut), destroyed('')]);
        expect(texts(eventsOf(given, [cut]))).toEqual(texts(whole));
      },
    );

    test('gives the prompt, tool uses and replies of one session, without anything unknown', () => {
      const { state } = readInParts(agent, bytes, [], path);
      expect(state.counts).toMatchObject({ unknownLines: {}, parked: 0, lines: lines.length });
      // The log stores an event once, however often an agent writes it.
      const stored = [...new Map(whole.map((event) => [`${event.type} ${event.dedupeKey}`, event])).values()];
      const ofType = (type: string) => stored.filter((event) => event.type === type);
      expect(ofType('prompt.submitted').map(({ body }) => body)).toMatchObject([{ text: prompt }]);
      expect(ofType('tool.used')).toHaveLength(counts.toolUses);
      if (counts.toolUses > 0)
        expect(ofType('tool.used').map(({ body }) => body)).toContainEqual(
          expect.objectContaining({ outcome: 'failed' }),
        );
      const replies = ofType('agent.replied').filter(({ body }) => 'text' in body && body.text !== null);
      expect(replies).toHaveLength(counts.replies);
      expect(new Set(whole.map(({ session }) => session)).size).toBe(1);
      expect(whole.every((event) => event.agent === agent.name)).toBe(true);
    });

    test.skipIf(agent.transcripts!.format!.form === 'document')(
      'gives the same events however it is cut',
      () => {
        const random = chance(50);
        for (let cut = 0; cut < CUTS; cut++)
          expect(eventsOf(bytes, [random.below(bytes.length)])).toEqual(whole);
        const ends = Array.from({ length: CUTS }, () => random.below(bytes.length)).sort((a, b) => a - b);
        expect(eventsOf(bytes, ends)).toEqual(whole);
      },
    );

    test('holds nothing of what we gave to its session', () => {
      const given = `${prompt} <annals-context>The plover port</annals-context>`;
      const events = eventsOf(Buffer.from(bytes.toString('utf8').replaceAll(prompt, given)));
      expect(JSON.stringify(events)).not.toContain('plover');
      const prompts = events.flatMap(({ type, body }) =>
        type === 'prompt.submitted' && 'text' in body ? [body.text?.trim()] : [],
      );
      expect(new Set(prompts)).toEqual(new Set([prompt]));
    });

    test('leaves nothing of a private turn', () => {
      const hidden = bytes.toString('utf8').replaceAll(prompt, `<private>${prompt}</private>`);
      const events = eventsOf(Buffer.from(hidden));
      expect(events.map(({ type }) => type)).not.toContain('tool.used');
      expect(JSON.stringify(events)).not.toContain(prompt);
      const replied = whole.flatMap(({ type, body }) =>
        type === 'agent.replied' && 'text' in body && typeof body.text === 'string' ? [body.text] : [],
      );
      for (const text of replied) expect(JSON.stringify(events)).not.toContain(text);
    });

    test('throws nothing when its lines are damaged', () => {
      const random = chance(24);
      for (let round = 0; round < DAMAGES / lines.length; round++)
        eventsOf(bytesOf(lines.map((line) => damaged(line, random))));
    });
  },
);
