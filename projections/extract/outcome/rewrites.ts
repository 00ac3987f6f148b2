// Finds what commands do to existing commits, and follows the commits of a part of a turn: which still exist at its end, and
// what it did to earlier ones.

import { type GitCall, gitCalls } from '../shell/known-commands.ts';
import type { Rewrite } from '../transcript/observation.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { commitsOf, type FoundCommit, worksElsewhere } from './commits.ts';
import { pushesOf } from './pushes.ts';

const ANY: Rewrite = { commits: null, branch: null };

/** Whether earlier commits may no longer exist after the command. */
export function mayDropCommits(command: string): boolean {
  return gitCalls(command).some((call) => rewritesBy(call).length > 0);
}

/** Whether it may copy commits to another branch or repository. */
function mayCarryCommits({ name, words }: GitCall): boolean {
  return CARRIES.has(name) || (name === 'branch' && words.some((word) => /^-[mMcC]$/.test(word)));
}

const CARRIES = new Set(['merge', 'rebase', 'cherry-pick', 'push', 'pull', 'tag', 'format-patch']);

/** With `pull.rebase` set it is not known: what `git pull` prints is not kept. */
function rebasesByPull({ name, words }: GitCall): boolean {
  return name === 'pull' && words.some((word) => /^(?:-r|--rebase(?:=(?!false).*)?)$/.test(word));
}

function rewritesBy({ name, words }: GitCall): readonly Rewrite[] {
  const after = words.filter((word) => !word.startsWith('-'));
  switch (name) {
    case 'commit':
      return words.includes('--amend') ? [{ commits: 1, branch: null }] : [];
    case 'reset':
      return resetTo(words, after);
    case 'rebase':
      return words.some((word) => /^--(?:abort|quit|edit-todo|show-current-patch)$/.test(word)) ? [] : [ANY];
    case 'checkout':
    case 'switch':
      return words.some((word) => /^-[a-z]?[BC]$|^--force-create$/.test(word)) && after.length > 1
        ? [ofBranch(after[0]!)]
        : [];
    case 'branch':
      return branchesIn(words, after).map(ofBranch);
  }
  return name.startsWith('filter-') || name === 'update-ref' || name === 'replace' ? [ANY] : [];
}

/** Without a commit to go to, or with paths, it drops nothing. */
function resetTo(words: readonly string[], [to, ...paths]: readonly string[]): readonly Rewrite[] {
  if (to === undefined || /^(?:HEAD|@)$/.test(to) || paths.length > 0 || words.includes('--')) return [];
  const [, steps] = /^(?:HEAD|@)((?:~\d*|\^)+)$/.exec(to) ?? [];
  if (steps !== undefined) return [{ commits: countOf(steps), branch: null }];
  const isCommit = /^(?:HEAD|@|[0-9a-f]{7,40}$)/.test(to);
  return isCommit || words.some((word) => /^--(?:soft|mixed|hard|keep|merge)$/.test(word)) ? [ANY] : [];
}

/** `~2^`: 3. */
function countOf(steps: string): number {
  return [...steps.matchAll(/[~^](\d*)/g)].reduce((sum, [, count]) => sum + Number(count || 1), 0);
}

/** Those whose commits it may drop. What is kept of a backup is on another branch. */
function branchesIn(words: readonly string[], after: readonly string[]): readonly string[] {
  const flags = words.filter((word) => word.startsWith('-'));
  if (flags.some((flag) => /^-[a-z]*D/.test(flag))) return after.filter((branch) => !/backup/i.test(branch));
  if (flags.some((flag) => /^-[a-z]*[MC]/.test(flag))) return after.slice(-1);
  const isForced = flags.some((flag) => /^-[a-z]*f/.test(flag) || flag === '--force');
  return isForced ? after.slice(0, 1).filter((branch) => !/backup/i.test(branch)) : [];
}

/** The name may be a variable. */
function ofBranch(branch: string): Rewrite {
  return /["'$`]/.test(branch) ? ANY : { commits: null, branch };
}

export function deletedBranches({ command, outcome }: ToolUse): readonly string[] {
  if (command === null || outcome !== 'ok') return [];
  return gitCalls(command.whole).flatMap(({ name, words: [option = '', ...branches] }) =>
    name === 'branch' && /^(?:-[dD]|--delete)$/.test(option) ? branches : [],
  );
}

/** The commits have other hashes after it, and the same messages. */
function keepsMessages({ name, words }: GitCall): boolean {
  if (name === 'rebase') return !words.some((word) => DROPS.test(word));
  return name === 'update-ref' || name === 'replace';
}

/** With these a rebase may drop or join commits. */
const DROPS = /^(?:-[a-z]*i[a-z]*|--(?:interactive|autosquash|onto|root|skip|edit-todo))$/;
/** A call of a rebase that began before. */
const GOES_ON = /^--(?:continue|skip|edit-todo|show-current-patch)$/;

/** Whether it may make a commit again, and how many it drops is not known. */
function repeatsCommits(call: GitCall, isDone: boolean): boolean {
  if (/^(?:cherry-pick|am|rebase)$/.test(call.name) || rebasesByPull(call)) return true;
  return call.name !== 'branch' && rewritesBy(call).some(({ commits }) => commits === null || !isDone);
}

/** Git prints nothing about its commits; a wrapper may print none of a commit that a hook refused. */
function isQuiet({ words, byRtk }: GitCall, command: string): boolean {
  return !byRtk && (words.some((word) => /^(?:-[a-z]*q[a-z]*|--quiet)$/.test(word)) || HIDES.test(command));
}

const HIDES = />\s*\/dev\/null/;

/** Git says so; of a pull and a rebase in one command, only if no rebase did anything. */
function isUpToDate({ name }: GitCall, printed: string): boolean {
  if (printed.includes('Successfully rebased')) return false;
  if (name === 'rebase') return CURRENT.test(printed);
  return name === 'pull' && (CURRENT.test(printed) || ALREADY.test(printed));
}

/** In the middle of a rebase. */
const STOPPED = /\bCONFLICT\b|could not apply/;
const CURRENT = /^Current branch \S+ is up to date\.$/m;
const ALREADY = /^Already up to date\.$/m;

/** The commits of a part, in order. */
export class CommitStack {
  /** null: git printed nothing about it. */
  #own: (FoundCommit | null)[] = [];
  readonly #rewrites: Rewrite[] = [];
  #mayBeElsewhere = false;
  /** Those that may have been made again since. */
  #repeated: ReadonlySet<FoundCommit | null> = new Set();
  /** Those that the rebase that began last may drop or join. */
  #atRisk: ReadonlySet<FoundCommit | null> = new Set();
  /** So many of its own were pushed, and all before them; null: no push is known. */
  #pushed: number | null = null;

  take(toolUse: ToolUse): void {
    const { whole } = toolUse.command!;
    if (worksElsewhere(whole)) return;
    const calls = gitCalls(whole);
    // The person refused it; a rebase may have begun.
    if (toolUse.outcome === 'cancelled' && !calls.some(({ name }) => name === 'rebase')) return;
    const found = commitsOf(toolUse);
    const isOk = toolUse.outcome === 'ok';
    /** What follows its commits may have failed. */
    const isDone = isOk || found.length > 0;
    this.#mayBeElsewhere ||= calls.some(mayCarryCommits);
    let rewroteOwn = false;
    /** Commits of this command that still exist. */
    let made = 0;
    let repeats = false;
    for (const call of calls) {
      if (isUpToDate(call, toolUse.tail)) continue;
      if (call.name === 'rebase') {
        const goesOn = call.words.some((word) => GOES_ON.test(word));
        // It skips what it applies, which is none that was pushed.
        if (call.words.includes('--skip'))
          this.#atRisk = new Set([...this.#atRisk, ...this.#own.slice(this.#pushed ?? 0)]);
        else if (!keepsMessages(call)) this.#atRisk = new Set(this.#own);
        else if (!goesOn) this.#atRisk = new Set();
      }
      repeats ||= repeatsCommits(call, isDone);
      if (rebasesByPull(call) && (isDone || STOPPED.test(toolUse.error))) {
        this.#atRisk = new Set();
        this.#rebaseUnpushed();
      }
      for (const { commits, branch } of rewritesBy(call)) {
        if (branch !== null) this.#dropBranch(branch, isDone && call.name === 'branch');
        else if (commits === null) {
          made = 0;
          const atRisk = keepsMessages(call) ? new Set<null>() : new Set(this.#own);
          rewroteOwn = this.#rewriteAll(isDone, call.name === 'rebase' ? this.#atRisk : atRisk) || rewroteOwn;
        } else {
          const deeper = Math.max(0, commits - made);
          made = Math.max(0, made - commits);
          rewroteOwn = this.#drop(deeper, isDone, found.at(-1)?.branch ?? null) || rewroteOwn;
        }
      }
      if (call.name === 'commit' && !call.words.includes('--dry-run')) {
        // What was amended is there still, before or after.
        const isThere = call.words.includes('--amend') && (isDone || this.#own.length === 0);
        if (isThere || (isOk && call.bound && (found.length > 0 || isQuiet(call, whole)))) made += 1;
      }
    }
    if (repeats) this.#repeated = new Set(this.#own);
    const before = new Set(this.#own);
    for (const commit of found) {
      const isRewritten = (one: FoundCommit) =>
        this.#repeated.has(one) || ((repeats || commit.amended) && !before.has(one));
      const isIt = (one: FoundCommit) => isRewritten(one) || (one.hash !== null && one.hash === commit.hash);
      this.#own = this.#own.filter((one) => one?.message !== commit.message || !isIt(one));
      this.#own.push(rewroteOwn ? { ...commit, amended: false } : commit);
    }
    const quiet = Math.max(0, made - found.length);
    this.#own.splice(this.#own.length - found.length, 0, ...Array<null>(quiet).fill(null));
    if (pushesOf(toolUse).length > 0) this.#pushed = this.#own.length;
  }

  get commits(): readonly FoundCommit[] {
    return this.#own.filter((one) => one !== null);
  }

  get quietCommits(): number {
    return this.#own.length - this.commits.length;
  }

  get rewrites(): readonly Rewrite[] {
    return this.#rewrites;
  }

  /** Returns whether it rewrote some of the part. */
  #drop(count: number, isDone: boolean, branch: string | null): boolean {
    const own = Math.min(count, this.#own.length);
    if (count > own) this.#note({ commits: count - own, branch });
    if (isDone && own > 0) this.#own.splice(-own);
    return isDone && own > 0;
  }

  /** Returns whether it may have dropped some of the part. */
  #rewriteAll(isDone: boolean, atRisk: ReadonlySet<FoundCommit | null>): boolean {
    this.#note(ANY);
    if (!isDone) return false;
    const kept = this.#own.filter((one) => !atRisk.has(one));
    const dropsOwn = kept.length < this.#own.length;
    this.#own = kept.map((one) => one && { ...one, hash: null });
    return dropsOwn;
  }

  #rebaseUnpushed(): void {
    if (this.#pushed === null) this.#note({ ...ANY, unpushed: true });
    const pushed = this.#pushed ?? 0;
    this.#own = this.#own.map((one, at) => (one === null || at < pushed ? one : { ...one, hash: null }));
  }

  #dropBranch(branch: string, dropsOwn: boolean): void {
    if (this.#mayBeElsewhere) return;
    this.#note({ commits: null, branch });
    if (dropsOwn) this.#own = this.#own.filter((one) => one?.branch !== branch);
  }

  #note(rewrite: Rewrite): void {
    const covers = (one: Rewrite) =>
      one.commits === null &&
      (one.branch ?? rewrite.branch) === rewrite.branch &&
      (one.unpushed ?? rewrite.unpushed) === rewrite.unpushed;
    if (!this.#rewrites.some(covers)) this.#rewrites.push(rewrite);
  }
}
