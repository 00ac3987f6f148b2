// What an agent set out to do: tasks it wrote down, sub-agents it launched, steps it announced. Where a turn ends
// without closing words (it was interrupted, or sub-agents did the work) they are the best words there are.
import { plain } from './markdown.ts';
import { capital, sentencesOf, wordCount } from './sentences.ts';
import type { Said, Use } from './story.ts';
import { announced } from './wording.ts';

const LAUNCHERS: Readonly<Record<string, string>> = {
  Task: 'description',
  Agent: 'description',
  TaskCreate: 'subject',
};
/** Looking, judging and checking is how it was done, not what. */
const LOOKS =
  /^(?:explore|find|search|look|read|review|check|verify|validate|research|analy[sz]e|understand|investigate|code quality|final|run)\b|\breview\b/i;
/** "Implement Task 2: Add a retry" → "Add a retry", and "Implement Task 2: A retry" → "Implement A retry". */
const NUMBERED =
  /^(?:\w+ )?(?:task|step|phase) [\d.]+\s*[:–—-]\s*(?=(?:add|implement|create|build|fix|write|update|remove|refactor)\b)|^(\w+ )(?:task|step|phase) [\d.]+\s*[:–—-]\s*/i;
const WORDS_MIN = 3;
const CHARS_MAX = 110;

/** "Implement Task 2: Retry in the uploader" → "Retry in the uploader", each once, in order. */
export function launchedBy(uses: readonly Use[]): string[] {
  const found = uses.flatMap(({ name, input, outcome }) => {
    const field = LAUNCHERS[name];
    const text = field === undefined || outcome === 'failed' ? undefined : input[field];
    return typeof text === 'string' ? [capital(plain(text).replace(NUMBERED, '$1'))] : [];
  });
  return [...new Set(found)].filter((one) => wordCount(one) >= 2 && !LOOKS.test(one));
}

/** Sub-agents that were launched to make something: the files they change are not always told. */
export function launchedToMake(uses: readonly Use[]): boolean {
  return launchedBy(uses.filter(({ name }) => name !== 'TaskCreate')).some((one) => MAKES.test(one));
}

const MAKES =
  /^(?:add|implement|create|build|fix|write|update|remove|refactor|migrate|set ?up|rename|move|make|convert|port|extend|support)\b/i;

/** "Now let me update the reader:" → "Update the reader", those that say most first. */
export function announcedIn(said: readonly Said[]): string[] {
  const found = said.flatMap(({ text }) => {
    const last = sentencesOf(
      plain(
        text
          .slice(-400)
          .split('\n')
          .findLast((line) => line.trim() !== '') ?? '',
      ),
    ).at(-1);
    const what = last === undefined ? null : announced(last);
    return what === null || wordCount(what) < WORDS_MIN || what.length > CHARS_MAX ? [] : [capital(what)];
  });
  const rank = (one: string) =>
    (/[a-z][A-Z]|\w\(\)|\w\.\w|_/.test(one) ? 1 : 0) + (/\b(?:it|this|that|them|these)\b/.test(one) ? -1 : 0);
  return [...new Set(found)]
    .map((one, index) => ({ one, index }))
    .sort((a, b) => rank(b.one) - rank(a.one) || a.index - b.index)
    .map(({ one }) => one);
}
