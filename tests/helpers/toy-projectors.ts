// Two small projectors for the machinery: `counts` folds the log into a row per session and one per prompt;
// `titles` follows it and keeps an index from words to prompts.
import type { Fact, Telling } from '../../log/index.ts';
import {
  below,
  type Change,
  defineProjector,
  type FirstProjector,
  key,
  type SecondProjector,
  type ViewWriter,
} from '../../projections/index.ts';

export interface SessionCount {
  readonly session: string;
  readonly prompts: number;
  readonly latest: number;
}

export interface PromptRow {
  readonly id: string;
  readonly title: string;
}

export const counts: FirstProjector = defineProjector({
  name: 'counts',
  version: 1,
  feed: 'rows',
  follows: 'log',
  fold: async (facts: readonly Fact[], view: ViewWriter) => {
    for (const fact of facts) {
      if (fact.type !== 'prompt.submitted' || fact.session === null) continue;
      const promptKey = key('prompt', fact.session, fact.fact);
      const known = await view.get<PromptRow>(promptKey);
      // Two witnesses of one prompt: the longer text is the fuller one.
      const title = [known?.title ?? '', fact.body.text ?? ''].sort(byLength).at(-1)!;
      view.put(promptKey, { id: fact.fact, title });
      const prompts = await view.range(below('prompt', fact.session));
      const before = await view.get<SessionCount>(key('session', fact.session));
      const latest = Math.max(before?.latest ?? 0, fact.occurredAt ?? 0);
      view.put(key('session', fact.session), { session: fact.session, prompts: prompts.length, latest });
    }
  },
});

export const titles: SecondProjector = defineProjector({
  name: 'titles',
  version: 1,
  feed: 'keys',
  follows: 'counts',
  fold: async (changes: readonly Change[], view: ViewWriter) => {
    for (const { key: rowKey, before, after } of changes) {
      if (!rowKey.startsWith('prompt/')) continue;
      for (const word of words(before as PromptRow | null)) view.del(key('word', word, rowKey));
      for (const word of words(after as PromptRow | null)) view.put(key('word', word, rowKey), { word });
    }
  },
});

/** A prompt as a telling. */
export function prompt(
  session: string,
  fact: string,
  text: string,
  witness: 'hook' | 'transcript' = 'transcript',
): Telling {
  return {
    type: 'prompt.submitted',
    agent: 'claude-code',
    session,
    fact,
    witness,
    occurredAt: 1_700_000_000_000 + [...fact].reduce((sum, char) => sum + char.charCodeAt(0), 0),
    body: { text, via: witness === 'hook' ? 'hook' : 'line' },
  };
}

/** `count` prompts over a few sessions, every third one told by two witnesses. */
export function prompts(count: number, sessions = 7): Telling[] {
  return Array.from({ length: count }, (_, index) => {
    const session = `session-${index % sessions}`;
    const told = prompt(session, `fact-${index}`, `fix the ${index % 11} thing number ${index}`);
    return index % 3 === 0
      ? [told, prompt(session, `fact-${index}`, `fix the ${index % 11} thing`, 'hook')]
      : [told];
  }).flat();
}

function words(row: PromptRow | null): readonly string[] {
  return row === null ? [] : [...new Set(row.title.split(' '))].filter((word) => word !== '');
}

function byLength(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
