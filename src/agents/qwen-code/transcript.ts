// Transcripts of Qwen Code 0.24.4: lines like Claude Code's, whose messages hold parts of the Gemini API. A line does not
// name its turn, and a sub-agent's file names the session that launched it.
import type { Json } from '../../../log/index.ts';
import { countMedia, partsOf, textsOf, usageOfCounts } from '../common/gemini-parts.ts';
import { idOf, type JsonObject, objectOf, stringOf, timeOf, wholeOf } from '../common/json-fields.ts';
import type {
  RecordFields,
  ResultRecord,
  SessionRecord,
  TranscriptFormat,
  TranscriptRecord,
} from '../common/records.ts';
import { judged } from './tool-outcome.ts';

/** The session and sub-agent of the lines before. */
type Memory = { readonly session: string | null; readonly agentId: string | null };

const NOTHING: Memory = { session: null, agentId: null };

export const format: TranscriptFormat<Memory> = {
  version: 1,
  form: 'lines',
  memory: NOTHING,
  records(line, memory) {
    const session = idOf(line.sessionId);
    const agentId = idOf(line.agentId);
    const fields = {
      at: timeOf(line.timestamp),
      uuid: idOf(line.uuid),
      agentId,
      cwd: stringOf(line.cwd),
    };
    if (session === null) return { records: [{ kind: 'unknown', ...fields, name: line.type }], memory };
    const isFirst = session !== memory.session || agentId !== memory.agentId;
    const records = lineRecords(line, fields);
    return {
      records: isFirst ? [sessionRecord(line, session, fields), ...records] : records,
      memory: isFirst ? { session, agentId } : memory,
    };
  },
};

function sessionRecord(line: JsonObject, session: string, fields: RecordFields): SessionRecord {
  return {
    kind: 'session',
    ...fields,
    session,
    ...(fields.agentId == null ? {} : { parentSession: session }),
    branch: stringOf(line.gitBranch),
    agentVersion: idOf(line.version),
  };
}

function lineRecords(line: JsonObject, fields: RecordFields): readonly TranscriptRecord[] {
  const id = fields.uuid ?? null;
  const parts = partsOf(objectOf(line.message)?.parts);
  switch (line.type) {
    case 'user':
      return id === null ? [] : [userRecord(line, id, parts, fields)];
    case 'assistant':
      return id === null ? [] : modelRecords(line, id, parts, fields);
    case 'tool_result':
      return parts.flatMap((part) => resultRecord(line, part, fields) ?? []);
    case 'system':
      return [];
    default:
      return [{ kind: 'unknown', ...fields, name: line.type }];
  }
}

function userRecord(
  line: JsonObject,
  id: string,
  parts: readonly JsonObject[],
  fields: RecordFields,
): TranscriptRecord {
  const ignored = (reason: string): TranscriptRecord => ({ kind: 'ignored', ...fields, reason });
  if (fields.agentId != null || line.isSidechain === true) return ignored('prompt of a sub-agent');
  if (line.subtype === 'notification') return ignored('task note');
  if (line.provenance !== 'real_user') return ignored('not sent by a person');
  const text = textsOf(parts).join('\n');
  const images = countMedia(parts);
  if (text.trim() === '' && images === 0) return ignored('no text');
  return { kind: 'prompt', ...fields, id, text, images };
}

function modelRecords(
  line: JsonObject,
  id: string,
  parts: readonly JsonObject[],
  fields: RecordFields,
): readonly TranscriptRecord[] {
  const text = textsOf(parts).join('');
  const from = { model: idOf(line.model), messageId: id, usage: usageOf(line.usageMetadata) };
  const calls = parts.flatMap((part): TranscriptRecord[] => {
    const call = objectOf(part.functionCall);
    const callId = idOf(call?.id);
    const name = stringOf(call?.name);
    if (callId === null || name === null) return [];
    return [{ kind: 'call', ...fields, ...from, id: callId, name, input: call?.args ?? null }];
  });
  const said = text.trim() === '' ? null : text;
  return [{ kind: 'reply', ...fields, ...from, id, text: said, goesOn: calls.length > 0 }, ...calls];
}

function usageOf(counts: Json | undefined) {
  const usage = objectOf(counts);
  if (usage === null) return null;
  return usageOfCounts({
    prompt: usage.promptTokenCount,
    cached: usage.cachedContentTokenCount,
    output: usage.candidatesTokenCount,
    thoughts: usage.thoughtsTokenCount,
  });
}

function resultRecord(line: JsonObject, part: JsonObject, fields: RecordFields): ResultRecord | null {
  const answer = objectOf(part.functionResponse);
  const id = idOf(answer?.id);
  if (id === null) return null;
  const response = objectOf(answer?.response);
  const ended = objectOf(line.toolCallResult);
  const shown = objectOf(ended?.resultDisplay);
  const said = stringOf(response?.output) ?? stringOf(response?.error);
  // The lines of a sub-agent have no status.
  const status = stringOf(ended?.status) ?? (response?.error === undefined ? 'success' : 'error');
  return {
    kind: 'result',
    ...fields,
    id,
    ...judged(stringOf(answer?.name) ?? '', status, said, shown?.output),
    durationMs: wholeOf(ended?.durationMs),
    launchedAgentId: launchedAgent(shown, id),
  };
}

/** A sub-agent is named after its type and the call that launched it. */
function launchedAgent(shown: JsonObject | null, callId: string): string | null {
  const type = shown?.type === 'task_execution' ? stringOf(shown.subagentName) : null;
  return type === null ? null : idOf(`${type}-${callId}`);
}
