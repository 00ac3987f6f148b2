// Measures whether a search reports low confidence when no document answers the query, and only then. Questions with and
// without an answer are asked of projects of 20, 100 and 500 documents (the neighbours of an answer in its repository's
// sessions), of whole repositories, of everything at once through the product, of 20,000 and 100,000 documents (everything
// among texts of program libraries), and of LoCoMo; see README.md in this folder.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { search } from '../../src/search/index.ts';
import { searchWorld } from '../../tests/helpers/search-world.ts';
import { claudeCodeTranscripts, moreClaudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { DocumentsInMemory, document } from '../../tests/projections/text/documents-in-memory.ts';
import { REPOSITORY } from '../harness/process.ts';
import type { Report } from '../harness/report.ts';
import { type Imported, withImported } from './documents.ts';
import { NONE, type Question, readQuestions } from './known-items.ts';
import { type Conversation, documentsOf } from './locomo.ts';
import { repositories } from './repositories.ts';
import { rowOf } from './rivals.ts';

type Half = Question['half'];

/** One question's outcome; null if the first result was not the answer, because that says nothing about confidence. */
interface Outcome {
  readonly half: Half;
  readonly group: string;
  /** Whether it has an answer there. */
  readonly isAnswerable: boolean;
  readonly isDoubted: boolean;
}

interface Known extends Question {
  readonly ids: ReadonlySet<string>;
  readonly repository: string;
  readonly first: MemoryDocument;
}

/** Searches some documents as one project. */
type Ask = (
  question: string,
) => Promise<Pick<Awaited<ReturnType<typeof search>>, 'results' | 'lowConfidence'>>;

const SIZES = [20, 100, 500] as const;
/** Sizes beyond the real sessions: texts of program libraries fill them up. */
const LARGE = [20_000, 100_000] as const;
const LIBRARY_TEXT_MIN = 300;

export async function confidenceBench(conversations: readonly Conversation[]): Promise<Report[]> {
  const outcomes: Outcome[] = [];
  const folders = [claudeCodeTranscripts, moreClaudeCodeTranscripts].filter((folder) => folder !== null);
  if (folders.length === 2)
    await withImported(folders, async (imported) => {
      outcomes.push(...(await ofRealSessions(imported, folders)));
    });
  for (const [index, conversation] of conversations.entries()) {
    const other = conversations[(index + 2) % conversations.length]!;
    outcomes.push(...(await ofConversation(conversation, other, index % 2 === 0 ? 'tuning' : 'frozen')));
  }
  const notes = [];
  if (folders.length < 2) notes.push('The real sessions are not here: left out.');
  if (conversations.length === 0) notes.push('LoCoMo is not here: left out.');
  return [
    {
      bench: 'confidence',
      data: `${outcomes.length} questions asked`,
      figures: figuresOf(outcomes),
      notes,
      digest: createHash('sha256').update(JSON.stringify(outcomes)).digest('hex').slice(0, 16),
    },
  ];
}

async function ofRealSessions({ documents, factsOf, answer }: Imported, folders: readonly string[]) {
  const outcomes: Outcome[] = [];
  const repositoryOf = repositories(folders);
  const timed = documents
    .filter(({ at }) => at !== null)
    .sort((a, b) => a.at! - b.at! || (a.id < b.id ? -1 : 1));
  const ofRepository = (name: string) => timed.filter(({ session }) => repositoryOf(session) === name);
  const questions = readQuestions();
  const none = [...readUnanswerable(), ...questions.filter(({ kind }) => kind === NONE)];
  const known = questions.flatMap((one): Known[] => {
    const right = timed.filter(({ id }) =>
      factsOf.get(id)?.some((dedupeKey) => one.answers.includes(dedupeKey)),
    );
    const ids = new Set(right.map(({ id }) => id));
    return right.length === 0
      ? []
      : [{ ...one, ids, repository: repositoryOf(right[0]!.session), first: right[0]! }];
  });
  const record = async (
    ask: Ask,
    group: string,
    { half, question }: Question,
    ids: ReadonlySet<string> | null,
  ) => {
    const { results, lowConfidence } = await ask(question);
    const isDoubted = results.length === 0 || lowConfidence;
    const isRight = ids !== null && results[0] !== undefined && rowOf(results[0]).some((id) => ids.has(id));
    if (ids === null || isRight) outcomes.push({ half, group, isAnswerable: ids !== null, isDoubted });
  };
  const elsewhere = ({ half, repository }: Known) =>
    known.filter((other) => other.half === half && other.repository !== repository);
  for (const size of SIZES)
    for (const [index, one] of known.entries()) {
      const group = `${size} documents`;
      const ask = asking(around(ofRepository(one.repository), one.first, size, index));
      const others = elsewhere(one);
      const absent = none.filter(({ half }) => half === one.half);
      await record(ask, group, one, one.ids);
      await record(ask, `${group}, of another project`, others[(7 * index + size) % others.length]!, null);
      await record(ask, group, absent[index % absent.length]!, null);
    }
  for (const repository of new Set(known.map((one) => one.repository))) {
    const ask = asking(ofRepository(repository));
    for (const one of known) {
      if (one.repository === repository) await record(ask, 'whole repositories', one, one.ids);
      else await record(ask, 'whole repositories, of another project', one, null);
    }
    for (const one of none) await record(ask, 'whole repositories', one, null);
  }
  for (const one of known) await record(answer, 'all sessions', one, one.ids);
  for (const one of none) await record(answer, 'all sessions', one, null);
  for (const size of LARGE) {
    const ask = asking([...documents, ...libraryTexts(size - documents.length)]);
    for (const one of known) await record(ask, `${size} documents`, one, one.ids);
    for (const one of none) await record(ask, `${size} documents`, one, null);
  }
  return outcomes;
}

/** This many texts, spread evenly over the texts and declarations of all installed packages. */
function libraryTexts(count: number): MemoryDocument[] {
  const root = join(REPOSITORY, 'node_modules');
  const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(md|[cm]?[jt]s)$/.test(path))
    .sort()
    .flatMap((path) => piecesOf(readFileSync(join(root, path), 'utf8')).map((body) => ({ path, body })));
  if (texts.length < count) throw new Error(`node_modules holds ${texts.length} texts, ${count} are needed.`);
  return Array.from({ length: count }, (_, n) => {
    const { path, body } = texts[Math.floor((n * texts.length) / count)]!;
    const tokens = Math.ceil(body.length / 4);
    return document({
      id: `library-${n}`,
      kind: 'answer',
      workdir: 'libraries',
      session: path,
      body,
      tokens,
    });
  });
}

/** A text's lines in groups. */
function piecesOf(text: string): string[] {
  const pieces = [''];
  for (const line of text.split('\n')) {
    if (pieces.at(-1)!.length >= LIBRARY_TEXT_MIN) pieces.push('');
    pieces[pieces.length - 1] += `${line.trim().slice(0, LIBRARY_TEXT_MIN)}\n`;
  }
  return pieces.filter((piece) => piece.trim() !== '');
}

/**
 * A conversation's own questions, those that it cannot answer because they confuse the speakers, and those of another
 * conversation with its speakers' names.
 */
async function ofConversation(
  conversation: Conversation,
  other: Conversation,
  half: Half,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const ask = asking(documentsOf(conversation));
  const add = (group: string, isAnswerable: boolean, isDoubted: boolean) =>
    outcomes.push({ half, group, isAnswerable, isDoubted });
  for (const { question, evidence, category } of conversation.qa) {
    if (!evidence || evidence.length === 0) continue;
    const wanted = new Set(evidence.flatMap((entry) => entry.match(/D\d+:\d+/g) ?? [entry]));
    const { results, lowConfidence } = await ask(question);
    if (category === 5) add('LoCoMo, adversarial', false, results.length === 0 || lowConfidence);
    else if (wanted.has(results[0]?.id ?? '')) add('LoCoMo', true, lowConfidence);
  }
  for (const [index, { question, category }] of other.qa.entries()) {
    if (category === 5 || index % 3 > 0) continue;
    const { results, lowConfidence } = await ask(renamed(question, other, conversation));
    add('LoCoMo, of another conversation', false, results.length === 0 || lowConfidence);
  }
  return outcomes;
}

function renamed(question: string, from: Conversation, to: Conversation): string {
  return ['speaker_a', 'speaker_b'].reduce(
    (text, who) => text.replaceAll(String(from.conversation[who]), String(to.conversation[who])),
    question,
  );
}

/** This many consecutive documents including this one, whose position differs from question to question. */
function around(all: readonly MemoryDocument[], one: MemoryDocument, size: number, index: number) {
  const before = (13 * index) % size;
  const from = Math.max(0, Math.min(all.indexOf(one) - before, all.length - size));
  return all.slice(from, from + size);
}

function asking(documents: readonly MemoryDocument[]): Ask {
  const last = documents.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  const world = searchWorld(new DocumentsInMemory(documents), () => last);
  const project = { id: 'one', name: 'one', workdirs: [...new Set(documents.map(({ workdir }) => workdir))] };
  return (question) => search(world, [project], question);
}

function readUnanswerable(): readonly Question[] {
  const text = readFileSync(join(REPOSITORY, 'bench/recall/unanswerable.json'), 'utf8');
  const { questions } = JSON.parse(text) as { readonly questions: readonly Omit<Question, 'answers'>[] };
  return questions.map((one) => ({ ...one, answers: [] }));
}

function figuresOf(outcomes: readonly Outcome[]) {
  return (['tuning', 'frozen'] as const).flatMap((half) =>
    [...new Set(outcomes.map(({ group }) => group))].flatMap((group) =>
      [false, true].flatMap((isAnswerable) => {
        const of = outcomes.filter(
          (one) => one.half === half && one.group === group && one.isAnswerable === isAnswerable,
        );
        if (of.length === 0) return [];
        const doubted = of.filter(({ isDoubted }) => isDoubted).length;
        const what = isAnswerable ? 'right answers doubted' : 'unanswerable flagged';
        return [
          {
            name: `${half}, ${group}, ${what} (${of.length})`,
            value: (100 * doubted) / of.length,
            unit: '%',
          },
        ];
      }),
    ),
  );
}
