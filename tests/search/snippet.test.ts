import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippet, snippetLine } from '../../src/search/index.ts';
import { document } from '../projections/text/documents-in-memory.ts';

const filler = (words: number) => Array.from({ length: words }, (_, n) => `filler${n}`).join(' ');

describe('A snippet', () => {
  it('is the whole text when it is short', () => {
    expect(snippet(document({ id: 'a', body: 'short  text\nof two lines' }), 'text')).toBe(
      'short text of two lines',
    );
  });

  it('shows the part with the most different terms of the query', () => {
    const body = `${filler(60)} walrus walrus walrus ${filler(60)} the walrus met a carpenter ${filler(60)}`;
    const shown = snippet(document({ id: 'a', body }), 'carpenters and walrus');
    expect(shown).toContain('the walrus met a carpenter');
    expect(shown.startsWith('…') && shown.endsWith('…')).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(240);
  });

  it('shows a phrase where it occurs as such, not where its words are separate', () => {
    const body = `cycle one import two ${filler(60)} an import cycle again ${filler(60)}`;
    expect(snippet(document({ id: 'a', body }), 'import cycle', ['import cycle'])).toContain(
      'an import cycle again',
    );
  });

  it('of a summary shows what came of it when no word is looked for, not what was asked', () => {
    const of = (body: string, query = '') => snippet(document({ id: 'a', kind: 'summary', body }), query);
    const asked = 'Request: Widen the chute\nInvestigated: Read chute.ts.\nLearned: It is 5 cm wide.';
    expect(of(`${asked}\nCompleted: The chute is 9 cm wide.`)).toBe('The chute is 9 cm wide.');
    expect(of(`${asked}\nDone so far: It is wider.`)).toBe('It is wider.');
    expect(of(asked)).toBe('It is 5 cm wide.');
    expect(of('Request: Look\nInvestigated: Read chute.ts.')).toBe('Investigated: Read chute.ts.');
    expect(of('A text of a person')).toBe('A text of a person');
    expect(of(asked, 'widen')).toContain('Request: Widen the chute');
    expect(of(asked, 'chute')).toContain('Request: Widen the chute');
    expect(of(`${asked}\nCompleted: The chute is 9 cm wide.`, 'chute')).toBe(
      'Learned: It is 5 cm wide. · Completed: The chute is 9 cm wide.',
    );
    expect(of(`${asked}\nCompleted: The chute is 9 cm wide.`, 'read chute')).toContain('Request:');
  });

  it('of an observation keeps its fields and facts apart', () => {
    const body = 'Widen the chute\nThe chute is 9 cm wide.\n- The hinge holds\n- It was oiled';
    expect(snippet(document({ id: 'a', kind: 'observation', body }), '')).toBe(
      'Widen the chute · The chute is 9 cm wide. · The hinge holds · It was oiled',
    );
  });

  it.each([
    ['in the middle', `It began. The walrus ${filler(8)} met a carpenter. ${filler(60)}`],
    ['at the end', `It began. ${filler(20)}. The walrus ${filler(8)} met a carpenter.`],
  ])('begins with the whole sentence of the match %s', (_, rest) => {
    const body = `${filler(60)}. ${rest}`;
    expect(snippet(document({ id: 'a', body }), 'carpenters')).toMatch(
      /^…(It began\. )?The walrus .*carpenter/,
    );
  });

  it('begins with a field of an observation', () => {
    const body = `${filler(60)}\nThe walrus ${filler(8)} met a carpenter\n${filler(60)}`;
    const shown = snippet(document({ id: 'a', kind: 'observation', body }), 'carpenter');
    expect(shown).toMatch(/^…The walrus .* met a carpenter · filler0/);
  });

  it('cuts between words', () => {
    const body = `${filler(100)} walrus ${filler(100)}`;
    const words = new Set(body.split(' '));
    const shown = snippet(document({ id: 'a', body }), 'walrus')
      .replaceAll('…', '')
      .split(' ');
    expect(shown.filter((word) => !words.has(word))).toEqual([]);
  });

  it('starts at the beginning if only the title matches, and is the title if there is no body', () => {
    expect(snippet(document({ id: 'a', title: 'walrus', body: `first ${filler(100)}` }), 'walrus')).toMatch(
      /^first /,
    );
    expect(snippet(document({ id: 'a', title: 'the walrus' }), 'walrus')).toBe('the walrus');
  });

  it('finds a part of an identifier', () => {
    const body = `${filler(60)} canWriteRightBlock ${filler(60)}`;
    expect(snippet(document({ id: 'a', body }), 'right block')).toContain('canWriteRightBlock');
  });

  it('has no colours, control characters or marks that change the writing direction', () => {
    expect(
      snippetLine(
        '\u001b[31mred\u001b[0m\u0000\u0007 \u001b]8;;http://x\u0007link\u202eevil\r\nnext\u2028line',
      ),
    ).toBe('red link evil next line');
  });

  it('begins and ends with a whole character in a text without spaces', () => {
    const animals = '\u{1f9ad}'.repeat(150);
    for (const word of ['walrus', 'elephant']) {
      const shown = snippet(document({ id: 'a', body: `${animals}${word}${animals}` }), word);
      expect(shown).toContain(word);
      expect(shown.isWellFormed()).toBe(true);
    }
  });

  it('keeps within its length and within whole characters, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 600 }),
        fc.string({ maxLength: 20 }),
        (body, query) => {
          const shown = snippet(document({ id: 'a', body: `${body}${body}`, title: body }), query);
          expect(shown.length).toBeLessThanOrEqual(240);
          expect(shown).not.toMatch(/\p{Cc}/u);
          expect(/\p{Surrogate}/u.test(shown)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps every character between words, except that control characters and gaps become one space', () => {
    const isGap = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
    const wrong: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      // The start of a terminal colour sequence, which includes what follows.
      if (character === '\u001b') continue;
      for (const gap of [character, character + character, ` ${character}`, `${character} `]) {
        const shown = isGap.test(character) ? ' ' : gap;
        if (snippetLine(`a${gap}b c`) !== `a${shown}b c`) wrong.push(code.toString(16));
      }
    }
    expect(wrong).toEqual([]);
  });
});
