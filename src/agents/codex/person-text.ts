// The person's text in what Codex sends in a person's place. The program puts context of its own there: instructions,
// the environment, skills, and what the editor shows.

/** A text is the person's; otherwise the reason why it is not. */
export type PersonText = { readonly text: string } | { readonly ignored: string };

export function personText(sent: string): PersonText {
  const start = sent.trimStart();
  const tag = tagOf(start);
  if (isInjected(tag) && !REQUEST.test(start)) {
    const rest = withoutBlocks(start);
    return rest === '' || isInjected(tagOf(rest)) ? { ignored: 'injected context' } : { text: rest };
  }
  if (INSTRUCTIONS.test(start)) return { ignored: 'injected context' };
  const request = start.startsWith('# ') || tag !== undefined ? REQUEST.exec(start) : null;
  const text = request === null ? sent : start.slice(request.index + request[0].length);
  return text.trim() === '' ? { ignored: 'no text' } : { text };
}

function tagOf(text: string): string | undefined {
  return /^<([a-z][\w-]{0,63})[\s>]/i.exec(text)?.[1]?.toLowerCase();
}

function isInjected(tag: string | undefined): boolean {
  return tag !== undefined && INJECTED_TAGS.has(tag);
}

/** What follows the injected blocks that a text begins with. */
function withoutBlocks(text: string): string {
  let rest = text;
  for (let block = BLOCK.exec(rest); block !== null && isInjected(tagOf(rest)); block = BLOCK.exec(rest))
    rest = rest.slice(block[0].length);
  return rest;
}

const BLOCK = /^<([a-z][\w-]{0,63})(?:\s[^>]*)?>[\s\S]*?<\/\1(?:\s[^>]*)?>\s*/i;
/** Editors put what they show before the request. */
const REQUEST = /^## My request for Codex:[^\S\n]*\n/m;
const INSTRUCTIONS = /^# AGENTS\.md instructions\b[^\n]*\n+<INSTRUCTIONS>/;
const INJECTED_TAGS: ReadonlySet<string> = new Set([
  'annals-context',
  'app-context',
  'collaboration_mode',
  'environment_context',
  'goal_context',
  'hook_context',
  'hook_prompt',
  'in-app-browser-context',
  'instructions',
  'permissions',
  'personality_spec',
  'recommended_plugins',
  'skill',
  'skills_instructions',
  'subagent_notification',
  'system-reminder',
  'turn_aborted',
  'user_action',
  'user_instructions',
  'user_shell_command',
]);
