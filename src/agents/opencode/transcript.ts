// Exports of OpenCode (`opencode export`), in the form of 1.2 to 1.18: {info, messages: [{info, parts}]}. A call and its
// result are one part. Exports of 2.x have not been seen.
import type { Json, Usage } from '../../../log/index.ts';
import { idOf, type JsonObject, objectOf, stringOf, wholeOf } from '../common/json-fields.ts';
import type {
  RecordFields,
  ResultRecord,
  SessionRecord,
  TranscriptFormat,
  TranscriptRecord,
} from '../common/records.ts';
import { ABORTED, callIdOf, errorOf, judged, partsOf, sentBy } from './parts.ts';

export const exportFormat: TranscriptFormat = {
  version: 1,
  form: 'document',
  memory: {},
  records(document, memory) {
    const info = objectOf(document.info) ?? {};
    const session = idOf(info.id);
    if (session === null) return { records: [{ kind: 'unknown', at: null, name: 'document' }], memory };
    return { records: new Export(info, session).records(partsOf(document.messages)), memory };
  },
};

interface Place {
  readonly index: number;
  readonly isLast: boolean;
}

class Export {
  readonly #info: JsonObject;
  readonly #session: string;
  readonly #agentId: string | null;
  /** A parent whose name was taken out of the export cannot be found. */
  readonly #parent: string | null;
  /** The prompt that each message of the user belongs to, by the message's id. */
  readonly #turns = new Map<string, string | null>();
  #turn: string | null = null;

  constructor(info: JsonObject, session: string) {
    this.#info = info;
    this.#session = session;
    this.#agentId = info.parentID === undefined || info.parentID === null ? null : session;
    const parent = idOf(info.parentID);
    this.#parent = parent?.startsWith('ses_') === true ? parent : null;
  }

  records(messages: readonly JsonObject[]): readonly TranscriptRecord[] {
    const first = objectOf(messages[0]?.info);
    return [
      this.#start(first === null ? null : createdAt(first)),
      ...messages.flatMap((message, index) =>
        this.#message(message, { index, isLast: index === messages.length - 1 }),
      ),
      // Last: the reader leaves it out if a turn before it is private.
      ...this.#title(),
    ];
  }

  /** @param firstAt when the first message was made: before the session itself, if that is a fork */
  #start(firstAt: number | null): SessionRecord {
    const info = this.#info;
    const at = createdAt(info);
    return {
      kind: 'session',
      at,
      session: this.#session,
      agentId: this.#agentId,
      parentSession: this.#parent,
      source: at !== null && firstAt !== null && firstAt < at ? 'fork' : 'startup',
      cwd: stringOf(info.directory),
      agentVersion: idOf(info.version),
    };
  }

  #title(): readonly TranscriptRecord[] {
    const title = stringOf(this.#info.title) ?? '';
    // Until the model has made one, a session is named by its time. A sub-agent whose parent is not known is a session.
    const isPart = this.#agentId !== null && this.#parent !== null;
    if (title === '' || isPart || /^New session - \d{4}-/.test(title)) return [];
    return [{ kind: 'title', at: null, source: 'ai', title }];
  }

  #message(message: JsonObject, { index, isLast }: Place): readonly TranscriptRecord[] {
    const info = objectOf(message.info) ?? {};
    const parts = partsOf(message.parts);
    // An id that was taken out of the export is not unique.
    const named = idOf(info.id);
    const id = named?.startsWith('msg_') === true ? named : `message ${index}`;
    const fields = { at: createdAt(info), agentId: this.#agentId };
    const unknown = parts
      .filter(({ type }) => typeof type !== 'string' || !PARTS.has(type))
      .map(({ type }): TranscriptRecord => ({ kind: 'unknown', ...fields, name: type }));
    if (info.role === 'user') return [this.#userRecord(named ?? id, id, parts, fields), ...unknown];
    if (info.role === 'assistant') {
      const records = this.#modelRecords(info, id, parts, fields);
      // Its text may still grow. A later export has the whole of it.
      const isOpen = isLast && wholeOf(objectOf(info.time)?.completed) === null;
      return [...(isOpen ? records.filter(({ kind }) => kind !== 'reply') : records), ...unknown];
    }
    return [{ kind: 'unknown', ...fields, name: info.role }];
  }

  #userRecord(
    named: string,
    id: string,
    parts: readonly JsonObject[],
    fields: RecordFields,
  ): TranscriptRecord {
    const { text, images } = sentBy(parts);
    const reason =
      this.#agentId !== null
        ? 'prompt of a sub-agent'
        : text.trim() === '' && images === 0
          ? 'not sent by a person'
          : null;
    if (reason === null) this.#turn = id;
    this.#turns.set(named, this.#turn);
    return reason === null
      ? { kind: 'prompt', ...fields, id, turn: id, text, images }
      : { kind: 'ignored', ...fields, reason };
  }

  #modelRecords(
    info: JsonObject,
    id: string,
    parts: readonly JsonObject[],
    fields: RecordFields,
  ): readonly TranscriptRecord[] {
    const turn = this.#turns.get(stringOf(info.parentID) ?? '') ?? this.#turn;
    const of = { ...fields, turn, cwd: stringOf(objectOf(info.path)?.cwd) };
    const from = { model: idOf(info.modelID), messageId: lastingId(info) ?? id };
    const text = parts
      .filter((part) => part.type === 'text' && part.synthetic !== true && part.ignored !== true)
      .map((part) => stringOf(part.text) ?? '')
      .filter((one) => one.trim() !== '')
      .join('\n\n');
    const usage = usageOf(info.tokens);
    return [
      ...(text === '' && usage === null
        ? []
        : [
            {
              kind: 'reply',
              ...of,
              ...from,
              id,
              text: text === '' ? null : text,
              usage,
              compaction: info.summary === true,
            } as const,
          ]),
      ...parts.filter(({ type }) => type === 'tool').flatMap((part) => callRecords(part, of, from)),
      ...stopRecords(info, id, of),
    ];
  }
}

function createdAt(info: JsonObject): number | null {
  return wholeOf(objectOf(info.time)?.created);
}

/** A fork gives a message a new id and keeps its times, so that the message is still known as the same one. */
function lastingId({ time, tokens }: JsonObject): string | null {
  const { created, completed } = objectOf(time) ?? {};
  if (wholeOf(created) === null || wholeOf(completed) === null) return null;
  return `${wholeOf(created)}-${wholeOf(completed)}-${wholeOf(objectOf(tokens)?.output) ?? 0}`;
}

/** Up to 1.2, `output` holds the tokens of reasoning too; later it does not, and only the total tells. */
function usageOf(value: Json | undefined): Usage | null {
  const tokens = objectOf(value);
  const cache = objectOf(tokens?.cache);
  const input = wholeOf(tokens?.input) ?? 0;
  const cacheRead = wholeOf(cache?.read) ?? 0;
  const cacheCreation = wholeOf(cache?.write) ?? 0;
  const others = input + cacheRead + cacheCreation;
  const output = Math.max(wholeOf(tokens?.output) ?? 0, (wholeOf(tokens?.total) ?? 0) - others);
  return others + output > 0 ? { input, output, cacheRead, cacheCreation } : null;
}

function callRecords(
  part: JsonObject,
  of: RecordFields,
  from: { readonly model: string | null; readonly messageId: string },
): readonly TranscriptRecord[] {
  const state = objectOf(part.state) ?? {};
  const id = callIdOf(part.callID, state);
  const name = stringOf(part.tool);
  // A call that waits has neither its input nor a time.
  if (id === null || name === null)
    return state.status === 'pending' ? [] : [{ kind: 'unknown', ...of, name: 'tool call' }];
  const time = objectOf(state.time) ?? {};
  const result = judged(state);
  const at = wholeOf(time.start);
  return [
    { kind: 'call', ...of, ...from, at, id, name, input: state.input ?? null },
    ...(result === null
      ? []
      : [{ kind: 'result', ...of, at: wholeOf(time.end) ?? at, id, ...result } satisfies ResultRecord]),
  ];
}

/** How a turn ended, if not with an answer. */
function stopRecords(info: JsonObject, id: string, of: RecordFields): readonly TranscriptRecord[] {
  const error = errorOf(info.error);
  if (error === null) return [];
  const at = wholeOf(objectOf(info.time)?.completed) ?? of.at;
  if (error.name === ABORTED) return [{ kind: 'stop', ...of, at, id, reason: 'interrupted' }];
  return [{ kind: 'stop', ...of, at, id, reason: 'error', error: error.text }];
}

/** Types of parts. Only texts, subtasks, files and tools are kept. */
const PARTS: ReadonlySet<string> = new Set([
  ...['text', 'subtask', 'file', 'tool', 'agent', 'reasoning', 'step-start', 'step-finish', 'patch'],
  ...['snapshot', 'compaction', 'retry'],
]);
