import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../log/index.ts';
import { LineSplitter, linesOf } from '../../../src/capture/transcripts/line-splitter.ts';
import { onEachCorpus } from '../../helpers/corpus/corpora.ts';
import { readsAllTranscripts } from '../../helpers/shared-data.ts';
import { ofType, readInSlices, readWhole, Script } from '../../helpers/transcripts.ts';
import { testWorld } from '../../helpers/world.ts';

const CATALOG = await loadCatalog();
/** Bytes from one cut to the next. */
const CUT_EVERY = readsAllTranscripts ? 1 : 3;

function cutsOf(bytes: Buffer, seed: string, count: number): number[] {
  const world = testWorld(seed);
  return Array.from({ length: count }, () => world.integer(bytes.length + 1)).sort((a, b) => a - b);
}

/** A transcript with every kind of line, written so that cuts may be inside characters. */
function manyKinds(): Buffer {
  const script = new Script();
  script.raw({ type: 'summary', summary: 'čaj 🍵', leafUuid: '00000002-0000-4000-8000-000000000000' });
  script.prompt('naïve\u2028question — 日本語 🍵');
  script.use('toolu_1', 'Bash', { command: 'echo 🍵' });
  script.use('toolu_2', 'Read', { file_path: '/ž' });
  script.result('toolu_3', 'before its use: ✓');
  script.result('toolu_2', 'two ✓');
  script.text('{"torn": \n');
  script.text('\r\n\n');
  script.use('toolu_3');
  script.result('toolu_1', 'one ✓');
  script.meta('custom-title', { customTitle: 'Ťitle' });
  script.meta('custom-title', { customTitle: 'Ťitle' });
  script.enqueue('<private>🍵</private>');
  script.reply('hidden');
  script.use('toolu_4');
  script.prompt('next');
  script.reply('done', {}, { id: 'msg_z' });
  script.reply('more', {}, { id: 'msg_z' });
  script.meta('brand-new');
  return script.bytes();
}

describe('Splitting a file into lines', () => {
  it('splits at byte 0x0A only, wherever the chunks end', () => {
    const bytes = Buffer.from('{"a":"x\u2028y\u2029z\u0085"}\r\n{"b":"🍵"}\n\nlast');
    const atOnce = linesOf(bytes, 100).map((line) => [line.offset, line.length, line.ended]);
    expect(atOnce).toEqual([
      [100, 20, true],
      [121, 12, true],
      [134, 0, true],
      [135, 4, false],
    ]);
    const splitter = new LineSplitter(100);
    const single = [...bytes].flatMap((byte) => splitter.push(Buffer.from([byte])));
    expect([...single, splitter.rest()].map((line) => [line?.offset, line?.length, line?.ended])).toEqual(
      atOnce,
    );
  });

  it('does not keep a line over the limit, and continues after it', () => {
    const splitter = new LineSplitter(0, 10);
    const lines = [...splitter.push(Buffer.from('12345')), ...splitter.push(Buffer.from('6789012\nok\n'))];
    expect(lines.map((line) => [line.offset, line.length, line.bytes === null])).toEqual([
      [0, 12, true],
      [13, 2, false],
    ]);
  });
});

describe('Reading in slices', () => {
  it(`gives the same events and the same state for cuts that are ${CUT_EVERY} bytes apart`, () => {
    const bytes = manyKinds();
    const atOnce = readWhole(bytes);
    expect(atOnce.newEvents.length).toBe(11);
    const { newEvents, state } = atOnce;
    /** The same was read before most bytes of a line, and then the same follows. */
    const before = new Set<string>();
    for (let cut = 0; cut <= bytes.length; cut += CUT_EVERY) {
      const head = JSON.stringify(readWhole(bytes.subarray(0, cut)));
      if (before.has(head)) continue;
      before.add(head);
      const sliced = readInSlices(bytes, [cut]);
      // Vitest's comparison takes longer than the reading.
      if (!isDeepStrictEqual([sliced.newEvents, sliced.state], [newEvents, state])) {
        expect(sliced.newEvents, `cut at ${cut}`).toEqual(newEvents);
        expect(sliced.state, `cut at ${cut}`).toEqual(state);
      }
    }
  });

  it('uses a complete last line without a newline, and does not repeat its event when the newline comes', () => {
    const script = new Script();
    script.prompt('one');
    script.reply('two');
    const ended = script.bytes();
    const open = ended.subarray(0, -1);
    expect(readWhole(open).newEvents).toEqual(readWhole(ended).newEvents);
    expect(readInSlices(ended, [open.length]).newEvents).toEqual(readWhole(ended).newEvents);
    script.reply('three');
    expect(readInSlices(script.bytes(), [open.length]).state).toEqual(readWhole(script.bytes()).state);
  });

  it('waits for the rest of an incomplete last line', () => {
    const script = new Script();
    script.prompt('one');
    const before = script.bytes().length;
    script.reply('torn 🍵');
    const torn = script.bytes().subarray(0, -20);
    const { newEvents, state } = readWhole(torn);
    expect(newEvents.map(({ type }) => type)).toEqual(['session.started', 'prompt.submitted']);
    expect(state).toMatchObject({ offset: before, tail: null, counts: { parked: 0 } });
  });

  it('parks text that follows a complete line without a newline in between', () => {
    const script = new Script();
    script.prompt('one');
    const cut = script.bytes().length - 1;
    const bytes = Buffer.concat([script.bytes().subarray(0, cut), Buffer.from('}garbage\n')]);
    const { state, newEvents } = readInSlices(bytes, [cut]);
    expect(newEvents).toHaveLength(2);
    expect(state.parked).toEqual([{ offset: cut, length: 8, reason: 'bytes after a complete line' }]);
  });
});

describe('Bad lines', () => {
  it('are parked with reason and location; a hundred are kept and all are counted', () => {
    const script = new Script();
    script.prompt('one');
    const first = script.bytes().length;
    script.text('no json\n[1,2]\n"text"\n\u0000\u0001\n');
    for (let line = 0; line < 200; line += 1) script.text('bad\n');
    script.reply('two');
    const { newEvents, state } = readWhole(script.bytes());
    expect(ofType(newEvents, 'agent.replied')).toHaveLength(1);
    expect(state.counts.parked).toBe(204);
    expect(state.parked).toHaveLength(100);
    expect(state.parked.slice(0, 4)).toEqual([
      { offset: first, length: 7, reason: 'not a JSON object' },
      { offset: first + 8, length: 5, reason: 'not a JSON object' },
      { offset: first + 14, length: 6, reason: 'not a JSON object' },
      { offset: first + 21, length: 2, reason: 'not text' },
    ]);
  });

  it('over 16 MiB are parked with location and length, also when they grow over several reads', () => {
    const script = new Script();
    script.prompt('one');
    const offset = script.bytes().length;
    const long = Buffer.concat([script.bytes(), Buffer.alloc(17 * 1024 * 1024, 'x')]);
    const after = new Script({ firstUuid: 50 });
    after.reply('two');
    const bytes = Buffer.concat([long, Buffer.from('xyz\n'), after.bytes()]);
    const { newEvents, state } = readInSlices(bytes, [long.length, long.length + 2]);
    expect(state.parked).toEqual([{ offset, length: 17 * 1024 * 1024 + 3, reason: 'longer than 16 MiB' }]);
    expect(state).toEqual(readWhole(bytes).state);
    expect(newEvents.map(({ type }) => type)).toEqual([
      'session.started',
      'prompt.submitted',
      'agent.replied',
    ]);
  });

  it('may have fields of the wrong form, which become null', () => {
    const script = new Script();
    const odd = {
      cwd: 7,
      gitBranch: null,
      version: {},
      timestamp: 'never',
      promptId: ['x'],
      permissionMode: 3,
    };
    script.prompt('one', { ...odd, uuid: 'u1', parentUuid: 9 });
    script.message(
      'assistant',
      {
        content: [null, 5, { type: 'text', text: 7 }],
        usage: { input_tokens: 'x', output_tokens: 1e300 },
        id: 4,
        model: [],
      },
      { ...odd, uuid: 'u2' },
    );
    script.use('toolu_1', 'Bash', {}, { ...odd, uuid: 'u3' }, { usage: 'none' });
    script.result('toolu_1', { odd: true }, { ...odd, uuid: 'u4', toolUseResult: 5 });
    script.message('assistant', 'no object', { uuid: 'u5' });
    script.message('user', { content: 12 }, { uuid: 'u6' });
    script.raw({ type: 'user', message: { content: 'neither uuid nor session' } });
    script.raw({ type: 'attachment', attachment: 'x', sessionId: script.session });
    script.raw({ type: 'queue-operation', operation: 'enqueue', content: { a: 1 } });
    const { newEvents } = readWhole(script.bytes());
    expect(newEvents.map(({ type }) => type)).toEqual([
      'session.started',
      'prompt.submitted',
      'agent.replied',
      'tool.used',
      'prompt.submitted',
    ]);
    for (const { type, body } of newEvents) expect(CATALOG[type].body.safeParse(body).success).toBe(true);
  });
});

onEachCorpus('Transcripts', ({ files, counts }) => {
  it.each(files)('$name gives the same events in 50 random slices as in one read', (file) => {
    const bytes = file.bytes();
    const atOnce = readWhole(bytes, { name: file.name });
    const sliced = readInSlices(bytes, cutsOf(bytes, file.name, 50), { name: file.name });
    expect(sliced.newEvents.length).toBe(atOnce.newEvents.length);
    expect(sliced.newEvents).toEqual(atOnce.newEvents);
    expect(sliced.state).toEqual(atOnce.state);
  });

  it.each(files)('$name is read to its end, every event is valid, nothing is parked', (file) => {
    const bytes = file.bytes();
    const { newEvents, state } = readWhole(bytes, { name: file.name });
    expect(state.offset).toBe(bytes.length);
    expect(state.counts).toMatchObject({ parked: 0, unknownLines: {}, unknownAttachments: {} });
    expect(JSON.stringify(state).length).toBeLessThan(32_000);
    for (const { type, body } of newEvents) expect(CATALOG[type].body.safeParse(body).success).toBe(true);
    const facts = newEvents.map(({ session, type, dedupeKey }) => JSON.stringify([session, type, dedupeKey]));
    expect(new Set(facts).size).toBe(facts.length);
  });

  it.each(counts)('$name: $prompts prompts, $toolUses tool uses as counted by a person', (row) => {
    const file = files.find(({ name }) => name === row.name)!;
    const { newEvents, state } = readWhole(file.bytes(), { name: row.name });
    const prompts = ofType(newEvents, 'prompt.submitted');
    const lines = prompts.filter(({ body }) => body.via === 'line' && body.kind === 'prompt');
    const used = ofType(newEvents, 'tool.used');
    const open = state.open.filter(({ side }) => side === 'use');
    expect(lines).toHaveLength(row.prompts);
    expect(used.length + open.length).toBe(row.toolUses);
  });
});
