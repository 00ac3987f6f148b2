// Recall after an error: the real sessions are imported one after another, in the order in which they began. Before each,
// every command that failed in it is asked for, in its project: what the sessions before it know of how to fix it.
// An answer is right if what it names also fixed the failure here: the log proves a fix in the failure's own turn, and
// both have a file or a command in common.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  below,
  type Failure,
  failedAlike,
  failureOf,
  type ItemRow,
  type ProvenFix,
  provenFix,
  type TurnRow,
  TurnTranscript,
} from '../../projections/index.ts';
import { openAnnals } from '../../src/annals.ts';
import type { RecallAnswer } from '../../src/api.ts';
import { openParts } from '../../src/open-parts.ts';
import { claudeCodeTranscripts, moreClaudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { inFolder } from '../harness/process.ts';
import type { Figure, Report } from '../harness/report.ts';
import { transcriptsInOrder } from './transcripts-in-order.ts';

interface Failed {
  readonly id: string;
  readonly session: string;
  readonly workdir: string;
  readonly command: string;
  readonly error: string;
  /** Null if the error has no line to recognise it by. */
  readonly failure: Failure | null;
  readonly fix: ProvenFix | null;
  /** Session times, then order. */
  readonly order: string;
}

interface Asked extends Failed {
  readonly answer: RecallAnswer;
  readonly ms: number;
  /** Whether an earlier session of the project has a failure like this, and whether one with a proven fix. */
  readonly isKnown: boolean;
  readonly isFixed: boolean;
}

export async function errorRecallBench(): Promise<Report[]> {
  const folders = [claudeCodeTranscripts, moreClaudeCodeTranscripts].filter((folder) => folder !== null);
  if (folders.length < 2) return [];
  const paths = transcriptsInOrder(folders);
  const asked = await inFolder((folder) => askInOrder(paths, folder));
  const answered = asked.filter(({ answer }) => answer.text !== '');
  const judged = answered.filter(({ fix }) => fix !== null);
  const right = judged.filter(isRight);
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const count = (name: string, some: readonly unknown[]): Figure => ({
    name,
    value: some.length,
    unit: 'failures',
  });
  return [
    {
      bench: 'recall after an error',
      data: `${asked.length} failed commands of ${paths.length} real sessions`,
      figures: [
        count(
          'fixed later in their turn, proven',
          asked.filter(({ fix }) => fix !== null),
        ),
        count(
          'failed alike in an earlier session',
          asked.filter(({ isKnown }) => isKnown),
        ),
        count(
          '— with a proven fix there',
          asked.filter(({ isFixed }) => isFixed),
        ),
        count(
          '— and answered',
          answered.filter(({ isFixed }) => isFixed),
        ),
        count('answered', answered),
        count('— fixed here too, so that the answer can be judged', judged),
        count('— right: by the same file or command', right),
        {
          name: 'time',
          value: times[times.length >> 1] ?? 0,
          unit: 'ms',
          p95: times[Math.floor(times.length * 0.95)] ?? 0,
        },
      ],
      notes: answered
        .filter((one) => !isRight(one))
        .map(({ id, command, error, answer }) =>
          [`${id}: ${command.slice(0, 200)}`, error.slice(0, 300), answer.text].join('\n'),
        ),
      digest: createHash('sha256')
        .update(JSON.stringify(asked.map(({ id, answer }) => [id, answer.items])))
        .digest('hex')
        .slice(0, 16),
    },
  ];
}

function isRight({ fix, answer }: Asked): boolean {
  if (fix === null) return false;
  const names = [
    ...fix.files.map((path) => path.split(/[\\/]/).at(-1)!),
    ...fix.commands.map((command) => `\`${command}\``),
  ];
  return names.some((name) => answer.text.includes(name));
}

async function askInOrder(paths: readonly string[], folder: string): Promise<Asked[]> {
  const failures = await failuresIn(paths, join(folder, 'all'));
  const annals = await openAnnals({ home: join(folder, 'home') });
  const asked: Asked[] = [];
  const earlier: Failed[] = [];
  for (const path of paths) {
    const session = /([^/]+)\.jsonl$/.exec(path)![1]!;
    const mine = failures.filter((one) => one.session === session);
    await annals.search('warm');
    for (const failed of mine) {
      const alike = earlier.filter((one) => one.workdir === failed.workdir && isAlike(one, failed));
      const began = performance.now();
      const { command, error, workdir: project } = failed;
      const answer = await annals
        .recall({ occasion: 'error', project, session, command, error })
        .catch(() => NOTHING);
      const ms = performance.now() - began;
      const isFixed = alike.some(({ fix }) => fix !== null);
      asked.push({ ...failed, answer, ms, isKnown: alike.length > 0, isFixed });
    }
    earlier.push(...mine);
    await annals.import([path]);
  }
  await annals.close();
  return asked;
}

/** Before the first session of a project is imported, it is not known. */
const NOTHING: RecallAnswer = { text: '', tokens: 0, project: '', items: [] };

function isAlike(one: Failed, other: Failed): boolean {
  return (
    one.failure !== null &&
    one.failure.same === other.failure?.same &&
    one.failure.kinds.some((kind) => other.failure!.kinds.includes(kind))
  );
}

async function failuresIn(paths: readonly string[], home: string): Promise<Failed[]> {
  const annals = await openAnnals({ home });
  await annals.import(paths);
  await annals.close();
  const parts = await openParts({ home });
  const found: Failed[] = [];
  const turns = await parts.views.turns.range<TurnRow | ItemRow>(below('turn'));
  const rows = turns.map(([rowKey, row]) => ({ rowKey, row }));
  for (const { rowKey, row } of rows) {
    if ('kind' in row) continue;
    const transcript = new TurnTranscript(row.workdir);
    for (const one of rows)
      if ('kind' in one.row && one.rowKey.startsWith(`${rowKey}/`)) transcript.change(one.row.id, one.row);
    transcript.settle();
    for (const [index, { id, name, command, error, outcome, order }] of transcript.toolUses.entries()) {
      if (command === null || outcome !== 'failed') continue;
      const failure = failureOf(name, command.whole, error);
      const isClear = failure !== null && failedAlike(transcript.toolUses[index]!, failure);
      const fix = isClear ? provenFix(transcript.toolUses, index, failure) : null;
      const { session, workdir } = row;
      found.push({ id, session, workdir, command: command.whole, error, failure, fix, order });
    }
  }
  await parts.runner.close();
  await parts.log.close();
  return found;
}
