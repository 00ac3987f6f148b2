// The person's text in what Gemini CLI sends as the user's message. The program writes user messages of its own, and
// puts context into the person's. Texts from the source of 0.61.0; `System: Please continue.` from an older version.

import { withoutBlocks } from '../common/context-blocks.ts';

export type PersonText = { readonly text: string } | { readonly ignored: string };

/** The model's account of the session, which the program sends in the place of what was said before. */
export const COMPACTION = 'compaction summary';

/** Whole messages of the program, by how they begin. */
const WRITTEN_BY_PROGRAM: readonly (readonly [RegExp, string])[] = [
  [/^<session_context>|^<loaded_context>/, 'injected context'],
  [
    /^Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context)/,
    'injected context',
  ],
  [/^<(?:state_snapshot|scratchpad)>/, COMPACTION],
  [
    /^\[?System: (?:Please continue\.|Potential loop detected\.|You successfully executed a tool)/,
    'not sent by a person',
  ],
  [/^(?:User has manually exited Plan Mode|Plan approved)\. Switching to /, 'not sent by a person'],
  [/^I ran the following shell command:\n```sh\n/, 'output of a command'],
];

/** The person's words in a hint that was typed while the agent worked. */
const STEERING = /^User steering update:\n<user_input>\n([\s\S]*)\n<\/user_input>\n/;

/** The text of `/init`, which the program writes in the place of the command. */
const INIT =
  /^\s*You are an AI agent that brings the power of Gemini directly into the terminal\. Your task is to analyze the current directory and generate a comprehensive GEMINI\.md\b/;

/** @param sent a whole message. An empty `text` is what the person sent, with a picture or without anything. */
export function personText(sent: string): PersonText {
  // Hooks add context before the prompt (SessionStart) or right after it (BeforeAgent). The program escapes `<` and `>` in it.
  const words = withoutFiles(withoutBlocks(sent, ['hook_context'], ''));
  if (words.trim() === '') return sent.trim() === '' ? { text: '' } : { ignored: 'injected context' };
  const start = words.trimStart();
  const program = WRITTEN_BY_PROGRAM.find(([form]) => form.test(start));
  if (program !== undefined) return { ignored: program[1] };
  if (INIT.test(words)) return { text: '/init' };
  return { text: STEERING.exec(start)?.[1] ?? words };
}

/** The files of `@path` stand after the prompt, up to its end. */
function withoutFiles(text: string): string {
  const start = text.indexOf(FILES_START);
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

const FILES_START = '\n--- Content from referenced files ---\n';
