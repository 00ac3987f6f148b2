// Says in rows of a brief which of their commits a later turn rewrote.
import {
  type ContextRow,
  noteRewritten,
  type RewrittenCommits,
  rewrittenCommits,
  withRewritten,
} from '../../projections/index.ts';
import type { ReadHome } from '../home/home.ts';

export async function withRewrittenCommits<R extends ContextRow>(
  rows: readonly R[],
  { memory }: Pick<ReadHome['views'], 'memory'>,
): Promise<R[]> {
  const sessions = [...new Set(rows.flatMap((row) => (listsCommits(row) ? [row.session] : [])))];
  const rewritten = await Promise.all(sessions.map((session) => rewrittenCommits(memory, session)));
  return rows.map((row) => {
    const found = listsCommits(row) ? rewritten[sessions.indexOf(row.session)]! : new Map();
    return found.size === 0 ? row : noted(row, found);
  });
}

function listsCommits(row: ContextRow): boolean {
  if (row.kind === 'observation') return row.commits.length > 0;
  return row.kind === 'summary' && (row.completed ?? '').includes('Committed');
}

function noted<R extends ContextRow>(row: R, rewritten: RewrittenCommits): R {
  if (row.kind === 'observation')
    return { ...row, commits: row.commits.map((one) => withRewritten(one, rewritten)) };
  return row.kind === 'summary' && row.completed !== null
    ? { ...row, completed: noteRewritten(row.completed, rewritten) }
    : row;
}
