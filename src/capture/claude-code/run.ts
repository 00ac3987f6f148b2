// Whether what the agent does now is private. A run is what the agent does from the line that set it going to its
// rest. Several prompts may serve one run: those typed while it works, and those that waited and were sent together.
// Their answers cannot be told apart, so a run is private from its first private prompt on, and stays it until a
// person's next prompt opens another. What a machine opens (a task that ended) goes on with the run before.
import { blocksOf, idOf, type JsonObject, objectOf, stringOf } from './line.ts';
import { type HumanPrompt, isInterruption } from './prompts.ts';
import type { Standing } from './standing.ts';
import type { RunState } from './state.ts';

/** Keeps the run in step with a line of the main thread, before anything of that line is reported. */
export function followRun(standing: Standing, line: JsonObject, human: HumanPrompt | null): void {
  switch (line.type) {
    case 'user':
      followUserLine(standing, line, human);
      break;
    case 'assistant':
      standing.run.atRest = !hasToolUse(line);
      standing.run.answered = true;
      break;
    case 'attachment':
      if (human?.private === true || isPrivateNote(standing, noteOf(line))) standing.hideRun();
      break;
    case 'queue-operation':
      followQueue(standing, line);
      break;
  }
}

/** A text of the agent's machinery, or the input of a tool, that names a private turn's sub-agent or background task. */
export function namesPrivateTask(tasks: Iterable<readonly [string, boolean]>, text: string): boolean {
  for (const [id, isPrivate] of tasks) if (isPrivate && text.includes(id)) return true;
  return false;
}

function followUserLine(standing: Standing, line: JsonObject, human: HumanPrompt | null): void {
  const { run } = standing;
  const promptId = idOf(line.promptId);
  if (human !== null) {
    standing.openRun(promptId, human.private || (run.privateFrom !== null && !opensRun(run, human)));
  } else if (isInterruption(line) || closesKilledCall(line)) {
    run.atRest = true;
    run.answered = true;
  } else if (hasToolResult(line)) {
    run.atRest = false;
  } else if (line.isMeta !== true && isNote(textOf(line))) {
    const goesOn = run.privateFrom !== null || standing.hasPrivateRun(promptId);
    standing.openRun(promptId, goesOn || isPrivateNote(standing, textOf(line)));
  }
  standing.noteRunId(promptId);
}

/**
 * Whether a person's line opens a run, or joins the one under way: prompts that waited are sent together, line behind
 * line; a command may be typed in between. Older versions write no source, and what waited only into the queue.
 */
function opensRun(run: RunState, { kind, source }: HumanPrompt): boolean {
  return source === 'typed' || run.atRest || (kind === 'prompt' && source !== 'queued' && run.answered);
}

/**
 * A private prompt hides its run from the moment it waits: what the agent says from then on may answer it. The note of
 * a private task counts when it leaves the queue, which is when the agent is shown it.
 */
function followQueue(standing: Standing, line: JsonObject): void {
  const text = stringOf(line.content) ?? '';
  if (line.operation === 'enqueue') {
    if (isPrivateNote(standing, text)) standing.run.noteWaits = true;
  } else if (standing.run.noteWaits) {
    standing.run.noteWaits = false;
    // At rest the note opens a run of its own, with the line that follows.
    if (!standing.run.atRest) standing.hideRun();
  }
}

/** Of a private turn's task, or of one that nobody launched where something is private. */
function isPrivateNote({ anyPrivate, launchedTasks }: Standing, text: string): boolean {
  if (!anyPrivate || !isNote(text)) return false;
  const named = [...launchedTasks].filter(([id]) => text.includes(id));
  return named.length === 0 || named.some(([, isPrivate]) => isPrivate);
}

/** Notes of ended tasks: a block of markup, in some versions JSON. */
function isNote(text: string): boolean {
  return /^\s*(?:<task-notification>|\{"task_id")/.test(text);
}

function noteOf(line: JsonObject): string {
  const attachment = objectOf(line.attachment);
  if (attachment?.type !== 'queued_command') return '';
  return blocksOf({ content: attachment.prompt ?? null })
    .map((block) => stringOf(block.text) ?? '')
    .join('\n');
}

function textOf(line: JsonObject): string {
  return blocksOf(objectOf(line.message))
    .map((block) => (block.type === 'text' ? (stringOf(block.text) ?? '') : ''))
    .join('\n');
}

function hasToolUse(line: JsonObject): boolean {
  return blocksOf(objectOf(line.message)).some((block) => block.type === 'tool_use');
}

function hasToolResult(line: JsonObject): boolean {
  return blocksOf(objectOf(line.message)).some((block) => block.type === 'tool_result');
}

/** What the next start writes for a call that was open when the agent was killed. */
function closesKilledCall(line: JsonObject): boolean {
  return blocksOf(objectOf(line.message)).some(
    (block) =>
      block.type === 'tool_result' &&
      stringOf(block.content)?.startsWith('[Tool call interrupted: the session ended') === true,
  );
}
