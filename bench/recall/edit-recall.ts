// Recall before a file is read or changed: the real sessions are imported one after another, in the order in which they
// began. Before each, every file that it read or changed is asked for once, in its project: what the sessions before it know
// of the file. Transcripts do not say when others changed a file, so its last change is the last one that a session made: the
// figures are an upper bound. `--items` prints what would be given, for a reader to judge.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { below, type ItemRow, type TurnRow, TurnTranscript } from '../../projections/index.ts';
import { openAnnals } from '../../src/annals.ts';
import type { RecallAnswer } from '../../src/api.ts';
import { openParts } from '../../src/open-parts.ts';
import { claudeCodeTranscripts, moreClaudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { inFolder } from '../harness/process.ts';
import type { Figure, Report } from '../harness/report.ts';
import { transcriptsInOrder } from './transcripts-in-order.ts';

interface Touch {
  readonly session: string;
  readonly workdir: string;
  readonly file: string;
  readonly at: number;
  readonly changes: boolean;
}

interface Asked extends Touch {
  readonly answer: RecallAnswer;
  readonly ms: number;
  /** Whether an earlier session used the file. */
  readonly isKnown: boolean;
}

const CHANGES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const NOTHING: RecallAnswer = { text: '', tokens: 0, project: '', items: [] };

export async function editRecallBench(): Promise<Report[]> {
  const folders = [claudeCodeTranscripts, moreClaudeCodeTranscripts].filter((folder) => folder !== null);
  if (folders.length < 2) return [];
  const paths = transcriptsInOrder(folders);
  const asked = await inFolder((folder) => askInOrder(paths, folder));
  const answered = asked.filter(({ answer }) => answer.text !== '');
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const count = (name: string, some: readonly unknown[]): Figure => ({
    name,
    value: some.length,
    unit: 'files',
  });
  return [
    {
      bench: 'recall before a read or edit',
      data: `${asked.length} files read or changed in ${paths.length} real sessions, each once a session`,
      figures: [
        count(
          'used in an earlier session',
          asked.filter(({ isKnown }) => isKnown),
        ),
        count('answered', answered),
        count(
          '— of them changed in the session',
          answered.filter(({ changes }) => changes),
        ),
        count(
          'items given',
          answered.flatMap(({ answer }) => answer.items),
        ),
        {
          name: 'time',
          value: times[times.length >> 1] ?? 0,
          unit: 'ms',
          p95: times[Math.floor(times.length * 0.95)] ?? 0,
        },
      ],
      notes: process.argv.includes('--items')
        ? answered.map(({ file, session, answer }) => `${session} ${file}\n${answer.text}`)
        : [],
      digest: createHash('sha256')
        .update(JSON.stringify(asked.map(({ session, file, answer }) => [session, file, answer.items])))
        .digest('hex')
        .slice(0, 16),
    },
  ];
}

async function askInOrder(paths: readonly string[], folder: string): Promise<Asked[]> {
  const touches = await touchesIn(paths, join(folder, 'all'));
  const annals = await openAnnals({ home: join(folder, 'home') });
  const asked: Asked[] = [];
  const changed = new Map<string, number>();
  const used = new Set<string>();
  for (const path of paths) {
    const session = /([^/]+)\.jsonl$/.exec(path)![1]!;
    const mine = touches.filter((one) => one.session === session);
    const given = new Set<string>();
    for (const touch of new Map([...mine].reverse().map((one) => [one.file, one])).values()) {
      const { workdir, file } = touch;
      const began = performance.now();
      const answer = await annals
        .recall({
          ...{ occasion: 'edit', cwd: workdir, session, file, without: [...given] },
          changedAt: changed.get(file) ?? 0,
        })
        .catch(() => NOTHING);
      for (const { id } of answer.items) given.add(id);
      const changes = mine.some((one) => one.file === file && one.changes);
      asked.push({ ...touch, changes, answer, ms: performance.now() - began, isKnown: used.has(file) });
    }
    for (const { file, at, changes } of mine) {
      used.add(file);
      if (changes) changed.set(file, Math.max(at, changed.get(file) ?? 0));
    }
    await annals.import([path]);
  }
  await annals.close();
  return asked;
}

async function touchesIn(paths: readonly string[], home: string): Promise<Touch[]> {
  const annals = await openAnnals({ home });
  await annals.import(paths);
  await annals.close();
  const parts = await openParts({ home });
  const found: Touch[] = [];
  const rows = await parts.views.turns.range<TurnRow | ItemRow>(below('turn'));
  for (const [turnKey, turn] of rows) {
    if ('kind' in turn) continue;
    const transcript = new TurnTranscript(turn.workdir);
    for (const [key, row] of rows)
      if ('kind' in row && key.startsWith(`${turnKey}/`)) transcript.change(row.id, row);
    transcript.settle();
    for (const { name, input, outcome, at } of transcript.toolUses) {
      const changes = CHANGES.has(name);
      const file = input.file_path;
      if (typeof file !== 'string' || at === null || outcome !== 'ok' || (name !== 'Read' && !changes))
        continue;
      const { session, workdir } = turn;
      found.push({ session, workdir, file, at, changes });
    }
  }
  await parts.runner.close();
  await parts.log.close();
  return found.sort((a, b) => a.at - b.at);
}
