// What each observation says of its session's commits. Which of them a later turn rewrote is decided when they are read,
// from these rows alone: so a turn's rows depend on nothing but the turn, however long the session is.
import type { MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import type {
  CommitEvidence,
  Evidence,
  ObservationRow,
  PushEvidence,
  Rewritten,
  SummaryRow,
} from '../extract/transcript/observation.ts';

export interface CommitRow extends Pick<Evidence, 'rewrites' | 'quietCommits' | 'pushes'> {
  readonly order: string;
  /** Of each message the first line. */
  readonly commits: readonly CommitEvidence[];
}

/** The rewritten commits of a session, by `nameOf`. */
export type RewrittenCommits = ReadonlyMap<string, Rewritten>;

export const commitRowKey = (session: string, observation: string) => key('commits', session, observation);

/** null where there is nothing to tell. */
export function commitRow({ order, evidence }: ObservationRow): CommitRow | null {
  const { rewrites, quietCommits, pushes } = evidence;
  const commits = evidence.commits.map((one) => ({ ...one, message: one.message.split('\n')[0]! }));
  if (commits.length + rewrites.length + pushes.length === 0 && quietCommits === undefined) return null;
  return { order, commits, rewrites, pushes, ...(quietCommits === undefined ? {} : { quietCommits }) };
}

export async function rewrittenCommits(
  memory: ViewReader,
  session: string | null,
): Promise<RewrittenCommits> {
  if (session === null) return new Map();
  const rows = await memory.range<CommitRow>(below('commits', session));
  return rewrittenIn(rows.map(([, row]) => row));
}

/** The commits that no longer exist, or may not, after the last of these rows. @param rows of one session, in any order */
export function rewrittenIn(rows: readonly CommitRow[]): RewrittenCommits {
  const rewritten = new Map<string, Rewritten>();
  /** The last one last. */
  let remaining: Remaining[] = [];
  for (const row of [...rows].sort((a, b) => (a.order < b.order ? -1 : 1))) {
    for (const { commits, branch, unpushed } of row.rewrites) {
      const mayBe = ({ commit, isPushed }: Remaining) =>
        (branch === null || (commit?.branch ?? branch) === branch) && !(unpushed && isPushed);
      const gone = new Set(remaining.filter(mayBe).slice(commits === null ? 0 : -commits));
      for (const { commit } of gone)
        if (commit !== null) rewritten.set(nameOf(commit), isAgainIn(row, commit) ? 'yes' : 'maybe');
      // What was only moved is there still, under another name.
      remaining = remaining.flatMap((one) => (gone.has(one) ? (unpushed ? [{ ...QUIET }] : []) : [one]));
    }
    for (let quiet = row.quietCommits ?? 0; quiet > 0; quiet--) remaining.push({ ...QUIET });
    for (const commit of row.commits) {
      remaining.push({ commit, isPushed: false });
      rewritten.delete(nameOf(commit));
    }
    for (const push of row.pushes) remaining = withPushed(remaining, push, row);
  }
  return rewritten;
}

interface Remaining {
  /** null: git printed nothing about it. */
  readonly commit: CommitEvidence | null;
  readonly isPushed: boolean;
}

const QUIET: Remaining = { commit: null, isPushed: false };

/** The commit with the hash of the push, or else the last one of its branch from before the row, and those before it. */
function withPushed(
  remaining: readonly Remaining[],
  { branch, hash }: PushEvidence,
  row: CommitRow,
): Remaining[] {
  const pushed = remaining.findLastIndex(({ commit }) => hash !== null && commit?.hash === hash);
  const last = pushed < 0 ? remaining.length - row.commits.length - 1 : pushed;
  const local = remaining[pushed]?.commit?.branch ?? branch;
  return remaining.map((one, at) =>
    at <= last && (one.commit?.branch ?? local) === local ? { ...one, isPushed: true } : one,
  );
}

/** The same message was committed again: this one was certainly replaced. */
function isAgainIn({ commits }: CommitRow, { message, branch }: CommitEvidence): boolean {
  return commits.some(
    (one) => one.message === message && (one.branch ?? branch ?? null) === (branch ?? one.branch ?? null),
  );
}

interface Named {
  readonly hash: string | null;
  readonly message?: string;
  readonly subject?: string;
}

function nameOf({ hash, message = '', subject }: Named): string {
  return hash ?? subject ?? message.split('\n')[0]!;
}

/** What a listed commit says of it after its hash. */
export function rewrittenNote(how: Rewritten | undefined): string {
  if (how === undefined) return '';
  return how === 'yes' ? ' (rewritten later)' : ' (may have been rewritten later)';
}

/** The text of a document or a row, in which rules listed commits: `Commit 3f602d1 (rewritten later): Oil the hatch`. */
export function noteRewritten(text: string, rewritten: RewrittenCommits): string {
  let noted = text;
  for (const [name, how] of rewritten) {
    const listed = /^[0-9a-f]{7,40}$/.test(name)
      ? `Commit(?:ted)? ${name}(?=:)`
      : `Commit(?:ted)?(?=: ${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:[.\n]|$))`;
    noted = noted.replace(new RegExp(`\\b${listed}`, 'g'), (head) => `${head}${rewrittenNote(how)}`);
  }
  return noted;
}

export function withRewritten<C extends Named>(commit: C, rewritten: RewrittenCommits): C {
  const how = rewritten.get(nameOf(commit));
  return how === undefined ? commit : { ...commit, rewritten: how };
}

export function rowWithRewritten<R extends ObservationRow | SummaryRow>(
  row: R,
  rewritten: RewrittenCommits,
): R {
  if (rewritten.size === 0) return row;
  if (!('evidence' in row))
    return { ...row, completed: row.completed === null ? null : noteRewritten(row.completed, rewritten) };
  const { facts, evidence } = row;
  return {
    ...row,
    facts: facts.map((fact) => noteRewritten(fact, rewritten)),
    evidence: {
      ...evidence,
      commits: evidence.commits.map((one) => withRewritten(one, rewritten)),
      pushes: evidence.pushes.map((one) => withRewritten(one, rewritten)),
    },
  };
}

/** The text of an observation or a summary says which of its commits were rewritten later; a person's words stay as they are. */
export async function documentWithRewritten(
  document: MemoryDocument,
  memory: ViewReader,
): Promise<MemoryDocument> {
  const { kind, session, body, marks } = document;
  const isMade = (kind === 'observation' || kind === 'summary') && marks?.edited === undefined;
  return isMade ? { ...document, body: await textWithRewritten(body, session, memory) } : document;
}

export async function textWithRewritten(
  text: string,
  session: string | null,
  memory: ViewReader,
): Promise<string> {
  return LISTS_COMMITS.test(text) ? noteRewritten(text, await rewrittenCommits(memory, session)) : text;
}

const LISTS_COMMITS = /\bCommit(?:ted)?(?: [0-9a-f]{7,40})?:/;
