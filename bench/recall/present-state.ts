// Questions about a state that changed during the sessions: a value, a decision, a name. The newest statement should come
// first. Some are about real sessions, some about synthetic ones in four projects (`present-state.json` has both), all in
// one home; see README.md in this folder.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCodeTranscripts, moreClaudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { inFolder, REPOSITORY } from '../harness/process.ts';
import type { Figure, Report } from '../harness/report.ts';
import { type Imported, withImported } from './documents.ts';
import { type Rank, sum } from './score.ts';

const SOURCES = ['real', 'synthetic', 'later'] as const;

interface Question {
  readonly id: string;
  readonly half: 'tuning' | 'frozen';
  /** `later`: synthetic too, written after the others and before the rule that they measure. */
  readonly source: (typeof SOURCES)[number];
  readonly question: string;
  readonly answers: readonly string[];
}

interface SyntheticSession {
  readonly project: string;
  readonly session: string;
  readonly day: string;
  readonly turns: readonly { readonly id: string; readonly asked: string; readonly answered: string }[];
}

interface PresentState {
  readonly questions: readonly Question[];
  readonly sessions: readonly SyntheticSession[];
}

const DEPTH = 10;
/** Without these words a question is in the present tense only. */
const NOW = / ?\b(?:now|at present|today|at the moment|current|currently)\b/g;
const MINUTE = 60_000;

/** Without real transcripts only the synthetic questions are asked. */
export function presentStateBench(): Promise<Report[]> {
  const { questions, sessions } = readPresentState();
  const real = [claudeCodeTranscripts, moreClaudeCodeTranscripts].filter((folder) => folder !== null);
  return inFolder((workdir) => {
    const synthetic = join(workdir, 'synthetic');
    for (const session of sessions) writeSession(synthetic, session);
    return withImported([...real, synthetic], async (imported) => {
      const asked = questions.filter(({ source }) => source !== 'real' || real.length === 2);
      const ranks = await ranksOf(imported, asked);
      const plain = asked.map((one) => ({ ...one, question: one.question.replace(NOW, '').trim() }));
      const plainRanks = await ranksOf(imported, plain);
      return [
        {
          bench: 'present state',
          data: `${imported.documents.length} documents, ${asked.length} questions`,
          figures: [...figuresOf(asked, ranks, ''), ...figuresOf(plain, plainRanks, ', without “now”')],
          notes: notesOf(asked, ranks),
          digest: createHash('sha256')
            .update(JSON.stringify([ranks, plainRanks]))
            .digest('hex')
            .slice(0, 16),
        },
      ];
    });
  });
}

function readPresentState(): PresentState {
  return JSON.parse(
    readFileSync(join(REPOSITORY, 'bench/recall/present-state.json'), 'utf8'),
  ) as PresentState;
}

/** The rank of the first row from the turn with the current state. */
async function ranksOf(
  { documents, factsOf, search }: Imported,
  questions: readonly Question[],
): Promise<Rank[]> {
  const turnOf = new Map(documents.map(({ id, turn }) => [id, turn]));
  const ranks: Rank[] = [];
  for (const { id, question, answers } of questions) {
    const right = new Set(
      documents
        .filter((one) => factsOf.get(one.id)?.some((dedupeKey) => answers.includes(dedupeKey)))
        .map(({ turn }) => turn),
    );
    if (right.size === 0) throw new Error(`No document is an answer of ${id}.`);
    const rows = await search(question, DEPTH);
    ranks.push(rows.findIndex(([shown]) => right.has(turnOf.get(shown!) ?? null)) + 1);
  }
  return ranks;
}

function figuresOf(questions: readonly Question[], ranks: readonly Rank[], asked: string): Figure[] {
  return (['tuning', 'frozen'] as const).flatMap((half) =>
    SOURCES.flatMap((source) => {
      const of = ranks.filter(
        (_, index) => questions[index]!.half === half && questions[index]!.source === source,
      );
      const within = (workdirs: number) =>
        (100 * sum(of.map((rank) => (rank > 0 && rank <= workdirs ? 1 : 0)))) / Math.max(1, of.length);
      return [1, 3].map((workdirs) => ({
        name: `newest statement within ${workdirs}, ${half}, ${source}${asked} (${of.length})`,
        value: within(workdirs),
        unit: '%',
      }));
    }),
  );
}

/** The misses of the tuning half; the frozen half is only counted. */
function notesOf(questions: readonly Question[], ranks: readonly Rank[]): string[] {
  if (!process.argv.includes('--misses')) return [];
  return questions.flatMap(({ id, half, question }, index) =>
    half === 'tuning' && ranks[index] !== 1 ? [`rank ${ranks[index]} ${id}: ${question}`] : [],
  );
}

/** In the form Claude Code writes: a prompt and an answer per turn, ten minutes apart. */
function writeSession(folder: string, { project, session, day, turns }: SyntheticSession): void {
  const workdir = join(folder, project);
  mkdirSync(workdir, { recursive: true });
  const began = Date.parse(`${day}T09:00:00Z`);
  const common = {
    sessionId: session,
    cwd: `/home/robin/${project}`,
    version: '2.1.49',
    userType: 'external',
  };
  const lines = turns.flatMap(({ id, asked, answered }, index) => {
    const at = (minutes: number) => new Date(began + (10 * index + minutes) * MINUTE).toISOString();
    const before = index === 0 ? null : `${turns[index - 1]!.id}-answer`;
    const prompt = { role: 'user', content: asked };
    const answer = { role: 'assistant', id: `msg-${id}`, content: [{ type: 'text', text: answered }] };
    return [
      { ...common, type: 'user', uuid: id, parentUuid: before, timestamp: at(0), message: prompt },
      {
        ...common,
        type: 'assistant',
        uuid: `${id}-answer`,
        parentUuid: id,
        timestamp: at(1),
        message: answer,
      },
    ];
  });
  writeFileSync(
    join(workdir, `${session}.jsonl`),
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
}
