// Shortens a row of `memory` to a row that the brief of a new session may show. Every text is one line of bounded
// length, so that a page of rows is cheap to read.
import type { Marks, MemoryDocument } from '../documents/document.ts';
import { isQuoted, unquoted } from '../extract/answer/quote.ts';
import { isPlan, planName } from '../extract/text/plans.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import { requestOf, withCommand } from '../extract/turn-request.ts';
import { commitBody } from './commit-body.ts';
import type {
  ContextRow,
  FailureRow,
  Lasting,
  ObservationLine,
  PinnedLine,
  PromptLine,
  SavedLine,
  SummaryLine,
} from './context-rows.ts';

const FIELD_CHARS_MAX = 1_100;
const ITEM_CHARS_MAX = 300;
/** Not counting the prefix "The person: ". */
const DECISION_CHARS_MAX = 440;
const FILES_MAX = 50;
const COMMANDS_MAX = 24;
const EVIDENCE_MAX = 6;
const FACTS_MAX = 20;
/** The sentence that asks may come late. */
const PROMPT_CHARS_MAX = 700;

/** null for rows that no brief shows: answers, tool uses, index rows. */
export function lineOf(rowKey: string, row: unknown): ContextRow | null {
  if (row === null) return null;
  if (rowKey.startsWith('observation/')) return observationLine(row as ObservationRow);
  if (rowKey.startsWith('summary/')) return summaryLine(row as SummaryRow);
  if (!rowKey.startsWith('document/')) return null;
  const document = row as MemoryDocument;
  if (document.kind === 'memory') return savedLine(document);
  if (document.kind === 'prompt') return promptLine(document);
  const isShown = document.kind === 'observation' || document.kind === 'summary';
  return isShown || document.marks?.pinned === undefined ? null : pinnedLine(document);
}

/** null unless it is a tool use whose only command failed. */
export function failureOf(document: MemoryDocument | null): FailureRow | null {
  if (document?.ran?.failed === undefined) return null;
  const { id, agent, session, turn, at, ran } = document;
  const { failed } = ran;
  if (session === null || turn === null || failed === undefined) return null;
  const error = failed.error === null ? null : short(failed.error, ITEM_CHARS_MAX);
  return { id, agent, session, turn, at, call: ran.calls[0]!, command: failed.command, error };
}

/** The reasons to keep showing a row however old it is; empty when there are none. */
export function lastingOf(line: ContextRow): readonly Lasting[] {
  if (line.marks?.superseded !== undefined) return [];
  const pinned: readonly Lasting[] = line.marks?.pinned !== undefined ? ['pinned'] : [];
  if (line.kind === 'saved') return [...pinned, ...savedLasting(line)];
  if (line.kind !== 'observation') return pinned;
  const decided: readonly Lasting[] = line.decisions.length > 0 ? ['decision'] : [];
  const learned = line.lessons.length > 0 || line.errors.some(({ fixedBy }) => fixedBy !== null);
  return [...pinned, ...decided, ...(learned ? (['gotcha'] as const) : [])];
}

/** A note is a person's; what an agent saves under that name is a memory like any other. */
function savedLasting({ type, author }: SavedLine): readonly Lasting[] {
  if (type === 'note') return author === undefined ? ['note'] : [];
  return type === 'decision' || type === 'gotcha' ? [type] : [];
}

function observationLine(made: ObservationRow): ObservationLine {
  const row = edited(made);
  const { commands, tests, testsUnclear, commits, pushes, pullRequests, errors, decisions, lessons } =
    row.evidence;
  const { listedCommits, deletedBranches, ended } = row.evidence;
  return {
    ...base(row),
    kind: 'observation',
    type: row.type,
    unfinished: row.unfinished,
    subtitle: short(row.subtitle, ITEM_CHARS_MAX),
    narrative: short(row.narrative, FIELD_CHARS_MAX),
    facts: statedFacts(row).slice(0, FACTS_MAX),
    files: row.filesModified.slice(0, FILES_MAX),
    commands: commands.slice(-COMMANDS_MAX).map(({ command, outcome }) => ({
      command: short(command, ITEM_CHARS_MAX),
      outcome,
    })),
    tests: tests.slice(-EVIDENCE_MAX).map(({ command, before, after, runnerLine }) => ({
      command: short(command, ITEM_CHARS_MAX),
      before,
      after,
      runnerLine: runnerLine === null ? null : short(runnerLine, ITEM_CHARS_MAX),
    })),
    testsUnclear,
    commits: commits
      .filter(isMeaningful)
      .slice(-EVIDENCE_MAX)
      .map(({ hash, message, branch, unverified }) => ({
        hash,
        branch: branch ?? null,
        subject: short(message.split('\n')[0] ?? '', ITEM_CHARS_MAX),
        body: short(commitBody(message), FIELD_CHARS_MAX),
        ...(unverified === undefined ? {} : { unverified }),
      })),
    pushes: pushes.slice(-EVIDENCE_MAX),
    pullRequests: pullRequests.slice(-EVIDENCE_MAX),
    rewroteHistory: row.evidence.rewroteHistory,
    ...(listedCommits === undefined ? {} : { listedCommits }),
    ...(deletedBranches === undefined ? {} : { deletedBranches }),
    ...(ended === undefined ? {} : { ended }),
    edits: row.evidence.edits,
    errors: errors.slice(-EVIDENCE_MAX).map(({ error, command, fixedBy }) => ({
      error: short(error, ITEM_CHARS_MAX),
      command: short(command, ITEM_CHARS_MAX),
      fixedBy: fixedBy === null ? null : short(fixedBy, ITEM_CHARS_MAX),
    })),
    decisions: decisions.slice(0, EVIDENCE_MAX).map((decision) => short(decision, DECISION_CHARS_MAX)),
    lessons: lessons.map((lesson) => short(lesson, ITEM_CHARS_MAX)),
  };
}

/** A person's words in place of the agent's. What tools proved stays. */
function edited(row: ObservationRow): ObservationRow {
  const edit = row.marks?.edited;
  if (edit === undefined) return row;
  const decisions = row.evidence.decisions.length === 0 ? [] : [`The person: ${edit.body}`];
  const evidence = { ...row.evidence, decisions, lessons: [] };
  return { ...row, title: edit.title, subtitle: '', narrative: edit.body, facts: [], evidence };
}

/** False for throwaway subjects such as "init", which repositories made for tests begin with. */
function isMeaningful({ message }: { readonly message: string }): boolean {
  return !/^(?:init(?:ial)?(?: commit)?|wip|test|tmp|temp|first commit)[.!]?$/i.test(message.trim());
}

/** Facts from the agent's own list; facts that tools prove are in the evidence. */
function statedFacts({ facts, evidence }: ObservationRow): string[] {
  const proven = evidence.errors.length + evidence.tests.length + evidence.commits.length;
  const own = facts.slice(0, Math.max(0, facts.length - proven));
  const elsewhere = [...evidence.decisions, ...evidence.lessons];
  return own.filter((fact) => !elsewhere.includes(fact)).map((fact) => short(fact, ITEM_CHARS_MAX));
}

function promptLine(document: MemoryDocument): PromptLine {
  const plan = document.type === 'plan' || isPlan(document.body);
  const words = plan ? planName(document.body) : withCommand(document.body, requestOf([document.body]).words);
  const text = short(words || document.title, PROMPT_CHARS_MAX);
  return { ...base(document), kind: 'prompt', text, plan };
}

function summaryLine(made: SummaryRow): SummaryLine {
  const edit = made.marks?.edited;
  const none = { investigated: null, learned: null, notes: null, nextSteps: [] };
  const row = edit === undefined ? made : { ...made, ...none, title: edit.title, completed: edit.body };
  // The brief chooses sentences and marks whose they are.
  const field = (text: string | null) =>
    text === null ? null : short(edit === undefined ? unquoted(text) : text, FIELD_CHARS_MAX);
  return {
    ...base(row),
    kind: 'summary',
    unfinished: row.unfinished,
    end: row.end,
    request: short(row.request, FIELD_CHARS_MAX),
    requestBy: row.requestBy,
    investigated: field(row.investigated),
    learned: field(row.learned),
    completed: field(row.completed),
    onlyShown:
      edit === undefined && row.recipe === undefined && row.completed !== null && !isQuoted(row.completed),
    nextSteps: row.nextSteps
      .slice(0, EVIDENCE_MAX)
      .map(({ kind, text }) => ({ kind, text: short(text, ITEM_CHARS_MAX) })),
    notes: field(row.notes),
  };
}

function savedLine(document: MemoryDocument): SavedLine {
  return {
    ...base(document),
    kind: 'saved',
    type: document.type,
    text: short(document.body, FIELD_CHARS_MAX),
    ...(document.author === undefined ? {} : { author: document.author }),
  };
}

function pinnedLine(document: MemoryDocument): PinnedLine {
  const { kind, body } = document;
  return { ...base(document), kind: 'pinned', of: kind, text: short(body, FIELD_CHARS_MAX) };
}

function base(row: {
  readonly id: string;
  readonly workdir: string;
  readonly agent: string;
  readonly session: string | null;
  readonly turn: string | null;
  readonly at: number | null;
  readonly order: string;
  readonly title: string;
  readonly marks?: Marks;
}) {
  const { id, workdir, agent, session, turn, at, order, marks } = row;
  const shown = marks === undefined ? {} : marksOf(marks);
  const title = short(row.title, ITEM_CHARS_MAX);
  return { id, workdir, agent, session, turn, at, ...(at === null ? { order } : {}), title, ...shown };
}

function marksOf({ pinned, edited, superseded }: Marks): Pick<ContextRow, 'marks'> {
  const marks: ContextRow['marks'] = {
    ...(pinned === undefined ? {} : { pinned }),
    ...(edited === undefined ? {} : { edited: { at: edited.at } }),
    ...(superseded === undefined ? {} : { superseded }),
  };
  return Object.keys(marks).length === 0 ? {} : { marks };
}

/** One line of at most `charsMax` characters, cut between words. */
function short(text: string, charsMax: number): string {
  const line = (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
  if (line.length <= charsMax) return line;
  const cut = line.slice(0, charsMax - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > charsMax / 2 ? cut.slice(0, space) : cut}…`;
}
