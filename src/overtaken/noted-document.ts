// The text of a document as it is told now: what later work made of its statements, and which of its commits were rewritten.
import {
  type ContextRow,
  documentWithRewritten,
  type MemoryDocument,
  rowsBetween,
  rowsById,
  type ViewReader,
} from '../../projections/index.ts';
import { type How, type Overtaken, overtakenIn } from './overtaken.ts';

interface Views {
  readonly memory: ViewReader;
  readonly context: ViewReader;
}

type Kind = 'observation' | 'summary' | 'prompt';

/** How many rows of each kind are read after the document, and before it. */
const LATER_MAX = 30;
const EARLIER_MAX = 3;

const NOTES: Readonly<Record<How, string>> = {
  done: 'perhaps done since',
  answered: 'what the person said next',
  asked: 'its turn ended with a question',
  undone: 'perhaps no longer so',
  replaced: 'decided again later',
};

/** A person's words stay as they are. */
export async function notedDocument(document: MemoryDocument, views: Views): Promise<MemoryDocument> {
  const noted = await documentWithRewritten(document, views.memory);
  const overtaken = await overtakenOf(document, views.context);
  if (overtaken.length === 0) return noted;
  const { decisions } = noted;
  const isCurrent = (decision: string) => !overtaken.some(({ text }) => isOf(decision, text));
  return {
    ...noted,
    body: withNotes(noted.body, overtaken),
    ...(decisions === undefined ? {} : { decisions: decisions.filter(isCurrent) }),
  };
}

/** What later work made of its statements; nothing for kinds that make none. */
export async function overtakenOf(
  { id, kind, marks }: MemoryDocument,
  context: ViewReader,
): Promise<Overtaken[]> {
  if ((kind !== 'observation' && kind !== 'summary') || marks?.edited !== undefined) return [];
  const [row] = await rowsById(context, id, 1);
  if ((row?.kind !== 'observation' && row?.kind !== 'summary') || row.at === null || !states(row)) return [];
  const span = { workdir: row.workdir, at: row.at };
  const observations = await around(context, 'observation', span);
  // A lesson is overtaken by later commits only.
  if (row.kind === 'observation' && row.decisions.length === 0)
    return overtakenIn(row, { observations, summaries: [], prompts: [] });
  return overtakenIn(row, {
    observations,
    summaries: await around(context, 'summary', span),
    prompts: await after(context, 'prompt', span),
  });
}

interface Place {
  readonly workdir: string;
  readonly at: number;
}

function after<K extends Kind>(context: ViewReader, kind: K, { workdir, at }: Place) {
  return rowsBetween(context, [workdir], [kind], { since: at }, LATER_MAX, true);
}

async function around<K extends Kind>(context: ViewReader, kind: K, { workdir, at }: Place) {
  const earlier = await rowsBetween(context, [workdir], [kind], { until: at - 1 }, EARLIER_MAX);
  return [...(await after(context, kind, { workdir, at })), ...earlier];
}

/** Whether it has statements that later work can overtake. */
function states(row: ContextRow): boolean {
  if (row.kind === 'summary') return row.nextSteps.length > 0;
  return row.kind === 'observation' && row.decisions.length + row.lessons.length > 0;
}

/** Behind the item of each statement: a sentence among others stays as it is. */
function withNotes(body: string, overtaken: readonly Overtaken[]): string {
  const lines = body.split('\n').map((line) => {
    const item = line.replace(/^(?:- |Next: )/, '');
    const one = overtaken.find(({ text }) => isOf(item, text));
    return one === undefined ? line : `${line} (${NOTES[one.how]}: ${one.by.id})`;
  });
  return lines.join('\n');
}

/** A statement of a row may be shortened. */
function isOf(item: string, text: string): boolean {
  return item.startsWith(text.replace(/…$/, ''));
}
