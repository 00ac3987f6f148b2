// A plan that the agent wrote and the person accepted arrives as a prompt. It is named by its heading; its text is the
// agent's.
import { plainMarkdown } from './markdown.ts';
import { cutAtWord } from './sentences.ts';

const ACCEPTED = /^\s*Implement the following plan:/i;
const HEADING = /^#[ \t]+(\S.{0,300})$/m;
const NAME_CHARS_MAX = 90;
const TEXT_CHARS_READ = 4_000;

export function isPlan(text: string): boolean {
  return ACCEPTED.test(text.slice(0, 80));
}

/** `# Plan: Show the link` → "Show the link"; the first line when there is no heading. */
export function planName(text: string): string {
  const plan = text.slice(0, TEXT_CHARS_READ).replace(ACCEPTED, '');
  const heading = HEADING.exec(plan)?.[1] ?? plan.split('\n').find((line) => line.trim() !== '') ?? '';
  const name = plainMarkdown(heading.replace(/^#+\s*/, ''))
    .replace(/^(?:implementation )?plan ?(?:[:：–—-]|to\b)\s*/i, '')
    .trim();
  return cutAtWord(name === '' ? plainMarkdown(heading) : name, NAME_CHARS_MAX);
}
