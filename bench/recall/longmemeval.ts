// LongMemEval-S (Wu et al., ICLR 2025): 500 questions, each with its own history of some fifty chats between a user
// and an assistant. The file is not in this repository (277 MB; MIT): pass your copy with `--longmemeval=<file>`.
//
//   file     = [ {question_id, question_type, question, haystack_session_ids, haystack_sessions, answer_session_ids} ]
//   sessions = [ [ {role, content, has_answer?} ] ], parallel to haystack_session_ids
//
// As in the authors' own evaluation, questions whose id ends in `_abs` have no answer to find and are left out, turns
// are mapped to sessions by order of first appearance; `any` needs one piece of the evidence, `all` needs all.
// Unlike theirs, the assistant's turns are records too, because it is not known beforehand who said it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { document } from '../../tests/projections/text/documents-in-memory.ts';
import type { Figure, Report } from '../harness/report.ts';
import { fts5Porter, hybrid, miniSearchDefaults, type Searching } from './rivals.ts';
import { reciprocal, sum } from './score.ts';

export interface LongMemory {
  readonly question_id: string;
  readonly question_type: string;
  readonly question: string;
  readonly haystack_session_ids: readonly string[];
  readonly haystack_sessions: readonly (readonly ChatTurn[])[];
  readonly answer_session_ids: readonly string[];
}

interface ChatTurn {
  readonly role: string;
  readonly content: string;
  readonly has_answer?: boolean;
}

/** `longmemeval_s_cleaned.json` of September 2025, 277,383,467 bytes. Figures of another file cannot be compared. */
export const LONGMEMEVAL_S_SHA256 = 'd6f21ea9d60a0d56f34a05b609c79c88a451d2ae03597821ea3d5a9678c3a442';

const DEPTH = 50;
const SEARCHES: Readonly<Record<string, Searching>> = {
  annals: hybrid,
  'MiniSearch defaults': miniSearchDefaults,
  'FTS5 porter': fts5Porter,
};

/** @throws Error if it is not the file that figures are compared on */
export function readLongMemEval(path: string, sha256 = LONGMEMEVAL_S_SHA256): readonly LongMemory[] {
  const bytes = readFileSync(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new Error(
      `${path} is not longmemeval_s_cleaned.json: its sha-256 is ${found}, that of the file is ${sha256}.`,
    );
  return JSON.parse(bytes.toString('utf8')) as readonly LongMemory[];
}

/** All searches on the questions with an answer. @param questionsMax only the first questions; each index takes a second */
export async function longMemEvalBench(
  all: readonly LongMemory[],
  questionsMax = all.length,
): Promise<Report> {
  const asked = all.filter(({ question_id: id }) => !id.endsWith('_abs')).slice(0, questionsMax);
  const figures: Figure[] = [];
  const outcomes: Outcome[][] = [];
  for (const [name, searching] of Object.entries(SEARCHES)) {
    const found: Outcome[] = [];
    for (const one of asked) found.push(await ask(searching, one));
    outcomes.push(found);
    for (const [measure, value] of Object.entries(meansOf(found)))
      figures.push({ name: `${name}, ${measure}`, value, unit: '%' });
  }
  const types = [...new Set(asked.map(({ question_type: type }) => type))].sort();
  return {
    bench: 'longmemeval',
    data: `${asked.length} questions with an answer`,
    figures,
    notes: types.map((type) => {
      const of = outcomes[0]!.filter((_, index) => asked[index]!.question_type === type);
      const { 'session any@5': any, 'session all@5': whole, 'turn MRR': mrr } = meansOf(of);
      return `annals, ${type}: session any@5 ${any!.toFixed(1)}, all@5 ${whole!.toFixed(1)}, turn MRR ${mrr!.toFixed(1)} (${of.length} questions)`;
    }),
    digest: createHash('sha256').update(JSON.stringify(outcomes)).digest('hex').slice(0, 16),
  };
}

/** Each measure 0…1, or null if the file marks no turn as the answer. */
type Outcome = Readonly<Record<string, number | null>>;

async function ask(searching: Searching, memory: LongMemory): Promise<Outcome> {
  const { documents, sessionOf, answers } = documentsOf(memory);
  const found = (await searching(documents)(memory.question, DEPTH)).map(([id]) => id!);
  const sessions = [...new Set(found.map((id) => sessionOf.get(id)!))];
  const wanted = new Set(memory.answer_session_ids);
  const within = (workdirs: number) => sessions.slice(0, workdirs).filter((one) => wanted.has(one)).length;
  const turns = (workdirs: number) => found.slice(0, workdirs).filter((id) => answers.has(id)).length;
  const marked = answers.size > 0;
  return {
    'session any@1': within(1) > 0 ? 1 : 0,
    'session any@5': within(5) > 0 ? 1 : 0,
    'session all@5': within(5) === wanted.size ? 1 : 0,
    'session all@10': within(10) === wanted.size ? 1 : 0,
    'turn recall@10': marked ? turns(10) / answers.size : null,
    'turn MRR': marked ? reciprocal(found.findIndex((id) => answers.has(id)) + 1) : null,
  };
}

/** Each turn is a record, the question's history a project, each speaker an agent. */
function documentsOf({
  question_id: workdir,
  haystack_session_ids: ids,
  haystack_sessions: chats,
}: LongMemory) {
  const sessionOf = new Map<string, string>();
  const answers = new Set<string>();
  const documents: MemoryDocument[] = chats.flatMap((turns, chat) =>
    turns.map(({ role, content, has_answer: isAnswer }, turn) => {
      // A history may hold a session twice, so its position is part of the id.
      const id = `${String(chat).padStart(3, '0')}:${String(turn).padStart(3, '0')}`;
      sessionOf.set(id, ids[chat]!);
      if (isAnswer) answers.add(id);
      return document({
        id,
        kind: role === 'user' ? 'prompt' : 'answer',
        workdir,
        agent: role,
        session: ids[chat]!,
        body: content,
        tokens: Math.ceil(content.length / 4),
        neighbours: [turns[turn - 1], turns[turn + 1]].flatMap((near) => (near ? [near.content] : [])),
      });
    }),
  );
  return { documents, sessionOf, answers };
}

function meansOf(found: readonly Outcome[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.keys(found[0] ?? {}).map((measure) => {
      const values = found.flatMap((one) => one[measure] ?? []);
      return [measure, (100 * sum(values)) / Math.max(1, values.length)];
    }),
  );
}
