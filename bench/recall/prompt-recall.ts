// Recall on a prompt: prompts that a person would type in a later session of a project, each with the ids of the items
// that help, and prompts that memory cannot help with; see README.md. Every prompt is asked in the folder of its project.
// The limits of the rule were chosen on the projects of the tuning half; those of the judging half are only counted.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { RecallAnswer } from '../../src/api.ts';
import {
  claudeCodeTranscripts,
  moreClaudeCodeTranscripts,
  sharedData,
} from '../../tests/helpers/shared-data.ts';
import { REPOSITORY } from '../harness/process.ts';
import type { Figure, Report } from '../harness/report.ts';
import { type Imported, withImported } from './documents.ts';
import { repositories } from './repositories.ts';

interface Prompt {
  readonly half: 'tuning' | 'judging';
  /** The folder of its transcripts. */
  readonly project: string;
  readonly prompt: string;
  /** As in known-items.json; empty if nothing helps. */
  readonly answers: readonly string[];
}

interface Asked extends Prompt {
  readonly answer: RecallAnswer;
  /** Which of the items are of a turn that holds an answer. */
  readonly right: readonly boolean[];
  /** Whether one of the items is itself an answer, or was made from one. */
  readonly isExact: boolean;
  /** Whether it was left out because the session's brief says it. */
  readonly isGiven: boolean;
  readonly ms: number;
}

const CLAIMED = 'prompts.json';

export async function promptRecallBench(): Promise<Report[]> {
  if (claudeCodeTranscripts === null || moreClaudeCodeTranscripts === null) return [];
  const folders = [claudeCodeTranscripts, moreClaudeCodeTranscripts];
  const all = [join(sharedData!, 'data/transcripts'), moreClaudeCodeTranscripts];
  return withImported(all, async (imported) => {
    const asked = await askAll(imported, folders);
    const lines = process.argv.includes('--misses') ? misses(asked) : [];
    return [
      {
        bench: 'recall on a prompt',
        data: `${asked.length} prompts, a home of ${imported.documents.length} documents`,
        figures: figuresOf(asked),
        notes: lines,
        digest: createHash('sha256')
          .update(JSON.stringify(asked.map(({ prompt, answer }) => [prompt, answer.items])))
          .digest('hex')
          .slice(0, 16),
      },
    ];
  });
}

async function askAll(imported: Imported, folders: readonly string[]): Promise<Asked[]> {
  const { documents, factsOf, recall, context } = imported;
  const repositoryOf = repositories(folders);
  const turns = new Map(
    documents.map(({ id, turn, session }) => [id, turn === null ? id : `${session} ${turn}`]),
  );
  const turnsWith = (answers: readonly string[]) =>
    new Set(documents.filter(({ id }) => holds(id, answers)).map(({ id }) => turns.get(id)));
  const holds = (id: string, answers: readonly string[]) =>
    factsOf.get(id)?.some((dedupeKey) => answers.includes(dedupeKey)) ?? false;
  const briefs = new Map<string, string>();
  const asked: Asked[] = [];
  for (const one of readPrompts()) {
    const project = folderOf(one, imported, repositoryOf);
    if (!briefs.has(project)) briefs.set(project, (await context({ project })).text);
    const began = performance.now();
    const answer = await recall({ occasion: 'prompt', text: one.prompt, project });
    const ms = performance.now() - began;
    const { text } = await recall({
      occasion: 'prompt',
      text: one.prompt,
      project,
      given: briefs.get(project)!,
    });
    const wanted = turnsWith(one.answers);
    const right = answer.items.map(({ id }) => wanted.has(turns.get(id)));
    const isExact = answer.items.some(({ id }) => holds(id, one.answers));
    asked.push({ ...one, answer, right, isExact, isGiven: answer.text !== '' && text === '', ms });
  }
  return asked;
}

/**
 * The folder in which a prompt is asked: where its answer was recorded; without an answer, where most of the project was.
 * Work trees of a repository count as projects of their own here, because their folders do not exist.
 */
function folderOf(
  { project, answers }: Prompt,
  { documents, factsOf }: Imported,
  repositoryOf: (session: string | null) => string,
): string {
  const mine = documents.filter(({ session }) => repositoryOf(session) === project);
  const answer = mine.find(({ id }) => factsOf.get(id)?.some((dedupeKey) => answers.includes(dedupeKey)));
  if (answer !== undefined) return answer.workdir;
  const counts = new Map<string, number>();
  for (const { workdir } of mine) counts.set(workdir, (counts.get(workdir) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]![0];
}

function readPrompts(): readonly Prompt[] {
  const text = readFileSync(join(REPOSITORY, 'bench/recall', CLAIMED), 'utf8');
  return (JSON.parse(text) as { readonly prompts: readonly Prompt[] }).prompts;
}

function figuresOf(all: readonly Asked[]): Figure[] {
  const figures = (['tuning', 'judging'] as const).flatMap((half) => {
    const helped = all.filter((one) => one.half === half && one.answers.length > 0);
    const others = all.filter((one) => one.half === half && one.answers.length === 0);
    const spoken = helped.filter(({ answer }) => answer.text !== '');
    const items = spoken.flatMap(({ right }) => right);
    const share = (name: string, part: number, whole: number, goal?: string): Figure => ({
      name: `${half}: ${name} (${part} of ${whole})`,
      value: whole === 0 ? 0 : (100 * part) / whole,
      unit: '%',
      ...(goal === undefined ? {} : { goal }),
    });
    return [
      share('speaks where memory can help', spoken.length, helped.length, '≥ 30'),
      share(
        'right when it speaks',
        count(spoken, ({ right }) => right.includes(true)),
        spoken.length,
        '≥ 90',
      ),
      share(
        'an item is the answer or was made from it',
        count(spoken, ({ isExact }) => isExact),
        spoken.length,
      ),
      share(
        'its first item is right',
        count(spoken, ({ right }) => right[0] === true),
        spoken.length,
      ),
      share(
        'items that are right',
        count(items, (one) => one),
        items.length,
      ),
      share(
        'left out because the brief says it',
        count(spoken, ({ isGiven }) => isGiven),
        spoken.length,
      ),
      share(
        'silent where it cannot',
        count(others, ({ answer }) => answer.text === ''),
        others.length,
        '≥ 95',
      ),
    ];
  });
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
  const tokens = all.map(({ answer }) => answer.tokens).filter((one) => one > 0);
  return [
    ...figures,
    {
      name: 'time',
      value: times[times.length >> 1]!,
      unit: 'ms',
      p95: times[Math.floor(times.length * 0.95)]!,
    },
    { name: 'tokens when it speaks, mean', value: sum(tokens) / tokens.length, unit: 'tokens' },
    { name: 'tokens, most', value: Math.max(...tokens), unit: 'tokens', goal: '≤ 400' },
  ];
}

/** What went wrong in the tuning half. */
function misses(all: readonly Asked[]): string[] {
  return all
    .filter(({ half }) => half === 'tuning')
    .flatMap(({ prompt, answers, answer, right }) => {
      if (answers.length === 0) return answer.text === '' ? [] : [`spoke: ${prompt}\n${answer.text}`];
      if (answer.text === '') return [`silent: ${prompt}`];
      return right.includes(true) ? [] : [`wrong: ${prompt}\n${answer.text}`];
    });
}

function count<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.filter(is).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
