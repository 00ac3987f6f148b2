// The work an agent planned: tasks it wrote down, sub-agents it launched, changes it announced. For a turn without final
// answer (interrupted, or done by sub-agents) these are the best description.
import { toolKind } from '../../tools/known-tools.ts';
import { plainMarkdown } from '../text/markdown.ts';
import { capital, sentencesOf, wordCount } from '../text/sentences.ts';
import { announced, isOrder } from '../text/wording.ts';
import type { Message, ToolUse } from '../transcript/turn-transcript.ts';

/** "Implement Task 2: Add a retry" → "Add a retry". */
const NUMBERED = /^(?:\w+ )?(?:task|step|phase) [\d.]+\s*[:–—-]\s*/i;

/** Whether it launches a sub-agent; writing down a task does not. */
export function isLauncher({ name }: ToolUse): boolean {
  return toolKind(name) === 'launch';
}

/** "Implement Task 2: Retry in the uploader" → "Retry in the uploader", each once, in order. */
export function launchedBy(toolUses: readonly ToolUse[]): string[] {
  const found = toolUses.flatMap((toolUse) => {
    const { name, input, outcome } = toolUse;
    const field = isLauncher(toolUse) ? 'description' : name === 'TaskCreate' ? 'subject' : null;
    const text = field === null || outcome === 'failed' ? undefined : input[field];
    if (typeof text !== 'string') return [];
    const task = plainMarkdown(text);
    const work = capital(task.replace(NUMBERED, ''));
    // Exploring, reviewing and checking are methods, not work results.
    return wordCount(work) >= 2 && (isOrder(task) || isOrder(work)) ? [work] : [];
  });
  return [...new Set(found)];
}

/** Whether sub-agents were launched to make something. The files they change are not always recorded. */
export function launchedToMake(toolUses: readonly ToolUse[]): boolean {
  return launchedBy(toolUses.filter(isLauncher)).length > 0;
}

/** "Now let me add the retry to a.ts:" → "add the retry to a.ts", newest first. */
export function announcedIn(messages: readonly Message[]): string[] {
  const found: string[] = [];
  for (const { text } of [...messages].reverse().slice(0, TEXTS_READ))
    for (const line of text.slice(0, TEXT_CHARS_READ).split('\n'))
      for (const sentence of sentencesOf(plainMarkdown(line))) {
        const doing = announced(sentence);
        if (doing !== null) found.push(doing);
      }
  return found;
}

const TEXTS_READ = 30;
const TEXT_CHARS_READ = 600;
