// What the parts of a message mean, for hooks and exports alike.
import type { Json } from '../../../log/index.ts';
import { idOf, type JsonObject, listOf, objectOf, stringOf, wholeOf } from '../common/json-fields.ts';
import type { ResultRecord } from '../common/records.ts';

export function partsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value)
    .map(objectOf)
    .filter((part) => part !== null);
}

/** What a person sent. */
export interface Sent {
  /** Empty when only a program wrote the message, or when it holds nothing but a picture. */
  readonly text: string;
  readonly images: number;
}

/**
 * Synthetic parts are the program's: files that the person named, notes of tasks, requests to go on. A command that runs
 * in a sub-agent is a part of its own; what is typed after its name is only in the prompt of the sub-agent.
 */
export function sentBy(parts: readonly JsonObject[]): Sent {
  const own = parts.filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true);
  const texts = own.flatMap((part) => {
    if (part.type === 'text') return stringOf(part.text) ?? [];
    if (part.type !== 'subtask') return [];
    const command = idOf(part.command);
    return command === null ? (stringOf(part.prompt) ?? []) : `/${command}`;
  });
  const images = own.filter((part) => stringOf(part.mime)?.startsWith('image/') === true).length;
  return { text: withoutQuotes(texts.join('\n')), images };
}

/** `opencode run` puts a message that has spaces into quotation marks. */
function withoutQuotes(text: string): string {
  const inner = text.slice(1, -1);
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"') && inner.includes(' ');
  return isQuoted && !/(?:^|[^\\])"/.test(inner) ? inner.replaceAll('\\"', '"') : text;
}

/**
 * The id of a tool call. Some servers of models number the calls of each answer from 0, so ids repeat; a fork keeps
 * the id and the time.
 */
export function callIdOf(id: Json | undefined, state: JsonObject): string | null {
  const start = wholeOf(objectOf(state.time)?.start);
  const named = idOf(id);
  return named === null || start === null ? null : idOf(`${named}@${start}`);
}

type Judged = Pick<ResultRecord, 'outcome' | 'text' | 'durationMs' | 'launchedAgentId'>;

/** What came of a tool call, by its part's state. Null for a call that has not ended. */
export function judged(state: JsonObject): Judged | null {
  const metadata = objectOf(state.metadata) ?? {};
  const time = objectOf(state.time) ?? {};
  const [start, end] = [wholeOf(time.start), wholeOf(time.end)];
  const known = {
    durationMs: start === null || end === null ? null : Math.max(0, end - start),
    launchedAgentId: idOf(metadata.sessionId),
  };
  if (state.status === 'error') {
    const text = stringOf(state.error);
    return { ...known, outcome: STOPPED.test(text ?? '') ? 'cancelled' : 'failed', text };
  }
  if (state.status !== 'completed') return null;
  const text = stringOf(state.output);
  const exit = wholeOf(metadata.exit);
  // A command that fails is completed.
  if (exit !== null && exit !== 0)
    return { ...known, outcome: 'failed', text: `Exit code ${exit}\n${text ?? ''}` };
  return { ...known, outcome: exit === null ? outcomeByNote(text ?? '') : 'ok', text };
}

const STOPPED =
  /^(?:Tool execution aborted|Cancelled|The user (?:rejected permission|dismissed this question|has specified a rule which prevents))/;

/** A command that was stopped has no exit code. What stopped it is written at the end of its output. */
function outcomeByNote(text: string): ResultRecord['outcome'] {
  const note = /<((?:shell_|bash_)?metadata)>\n([^<]*)<\/\1>\s*$/.exec(text.slice(-1_000))?.[2] ?? '';
  if (note.includes('User aborted the command')) return 'cancelled';
  return note.includes('terminated command after exceeding timeout') ? 'failed' : 'ok';
}

/** Name and message of a message's error. Null without one. */
export function errorOf(value: Json | undefined): { readonly name: string; readonly text: string } | null {
  const error = objectOf(value);
  if (error === null) return null;
  const name = idOf(error.name) ?? 'unknown';
  const message = stringOf(error.message) ?? stringOf(objectOf(error.data)?.message);
  return { name, text: message === null ? name : `${name}: ${message}` };
}

export const ABORTED = 'MessageAbortedError';
