// Splits text into word pieces of BERT's uncased vocabulary. Before that, names in code are split where the vocabulary
// does not contain them. These are exactly the steps of models/README.md; a changed step changes the vectors, so it is
// part of the recipe.

/** Maps a piece to its row; undefined for unknown pieces. */
export interface Vocabulary {
  rowOf(piece: string): number | undefined;
}

const PIECES_MAX = 256;
const WORD_LENGTH_MAX = 100;
// Made at their first use: the classes of all scripts take several milliseconds to compile, and most text is ASCII, for
// which the expressions below do the same.
const run = () => /[\p{L}\p{N}]+/gu;
const plainRun = () => /^(?:\p{Ll}+|\p{N}+|\p{Lu})$/u;
const marks = () => /\p{Mn}/gu;
const DROPPED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/g;
/** Characters that are always words of their own: ASCII symbols, punctuation, ideographs. */
const ALONE = '[!-/:-@\\[-`{-~]|\\p{P}|[\\u4e00-\\u9fff\\u3400-\\u4dbf\\u{20000}-\\u{2ebef}\\uf900-\\ufaff]';
let anyWord: RegExp | null = null;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_RUN = /[A-Za-z0-9]+/g;
const ASCII_PLAIN_RUN = /^(?:[a-z]+|[0-9]+|[A-Z])$/;
const ASCII_WORD = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;

/** The rows of a text's pieces in order, at most 256. */
export function piecesOf(text: string, vocabulary: Vocabulary): number[] {
  const rows: number[] = [];
  for (const word of wordsOf(text, vocabulary)) {
    for (const row of piecesOfWord(word, vocabulary)) {
      rows.push(row);
      if (rows.length === PIECES_MAX) return rows;
    }
  }
  return rows;
}

function* wordsOf(text: string, vocabulary: Vocabulary): Generator<string> {
  if (ASCII.test(text)) {
    const cased = text.replace(ASCII_RUN, (one) => splitName(one, vocabulary));
    for (const [word] of cased.toLowerCase().replace(DROPPED, '').matchAll(ASCII_WORD))
      if (/[a-z0-9]/.test(word)) yield word;
    return;
  }
  const cased = text.replace(run(), (one) => splitName(one, vocabulary));
  const plain = cased.normalize('NFD').replace(marks(), '').toLowerCase().replace(DROPPED, '');
  anyWord ??= new RegExp(`${ALONE}|(?:(?!${ALONE})\\S)+`, 'gu');
  for (const [word] of plain.matchAll(anyWord)) if (/[\p{L}\p{N}]/u.test(word)) yield word;
}

/** `parseJSONFile` → `parse JSON File`; a name that is in the vocabulary stays as it is. */
function splitName(run: string, vocabulary: Vocabulary): string {
  const isAscii = ASCII.test(run);
  if ((isAscii ? ASCII_PLAIN_RUN : plainRun()).test(run) || vocabulary.rowOf(run.toLowerCase()) !== undefined)
    return run;
  if (isAscii) return run.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ');
  return run.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
}

/** Longest match from the left; nothing for a word that cannot be covered completely. */
function piecesOfWord(word: string, vocabulary: Vocabulary): readonly number[] {
  if (word.length > WORD_LENGTH_MAX) return [];
  const wordRow = vocabulary.rowOf(word);
  if (wordRow !== undefined) return [wordRow];
  const rows: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    let row: number | undefined;
    for (; end > start; end -= 1) {
      const part = word.slice(start, end);
      row = vocabulary.rowOf(start === 0 ? part : `##${part}`);
      if (row !== undefined) break;
    }
    if (row === undefined) return [];
    rows.push(row);
    start = end;
  }
  return rows;
}
