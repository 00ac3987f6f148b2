// Where documents stand in a partition's columns. A search asks for the row of every document that holds one of its
// words: to look each up among sorted ids took longer than all else that ranks.

const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** Rows by id; made at the first question, kept for as long as the columns are. */
export function rowsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const made = known.get(ids);
  if (made !== undefined) return made;
  const rows = new Map<string, number>();
  for (let row = 0; row < ids.length; row += 1) rows.set(ids[row]!, row);
  known.set(ids, rows);
  return rows;
}
