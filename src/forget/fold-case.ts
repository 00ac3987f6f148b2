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

/** Whether a text contains words that are already folded, both as JSON has them. */
export function holdsFoldedText(text: string, words: string): boolean {
  return foldCase(asStringified(text)).includes(words);
}

/**
 * JSON with its strings escaped as `JSON.stringify` does it, which is how the log has them: other programs also escape what is
 * not ASCII, `<`, `>`, `&` and `/`.
 */
export function asStringified(json: string): string {
  return json.replace(/\\\\|\\\/|(?:\\u[0-9a-fA-F]{4})+/g, (found) =>
    found === '\\\\' ? found : JSON.stringify(JSON.parse(`"${found}"`)).slice(1, -1),
  );
}
