// Which machines have applied the forgettings of this one. Each says so in a statement; only the machine that forgot keeps it.

import { type ForgettingRow, type Rows, syncKeys } from '../rows/sync-rows.ts';
import { CONFIRMED_MAX } from './statement.ts';

/** The forgettings of others that this machine applied, and has not said so in this shared log. */
export function toConfirm(forgettings: readonly ForgettingRow[], incarnation: string): string[] {
  return forgettings
    .filter(({ own, whole, said }) => !own && whole && said !== incarnation)
    .map(({ id }) => id)
    .slice(0, CONFIRMED_MAX);
}

/** What a statement says of forgettings. One of this machine has reached the shared log when it comes back. */
export function confirm(
  ids: readonly string[],
  {
    project,
    author,
    at,
    incarnation,
    isOwn,
  }: {
    readonly project: string;
    readonly author: string;
    readonly at: number;
    readonly incarnation: string;
    readonly isOwn: boolean;
  },
  rows: Rows,
): void {
  for (const id of ids) {
    const key = syncKeys.forgetting(project, id);
    const row = rows.get<ForgettingRow>(key);
    if (row === null) continue;
    if (isOwn && !row.own && row.said !== incarnation) rows.set(key, { ...row, said: incarnation });
    const confirmed = syncKeys.confirmed(id, author);
    if (!isOwn && row.own && rows.get(confirmed) === null) rows.set(confirmed, at);
  }
}
