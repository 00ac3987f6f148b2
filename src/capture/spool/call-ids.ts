// Finds the id of a tool call whose hook carries none. The transcript has the call under the same name and input, so the
// hook's event gets the same key there and both become one tool use.
import { type Log, pagesAfter } from '../../../log/index.ts';
import type { Agent } from '../../agents/common/agent.ts';
import { type JsonObject, parseTranscriptLine } from '../../agents/common/json-fields.ts';
import type { TranscriptFormat } from '../../agents/common/records.ts';
import { agentNamed, startOfFile } from '../../agents/index.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { linesOf } from '../transcripts/line-splitter.ts';
import { callPrint } from './payload.ts';
import type { WaitingFile } from './waiting-files.ts';

/** The hook runs right after the tool, and the transcript has the result within seconds. */
const NEAR_MS = 2 * 60_000;
/** Only the newest part of a transcript is read: 1 MiB of lines. A document is read whole, up to 16 MiB. */
const TAIL_BYTES = 1024 * 1024;
const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

interface Call {
  readonly id: string;
  readonly print: string;
  /** When it ended, Unix ms; null when unknown. */
  readonly at: number | null;
}

/** The calls that transcripts show during one drain. */
export class CallIds {
  readonly #calls = new Map<string, Promise<readonly Call[]>>();
  readonly #taken = new Set<string>();

  /** Null when the transcript does not show the call (yet). Each call is found once. */
  async find({ head, at }: WaitingFile): Promise<string | null> {
    const { agent, transcript, call, session } = head;
    if (transcript === null || call === null) return null;
    const key = JSON.stringify([agent, transcript]);
    const calls = this.#calls.get(key) ?? endedCalls(agentNamed(agent), transcript);
    this.#calls.set(key, calls);
    const name = ({ id }: Call) => JSON.stringify([agent, session, id]);
    const [nearest] = (await calls)
      .filter((one) => one.print === call && !this.#taken.has(name(one)))
      .map((one) => ({ one, distance: one.at === null ? 0 : Math.abs(one.at - at) }))
      .filter(({ distance }) => distance <= NEAR_MS)
      .sort((a, b) => a.distance - b.distance);
    if (nearest === undefined) return null;
    this.#taken.add(name(nearest.one));
    return nearest.one.id;
  }
}

/** Whether the log has, from the transcript, the tool use that a hook without an id reports. */
export async function isLogged(
  log: Pick<Log, 'pageBySession'>,
  { head: { agent, session, call }, at }: WaitingFile,
): Promise<boolean> {
  if (session === null) return false;
  for await (const { events } of pagesAfter(0, (after) => log.pageBySession({ agent, session, after })))
    for (const event of events)
      if (
        event.type === 'tool.used' &&
        event.channel === 'transcript' &&
        Math.abs((event.body.endedAt ?? at) - at) <= NEAR_MS &&
        callPrint(event.body.name, event.body.input) === call
      )
        return true;
  return false;
}

/** Calls with their results in the newest part of a transcript. Never throws: a path comes from a payload. */
async function endedCalls(agent: Agent | undefined, path: string): Promise<readonly Call[]> {
  const transcripts = agent?.transcripts;
  if (transcripts?.format === undefined || !transcripts.isTranscript(path)) return [];
  try {
    const file = await openRegularFile(path);
    try {
      const format = transcripts.otherFormat?.(await startOfFile(path, file)) ?? transcripts.format;
      return callsIn(await newestLines(file, format), format, path);
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

type OpenFile = Awaited<ReturnType<typeof openRegularFile>>;

async function newestLines(file: OpenFile, format: TranscriptFormat): Promise<readonly JsonObject[]> {
  const size = Number((await file.stat({ bigint: true })).size);
  const isDocument = format.form === 'document';
  if (format.decode !== undefined || (isDocument && size > DOCUMENT_BYTES_MAX)) return [];
  const from = isDocument ? 0 : Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const bytes = buffer.subarray(0, bytesRead);
  if (isDocument) return [parseTranscriptLine(bytes)].filter((line) => line !== null);
  const whole = from === 0 ? bytes : bytes.subarray(bytes.indexOf('\n') + 1);
  return linesOf(whole)
    .map((line) => (line.bytes === null ? null : parseTranscriptLine(line.bytes)))
    .filter((line) => line !== null);
}

function callsIn(lines: readonly JsonObject[], format: TranscriptFormat, path: string): readonly Call[] {
  const prints = new Map<string, string>();
  const ends = new Map<string, number | null>();
  let { memory } = format;
  for (const line of lines) {
    const read = format.records(line, memory, { offset: 0, path });
    memory = read.memory;
    for (const record of read.records) {
      if (record.kind === 'call') prints.set(record.id, callPrint(record.name, record.input));
      if (record.kind === 'result') ends.set(record.id, record.at);
    }
  }
  return [...prints].flatMap(([id, print]) => (ends.has(id) ? [{ id, print, at: ends.get(id)! }] : []));
}
