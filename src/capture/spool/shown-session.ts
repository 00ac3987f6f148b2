// Reads a session's prompts from its transcript, for payloads whose prompt no hook reported: `!` and queued prompts
// that are sent together fire no hook, a file may have been lost, or the hooks were installed later.
import type { Json, Log, NewEvent } from '../../../log/index.ts';
import { type Author, sanitizerOf } from '../../agents/common/sanitizer.ts';
import { agentNamed, openerOf, startOfFile } from '../../agents/index.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { PrivatePrompts } from '../private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../text/clip.ts';
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
  let end: Pick<LoggedSession, 'launched' | 'runs'> = nothing;
  try {
    const file = await openRegularFile(path);
    try {
      const open = openerOf(known, transcripts, await startOfFile(path, file));
      const run = { log, sanitizer: OF_PROMPTS, privatePrompts: new PrivatePrompts() };
      const opened = await open(path, file, run);
      if ('heldBack' in opened) return nothing;
      const { reader } = opened;
      let state = reader.fresh;
      for await (const { lines } of reader.pages(state)) {
        const { events, state: next } = reader.read(state, lines);
        state = next;
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
    } finally {
      await file.close();
    }
  } catch {
    // Missing, unreadable, or cut in the middle: what was read so far counts.
  }
  return { prompts, ...end, promptEvents };
}
