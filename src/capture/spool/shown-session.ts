// What the transcript itself shows of a session's prompts, for hooks whose prompt nobody told: its file may have been
// lost, or the hooks were installed later. Asked only when the idle time is over, just before what is left would
// count as not private. Nothing of it is told here.
import { openRegularFile } from '../../platform/regular-file.ts';
import { readLines } from '../claude-code/reader.ts';
import { sanitizerOf } from '../claude-code/sanitize.ts';
import { FRESH_STATE } from '../claude-code/state.ts';
import { worldOf } from '../claude-code/world.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../clip.ts';
import { linePages } from '../transcripts/pages.ts';
import type { LoggedSession, SeenPrompt } from './standing.ts';

/** `path` comes from a payload: whatever stands there and is no transcript of this session shows nothing. Never throws. */
export async function shownSession(path: string, session: string): Promise<LoggedSession> {
  const prompts: SeenPrompt[] = [];
  let state = FRESH_STATE;
  try {
    if (!path.endsWith('.jsonl')) return { prompts, launched: [], runs: [] };
    const file = await openRegularFile(path);
    try {
      const { size } = await file.stat();
      // Of tool uses only the ids matter.
      const world = worldOf(path, file, { ...sanitizerOf(TRANSCRIPT_CLIP_BYTES), value: () => null });
      for await (const page of linePages(file, 0, size)) {
        const { tellings, state: next } = readLines(state, page.lines, world);
        state = next;
        for (const { type, session: spoken, body, occurredAt } of tellings)
          if (type === 'prompt.submitted' && spoken === session)
            prompts.push({
              promptId: typeof body.promptId === 'string' ? body.promptId : null,
              at: occurredAt,
              private: body.private === true,
            });
      }
    } finally {
      await file.close();
    }
  } catch {
    // Gone, unreadable, or cut in the middle: what was read so far counts.
  }
  const launched = state.launched.filter(([, isPrivate]) => !isPrivate).map(([id]) => id);
  return { prompts, launched, runs: state.session === session ? state.runs : [] };
}
