// Prints the parts of the log that decide a statement, so that a reader can judge it by these lines alone.
import type { NewEvent } from '../../log/index.ts';
import type { ContextRow } from '../../projections/index.ts';
import type { Corpus } from './corpus.ts';

const COMMAND_CHARS = 500;
const PRINTED_CHARS = 700;
const WORDS_CHARS = 900;
const STEPS_MAX = 25;
const TURNS_MAX = 12;
const GIT =
  /\bgit\b.*\b(?:commit|push|merge|rebase|reset|revert|log|cherry-pick|status)\b|\bgh pr\b|pull_request/s;
const SHARES = /[^.\n]{0,80}\b(?:PR|pull request|push\w*|commit\w*)\b[^.\n]{0,80}/gi;

type Used = NewEvent<'tool.used'>;

function isUse(one: NewEvent | undefined): one is Used {
  return one?.type === 'tool.used';
}

function commandOf({ body }: Used): string {
  const { input } = body;
  return typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '';
}

export function oneLine(text: string, chars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= chars ? line : `${line.slice(0, chars / 2)} ⟨…⟩ ${line.slice(-chars / 2)}`;
}

function printed({ body }: Used, chars = PRINTED_CHARS): string {
  const text = `${body.outcome === 'ok' ? '' : `${body.error ?? ''} `}${body.result ?? ''}`;
  const background = JSON.stringify(body.input).includes('"run_in_background":true') ? ' (background)' : '';
  return `${body.outcome}${background}: ${text.length <= chars ? text : `${text.slice(0, 120)} ⟨…⟩ ${text.slice(-chars)}`}`;
}

function shown(one: Used, chars = PRINTED_CHARS): string {
  return `$ ${cut(commandOf(one) || `${one.body.name} ${JSON.stringify(one.body.input)}`, COMMAND_CHARS)}\n   ${printed(one, chars).replace(/\n/g, '\n   ')}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars / 2)} ⟨…⟩ ${text.slice(-chars / 2)}`;
}

/** Tool uses among these events that ran a similar command. */
export function usesLike({ event }: Corpus, ids: readonly string[], command: string): string[] {
  const bare = (text: string) => text.replace(/[\s"'\\]+/g, '');
  const links = command
    .replace(/ \(in [^()]*\)$/, '')
    .replace(/…$/, '')
    .split(/\s*(?:&&|;|\|)\s*/);
  const words = bare(links.reduce((most, one) => (one.length > most.length ? one : most), '')).slice(0, 40);
  const uses = ids.map(event).filter(isUse);
  return uses
    .filter((one) => bare(commandOf(one)).includes(words))
    .sort((a, b) => (a.occurredAt ?? 0) - (b.occurredAt ?? 0))
    .map((one) => shown(one));
}

/** Git commands in a session whose output names a commit or its subject. */
export function gitUses(
  { session }: Corpus,
  id: string,
  _at: number | null,
  hash: string | null,
  message: string,
): string[] {
  const subject = message.split('\n')[0]!.slice(0, 40);
  return session(id)
    .filter(isUse)
    .filter((one) => {
      const all = `${commandOf(one)} ${one.body.result ?? ''} ${one.body.error ?? ''}`;
      return (
        (hash !== null && all.includes(hash.slice(0, 7))) ||
        (GIT.test(commandOf(one)) && all.includes(subject))
      );
    })
    .slice(0, 6)
    .map((one) => shown(one, 400));
}

/** The events from the error on. */
export function around(
  { session, event }: Corpus,
  id: string,
  ids: readonly string[],
  error: string,
): string[] {
  const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
  const words = bare(error.replace(/…$/, '')).slice(-40);
  const all = session(id);
  const mine = new Set(ids.map(event));
  const from = all.findIndex(
    (one) => isUse(one) && mine.has(one) && bare(`${one.body.error} ${one.body.result}`).includes(words),
  );
  const start = from < 0 ? all.findIndex((one) => mine.has(one)) : from;
  return all
    .slice(start, start + 3 * STEPS_MAX)
    .filter((one) => isUse(one) || one.type === 'agent.replied' || one.type === 'prompt.submitted')
    .slice(0, STEPS_MAX)
    .map((one, index) => {
      if (isUse(one)) return index === 0 ? shown(one) : `${mine.has(one) ? '*' : ' '} ${step(one)}`;
      return `  ${one.type}: ${oneLine(String((one.body as { text?: string }).text ?? ''), 300)}`;
    });
}

function step(one: Used): string {
  const { name, input } = one.body;
  const what = commandOf(one) || oneLine(JSON.stringify(input), 140);
  return `${name} ${oneLine(what, 220)} ⇒ ${oneLine(printed(one, 220), 300)}`;
}

/** Prompts and replies among these events: complete prompts, and from replies the text around the statement. */
export function wordsOf({ event }: Corpus, ids: readonly string[], text: string): string[] {
  const words = text.replace(/^The person: /, '').slice(0, 30);
  return ids.map(event).flatMap((one) => {
    if (one === undefined || !('text' in one.body) || typeof one.body.text !== 'string') return [];
    const at = one.body.text.indexOf(words);
    if (at < 0 && one.type !== 'prompt.submitted') return [];
    const from = Math.max(0, at - WORDS_CHARS / 2);
    return [
      `${one.type}: ${at < 0 ? cut(one.body.text, WORDS_CHARS) : one.body.text.slice(from, from + WORDS_CHARS)}`,
    ];
  });
}

/** The turns of a workdir from the statement's source turn to the last one before the statement was made. */
export function turnsAfter(
  { session, documents }: Corpus,
  kind: string,
  rows: readonly ContextRow[],
  id: string | null,
  at: number,
): string[] {
  const from = rows.find((row) => row.id === id) ?? rows[0];
  if (from === undefined) return [];
  const since = kind === 'asked' ? 0 : (from.at ?? 0);
  const prompts = documents
    .filter(
      ({ kind, workdir, at: when }) => kind === 'prompt' && workdir === from.workdir && (when ?? 0) <= at,
    )
    .sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const mine = prompts.filter(({ turn, at: when }) => turn === from.turn || (when ?? 0) >= since);
  const told =
    kind === 'asked' ? prompts.slice(-4) : mine.slice(0, 3).concat(mine.slice(3).slice(-TURNS_MAX));
  const lines = told.flatMap((prompt) => {
    const answers = documents
      .filter((one) => one.kind === 'answer' && one.turn === prompt.turn && one.session === prompt.session)
      .sort((one, other) => (one.order < other.order ? -1 : 1));
    const when = prompt.at === null ? '?' : new Date(prompt.at).toISOString();
    return [
      `${when} ${prompt.session?.slice(0, 8)} ${prompt.turn} asked: ${oneLine(prompt.body, 300)}`,
      `   closed: ${oneLine(answers.at(-1)?.body ?? '(nothing)', 700)}`,
    ];
  });
  if (kind !== 'share') return lines;
  const events = session(from.session ?? '').filter((one) => (one.occurredAt ?? 0) <= at);
  const git = events.filter(isUse).filter((one) => GIT.test(`${commandOf(one)} ${one.body.name}`));
  const said = events.flatMap((one) =>
    one.type === 'agent.replied' || one.type === 'prompt.submitted'
      ? [...String(one.body.text ?? '').matchAll(SHARES)].map(([words]) => `  said: ${oneLine(words, 200)}`)
      : [],
  );
  return [...lines.slice(-4), ...git.slice(-10).map((one) => step(one)), ...said.slice(-8)];
}
