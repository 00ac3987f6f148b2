// Copies of a transcript as the agent makes them: forks, forks by the SDK, continuations under a new session id, and
// resumes by the first versions. Each continues with a few lines of its own, so that tests can tell copied from new
// lines. Every kind adds the same: one prompt, one tool use, one answer.
import { mapLines, type RawLine, rawLines, Script } from './transcripts.ts';

export interface Copy {
  /** `<session>.jsonl`. */
  readonly fileName: string;
  readonly session: string;
  readonly bytes: Buffer;
  /** The lines that are new in it. */
  readonly added: { readonly prompts: number; readonly toolUses: number; readonly replies: number };
}

/** Differences between versions of the agent in their forks. */
export interface ForkForm {
  /** 2.1.330 rewrites it on every copied line to that of the fork's own prompt; 2.1.197 keeps the original one. */
  readonly promptId?: string;
  /** 2.1.330 adds to each copied answer the session that sent its request. */
  readonly namesRequests?: boolean;
  /** A run with `-p` queues the fork's own prompt at the start of the file. */
  readonly queued?: boolean;
  /** When the fork continues, Unix ms; default: a minute after its last copied line. */
  readonly start?: number;
}

/** `--fork-session`: uuids and times kept, session id and entrypoint rewritten. */
export function fork(original: Buffer, session: string, form: ForkForm = {}): Copy {
  const { promptId, namesRequests = false, queued = false } = form;
  const copied = mapLines(original, (line) => ({
    ...underSession(line, session, { entrypoint: 'cli' }),
    ...(promptId === undefined || line.promptId === undefined ? {} : { promptId }),
    ...(namesRequests && line.type === 'assistant' ? { requestSessionId: line.sessionId } : {}),
  }));
  const copy = goOn(copied, session, form);
  if (!queued) return copy;
  const own = rawLines(copy.bytes)[rawLines(copied).length]!;
  const { content } = own.message as { content: string };
  const head = {
    type: 'queue-operation',
    operation: 'enqueue',
    content,
    timestamp: own.timestamp,
    sessionId: session,
  };
  return { ...copy, bytes: Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), copy.bytes]) };
}

/** A fork by the SDK: new uuids; message ids, tool_use ids and times unchanged. */
export function sdkFork(original: Buffer, session: string): Copy {
  const renamed = new Map<unknown, string>();
  const rename = (uuid: unknown): unknown => {
    if (typeof uuid !== 'string') return uuid;
    const known = renamed.get(uuid) ?? otherUuid(uuid, session);
    renamed.set(uuid, known);
    return known;
  };
  const links = ['uuid', 'parentUuid', 'logicalParentUuid', 'leafUuid', 'sourceToolAssistantUUID'];
  const copied = mapLines(original, (line) => {
    const changed = underSession(line, session, { entrypoint: 'sdk-ts' });
    for (const link of links) if (link in changed) changed[link] = rename(changed[link]);
    return changed;
  });
  return goOn(copied, session);
}

/** A continuation: the old file ends with `continued-in`, the new one repeats its last lines under the new id. */
export function handOver(original: Buffer, session: string, repeated = 20): { old: Buffer; next: Copy } {
  const lines = rawLines(original);
  const last = lines.findLast((line) => typeof line.sessionId === 'string');
  const timestamp = lines.findLast((line) => typeof line.timestamp === 'string')?.timestamp;
  const link = {
    type: 'continued-in',
    timestamp,
    sessionId: last?.sessionId,
    continuedInSessionId: session,
  };
  const terminated = original.at(-1) === 10 ? original : Buffer.concat([original, Buffer.from('\n')]);
  const tail = lines.filter((line) => typeof line.uuid === 'string').slice(-repeated);
  const copied = Buffer.from(
    tail.map((line) => `${JSON.stringify(underSession(line, session, {}))}\n`).join(''),
  );
  return {
    old: Buffer.concat([terminated, Buffer.from(`${JSON.stringify(link)}\n`)]),
    next: goOn(copied, session),
  };
}

/** A resume by the first versions: a new file and session id, all lines copied, nothing else changed. */
export function oldResume(original: Buffer, session: string): Copy {
  return goOn(
    mapLines(original, (line) => underSession(line, session, {})),
    session,
  );
}

function underSession(line: RawLine, session: string, changes: RawLine): RawLine {
  if (!('sessionId' in line)) return { ...line };
  return { ...line, sessionId: session, ...('entrypoint' in line ? changes : {}) };
}

function goOn(copied: Buffer, session: string, { promptId, start }: ForkForm = {}): Copy {
  const lines = rawLines(copied);
  const last = lines.findLast((line) => typeof line.uuid === 'string');
  const latest = Math.max(...lines.map((line) => Date.parse(String(line.timestamp))).filter(Number.isFinite));
  const firstUuid = Number.parseInt(session.slice(0, 7), 16) * 16;
  const script = new Script({
    session,
    cwd: String(last?.cwd ?? '/home/u/app'),
    version: String(last?.version ?? '2.1.100'),
    firstUuid,
    start: (start ?? latest + 60_000) - firstUuid * 1_000,
    parent: String(last?.uuid),
  });
  script.prompt(`Go on with the work of session ${session}`, promptId === undefined ? {} : { promptId });
  script.use(`toolu_new_${session}`, 'Bash', { command: `echo ${session}` });
  script.result(`toolu_new_${session}`, session);
  script.reply(`Went on in ${session}`);
  return {
    fileName: `${session}.jsonl`,
    session,
    bytes: Buffer.concat([copied, script.bytes()]),
    added: { prompts: 1, toolUses: 1, replies: 1 },
  };
}

/** Another uuid for the same line: its first digits are changed by those of the session. */
function otherUuid(uuid: string, session: string): string {
  const digits = (text: string) => BigInt(`0x${text.replaceAll(/[^0-9a-f]/gi, '').slice(0, 32) || '0'}`);
  const mixed = ((digits(uuid) ^ digits(session)) & ((1n << 128n) - 1n)).toString(16).padStart(32, '0');
  return mixed.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
