// The tested versions: these, or those in ANNALS_TEST_AGENT_VERSIONS (`2.1.330,latest`; `none` for none, also in the
// short part).
export const NEWEST_PINNED = '2.1.330';

const chosen = process.env.ANNALS_TEST_AGENT_VERSIONS || `2.1.197,${NEWEST_PINNED}`;

export const VERSIONS: readonly string[] = chosen === 'none' ? [] : chosen.split(',');
