/** For commands of tests: on a busy machine a session start may take longer than a person waits. */
export const NO_HURRY = { ANNALS_SESSION_START_MS: '250000' };
