// Words as a person means them: whatever their case in any script, and however their accents are put together. Two
// texts that a reader would call the same are the same here; where it is not certain they are the same, because what
// stays by mistake is worse than a word more in a list that is shown before anything goes.

/**
 * Lower case first, so that both sharp s become one, then upper case, which spells out ß and ligatures and knows one
 * sigma. A dot above I is dropped: the Turkish letters are then I, whatever the machine's language.
 */
export function foldCase(text: string): string {
  const upper = text.normalize('NFC').toLowerCase().toUpperCase();
  return upper.normalize('NFD').replaceAll('I\u0307', 'I').normalize('NFC');
}

/** Whether a text holds words that were folded already; the text may be JSON that escapes what is not ASCII. */
export function holdsFoldedText(text: string, words: string): boolean {
  return foldCase(unescaped(text)).includes(words);
}

function unescaped(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
