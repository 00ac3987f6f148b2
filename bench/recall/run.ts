// Known-item recall over real transcripts: hit@1, hit@10 and MRR of both halves, ours beside MiniSearch's
// defaults and SQLite FTS5. All six projects are searched at once. `--misses` lists the tuning half's questions
// that are not in the top ten; the frozen half is only counted, never listed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { documentsOfTranscripts } from './documents.ts';
import { fts5Porter, miniSearchDefaults, ours, type Search } from './rivals.ts';

interface Question {
  readonly id: string;
  readonly half: 'tuning' | 'frozen';
  readonly kind: string;
  readonly question: string;
  readonly answers: readonly string[];
}

const DEPTH = 10;

if (claudeCodeTranscripts === null) {
  process.stdout.write('skipped: the real transcripts are not on this machine\n');
} else {
  const file = readFileSync(join(process.cwd(), 'bench/recall/known-items.json'), 'utf8');
  const { questions } = JSON.parse(file) as { readonly questions: readonly Question[] };
  const documents = documentsOfTranscripts(claudeCodeTranscripts);
  const known = new Set(documents.map(({ id }) => id));
  const lost = questions.filter(({ answers }) => !answers.some((answer) => known.has(answer)));
  process.stdout.write(
    `${documents.length} documents, ${questions.length} questions, ${lost.length} without a document\n`,
  );
  const rivals: Readonly<Record<string, Search>> = {
    ours: ours(documents),
    'MiniSearch defaults': miniSearchDefaults(documents),
    'FTS5 porter': fts5Porter(documents),
  };
  for (const [name, search] of Object.entries(rivals)) await report(name, search, questions);
}

async function report(name: string, search: Search, questions: readonly Question[]): Promise<void> {
  const ranks = new Map<Question, number>();
  for (const question of questions) {
    const found = await search(question.question, DEPTH);
    ranks.set(question, found.findIndex((id) => question.answers.includes(id)) + 1);
  }
  for (const half of ['tuning', 'frozen'] as const) {
    const asked = questions.filter((question) => question.half === half);
    process.stdout.write(
      `${name.padEnd(22)} ${half.padEnd(7)} ${figures(asked.map((one) => ranks.get(one)!))}\n`,
    );
    if (half === 'frozen' || name !== 'ours') continue;
    for (const kind of new Set(asked.map((one) => one.kind)))
      process.stdout.write(
        `  ${kind.padEnd(28)} ${figures(asked.filter((one) => one.kind === kind).map((one) => ranks.get(one)!))}\n`,
      );
    if (!process.argv.includes('--misses')) continue;
    for (const one of asked.filter((candidate) => ranks.get(candidate) === 0))
      process.stdout.write(`    missed ${one.id}: ${one.question}\n`);
  }
}

/** A rank of 0 means not found. */
function figures(ranks: readonly number[]): string {
  const share = (test: (rank: number) => boolean) => (100 * ranks.filter(test).length) / ranks.length;
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
  return [
    `hit@1 ${share((rank) => rank === 1).toFixed(1)}`,
    `hit@${DEPTH} ${share((rank) => rank > 0).toFixed(1)}`,
    `MRR ${(100 * reciprocal).toFixed(1)}`,
    `(${ranks.length} questions)`,
  ].join('  ');
}
