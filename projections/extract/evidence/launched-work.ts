// The work an agent planned: tasks it wrote down, sub-agents it launched, changes it announced. For a turn without final
// answer (interrupted, or done by sub-agents) these are the best description.
import { plainMarkdown } from '../text/markdown.ts';
import { capital, sentencesOf, wordCount } from '../text/sentences.ts';
import { announced } from '../text/wording.ts';
import type { Message, ToolUse } from '../transcript/turn-transcript.ts';

const LAUNCHERS: Readonly<Record<string, string>> = {
  Task: 'description',
  Agent: 'description',
  TaskCreate: 'subject',
};
/** Exploring, reviewing and checking are methods, not work results. */
const LOOKS =
  /^(?:explore|find|search|look|read|review|check|verify|validate|research|analy[sz]e|understand|investigate|code quality|final|run)\b|\breview\b/i;
/** "Implement Task 2: Add a retry" → "Add a retry", and "Implement Task 2: A retry" → "Implement A retry". */
const NUMBERED =
  /^(?:\w+ )?(?:task|step|phase) [\d.]+\s*[:–—-]\s*(?=(?:add|implement|create|build|fix|write|update|remove|refactor)\b)|^(\w+ )(?:task|step|phase) [\d.]+\s*[:–—-]\s*/i;

/** Whether it launches a sub-agent; writing down a task does not. */
export function isLauncher({ name }: ToolUse): boolean {
  return name === 'Task' || name === 'Agent';
}

/** "Implement Task 2: Retry in the uploader" → "Retry in the uploader", each once, in order. */
export function launchedBy(toolUses: readonly ToolUse[]): string[] {
  const found = toolUses.flatMap(({ name, input, outcome }) => {
    const field = LAUNCHERS[name];
    const text = field === undefined || outcome === 'failed' ? undefined : input[field];
    return typeof text === 'string' ? [capital(plainMarkdown(text).replace(NUMBERED, '$1'))] : [];
  });
  return [...new Set(found)].filter((one) => wordCount(one) >= 2 && !LOOKS.test(one) && !A_NUMBER.test(one));
}

/** Whether sub-agents were launched to make something. The files they change are not always recorded. */
export function launchedToMake(toolUses: readonly ToolUse[]): boolean {
  return launchedBy(toolUses.filter(({ name }) => name !== 'TaskCreate')).some((one) => MAKES.test(one));
}

/** "Now let me add the retry to a.ts:" → "add the retry to a.ts", newest first. */
export function announcedIn(messages: readonly Message[]): string[] {
  const found: string[] = [];
  for (const { text } of [...messages].reverse().slice(0, TEXTS_READ))
    for (const line of text.slice(0, TEXT_CHARS_READ).split('\n'))
      for (const sentence of sentencesOf(plainMarkdown(line))) {
        const doing = announced(sentence);
        if (doing !== null && !LOOKS.test(doing)) found.push(doing);
      }
  return found;
}

const TEXTS_READ = 30;
const TEXT_CHARS_READ = 600;

/** "Implement Task 2": meaningless without the list of tasks. */
const A_NUMBER = /^\w+ (?:task|step|phase)s? [\d.]+/i;
const MAKES =
  /^(?:add|implement|create|build|fix|write|update|remove|refactor|migrate|set ?up|rename|move|make|convert|port|extend|support)\b/i;
