/** Older turns are asked about by `annals observe` alone: switching the reactor on must not pay for all of history. */
export const AUTO_MS = 3 * 24 * 60 * 60_000;
