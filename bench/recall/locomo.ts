// LoCoMo: ten long conversations, each turn a record, each conversation a project. For each of the questions
// with evidence: how much of the evidence is among the first 5, 10, 20 records, and the reciprocal rank of the
// first piece. Recall is the mean over questions of the share of their evidence that was found.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MemoryDocument } from '../../projections/memory/document.ts';
import { locomo } from '../../tests/helpers/shared-data.ts';
import { document } from '../../tests/projections/text-index/documents-in-memory.ts';
import type { Figure, Report } from '../harness/report.ts';
import { fts5Porter, miniSearchDefaults, ours, type Search } from './rivals.ts';
import { reciprocal, sum } from './score.ts';

interface Turn {
  readonly dia_id: string;
  readonly speaker: string;
  readonly text: string;
  readonly blip_caption?: string;
}

export interface Conversation {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly { readonly question: string; readonly evidence?: readonly string[] }[];
}

export type Searching = (documents: readonly MemoryDocument[]) => Search;

/** One question's outcome. */
export interface Found {
  /** The share of its evidence among the first 5, 10, 20. */
  readonly recall: readonly number[];
  readonly reciprocal: number;
}

const DEPTHS = [5, 10, 20] as const;
const DEPTH = 50;
const SEARCHES: Readonly<Record<string, Searching>> = {
  'annals, no neighbours': (documents) => ours(documents.map((one) => ({ ...one, neighbours: [] }))),
  'annals, with neighbours': ours,
  'MiniSearch defaults': miniSearchDefaults,
  'FTS5 porter': fts5Porter,
};

/** The data of `--data`, else of this machine; null where there is none. */
export function readConversations(path: string | null): readonly Conversation[] | null {
  const file = path ?? locomo;
  return file === null ? null : (JSON.parse(readFileSync(file, 'utf8')) as readonly Conversation[]);
}

export async function locomoBench(conversations: readonly Conversation[]): Promise<Report> {
  const figures: Figure[] = [];
  const all: Found[][] = [];
  for (const [name, searching] of Object.entries(SEARCHES)) {
    const found = await ask(searching, conversations);
    all.push(found);
    for (const [index, depth] of DEPTHS.entries())
      figures.push({
        name: `${name}, recall@${depth}`,
        value: mean(found, (one) => one.recall[index]!),
        unit: '%',
      });
    figures.push({ name: `${name}, MRR`, value: mean(found, (one) => one.reciprocal), unit: '%' });
  }
  return {
    bench: 'locomo',
    data: `${conversations.length} conversations, ${all[0]!.length} questions with evidence`,
    figures,
    digest: createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16),
  };
}

/** Every question with evidence, in order. */
export async function ask(searching: Searching, conversations: readonly Conversation[]): Promise<Found[]> {
  const outcomes: Found[] = [];
  for (const conversation of conversations) {
    const search = searching(documentsOf(conversation));
    for (const { question, evidence } of conversation.qa) {
      if (!evidence || evidence.length === 0) continue;
      const wanted = new Set(evidence.flatMap((entry) => entry.match(/D\d+:\d+/g) ?? [entry]));
      const found = await search(question, DEPTH);
      const share = (depth: number) =>
        found.slice(0, depth).filter((id) => wanted.has(id)).length / wanted.size;
      const rank = found.findIndex((id) => wanted.has(id)) + 1;
      outcomes.push({ recall: DEPTHS.map(share), reciprocal: reciprocal(rank) });
    }
  }
  return outcomes;
}

function documentsOf({ sample_id: sample, conversation }: Conversation): MemoryDocument[] {
  const sessions = Object.entries(conversation)
    .filter((entry): entry is [string, Turn[]] => Array.isArray(entry[1]))
    .map(([, turns]) => turns);
  return sessions.flatMap((turns) =>
    turns.map((turn, index) =>
      document({
        id: turn.dia_id,
        place: sample,
        body: textOf(turn),
        neighbours: [turns[index - 1], turns[index + 1]].flatMap((near) => (near ? [textOf(near)] : [])),
      }),
    ),
  );
}

function textOf({ speaker, text, blip_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption === undefined ? '' : ` [${caption}]`}`;
}

function mean(found: readonly Found[], value: (one: Found) => number): number {
  return (100 * sum(found.map(value))) / Math.max(1, found.length);
}
