// Recognises the session-start hook before anything else is loaded.

/** The home and the agent in the call that the capture script makes at the start of a session, or null for any other call. */
export function sessionStartIn(
  words: readonly string[],
): { readonly home: string; readonly agent: string } | null {
  const [option, home = '', ...rest] = words;
  if (option !== '--home' || home === '') return null;
  const agent = /^hook ([a-z0-9-]+) session-context$/.exec(rest.join(' '))?.[1];
  return agent === undefined ? null : { home, agent };
}
