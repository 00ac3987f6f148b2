// Prompts for which a version fires no hook. Hooks alone cannot show them, so their work is in the turn before. Exactly
// these may be missing, and nothing else may differ.
import type { Turn } from './views.ts';

/** By version and group of sessions. `[private]` is the title of a private turn. */
const NO_HOOK: { readonly [version: string]: { readonly [group: string]: readonly string[] } | undefined } = {
  // Fires no hook for what is typed while the agent works, nor for `!command`, which has the id of the run before it.
  '2.1.197': {
    'the sessions of a day': ['!echo from the shell', 'A prompt typed meanwhile', '[private]'],
    'a private prompt at every moment': [
      'A queued public prompt',
      'Another queued public prompt',
      // Typed during a tool use, while a sub-agent runs, after another.
      '[private]',
      '[private]',
      '[private]',
    ],
  },
};

/** The titles that may be missing in hooks alone, sorted. */
export function missingPrompts(version: string, group: string): readonly string[] {
  return [...(NO_HOOK[version]?.[group] ?? [])].sort();
}

/** Turns without those whose prompt is missing in `reported`. Each of these is joined to the turn before it. */
export function withoutMissingPrompts(
  turns: readonly Turn[],
  reported: readonly Turn[],
): { readonly turns: readonly Turn[]; readonly missing: readonly string[] } {
  const left = reported.map(nameOf);
  const kept: Turn[] = [];
  const missing: string[] = [];
  for (const turn of turns) {
    const at = left.indexOf(nameOf(turn));
    const before = kept.at(-1);
    if (at >= 0) {
      left.splice(at, 1);
      kept.push(turn);
    } else if (before?.session === turn.session) {
      missing.push(turn.prompt);
      const tools = [...before.tools, ...turn.tools].sort();
      kept[kept.length - 1] = { ...before, tools, answer: turn.answer ?? before.answer };
    } else kept.push(turn);
  }
  return { turns: kept, missing: missing.sort() };
}

function nameOf({ session, prompt }: Turn): string {
  return JSON.stringify([session, prompt]);
}
