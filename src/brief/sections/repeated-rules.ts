// Finds rules that the person repeats in several sessions, such as "no browser testing". They are the strongest rules.
import type { PromptLine } from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine } from '../lines/brief-lines.ts';
import { normalize } from '../lines/near-duplicate-lines.ts';

const SESSIONS_MIN = 2;
const RULES_MAX = 6;
/** Listed first and dropped last. */
const SPARE = -0.5;
const FILLS = /\b(?:please|just|also|any|the|a|an|do|doing|make|sure|to|you|should|must|again)\b/gi;

/** Most often repeated first. @param prompts newest first */
export function repeatedRules(prompts: readonly PromptLine[]): BriefLine[] {
  const rules = new Map<string, { newest: PromptLine; text: string; sessions: Set<string> }>();
  for (const prompt of prompts)
    for (const text of prompt.rules) {
      if (prompt.session === null) continue;
      const name = normalize(text.replace(/n(?:'|’)t\b/gi, ' not').replace(FILLS, ' '));
      const known = rules.get(name) ?? { newest: prompt, text, sessions: new Set<string>() };
      known.sessions.add(prompt.session);
      rules.set(name, known);
    }
  return [...rules.values()]
    .filter(({ sessions }) => sessions.size >= SESSIONS_MIN)
    .sort((one, other) => other.sessions.size - one.sessions.size)
    .slice(0, RULES_MAX)
    .map(({ newest, text, sessions }) => ({
      ...briefLine(newest, { text: `${text} (said in ${sessions.size} sessions)`, voice: 'person' }),
      spare: SPARE,
    }));
}
