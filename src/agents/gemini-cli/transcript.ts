// Transcripts of Gemini CLI: `chats/session-<minute>-<id>.jsonl` since spring 2026, one JSON document per session
// before. In both, a message holds its tool calls with their results. Nothing here depends on earlier lines, because
// the program writes a message again when it gains calls or tokens: the ids are the same, so the log keeps one.
//
// Not read: `$rewindTo` (what the person took back did happen), and the messages in `$set`: there the program repeats
// the conversation under the same ids, or what compression made of it under new ones.
import type { Json } from '../../../log/index.ts';
import { countMedia, partsOf, responseText, textsOf, usageOfCounts } from '../common/gemini-parts.ts';
import { idOf, type JsonObject, listOf, objectOf, stringOf, timeOf } from '../common/json-fields.ts';
import type {
  CallRecord,
  LineLocation,
  RecordFields,
  ResultRecord,
  SessionRecord,
  TranscriptFormat,
  TranscriptRecord,
} from '../common/records.ts';
import { COMPACTION, personText } from './person-text.ts';
import { judged } from './tool-outcome.ts';

type Memory = {
  /** In the file of a sub-agent, its id. */
  readonly agentId: string | null;
  /** The head of the file, until the next line, which names the folder. */
  readonly start: { readonly session: string; readonly at: number | null } | null;
};

const NOTHING: Memory = { agentId: null, start: null };

export const lineFormat: TranscriptFormat<Memory> = {
  version: 2,
  form: 'lines',
  memory: NOTHING,
  records(line, memory, location) {
    const session = sessionRecord(line, location);
    if (session !== null) {
      const agentId = session.agentId ?? null;
      const rest = [...metadata(line), ...messages(line, agentId)];
      if (rest.length === 0 && agentId === null)
        return { records: [], memory: { agentId, start: { session: session.session, at: session.at } } };
      return { records: [inFolder(session, rest), ...rest], memory: { agentId, start: null } };
    }
    const records = recordsOf(line, memory.agentId);
    if (memory.start === null) return { records, memory };
    const started = inFolder({ kind: 'session', ...memory.start }, records);
    return { records: [started, ...records], memory: { ...memory, start: null } };
  },
};

export const documentFormat: TranscriptFormat = {
  version: 2,
  form: 'document',
  memory: {},
  records(document, memory, location) {
    const session = sessionRecord(document, location);
    if (session === null) return { records: [{ kind: 'unknown', at: null, name: 'document' }], memory };
    const agentId = session.agentId ?? null;
    const rest = [...metadata(document), ...messages(document, agentId)];
    return { records: [inFolder(session, rest), ...rest], memory };
  },
};

/** The session starts in the first folder that its line or the next one names. */
function inFolder(session: SessionRecord, records: readonly TranscriptRecord[]): SessionRecord {
  const cwd = records.find(({ kind }) => kind === 'workdir')?.cwd ?? null;
  return cwd === null ? session : { ...session, cwd };
}

/** The first line, and the first line after the session was resumed within the minute. */
function sessionRecord(line: JsonObject, { path }: LineLocation): SessionRecord | null {
  const session = idOf(line.sessionId);
  if (session === null || stringOf(line.projectHash) === null) return null;
  const at = timeOf(line.startTime);
  if (line.kind !== 'subagent') return { kind: 'session', at, session };
  // `chats/<session>/<sub-agent>.jsonl`: the file does not name the session that launched it.
  return { kind: 'session', at, session, agentId: session, parentSession: folderOf(path) };
}

function folderOf(path: string): string | null {
  return idOf(path.split(/[\\/]/).at(-2));
}

function recordsOf(line: JsonObject, agentId: string | null): readonly TranscriptRecord[] {
  const patch = objectOf(line.$set);
  if (patch !== null) return [...metadata(patch), ...startContext(patch)];
  if (line.$rewindTo !== undefined) return [];
  return messageRecords(line, agentId);
}

function messages(document: JsonObject, agentId: string | null): readonly TranscriptRecord[] {
  return listOf(document.messages).flatMap((message) => {
    const object = objectOf(message);
    return object === null ? [] : messageRecords(object, agentId);
  });
}

/** The folders and the summary, in the first line or in a `$set`. */
function metadata(fields: JsonObject): readonly TranscriptRecord[] {
  const cwd = stringOf(listOf(fields.directories)[0]);
  const summary = stringOf(fields.summary);
  return [
    ...(cwd === null || cwd === '' ? [] : [{ kind: 'workdir', at: null, cwd } as const]),
    ...(summary === null || summary === ''
      ? []
      : [{ kind: 'title', at: null, source: 'summary', title: summary } as const]),
  ];
}

/** The context of a new session names the folders; no other line of the main session's file does. */
function startContext(patch: JsonObject): readonly TranscriptRecord[] {
  const first = objectOf(listOf(patch.messages)[0]);
  const text = textsOf(partsOf(first?.content)).join('');
  if (!text.startsWith('<session_context>')) return [];
  const at = timeOf(first?.timestamp);
  const cwd = WORKSPACE.exec(text)?.[1] ?? null;
  return [
    ...(cwd === null ? [] : [{ kind: 'workdir', at, cwd } as const]),
    { kind: 'ignored', at, reason: 'injected context' },
  ];
}

const WORKSPACE = /^- \*\*Workspace Directories:\*\*\n {2}- (.+)$/m;

/** Message types that only the screen shows. */
const NOTICES: ReadonlySet<Json | undefined> = new Set(['info', 'error', 'warning']);

function messageRecords(message: JsonObject, agentId: string | null): readonly TranscriptRecord[] {
  const id = idOf(message.id);
  const fields = { at: timeOf(message.timestamp), agentId, uuid: id };
  if (id === null || typeof message.type !== 'string')
    return [{ kind: 'unknown', ...fields, name: message.type }];
  if (message.type === 'user') return [userRecord(message, id, fields)].filter((record) => record !== null);
  if (message.type === 'gemini') return modelRecords(message, id, fields);
  if (NOTICES.has(message.type)) return noticeRecords(message, id, fields);
  return [{ kind: 'unknown', ...fields, name: message.type }];
}

function userRecord(message: JsonObject, id: string, fields: RecordFields): TranscriptRecord | null {
  const parts = partsOf(message.content);
  const ignored = (reason: string): TranscriptRecord => ({ kind: 'ignored', ...fields, reason });
  const answers = parts.filter((part) => part.functionResponse !== undefined);
  // The results of tools, which stand at their calls too.
  if (answers.length > 0 && answers.length === parts.length) return null;
  if (fields.agentId != null) return ignored('prompt of a sub-agent');
  // What the person typed, where the program expanded it: the names of files, not their content.
  const typed = message.displayContent === undefined ? parts : partsOf(message.displayContent);
  if (answers.length === 0 && typed.some((part) => part.functionResponse !== undefined))
    return ignored('not sent by a person');
  const text = textsOf(typed).join('');
  const person = personText(text);
  if ('ignored' in person)
    return person.ignored === COMPACTION
      ? { kind: 'reply', ...fields, id, text, compaction: true }
      : ignored(person.ignored);
  const images = countMedia(parts);
  if (person.text.trim() === '' && images === 0) return ignored('no text');
  return { kind: 'prompt', ...fields, id, text: person.text, images };
}

/** What the model said and called. A message without a model and without a text only holds calls. */
function modelRecords(message: JsonObject, id: string, fields: RecordFields): readonly TranscriptRecord[] {
  const model = idOf(message.model);
  const said = textsOf(partsOf(message.content)).join('');
  const from = { model, messageId: id, usage: usageOf(message.tokens) };
  return [
    ...(model === null && said.trim() === ''
      ? []
      : [{ kind: 'reply', ...fields, id, text: said.trim() === '' ? null : said, ...from } as const]),
    ...listOf(message.toolCalls).flatMap((call) => callRecords(objectOf(call) ?? {}, { ...fields, ...from })),
  ];
}

function usageOf(tokens: Json | undefined) {
  const counts = objectOf(tokens);
  if (counts === null) return null;
  const { input, cached, output, thoughts, tool } = counts;
  return usageOfCounts({ prompt: input, cached, output, thoughts, tool });
}

type CallFields = RecordFields & Pick<CallRecord, 'model' | 'messageId' | 'usage'>;

const OUTCOMES: { readonly [status: string]: ResultRecord['outcome'] } = {
  success: 'ok',
  error: 'failed',
  cancelled: 'cancelled',
};

/** Outcomes are known: only calls that ended are written. An older version may have written others. */
function callRecords(call: JsonObject, fields: CallFields): readonly TranscriptRecord[] {
  const id = idOf(call.id);
  const name = stringOf(call.name);
  if (id === null || name === null) return [{ kind: 'unknown', at: fields.at, name: 'tool call' }];
  const status = stringOf(call.status) ?? '';
  const outcome = Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status]! : null;
  return [
    { kind: 'call', ...fields, id, name, input: call.args ?? null },
    ...(outcome === null
      ? []
      : [resultRecord(call, { id, name, outcome, at: fields.at, agentId: fields.agentId ?? null })]),
  ];
}

function resultRecord(
  call: JsonObject,
  known: {
    id: string;
    name: string;
    outcome: ResultRecord['outcome'];
    at: number | null;
    agentId: string | null;
  },
): ResultRecord {
  const { id, name, at, agentId } = known;
  const parts = partsOf(call.result);
  const said = responseText(parts, id) ?? (parts.length === 0 ? null : textsOf(parts).join(''));
  const { outcome, text } = judged(name, known.outcome, said, call.resultDisplay);
  return {
    kind: 'result',
    at: timeOf(call.timestamp) ?? at,
    agentId,
    id,
    outcome,
    text,
    launchedAgentId: idOf(call.agentId),
  };
}

function noticeRecords(message: JsonObject, id: string, fields: RecordFields): readonly TranscriptRecord[] {
  return message.content === 'Request cancelled.'
    ? [{ kind: 'stop', ...fields, id, reason: 'interrupted' }]
    : [];
}
