// Recognises the session-start hook before anything else is loaded.

/** The home in the line that `install` writes for this hook, or null for any other call. */
export function isSessionStart(words: readonly string[]): string | null {
  const [option, home, ...rest] = words;
  return option === '--home' && home !== '' && rest.join(' ') === 'hook claude-code session-start'
    ? (home ?? null)
    : null;
}
