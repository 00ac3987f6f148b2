// Reads the bytes of a transcript as a file that grows: in parts that end at these bytes.
import type { NewEvent } from '../../../log/index.ts';
import type { Agent } from '../../../src/agents/common/agent.ts';
import { readRecords } from '../../../src/agents/common/record-reader.ts';
import { freshState } from '../../../src/agents/common/record-state.ts';
import { sanitizerOf } from '../../../src/agents/common/sanitizer.ts';
import { PrivatePrompts } from '../../../src/capture/private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../../../src/capture/text/clip.ts';
import { linesOf } from '../../../src/capture/transcripts/line-splitter.ts';

export function readInParts(agent: Agent, bytes: Buffer, ends: readonly number[] = [], path = '/file.jsonl') {
  const format = agent.transcripts!.format!;
  const world = {
    agent: agent.name,
    format,
    path,
    sanitizer: sanitizerOf(TRANSCRIPT_CLIP_BYTES),
    fallbackSession: 'file',
    mainSessionOf: (session: string) => session,
    privatePrompts: new PrivatePrompts(),
    lineAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  let state = freshState(format);
  const events: NewEvent[] = [];
  for (const end of [...ends, bytes.length]) {
    const outcome = readRecords(state, linesOf(bytes.subarray(state.offset, end), state.offset), world);
    // A cursor is JSON.
    state = JSON.parse(JSON.stringify(outcome.state)) as typeof state;
    events.push(...outcome.events);
  }
  return { events, state };
}
