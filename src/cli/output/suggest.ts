// Suggests three commands to try, made from recorded data: words of a recent prompt, a result, a project. Each search
// is run first, so that no suggestion finds nothing.
import type { Annals, Status } from '../../api.ts';
import { cutToCells, plainLine } from '../../terminal-text/plain-text.ts';
import { shellWord } from '../../terminal-text/shell-words.ts';

export interface Suggestion {
  /** Without the leading `annals`. */
  readonly line: string;
  readonly what: string;
}

/** How many events before the head are searched for a recent prompt. */
const RECENT_EVENTS = 2_000;
const QUERY_WORDS = 4;
const COMMON = new Set(
  'about after again also been before could does doing from have into just like make more need only other please please should some than that their them then there these they this want were what when where which while will with would your'.split(
    ' ',
  ),
);

export async function suggest(annals: Annals, status: Status): Promise<readonly Suggestion[]> {
  const suggestions: Suggestion[] = [];
  const prompt = await recentPrompt(annals, status.log.head);
  const query = prompt === null ? null : queryOf(prompt);
  const hit = query === null ? undefined : (await annals.search(query, { limit: 1 })).results[0];
  if (query !== null && prompt !== null && hit !== undefined) {
    suggestions.push({
      line: `search ${query}`,
      what: `words of a recent prompt: “${cutToCells(plainLine(prompt), 46)}”`,
    });
    suggestions.push({ line: `why ${hit.id}`, what: 'the events behind its best result' });
  }
  const project = [...status.projects].sort((a, b) => b.sessions - a.sessions)[0];
  if (project !== undefined) {
    const found = await annals.search('error failed', { project: project.name, limit: 1 });
    if (found.results.length > 0)
      suggestions.push({
        line: `search error failed --project ${shellWord(plainLine(project.name))}`,
        what: `what went wrong in ${plainLine(project.name)}`,
      });
  }
  const always: readonly Suggestion[] = [
    { line: 'status', what: 'size, growth and health on one screen' },
    { line: 'log', what: 'the last events of the log' },
    { line: 'verify', what: 'check the log against its own hashes' },
  ];
  return [...suggestions, ...always].slice(0, 3);
}

async function recentPrompt(annals: Annals, head: number): Promise<string | null> {
  let latest: { text: string; at: number } | null = null;
  for await (const event of annals.log({
    type: 'prompt.submitted',
    after: Math.max(0, head - RECENT_EVENTS),
  })) {
    if (event.type !== 'prompt.submitted') continue;
    const { text, kind } = event.body;
    const at = event.occurredAt ?? 0;
    if (text === null || kind !== 'prompt' || queryOf(text) === null) continue;
    if (latest === null || at >= latest.at) latest = { text, at };
  }
  return latest?.text ?? null;
}

/** The first four significant words in their order; null when there are fewer than two. */
function queryOf(text: string): string | null {
  const words = (plainLine(text).match(/\p{L}{4,20}|\b[A-Z]{2,5}\b/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
  const chosen = [...new Set(words)].filter((word) => !COMMON.has(word)).slice(0, QUERY_WORDS);
  return chosen.length < 2 ? null : chosen.join(' ');
}
