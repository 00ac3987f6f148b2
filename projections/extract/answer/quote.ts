// Quotes the beginning of an answer word for word, so that each sentence keeps what it is about: its heading, the condition
// before it, the list it closes. What is left out is marked.
import { LEFT_OUT, type MarkdownBlock } from '../text/markdown.ts';
import { fittingSentences, isDense, sentencesOf, wordCount } from '../text/sentences.ts';
import { announced, isHollow, isMeta, isPleasantry, opensBlock, proposes } from '../text/wording.ts';
import { answerBegins, conclusionOf } from './answering-part.ts';
import type { FinalAnswer } from './final-answer.ts';

const QUOTE_MARKS = 2;
/** Markdown, as the viewer shows it: a paragraph below a list is not part of its last item. */
export const PARAGRAPH = '\n\n';
/** A line with fewer words, and without a full stop and a figure or address, is a heading. */
const HEADING_WORDS_MAX = 7;

/**
 * null when the answer says only that it is done or what comes next, or is made of interim replies.
 * @param request of a turn that changed nothing: quoted is the part that answers it, and the conclusion
 */
export function quoteOf(
  finalAnswer: FinalAnswer | null,
  charsMax: number,
  request: string | null = null,
): string | null {
  if (finalAnswer === null || finalAnswer.interim) return null;
  const { blocks, sentences, items, message } = finalAnswer;
  if (announced(sentencesOf(message.text).at(-1) ?? '') !== null) return null;
  if (items.length === 0 && sentences.every((one) => isHollow(one) || proposes(one))) return null;
  const begins = request === null ? 0 : answerBegins(blocks, request);
  const lines = linesOf(blocks.slice(begins));
  const whole = lines.reduce((sum, { text }) => sum + text.length + PARAGRAPH.length, 0);
  const all = charsMax - QUOTE_MARKS - LEFT_OUT.length - 1;
  const end = request === null || whole <= all ? null : conclusionOf(blocks);
  const conclusion = end === null || end.length > all / 2 ? '' : `${PARAGRAPH}${end}`;
  const room = all - conclusion.length;
  const quoted: Line[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line.text.length + PARAGRAPH.length > room) {
      // Nothing is said so far: the beginning of what does not fit.
      if (quoted.every(({ text, opens }) => opens || text === LEFT_OUT))
        quoted.push({ ...line, text: fittingSentences(sentencesOf(line.text), room - length) });
      break;
    }
    quoted.push(line);
    length += line.text.length + PARAGRAPH.length;
  }
  const last = lines[quoted.length - 1];
  const isCut = quoted.length < lines.length || last?.text !== quoted.at(-1)?.text;
  // A heading without anything below it.
  while (isCut && quoted.at(-1)?.opens === true) quoted.pop();
  if (isCut && quoted.at(-1)?.text !== LEFT_OUT) quoted.push({ text: LEFT_OUT, opens: false, isItem: false });
  if (quoted.every(({ text }) => text === LEFT_OUT)) return null;
  const joined = quoted.map(({ text, isItem }, index) =>
    index === 0 ? text : `${isItem && quoted[index - 1]!.isItem ? '\n' : PARAGRAPH}${text}`,
  );
  const isQuoted = end !== null && quoted.some(({ text }) => text.endsWith(end));
  return `“${joined.join('')}${isQuoted ? '' : conclusion}”`;
}

interface Line {
  readonly text: string;
  /** A heading or label. */
  readonly opens: boolean;
  readonly isItem: boolean;
}

function linesOf(blocks: readonly MarkdownBlock[]): Line[] {
  const lines: Line[] = [];
  for (const [index, block] of blocks.entries()) {
    const text = lineOf(block, index === 0);
    if (text === '' || (text === LEFT_OUT && lines.at(-1)?.text === LEFT_OUT)) continue;
    const { kind } = block;
    const opens = kind === 'heading' || kind === 'label';
    lines.push({ text, opens, isItem: kind === 'item' && text !== LEFT_OUT });
  }
  return lines;
}

function lineOf({ kind, text, mark, line = '' }: MarkdownBlock, isFirst: boolean): string {
  if (kind === 'code') return line === '' || line.includes('`') ? LEFT_OUT : `\`${line}\``;
  if (kind === 'item' && text !== LEFT_OUT) return `${mark} ${text}`;
  return isFirst && kind === 'text' ? withoutGreeting(text) : text;
}

/** "Perfect! Let me sum up. The feeder opens early." → "The feeder opens early." */
function withoutGreeting(text: string): string {
  const sentences = sentencesOf(text);
  const from = sentences.findIndex((one) => !isPleasantry(one) && (!isMeta(one) || opensBlock(one)));
  return from < 0 ? '' : sentences.slice(from).join(' ');
}

const ITEM = /^(?:-|\d{1,2}\.) /;
/** "Based on the plan, here's my review:" */
const OPENER = /\bhere(?:['’]?s| is| are)\b.*[:：]$/i;

/** Whether it begins with a quote of the agent. */
export function isQuoted(text: string): boolean {
  return text.startsWith('“');
}

/** A text that begins with a quote, as sentences: for texts that choose some of them. */
export function unquoted(text: string): string {
  const [whole, quote] = /^“(.*)”(?=\n|$)/s.exec(text) ?? [];
  if (whole === undefined || quote === undefined) return text;
  const all = quote.split(/\n+/);
  // What a sentence announces is missing; a heading without its text says nothing.
  const lines = all.filter((line, index) =>
    line === LEFT_OUT
      ? /[:：]$/.test(all[index - 1] ?? '')
      : !(lacksStop(line) && all[index + 1] === LEFT_OUT),
  );
  const sentences = lines.flatMap((line, index) => {
    const words = line.replace(ITEM, '');
    if (index === 0 && OPENER.test(line)) return [];
    if (words === LEFT_OUT || /[.!?:…。！？：]$/.test(words)) return words;
    if (words !== line) return `${words}.`;
    const next = lines[index + 1] ?? '';
    if (ITEM.test(next)) return `${words}:`;
    if (isDense(words) && words.length <= DENSE_HEADING_CHARS_MAX)
      return next === '' || lacksStop(next) ? [] : `${words}:`;
    return isHeading(words) ? [] : `${words}.`;
  });
  return `${sentences.join(' ')}${text.slice(whole.length)}`;
}

/** A paragraph that does not end like a sentence. */
function lacksStop(line: string): boolean {
  return line !== LEFT_OUT && !ITEM.test(line) && !/[.!?:…。！？：]$/.test(line);
}

const DENSE_HEADING_CHARS_MAX = 20;

function isHeading(line: string): boolean {
  return wordCount(line) < HEADING_WORDS_MAX && !isDense(line) && !/[\d/:]/.test(line);
}
