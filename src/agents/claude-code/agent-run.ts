// Tracks whether the agent's current work is private. A run is everything the agent does from the line that starts it
// until it rests. One run may serve several prompts: those typed while it works, and queued ones that are sent
// together. Their answers cannot be told apart, so a run is private from its first private prompt until a person's next
// prompt starts a new run. A run started by a program (a task that ended) continues the one before.

import { contentBlocks, idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import type { LiveReaderState } from './live-reader-state.ts';
import { type HumanPrompt, isInterruption } from './prompt-events.ts';
import type { RunState } from './reader-state.ts';

/** Updates the run for a line of the main thread. Call it before any event of that line is emitted. */
export function followRun(readerState: LiveReaderState, line: JsonObject, human: HumanPrompt | null): void {
  switch (line.type) {
    case 'user':
      followUserLine(readerState, line, human);
      break;
    case 'assistant':
      readerState.run.atRest = !hasToolUse(line);
      readerState.run.answered = true;
      break;
    case 'attachment':
      if (human?.private === true || isPrivateNote(readerState, noteOf(line))) readerState.hideRun();
      break;
    case 'queue-operation':
      followQueue(readerState, line);
      break;
  }
}

/** Whether a program's text, or a tool's input, names a sub-agent or background task of a private turn. */
export function namesPrivateTask(tasks: Iterable<readonly [string, boolean]>, text: string): boolean {
  for (const [id, isPrivate] of tasks) if (isPrivate && text.includes(id)) return true;
  return false;
}

function followUserLine(readerState: LiveReaderState, line: JsonObject, human: HumanPrompt | null): void {
  const { run } = readerState;
  const promptId = idOf(line.promptId);
  if (human !== null) {
    readerState.openRun(promptId, human.private || (run.privateFrom !== null && !opensRun(run, human)));
  } else if (isInterruption(line) || closesKilledCall(line)) {
    run.atRest = true;
    run.answered = true;
  } else if (hasToolResult(line)) {
    run.atRest = false;
  } else if (line.isMeta !== true && isNote(textOf(line))) {
    const continuesPrivate = run.privateFrom !== null || readerState.hasPrivateRun(promptId);
    readerState.openRun(promptId, continuesPrivate || isPrivateNote(readerState, textOf(line)));
  }
  readerState.noteRunId(promptId);
}

/**
 * Whether a person's line opens a new run or joins the current one. Queued prompts are sent together, one line after
 * the other, possibly with a command typed in between. Older versions write no source, and write queued text only to
 * the queue.
 */
function opensRun(run: RunState, { kind, source }: HumanPrompt): boolean {
  return source === 'typed' || run.atRest || (kind === 'prompt' && source !== 'queued' && run.answered);
}

/**
 * A private prompt hides its run as soon as it is queued, because what the agent says from then on may answer it. The
 * note of a private task counts when it leaves the queue, because the agent sees it only then.
 */
function followQueue(readerState: LiveReaderState, line: JsonObject): void {
  const text = stringOf(line.content) ?? '';
  if (line.operation === 'enqueue') {
    if (isPrivateNote(readerState, text)) readerState.run.noteWaits = true;
  } else if (readerState.run.noteWaits) {
    readerState.run.noteWaits = false;
    // At rest, the note opens a run of its own with the next line.
    if (!readerState.run.atRest) readerState.hideRun();
  }
}

/** A note of a private turn's task, or of an unknown task in a file with something private. */
function isPrivateNote({ anyPrivate, launchedTasks }: LiveReaderState, text: string): boolean {
  if (!anyPrivate || !isNote(text)) return false;
  const named = [...launchedTasks].filter(([id]) => text.includes(id));
  return named.length === 0 || named.some(([, isPrivate]) => isPrivate);
}

/** Notes of ended tasks: a block of markup, or JSON in some versions. */
function isNote(text: string): boolean {
  return /^\s*(?:<task-notification>|\{"task_id")/.test(text);
}

function noteOf(line: JsonObject): string {
  const attachment = objectOf(line.attachment);
  if (attachment?.type !== 'queued_command') return '';
  return contentBlocks({ content: attachment.prompt ?? null })
    .map((block) => stringOf(block.text) ?? '')
    .join('\n');
}

function textOf(line: JsonObject): string {
  return contentBlocks(objectOf(line.message))
    .map((block) => (block.type === 'text' ? (stringOf(block.text) ?? '') : ''))
    .join('\n');
}

function hasToolUse(line: JsonObject): boolean {
  return contentBlocks(objectOf(line.message)).some((block) => block.type === 'tool_use');
}

function hasToolResult(line: JsonObject): boolean {
  return contentBlocks(objectOf(line.message)).some((block) => block.type === 'tool_result');
}

/** What the next start writes for a call that was open when the agent was killed. */
function closesKilledCall(line: JsonObject): boolean {
  return contentBlocks(objectOf(line.message)).some(
    (block) =>
      block.type === 'tool_result' &&
      stringOf(block.content)?.startsWith('[Tool call interrupted: the session ended') === true,
  );
}
