// The id of a tool use in our events. Two events of different sessions with the same id are taken for copies of one
// use, so an id that is unique only within its session (a local model numbers its calls: `call_0`) gets the session's.

/** Ids of the services have 20 characters and more. */
const UNIQUE_CHARS_MIN = 16;

export function callKey(session: string, id: string): string {
  return id.length >= UNIQUE_CHARS_MIN ? id : `${session}/${id}`;
}
