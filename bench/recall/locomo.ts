// LoCoMo: ten long conversations; each turn is a record, each conversation a project, each speaker an agent. For each
// question with evidence: the share of the evidence among the first 5, 10, 20 records, the reciprocal rank of the first
// piece, and whether the first session found, or one of the first five, holds any of it. Recall is the mean over questions
// of the share of their evidence that was found.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { locomo } from '../../tests/helpers/shared-data.ts';
import { document } from '../../tests/projections/text/documents-in-memory.ts';
import type { Figure, Report } from '../harness/report.ts';
import {
  fts5Porter,
  hybrid,
  miniSearchDefaults,
  reciprocalRankFusion,
  type Searching,
  vectorsAlone,
  words,
} from './rivals.ts';
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
  readonly qa: readonly {
    readonly question: string;
    readonly evidence?: readonly string[];
    /** 1 several pieces, 2 time, 3 inference, 4 one piece, 5 not answerable. */
    readonly category: number;
  }[];
}

/** One question's outcome. */
export interface Found {
  /** The share of its evidence among the first 5, 10, 20. */
  readonly recall: readonly number[];
  readonly reciprocal: number;
  /** Rank of the first session with evidence, from 1; 0 if none was found. */
  readonly session: number;
  readonly category: number;
}

/** The last line of `--json`, in percent. */
export interface Summary {
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  readonly mrr: number;
  readonly sessionHitAt1: number;
  readonly sessionHitAt5: number;
}

const DEPTHS = [5, 10, 20] as const;
const DEPTH = 50;
const SEARCHES: Readonly<Record<string, Searching>> = {
  annals: hybrid,
  'annals, speakers not known': (documents) => hybrid(documents.map((one) => ({ ...one, agent: 'anybody' }))),
  'annals, times not known': (documents) => hybrid(documents.map((one) => ({ ...one, at: null }))),
  'annals, words only': words,
  'annals, words only, no neighbours': (documents) =>
    words(documents.map((one) => ({ ...one, neighbours: [] }))),
  'vectors alone': vectorsAlone,
  'reciprocal rank fusion': reciprocalRankFusion,
  'MiniSearch defaults': miniSearchDefaults,
  'FTS5 porter': fts5Porter,
};

/** The data of `--data`, else of this machine; null if there is none. */
export function readConversations(path: string | null): readonly Conversation[] | null {
  const file = path ?? locomo;
  return file === null ? null : (JSON.parse(readFileSync(file, 'utf8')) as readonly Conversation[]);
}

/** Runs all searches, and returns the product's summary. */
export async function locomoBench(
  conversations: readonly Conversation[],
): Promise<{ readonly report: Report; readonly summary: Summary }> {
  const figures: Figure[] = [];
  const all: Found[][] = [];
  for (const [name, searching] of Object.entries(SEARCHES)) {
    const found = await ask(searching, conversations);
    all.push(found);
    for (const [measure, value] of Object.entries(summaryOf(found)))
      figures.push({ name: `${name}, ${measure}`, value, unit: '%' });
  }
  const ours = all[0]!;
  return {
    report: {
      bench: 'locomo',
      data: `${conversations.length} conversations, ${ours.length} questions with evidence`,
      figures,
      notes: [1, 2, 3, 4, 5].map((category) => {
        const of = ours.filter((one) => one.category === category);
        const { recallAt10, mrr } = summaryOf(of);
        return `annals, category ${category}: recallAt10 ${recallAt10.toFixed(1)}, mrr ${mrr.toFixed(1)} (${of.length} questions)`;
      }),
      digest: createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16),
    },
    summary: summaryOf(ours),
  };
}

function summaryOf(found: readonly Found[]): Summary {
  const within = (workdirs: number) =>
    mean(found, ({ session }) => (session > 0 && session <= workdirs ? 1 : 0));
  return {
    recallAt5: mean(found, ({ recall }) => recall[0]!),
    recallAt10: mean(found, ({ recall }) => recall[1]!),
    recallAt20: mean(found, ({ recall }) => recall[2]!),
    mrr: mean(found, (one) => one.reciprocal),
    sessionHitAt1: within(1),
    sessionHitAt5: within(5),
  };
}

/** Every question with evidence, in order. */
export async function ask(searching: Searching, conversations: readonly Conversation[]): Promise<Found[]> {
  const outcomes: Found[] = [];
  for (const conversation of conversations) {
    const search = searching(documentsOf(conversation));
    for (const { question, evidence, category } of conversation.qa) {
      if (!evidence || evidence.length === 0) continue;
      const wanted = new Set(evidence.flatMap((entry) => entry.match(/D\d+:\d+/g) ?? [entry]));
      const found = (await search(question, DEPTH)).map(([id]) => id!);
      const share = (depth: number) =>
        found.slice(0, depth).filter((id) => wanted.has(id)).length / wanted.size;
      const rank = found.findIndex((id) => wanted.has(id)) + 1;
      const sessions = [...new Set(found.map(sessionOf))];
      const right = new Set([...wanted].map(sessionOf));
      outcomes.push({
        recall: DEPTHS.map(share),
        reciprocal: reciprocal(rank),
        session: sessions.findIndex((session) => right.has(session)) + 1,
        category,
      });
    }
  }
  return outcomes;
}

/** `D4:12` is the twelfth turn of the fourth session. */
function sessionOf(turn: string): string {
  return turn.split(':')[0]!;
}

export function documentsOf({ sample_id: sample, conversation }: Conversation): MemoryDocument[] {
  const sessions = Object.entries(conversation).filter((entry): entry is [string, Turn[]] =>
    Array.isArray(entry[1]),
  );
  return sessions.flatMap(([name, turns]) => {
    const at = timeOf(conversation[`${name}_date_time`]);
    return turns.map((turn, index) =>
      document({
        id: turn.dia_id,
        kind: 'answer',
        workdir: sample,
        agent: turn.speaker,
        session: sessionOf(turn.dia_id),
        at,
        body: textOf(turn),
        tokens: Math.ceil(textOf(turn).length / 4),
        neighbours: [turns[index - 1], turns[index + 1]].flatMap((near) => (near ? [textOf(near)] : [])),
      }),
    );
  });
}

/** Parses `1:56 pm on 8 May, 2023`, the time of a session in the data. */
function timeOf(text: unknown): number | null {
  const [, clock, half, day] = /^(\d+:\d+) (am|pm) on (.+)$/.exec(String(text)) ?? [];
  const at = Date.parse(`${day} ${clock} ${half}`);
  return Number.isNaN(at) ? null : at;
}

function textOf({ speaker, text, blip_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption === undefined ? '' : ` [${caption}]`}`;
}

function mean(found: readonly Found[], value: (one: Found) => number): number {
  return (100 * sum(found.map(value))) / Math.max(1, found.length);
}
