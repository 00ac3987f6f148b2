// Words of a command line, so that a shell reads each of them as it is.

export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** Quotes a word for a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
