// The person's text in what Codex sends in a person's place. The program puts context of its own there: instructions,
// the environment, skills, and what the editor shows.

/** A text is the person's; otherwise the reason why it is not. */
export type PersonText = { readonly text: string } | { readonly ignored: string };

export function personText(sent: string): PersonText {
  const start = sent.trimStart();
  const tag = injectedTag(start);
  if (tag !== null && !REQUEST.test(start)) {
    const rest = afterInjected(start);
    return rest === '' ? { ignored: 'injected context' } : personText(rest);
  }
  if (INSTRUCTIONS.test(start)) return { ignored: 'injected context' };
  const request = start.startsWith('# ') || tag !== null ? REQUEST.exec(start) : null;
  const text = request === null ? sent : start.slice(request.index + request[0].length);
  return text.trim() === '' ? { ignored: 'no text' } : { text };
}

/** As written. */
function injectedTag(text: string): string | null {
  const tag = /^<([a-z][\w-]{0,63})[\s>]/i.exec(text)?.[1];
  return tag !== undefined && INJECTED_TAGS.has(tag.toLowerCase()) ? tag : null;
}

/** What follows the last end of each injected tag that a text begins with: a block may hold its own tag. */
function afterInjected(text: string): string {
  let rest = text;
  for (let blocks = 0; blocks < BLOCKS_MAX; blocks++) {
    const tag = injectedTag(rest);
    if (tag === null) return rest;
    const end = rest.lastIndexOf(`</${tag}`);
    const close = end < 0 ? -1 : rest.indexOf('>', end);
    if (close < 0) return '';
    rest = rest.slice(close + 1).trimStart();
  }
  return '';
}

/** More than Codex sends in one message. */
const BLOCKS_MAX = 32;
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
