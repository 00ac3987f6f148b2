// Redaction is linear in the length of any text: a text that is eight times as long takes eight times the work, counted
// in characters read. The texts are hostile to every rule: its words repeated, its words followed by what almost
// matches, openings without ends.
import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/capture/redact/index.ts';
import { HOSTILE_PIECES } from '../../helpers/hostile-texts.ts';

const SHORT = 600;
const TIMES = 8;
/** Allows for the end of a short text. Quadratic work would be eight times as much. */
const ROOM = 3;

function stepsOf(text: string): number {
  const work = { steps: 0 };
  redactText(text, undefined, work);
  return work.steps;
}

describe('the work of redaction grows no faster than the text', () => {
  it.each(HOSTILE_PIECES)('of $name', ({ pieces }) => {
    for (const piece of pieces)
      for (const end of ['', '(@h']) {
        const made = (length: number) => piece.repeat(Math.ceil(length / piece.length)) + end;
        const once = stepsOf(made(SHORT));
        const more = stepsOf(made(SHORT * TIMES));
        expect(more / once, JSON.stringify(piece + end)).toBeLessThan(TIMES * ROOM);
      }
  });
});
