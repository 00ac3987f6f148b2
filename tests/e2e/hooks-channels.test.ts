// Sessions that are reported by hooks and by transcript. In any order and with any repetition the reports give the
// same events and the same rows in every view. A generator makes the hook payloads from the published reference;
// tests/real-agents checks payloads of the real agent.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventId } from '../../log/index.ts';
import {
  contextProjector,
  memoryProjector,
  projectsProjector,
  receiptsProjector,
  TextView,
  turnsProjector,
  VectorView,
} from '../../projections/index.ts';
import { defaultEmbedder } from '../../src/embed/embedders/default-embedder.ts';
import { listProjectIndexes } from '../../src/home/home-projects.ts';
import type { NewEvent } from '../../src/index.ts';
import { chance } from '../helpers/chance.ts';
import { type Corpus, onEachCorpus } from '../helpers/corpus/corpora.ts';
import { type HookOptions, hookCalls, hookNewEvents } from '../helpers/hooks/hook-generator.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { readsAllTranscripts } from '../helpers/shared-data.ts';
import { leave, waiting } from '../helpers/spool.ts';
import { ofType, readWhole, type TranscriptFile } from '../helpers/transcripts.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';
import { digestsOf, eventsOf, withHome } from './homes.ts';

const VIEWS = ['context', 'memory', 'projects', 'receipts', 'text', 'turns', 'vectors'];
const SEEDS_A_SESSION = Math.ceil(Number(process.env.ANNALS_TEST_SEEDS ?? 10) / 10);
/** Real sessions that together contain every situation below and are small enough to be appended 400 times; `npm test` reads four, without a background agent. */
const CHOSEN = readsAllTranscripts
  ? /\/(?:f6b7329a|69d8706c|8521e3ab|b342582f|d1d5001b|5c0375b4|f736da47|bc3bf53b|short|tool_heavy)[^/]*\.jsonl$/
  : /\/(?:d1d5001b|5c0375b4|bc3bf53b|short)[^/]*\.jsonl$/;
/** Synthetic sessions, one of each transcript version. */
const SYNTHETIC = /\/(?:5e550001|5e550005|5e550009)[^/]*\.jsonl$/;
const NUMBER = { real: readsAllTranscripts ? 10 : 4, synthetic: 3 };

function sessionsOf({ name: corpus, files }: Corpus): readonly TranscriptFile[] {
  return files.filter(({ name }) => (corpus === 'real' ? CHOSEN : SYNTHETIC).test(name));
}

/** All hooks from the start; or hooks installed in mid-session, every fifth of which is lost. */
const HOOKS: Readonly<Record<string, HookOptions>> = {
  'all hooks': { promptId: true, stopsTwice: true },
  'hooks from mid-session on, every fifth lost': {
    promptId: true,
    stopsTwice: true,
    beginAt: 0.3,
    loseEvery: 5,
  },
};

async function foldedRows(pieces: readonly (readonly NewEvent[])[], pageSize: number) {
  const log = await openMemoryLog();
  const projectIndexes = () => listProjectIndexes(views);
  const text: TextView = new TextView({ files: null, projectIndexes });
  const vectors: VectorView = new VectorView({ files: null, projectIndexes, embedder: defaultEmbedder });
  const projectors = [
    turnsProjector,
    projectsProjector,
    memoryProjector,
    contextProjector,
    receiptsProjector,
  ];
  const runner = await testRunner({
    log,
    generations: memoryGenerations(),
    projectors,
    indexes: [text, vectors],
    pageSize,
  });
  const views = { projects: runner.view('projects'), memory: runner.view('memory') };
  for (const piece of pieces) {
    await log.append(piece);
    await runner.catchUp();
  }
  expect(await runner.deadLetters()).toEqual([]);
  const events = (await log.page({ after: 0, limit: 1e6, bytesMax: 1e9 })).events;
  const digests: Record<string, string> = {};
  for (const name of VIEWS) digests[name] = await runner.digest(name);
  return { ids: events.map(({ id }) => id).sort(), digests };
}

onEachCorpus('Hooks and transcript of sessions', (corpus) => {
  const sessions = sessionsOf(corpus);
  const seeds = corpus.name === 'real' ? SEEDS_A_SESSION : Math.ceil(SEEDS_A_SESSION / 2);
  test('contain every difficult situation', () => {
    expect(sessions).toHaveLength(NUMBER[corpus.name]);
    const seen = sessions.map(({ bytes }) => situations(bytes()));
    const total = (of: (one: (typeof seen)[number]) => number) => seen.reduce((sum, one) => sum + of(one), 0);
    const counts = {
      'failed tools, reported by both': total((one) => one.failed),
      'cancelled tools, reported by the transcript alone': total((one) => one.cancelled),
      'background agents that stop after the use that launched them': total((one) => one.background),
      'queued prompts, reported by both': total((one) => one.queued),
      'turns that stop twice': total((one) => one.twoStops),
    };
    process.stdout.write(`${JSON.stringify(counts)}\n`);
    const missing = Object.keys(counts).filter((what) => counts[what as keyof typeof counts] === 0);
    const isWhole = corpus.name === 'synthetic' || readsAllTranscripts;
    expect(missing).toEqual(isWhole ? [] : ['background agents that stop after the use that launched them']);
    for (const { bytes } of sessions) {
      const [all, holed] = Object.values(HOOKS).map((options) => hookCalls(bytes(), options));
      expect(all![0]!.payload.hook_event_name).toBe('SessionStart');
      expect(holed!.some(({ payload }) => payload.hook_event_name === 'SessionStart')).toBe(false);
      expect(holed!.length).toBe(all!.length - Math.floor(all!.length * 0.3) - lostOf(all!.length));
    }
  });

  test.each(sessions.map((session, index) => [session.name, session, index] as const))(
    `%s: the same events and rows in either order, interleaved by ${seeds} seeds, twice`,
    async (name, { bytes }: TranscriptFile, index) => {
      for (const [which, options] of Object.entries(HOOKS)) {
        const transcript = readWhole(bytes(), { name }).newEvents;
        const hooks = hookNewEvents(bytes(), options);
        const expected = await foldedRows([transcript, hooks], 1_000);
        expect(expected.ids).toEqual([...new Set([...transcript, ...hooks].map(eventId))].sort());
        expect(await foldedRows([hooks, transcript], 1_000), `${which} first`).toEqual(expected);
        for (let turn = 0; turn < seeds; turn++) {
          const seed = index * seeds + turn;
          const { interleaved, shuffled, cut, below } = chance(seed);
          const once =
            turn % 2 === 0 ? interleaved([transcript, hooks]) : shuffled([...transcript, ...hooks]);
          const twice = interleaved([once, turn % 4 < 2 ? once : shuffled(once)]);
          const found = await foldedRows(cut(twice, 400), 1 + below(400));
          expect(found, `${which}, seed ${seed}`).toEqual(expected);
        }
      }
    },
    120_000,
  );

  // Each test opens a home about twelve times, so only the synthetic session with the most forms is used.
  const spooled = corpus.name === 'real' ? sessions : sessions.slice(0, 1);
  test.each(spooled.map((session) => [session.name, session] as const))(
    '%s: the same by spool and import, in either order, in pieces, twice',
    async (name, session) => {
      const folder = mkdtempSync(join(tmpdir(), 'annals-witnesses-'));
      try {
        const calls = hookCalls(session.bytes(), HOOKS['all hooks']!);
        const found = [];
        for (const order of ['hooks first', 'transcript first', 'in pieces'] as const) {
          const home = join(folder, order);
          mkdirSync(home, { mode: 0o700 });
          for (const step of stepsOf(order, session.bytes(), calls)) {
            for (const { payload, receipt } of step.calls)
              leave(home, receipt.spoolName, payload, receipt.receivedAt);
            // The file holds only the lines so far; its path stays the same.
            const file = join(home, name.split('/').at(-1)!);
            if (step.bytes !== null) writeFileSync(file, step.bytes);
            await withHome<unknown>(home, (annals) =>
              step.bytes === null ? annals.status() : annals.import([file]),
            );
          }
          expect(waiting(home)).toEqual([]);
          found.push(
            await withHome(home, async (annals) => ({
              ids: (await eventsOf(annals))
                .filter(({ type }) => type !== 'workdir.seen')
                .map(({ id }) => id)
                .sort(),
              digests: await digestsOf(annals),
            })),
          );
        }
        expect(Object.keys(found[0]!.digests).sort()).toEqual(VIEWS);
        expect(found[1]).toEqual(found[0]);
        expect(found[2]).toEqual(found[0]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    120_000,
  );
});

/** Leaves out calls before the hooks were installed, and every fifth call. */
function lostOf(calls: number): number {
  return Math.floor(calls / 5) - Math.floor(Math.floor(calls * 0.3) / 5);
}

interface Step {
  readonly calls: ReturnType<typeof hookCalls>;
  /** The transcript so far; null when it is not imported. */
  readonly bytes: Buffer | null;
}

function stepsOf(
  order: 'hooks first' | 'transcript first' | 'in pieces',
  bytes: Buffer,
  calls: ReturnType<typeof hookCalls>,
): readonly Step[] {
  const hooks = { calls, bytes: null };
  const transcript = { calls: [], bytes };
  if (order === 'hooks first') return [hooks, transcript, hooks, transcript];
  if (order === 'transcript first') return [transcript, hooks, transcript, hooks];
  const part = (of: number) => Math.floor(of);
  return [
    { calls: calls.slice(0, part(calls.length / 3)), bytes: null },
    { calls: [], bytes: bytes.subarray(0, part(bytes.length / 2)) },
    { calls: calls.slice(part(calls.length / 4)), bytes: null },
    { calls, bytes },
  ];
}

/** How often each situation occurs in a session. */
function situations(bytes: Buffer) {
  const transcript = readWhole(bytes).newEvents;
  const hooks = hookNewEvents(bytes, HOOKS['all hooks']!);
  const uses = new Map(ofType(hooks, 'tool.used').map((use) => [use.dedupeKey, use]));
  const lines = ofType(transcript, 'tool.used');
  const stops = ofType(hooks, 'agent.stopped');
  const prompts = new Set(ofType(hooks, 'prompt.submitted').map(({ body }) => body.text));
  const perTurn = new Map<string, number>();
  for (const { body } of stops)
    if (body.reason === 'stop')
      perTurn.set(String(body.promptId), (perTurn.get(String(body.promptId)) ?? 0) + 1);
  return {
    failed: lines.filter(
      ({ dedupeKey, body }) => body.outcome === 'failed' && uses.get(dedupeKey)?.body.outcome === 'failed',
    ).length,
    cancelled: lines.filter(({ dedupeKey, body }) => body.outcome === 'cancelled' && !uses.has(dedupeKey))
      .length,
    background: stops.filter(({ body, occurredAt }) =>
      [...uses.values()].some(
        (use) =>
          use.body.launchedAgentId === body.agentId && body.agentId !== null && use.occurredAt! < occurredAt!,
      ),
    ).length,
    queued: ofType(transcript, 'prompt.submitted').filter(
      ({ body }) => body.via === 'queue' && prompts.has(body.text),
    ).length,
    twoStops: [...perTurn.values()].filter((count) => count > 1).length,
  };
}
