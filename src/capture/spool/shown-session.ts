// What the transcript itself shows of a session's prompts, for hooks whose prompt no hook told: `!` and prompts that
// were sent on together fire none, a file may have been lost, or the hooks were installed later.
import type { Json, Telling } from '../../../log/index.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { readLines } from '../claude-code/reader.ts';
import { type Author, sanitizerOf } from '../claude-code/sanitize.ts';
import { FRESH_STATE } from '../claude-code/state.ts';
import { worldOf } from '../claude-code/world.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../clip.ts';
import { linePages } from '../transcripts/pages.ts';
import type { LoggedSession, SeenPrompt } from './standing.ts';

export interface ShownSession extends LoggedSession {
  /** The prompts, as an import of the transcript tells them. */
  readonly told: readonly Telling<'prompt.submitted'>[];
}

/** Names of folders and branches are shorter; what is longer is no part of a prompt. */
const NAME_CHARS_MAX = 4_096;
const { value: sanitized, ...rest } = sanitizerOf(TRANSCRIPT_CLIP_BYTES);
/** Of tool uses only the ids matter. */
const OF_PROMPTS = {
  ...rest,
  value: (value: Json, author: Author): Json =>
    author === 'person' || (typeof value === 'string' && value.length <= NAME_CHARS_MAX)
      ? sanitized(value, author)
      : null,
};

/** `path` comes from a payload: whatever stands there and is no transcript of this session shows nothing. Never throws. */
export async function shownSession(path: string, session: string): Promise<ShownSession> {
  const prompts: SeenPrompt[] = [];
  const told: Telling<'prompt.submitted'>[] = [];
  let state = FRESH_STATE;
  try {
    if (!path.endsWith('.jsonl')) return { prompts, launched: [], runs: [], told };
    const file = await openRegularFile(path);
    try {
      const { size } = await file.stat();
      const world = worldOf(path, file, OF_PROMPTS);
      for await (const page of linePages(file, 0, size)) {
        const { tellings, state: next } = readLines(state, page.lines, world);
        state = next;
        for (const one of tellings) {
          if (one.type !== 'prompt.submitted' || one.session !== session) continue;
          const { body } = one as unknown as Telling<'prompt.submitted'>;
          const promptId = typeof body.promptId === 'string' ? body.promptId : null;
          prompts.push({ promptId, at: one.occurredAt, private: body.private === true });
          told.push(one as unknown as Telling<'prompt.submitted'>);
        }
      }
    } finally {
      await file.close();
    }
  } catch {
    // Gone, unreadable, or cut in the middle: what was read so far counts.
  }
  const launched = state.launched.filter(([, isPrivate]) => !isPrivate).map(([id]) => id);
  return { prompts, launched, runs: state.session === session ? state.runs : [], told };
}
