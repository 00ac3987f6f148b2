// Finds the groups of rows below a prefix, however many rows each has.
import type { ViewReader } from '../../projections/index.ts';

/** The prefixes that end after the first part below `prefix`: one read for each. */
export async function groupsBelow(view: ViewReader, prefix: string): Promise<string[]> {
  const groups: string[] = [];
  for (let after: string | undefined; ; ) {
    const [next] = await view.range(prefix, { limit: 1, ...(after === undefined ? {} : { after }) });
    if (next === undefined) return groups;
    const group = next[0].slice(0, next[0].indexOf('/', prefix.length) + 1);
    groups.push(group);
    // The character after the slash: behind every row of the group, before the next group.
    after = `${group.slice(0, -1)}0`;
  }
}
