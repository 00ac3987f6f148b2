// How soon a changed transcript is imported, with a clock that the test moves.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { geminiCli } from '../../src/agents/gemini-cli/index.ts';
import { TranscriptWatch } from '../../src/worker/watch-transcripts.ts';

let userHome: string;
let watch: TranscriptWatch;
let imported: string[];
let problems: string[];
let isFull: boolean;
let unread: Readonly<Record<string, { readonly temporary?: true }>>;

beforeEach(async () => {
  userHome = mkdtempSync(join(tmpdir(), 'annals-watch-transcripts-'));
  append(CLAUDE);
  append(GEMINI);
  imported = [];
  problems = [];
  isFull = false;
  unread = {};
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  watch = new TranscriptWatch({
    machine: { environment: {}, userHome, windows: false },
    descriptions: join(userHome, '.annals/agents'),
    agents: async () => ({ agents: [claudeCode, geminiCli], problems: [] }),
    import: async (paths) => {
      if (isFull) throw new Error('The disk is full.');
      imported.push(...paths.map((path) => path.slice(userHome.length + 1)));
      const unreadable = Object.entries(unread).map(([path, how]) => ({
        path: join(userHome, path),
        ...how,
      }));
      return { unreadable } as never;
    },
    onImported: () => {},
    onProblem: (text) => problems.push(text),
  });
  await watch.start();
});
afterEach(async () => {
  await watch.end();
  expect(problems).toEqual([]);
  vi.useRealTimers();
  rmSync(userHome, { recursive: true });
});

const CLAUDE = '.claude/projects/-home-u-app/one.jsonl';
const GEMINI = '.gemini/tmp/app/chats/session-2026-11-22T18-14-1d8c727f.jsonl';

function append(path: string): void {
  mkdirSync(dirname(join(userHome, path)), { recursive: true });
  appendFileSync(join(userHome, path), '{}\n');
}

/** Resolves when the watch has seen a change, and waits to import it. */
async function noticed(): Promise<void> {
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
}

test('imports what is there at once', async () => {
  await vi.advanceTimersByTimeAsync(0);
  expect(imported.sort()).toEqual([CLAUDE, GEMINI]);
});

test.each([
  // The next start of Gemini CLI may delete it.
  [GEMINI, 100],
  [CLAUDE, 1_000],
])('imports a change of %s after %i ms', async (path, ms) => {
  await vi.advanceTimersByTimeAsync(0);
  imported = [];
  append(path);
  await noticed();
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(imported).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(imported).toEqual([path]);
});

test('imports again what could not be imported', async () => {
  isFull = true;
  await vi.advanceTimersByTimeAsync(0);
  expect(problems.splice(0)).toEqual(['Transcripts could not be imported']);
  isFull = false;
  expect(watch.waiting).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(imported.sort()).toEqual([CLAUDE, GEMINI]);
  expect(watch.waiting).toBe(0);
});

test('imports again only those files that could not be read and may be readable later', async () => {
  unread = { [CLAUDE]: { temporary: true }, [GEMINI]: {} };
  await vi.advanceTimersByTimeAsync(0);
  expect(watch.waiting).toBe(1);
  imported = [];
  unread = {};
  await vi.advanceTimersByTimeAsync(10_000);
  expect([imported, watch.waiting]).toEqual([[CLAUDE], 0]);
});
