// LoCoMo: ten long conversations, each turn a record, each conversation a project. For each of the questions
// with evidence: how much of the evidence is among the first 5, 10, 20 records, and the reciprocal rank of the
// first piece. Recall is the mean over questions of the share of their evidence that was found.
import { readFileSync } from 'node:fs';
import type { MemoryDocument } from '../../projections/memory/document.ts';
import { locomo } from '../../tests/helpers/shared-data.ts';
import { document } from '../../tests/projections/text-index/documents-in-memory.ts';
import { fts5Porter, miniSearchDefaults, ours, type Search } from './rivals.ts';

interface Turn {
  readonly dia_id: string;
  readonly speaker: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface Conversation {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly { readonly question: string; readonly evidence?: readonly string[] }[];
}

const DEPTHS = [5, 10, 20] as const;
const VARIANTS: Readonly<Record<string, (documents: readonly MemoryDocument[]) => Search>> = {
  'ours, no neighbours': (documents) => ours(documents.map((one) => ({ ...one, neighbours: [] }))),
  'ours, with neighbours': (documents) => ours(documents),
  'MiniSearch defaults': miniSearchDefaults,
  'FTS5 porter': fts5Porter,
};

if (locomo === null) process.stdout.write('skipped: LoCoMo is not on this machine\n');
else {
  const conversations = JSON.parse(readFileSync(locomo, 'utf8')) as readonly Conversation[];
  for (const [name, make] of Object.entries(VARIANTS)) await report(name, make, conversations);
}

async function report(
  name: string,
  make: (documents: readonly MemoryDocument[]) => Search,
  conversations: readonly Conversation[],
): Promise<void> {
  const recall = DEPTHS.map(() => 0);
  let reciprocal = 0;
  let asked = 0;
  for (const conversation of conversations) {
    const search = make(documentsOf(conversation));
    for (const { question, evidence } of conversation.qa) {
      if (!evidence || evidence.length === 0) continue;
      asked += 1;
      const wanted = new Set(evidence.flatMap((entry) => entry.match(/D\d+:\d+/g) ?? [entry]));
      const found = await search(question, 50);
      for (const [index, depth] of DEPTHS.entries())
        recall[index]! += found.slice(0, depth).filter((id) => wanted.has(id)).length / wanted.size;
      const first = found.findIndex((id) => wanted.has(id));
      if (first >= 0) reciprocal += 1 / (first + 1);
    }
  }
  const shares = DEPTHS.map(
    (depth, index) => `recall@${depth} ${((100 * recall[index]!) / asked).toFixed(1)}`,
  );
  process.stdout.write(
    `${name.padEnd(22)} ${shares.join('  ')}  MRR ${((100 * reciprocal) / asked).toFixed(1)}  (${asked} questions)\n`,
  );
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
