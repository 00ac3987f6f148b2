// Folds text so that words compare as a person reads them: regardless of case in any script, and of how accents are
// encoded. In doubt two texts count as the same: leaving text behind by mistake is worse than one more item in a list
// that is shown before anything is forgotten.

/**
 * Folds to lower case first, so that both sharp s become one, then to upper case, which spells out ß and ligatures and
 * has one sigma. A dot above I is dropped, so that the Turkish letters become I whatever the machine's language.
 */
export function foldCase(text: string): string {
  const upper = text.normalize('NFC').toLowerCase().toUpperCase();
  return upper.normalize('NFD').replaceAll('I\u0307', 'I').normalize('NFC');
}

/** Whether a text contains words that are already folded; the text may be JSON that escapes non-ASCII characters. */
export function holdsFoldedText(text: string, words: string): boolean {
  return foldCase(unescaped(text)).includes(words);
}

function unescaped(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
