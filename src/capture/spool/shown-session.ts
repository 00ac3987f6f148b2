// Reads a session's prompts from its transcript, for payloads whose prompt no hook reported: `!` and queued prompts
// that are sent together fire no hook, a file may have been lost, or the hooks were installed later. Drains come several
// times a second, so each continues where the last one ended, unless anything shows that the file is not the same.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Json, Log, NewEvent } from '../../../log/index.ts';
import { type Author, sanitizerOf } from '../../agents/common/sanitizer.ts';
import { SubagentFiles } from '../../agents/common/subagent-files.ts';
import type { TranscriptReader, TranscriptState } from '../../agents/common/transcript-reader.ts';
import { agentNamed, openerOf, startOfFile } from '../../agents/index.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { PrivatePrompts } from '../private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../text/clip.ts';
import { type FileIdentity, identify, isContinuation } from '../transcripts/file-identity.ts';
import type { Line } from '../transcripts/line-splitter.ts';
import type { LoggedSession, SeenPrompt } from './session-privacy.ts';

export interface TranscriptSession extends LoggedSession {
  /** The prompt events, as an import of the transcript makes them. */
  readonly promptEvents: readonly NewEvent<'prompt.submitted'>[];
}

/** Names of folders and branches are shorter. Longer texts are not part of a prompt. */
const NAME_CHARS_MAX = 4_096;
const { value: sanitized, ...rest } = sanitizerOf(TRANSCRIPT_CLIP_BYTES);
/** Only the ids of tool uses matter. */
const OF_PROMPTS = {
  ...rest,
  value: (value: Json, author: Author): Json =>
    author === 'person' || (typeof value === 'string' && value.length <= NAME_CHARS_MAX)
      ? sanitized(value, author)
      : null,
};

/** How far a transcript was read, and what it showed up to there. */
interface Reading {
  readonly identity: FileIdentity;
  readonly state: TranscriptState;
  /** The line before `state.offset`: an agent may cut off lines and write others. */
  readonly last: LastLine;
  readonly prompts: readonly SeenPrompt[];
  readonly promptEvents: readonly NewEvent<'prompt.submitted'>[];
}

interface LastLine {
  readonly offset: number;
  readonly length: number;
  readonly digest: string;
}

/** The latest readings of an open log. In memory only: another process reads a transcript from its beginning. */
const readingsOfLog = new WeakMap<object, Map<string, Reading>>();
const READINGS_MAX = 16;

/** `path` comes from a payload: a path that is not a transcript of this session shows nothing. Never throws. */
export async function transcriptSession(
  path: string,
  { agent, session }: { readonly agent: string; readonly session: string },
  log: Pick<Log, 'cursor' | 'pageBySession'>,
): Promise<TranscriptSession> {
  const prompts: SeenPrompt[] = [];
  const promptEvents: NewEvent<'prompt.submitted'>[] = [];
  const nothing = { prompts, launched: [], runs: [], promptEvents };
  const known = agentNamed(agent);
  if (known === undefined || known.transcripts?.isTranscript(path) !== true) return nothing;
  const { transcripts } = known;
  const readings = readingsOfLog.get(log) ?? new Map<string, Reading>();
  readingsOfLog.set(log, readings);
  const key = JSON.stringify([agent, session, path]);
  const earlier = readings.get(key);
  // Whatever fails, the next drain then reads all of it.
  readings.delete(key);
  let end: Pick<LoggedSession, 'launched' | 'runs'> = nothing;
  try {
    const file = await openRegularFile(path);
    try {
      const open = openerOf(known, transcripts, await startOfFile(path, file));
      const run = {
        ...{ log, sanitizer: OF_PROMPTS },
        ...{ privatePrompts: new PrivatePrompts(), subagents: new SubagentFiles() },
      };
      const opened = await open(path, file, run);
      if ('heldBack' in opened) return nothing;
      const { reader } = opened;
      const identity = await identify(file);
      const before = earlier !== undefined && (await continues(file, earlier, reader)) ? earlier : null;
      prompts.push(...(before?.prompts ?? []));
      promptEvents.push(...(before?.promptEvents ?? []));
      let state = before?.state ?? reader.fresh;
      let last = before?.last ?? null;
      for await (const { lines } of reader.pages(state)) {
        const { events, state: next } = reader.read(state, lines);
        state = next;
        last = lastLineOf(lines, state.offset) ?? last;
        end = {
          launched: state.launched.filter(([, isPrivate]) => !isPrivate).map(([id]) => id),
          runs: state.session === session ? state.runs : [],
        };
        for (const one of events) {
          if (one.type !== 'prompt.submitted' || one.session !== session) continue;
          const { body } = one as unknown as NewEvent<'prompt.submitted'>;
          const promptId = typeof body.promptId === 'string' ? body.promptId : null;
          prompts.push({ promptId, at: one.occurredAt, private: body.private === true });
          promptEvents.push(one as unknown as NewEvent<'prompt.submitted'>);
        }
      }
      if (last !== null && mayContinue(state, last)) {
        readings.set(key, { identity, state, last, prompts: [...prompts], promptEvents: [...promptEvents] });
        for (const oldest of [...readings.keys()].slice(0, -READINGS_MAX)) readings.delete(oldest);
      }
    } finally {
      await file.close();
    }
  } catch {
    // Missing, unreadable, or cut in the middle: what was read so far counts.
  }
  return { prompts, ...end, promptEvents };
}

/** What the file of a sub-agent shows depends on the main file too. */
function mayContinue({ speakers, offset }: TranscriptState, last: LastLine): boolean {
  return speakers.every(({ agentId }) => agentId === null) && last.offset + last.length === offset;
}

async function continues(
  file: FileHandle,
  { identity, state, last }: Reading,
  reader: TranscriptReader,
): Promise<boolean> {
  if (reader.isOutdated(state) || !(await isContinuation(file, identity, state.offset))) return false;
  const { buffer } = await file.read(Buffer.alloc(last.length), 0, last.length, last.offset);
  return digestOf(buffer) === last.digest;
}

/** With its newline. Null when no line ends there. */
function lastLineOf(lines: readonly Line[], end: number): LastLine | null {
  const line = lines.findLast(({ offset, length, ended }) => ended && offset + length + 1 === end);
  if (line === undefined || line.bytes === null || line.length === 0) return null;
  const bytes = Buffer.concat([line.bytes, Buffer.from('\n')]);
  return { offset: line.offset, length: bytes.length, digest: digestOf(bytes) };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
