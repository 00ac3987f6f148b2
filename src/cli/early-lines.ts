// Recognises calls that have a program of their own, before anything else is loaded.

/** The home and the agent in the call that the capture script makes at the start of a session, or null for any other call. */
export function sessionStartIn(
  words: readonly string[],
): { readonly home: string; readonly agent: string } | null {
  const [option, home = '', ...rest] = words;
  if (option !== '--home' || home === '') return null;
  const agent = /^hook ([a-z0-9-]+) session-context$/.exec(rest.join(' '))?.[1];
  return agent === undefined ? null : { home, agent };
}

/** The home in the call with which an agent starts the MCP server, or null for any other call. */
export function mcpIn(words: readonly string[]): string | null {
  const [option, home = '', ...rest] = words;
  return option === '--home' && home !== '' && rest.join(' ') === 'mcp' ? home : null;
}

/** The home in the call that starts a worker in the background, or null for any other call. */
export function backgroundWorkerIn(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const [option, home = '', ...rest] = words;
  if (environment.ANNALS_IN_BACKGROUND === undefined || option !== '--home' || home === '') return null;
  return rest.join(' ') === 'worker run' ? home : null;
}
