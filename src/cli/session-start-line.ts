// The line that starts a session, known before anything else is loaded.

/** The home in the line that `install` writes for it, or null when these words are another call. */
export function isSessionStart(words: readonly string[]): string | null {
  const [option, home, ...rest] = words;
  return option === '--home' && home !== '' && rest.join(' ') === 'hook claude-code session-start'
    ? (home ?? null)
    : null;
}
