// What an item says about a prompt or an error: its heading and the sentences that hold the most of that text's terms.
import {
  type DocumentKind,
  type MemoryDocument,
  markdownBlocks,
  memoryKeys,
  type SummaryRow,
  summaryId,
  textWithRewritten,
  unquoted,
} from '../../projections/index.ts';
import type { Voice } from '../brief/lines/brief.ts';
import { mostInformative, pieceOf } from '../brief/lines/informative-text.ts';
import type { ReadHome } from '../home/home.ts';
import { splitSentences } from '../terminal-text/letters-and-words.ts';
import { plainLine } from '../terminal-text/plain-text.ts';
import type { Recalled } from './recalled.ts';

/** Sentences without a term of the text are quoted only if there is room for all. */
const OTHER_WEIGHT = 0.02;
/** Longer documents are read up to here. */
const BODY_CHARS_MAX = 20_000;
const LINE_CHARS_MAX = 240;
const IN_TURN: ReadonlySet<DocumentKind> = new Set(['prompt', 'tool', 'answer']);
/** What is said gets this share of the room; what came of it the rest. */
const OWN_SHARE = 0.55;
/** What an agent was about to do says nothing of what came of it. */
const INTENT = /^(?:(?:now|good|great|perfect|ok(?:ay)?)[,!.]? )*(?:let me|i'll|i will|i need to|let's)\b/i;
const ARROW = ' → ';
/** An answer that begins its outcome with these characters is that outcome. */
const SAME_CHARS = 60;

const VOICES: Readonly<Record<MemoryDocument['kind'], Voice>> = {
  prompt: 'person',
  answer: 'agent',
  tool: 'record',
  memory: 'mixed',
  observation: 'mixed',
  summary: 'mixed',
  imported: 'mixed',
};

/**
 * @param outcome what came of its turn; empty if the document says that itself
 * @param coverageIn the share of the text's terms that a sentence holds, 0…1
 */
export function quotedItem(
  document: MemoryDocument,
  outcome: string,
  coverageIn: (text: string) => number,
): Recalled {
  const weighed = (text: string) => pieceOf(text, OTHER_WEIGHT + coverageIn(text));
  const own = sentencesIn(document).map(weighed);
  const heading = headingOf(document);
  const ends = splitSentences(outcome).map(weighed);
  return {
    document,
    voice: outcome === '' ? voiceOf(document) : 'mixed',
    within(charsMax) {
      if (outcome === '') return mostInformative(heading, own, charsMax);
      const said = mostInformative(heading, own, Math.floor(charsMax * OWN_SHARE));
      const came = mostInformative('', ends, charsMax - said.length - ARROW.length);
      return came === '' || said.includes(came) ? said : `${said}${ARROW}${came}`;
    },
  };
}

/** What came of the turn of a prompt, a tool use or an answer; empty if nothing is known. */
export async function outcomeOf(
  { kind, agent, session, turn, body }: MemoryDocument,
  { memory }: ReadHome['views'],
): Promise<string> {
  if (session === null || turn === null || !IN_TURN.has(kind)) return '';
  const summary = await memory.get<SummaryRow>(memoryKeys.summary(summaryId({ agent, session, id: turn })));
  const noted = await textWithRewritten(summary?.completed ?? '', session, memory);
  const completed = plainLine(unquoted(noted));
  return completed !== '' && plainLine(body).includes(completed.slice(0, SAME_CHARS)) ? '' : completed;
}

/** An accepted plan, and what an agent saved, are the agent's words. */
function voiceOf({ kind, type, author }: MemoryDocument): Voice {
  return author === 'agent' || (kind === 'prompt' && type === 'plan') ? 'agent' : VOICES[kind];
}

function headingOf({ kind, type, title, body, outcome }: MemoryDocument): string {
  if (kind === 'tool') return `${type ?? 'Tool'}${outcome === 'failed' ? ' (failed)' : ''}: ${title}`;
  // The title of a message is its first sentence.
  return kind === 'answer' || kind === 'prompt' ? '' : body.startsWith(title) ? '' : title;
}

function sentencesIn({ kind, body, files }: MemoryDocument): string[] {
  const text = body.slice(0, BODY_CHARS_MAX);
  // The input of a tool that writes a file is the file.
  if (kind === 'tool') return files.length > 0 ? [] : text.split('\n').filter(isShortLine).map(trimmed);
  return sentencesOfAnswer(text);
}

/** Without headings, and without what the agent was about to do. */
export function sentencesOfAnswer(text: string): string[] {
  return markdownBlocks(text)
    .filter(({ kind }) => kind === 'item' || kind === 'text')
    .flatMap((block) => splitSentences(block.text))
    .filter((sentence) => !INTENT.test(sentence))
    .map((sentence) => (/[\p{L}\p{N})\]`"”]$/u.test(sentence) ? `${sentence}.` : sentence));
}

function isShortLine(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && line.length <= LINE_CHARS_MAX;
}

function trimmed(line: string): string {
  return line.trim();
}
