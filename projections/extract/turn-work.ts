// What parts of a turn add up to, as far as the turn's last part and its summary use it. Every list has a bound, so that a
// long turn costs no more than a short one.
import { type ClaimEvidence, claimEvidenceOf, joinedEvidence, NO_CLAIM_EVIDENCE } from './claims.ts';
import { lastAnswered, unanswered } from './evidence/chosen-answers.ts';
import type { GatheredEvidence } from './evidence/evidence.ts';
import { launchedBy } from './evidence/launched-work.ts';
import { opensRequest, triesToPush } from './outcome/pushes.ts';
import type { CommitEvidence } from './transcript/observation.ts';
import { isWriter, lastChangeOf, writtenFilesOf } from './transcript/touched-files.ts';
import type { ToolUse } from './transcript/turn-transcript.ts';

/** A list of files with so many names is not complete. */
export const NAMES_KEPT_MAX = 50;
const COMMITS_MAX = 20;
const LAUNCHED_MAX = 8;
const QUESTIONS_MAX = 8;

export interface TurnWork {
  readonly changed: boolean;
  readonly fixedErrors: number;
  /** First ones first, like all lists but the questions. */
  readonly commits: readonly CommitEvidence[];
  /** Files read and not modified by a part, modified, and read. */
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  readonly filesOpened: readonly string[];
  /** Descriptions of launched work. */
  readonly launched: readonly string[];
  /** Base names of files whose writing was refused or failed, and of those that were written. */
  readonly refused: readonly string[];
  readonly written: readonly string[];
  /** Questions of the agent that nobody answered; the last ones. */
  readonly questions: readonly string[];
  /** Orders of the last change of a file and of the last successful tool use; may be empty. */
  readonly lastChange: string;
  /** The same of the last change of any state. */
  readonly lastEffect: string;
  /** The same of the last question that the person answered. */
  readonly lastAsked: string;
  readonly lastSuccess: string;
  /** The same of the last tool use of a sub-agent, however it ended. */
  readonly lastOfSubagent: string;
  readonly claims: ClaimEvidence;
}

export const NO_WORK: TurnWork = {
  changed: false,
  fixedErrors: 0,
  commits: [],
  filesRead: [],
  filesModified: [],
  filesOpened: [],
  launched: [],
  refused: [],
  written: [],
  questions: [],
  lastChange: '',
  lastEffect: '',
  lastAsked: '',
  lastSuccess: '',
  lastOfSubagent: '',
  claims: NO_CLAIM_EVIDENCE,
};

export function workOf(toolUses: readonly ToolUse[], gathered: GatheredEvidence): TurnWork {
  const { read, opened, modified } = gathered.files;
  return joinedWork(NO_WORK, {
    changed: gathered.changed,
    fixedErrors: gathered.errors.filter(({ fixedBy }) => fixedBy !== null).length,
    commits: gathered.commits,
    filesRead: read,
    filesModified: modified,
    filesOpened: opened,
    launched: launchedBy(toolUses),
    ...writtenFilesOf(toolUses),
    questions: unanswered(toolUses),
    lastChange: lastChangeOf(toolUses),
    lastEffect: lastEffectOf(toolUses),
    lastAsked: lastAnswered(toolUses),
    lastSuccess: toolUses.findLast(({ outcome, ofSubagent }) => outcome === 'ok' && !ofSubagent)?.order ?? '',
    lastOfSubagent: toolUses.findLast(({ ofSubagent }) => ofSubagent)?.order ?? '',
    claims: claimEvidenceOf(toolUses, gathered),
  });
}

/** Of the parts before and of one more. */
export function joinedWork(before: TurnWork, part: TurnWork): TurnWork {
  const written = names(before.written, part.written);
  return {
    changed: before.changed || part.changed,
    fixedErrors: before.fixedErrors + part.fixedErrors,
    commits: [...before.commits, ...part.commits].slice(0, COMMITS_MAX),
    filesRead: names(before.filesRead, part.filesRead),
    filesModified: names(before.filesModified, part.filesModified),
    filesOpened: names(before.filesOpened, part.filesOpened),
    launched: names(before.launched, part.launched).slice(0, LAUNCHED_MAX),
    refused: names(before.refused, part.refused).filter((file) => !written.includes(file)),
    written,
    questions: [...before.questions, ...part.questions].slice(-QUESTIONS_MAX),
    lastChange: part.lastChange || before.lastChange,
    lastEffect: part.lastEffect || before.lastEffect,
    lastAsked: part.lastAsked || before.lastAsked,
    lastSuccess: part.lastSuccess || before.lastSuccess,
    lastOfSubagent: part.lastOfSubagent || before.lastOfSubagent,
    claims: joinedEvidence(before.claims, part.claims),
  };
}

function names(before: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])].slice(0, NAMES_KEPT_MAX);
}

/** The order of the last change of a file or of what else a shell command changes on this machine; may be empty. */
function lastEffectOf(toolUses: readonly ToolUse[]): string {
  const changes = (one: ToolUse) =>
    one.command?.purpose === 'mutation' && !triesToPush(one) && !opensRequest(one);
  return toolUses.findLast((one) => one.outcome === 'ok' && (isWriter(one) || changes(one)))?.order ?? '';
}
