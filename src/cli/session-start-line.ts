// Recognises the session-start hook before anything else is loaded.

/** The home in the call that the capture script makes at the start of a session, or null for any other call. */
export function isSessionStart(words: readonly string[]): string | null {
  const [option, home, ...rest] = words;
  return option === '--home' && home !== '' && rest.join(' ') === 'hook claude-code session-context'
    ? (home ?? null)
    : null;
}
