// Reads a session's prompts from its transcript, for payloads whose prompt no hook reported: `!` and queued prompts
// that are sent together fire no hook, a file may have been lost, or the hooks were installed later.
import type { Json, NewEvent } from '../../../log/index.ts';
import { FRESH_STATE } from '../../agents/claude-code/reader-state.ts';
import { worldOf } from '../../agents/claude-code/reader-world.ts';
import { readLines } from '../../agents/claude-code/transcript-reader.ts';
import { type Author, sanitizerOf } from '../../agents/common/sanitizer.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { PrivatePrompts } from '../private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../text/clip.ts';
import { linePages } from '../transcripts/line-pages.ts';
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
export async function transcriptSession(path: string, session: string): Promise<TranscriptSession> {
  const prompts: SeenPrompt[] = [];
  const promptEvents: NewEvent<'prompt.submitted'>[] = [];
  let state = FRESH_STATE;
  try {
    if (!path.endsWith('.jsonl')) return { prompts, launched: [], runs: [], promptEvents };
    const file = await openRegularFile(path);
    try {
      const { size } = await file.stat();
      const world = worldOf(path, file, OF_PROMPTS, new PrivatePrompts());
      for await (const page of linePages(file, 0, size)) {
        const { events, state: next } = readLines(state, page.lines, world);
        state = next;
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
  const launched = state.launched.filter(([, isPrivate]) => !isPrivate).map(([id]) => id);
  return { prompts, launched, runs: state.session === session ? state.runs : [], promptEvents };
}
