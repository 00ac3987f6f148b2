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
  const { workdir, at } = row;
  const around = async <K extends 'observation' | 'summary' | 'prompt'>(kind: K) => {
    const later = await rowsBetween(context, [workdir], [kind], { since: at }, LATER_MAX, true);
    const earlier = await rowsBetween(context, [workdir], [kind], { until: at - 1 }, EARLIER_MAX);
    return [...later, ...earlier];
  };
  return overtakenIn(row, {
    observations: await around('observation'),
    summaries: await around('summary'),
    prompts: await around('prompt'),
  });
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
