// Extracts a tool's result as the model saw it, and what it launched.
import type { Json } from '../../../log/index.ts';
import { idOf, type JsonObject, listOf, objectOf, stringOf, wholeOf } from './json-fields.ts';
import { withoutHarnessNote } from './tool-detail.ts';

/**
 * The report of a sub-agent that has ended, without the text that the program adds for the model. Null for every other
 * result. The structured result holds the original report, and says how many blocks before and after it are the
 * program's.
 */
export function agentReport(structured: Json): string | null {
  const result = objectOf(structured);
  if (result?.status !== 'completed' || idOf(result.agentId) === null) return null;
  const texts = listOf(result.content).map((part) => stringOf(objectOf(part)?.text) ?? '');
  const notes = wholeOf(result.harnessNoteCount) ?? 0;
  const tail = Math.max(0, wholeOf(result.harnessTailCount) ?? 0);
  const report = texts.slice(Math.max(0, notes), Math.max(0, texts.length - tail)).map(withoutHarnessNote);
  const text = report.filter((one) => one !== '').join('\n');
  return text === '' ? null : text;
}

/** Text of a tool_result block. An image is noted, not kept. Null when the block has no content. */
export function resultText(block: JsonObject): string | null {
  const { content } = block;
  if (content === undefined || content === null) return null;
  if (typeof content === 'string') return withoutHarnessNote(content);
  const pieces = listOf(content).map((piece) => {
    const part = objectOf(piece);
    if (part?.type === 'text') return withoutHarnessNote(stringOf(part.text) ?? '');
    if (part?.type === 'tool_reference') return `[tool ${stringOf(part.tool_name) ?? ''}]`;
    return `[${stringOf(part?.type) ?? 'unknown'}]`;
  });
  return pieces.filter((piece) => piece !== '' || pieces.length === 1).join('\n');
}

/** Shorter ids number the entries of a to-do list. */
const TASK_ID_CHARS_MIN = 5;

/** Ids of what a tool use started: a sub-agent, a background shell or task. */
export function launchedTasks(structured: Json): readonly string[] {
  const result = objectOf(structured);
  const task = idOf(result?.taskId);
  return [
    idOf(result?.agentId),
    idOf(result?.backgroundTaskId),
    task !== null && task.length >= TASK_ID_CHARS_MIN ? task : null,
  ].filter((id) => id !== null);
}
