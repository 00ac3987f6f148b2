// What a person typed while the agent worked. It waits in the program's queue until it is sent on, and in versions up
// to 2.1.9x the queue is the only place where it stands. It may also be taken back into the input line (`popAll`) or
// dropped: then it was never asked. So a queued text is held by its place in the file until its fate is known, and told
// when it leaves the queue or when a person goes on without a word of it (versions may not write that they sent it).
// A private one is told at once, without its words: whether it is sent must not decide whether it hides.
import { eventHeader } from './event-fields.ts';
import { type HumanPrompt, humanPromptOf, wordsToEmit } from './prompt-events.ts';
import type { LineReading } from './reading.ts';
import { type JsonObject, parseTranscriptLine, stringOf, timeOf } from './transcript-line.ts';

/** Reasons of `remove` for texts that never reached the agent. */
const DROPPED = new Set([
  'cleared_on_cancel',
  'agent_stopped',
  'dropped_by_hook',
  'not_carried_to_background',
]);

export function readQueue(reading: LineReading): void {
  const { line, readerState } = reading;
  const content = stringOf(line.content);
  switch (line.operation) {
    case 'enqueue':
      if (content !== null) enqueue(reading, content);
      break;
    case 'dequeue':
      emitNext(reading, content);
      break;
    case 'remove':
      if (!DROPPED.has(stringOf(line.reason) ?? '')) emitNext(reading, content);
      else if (takeNext(reading, content) !== null) readerState.countRefused('taken back');
      break;
    case 'popAll':
      for (const _ of readerState.queue.splice(0)) readerState.countRefused('taken back');
      break;
  }
}

/** A person went on: what still waits was sent without a word of it, or is lost with its program; they did ask it. */
export function emitWaiting(reading: LineReading): void {
  while (reading.readerState.queue.length > 0) emitNext(reading, null);
}

function enqueue(reading: LineReading, content: string): void {
  const { readerState, line, offset, length } = reading;
  const prompt = queuedPrompt(reading, content, (reason) => readerState.countRefused(reason));
  if (prompt === null) return;
  // From here on, not from when it is sent: what a person hides must not depend on the order of lines.
  readerState.prompt({ uuid: null, promptId: null, private: prompt.private });
  // At the head of a run by the command line it stands before any line of its session, and its prompt follows.
  if (prompt.private && readerState.started.has(reading.session)) readerState.hideRun();
  if (prompt.private) emitQueued(reading, prompt, line, offset);
  else readerState.enqueue([offset, length]);
}

/** The waiting text that a line speaks of: the one with the same words, else the first. */
function takeNext(reading: LineReading, content: string | null): { line: JsonObject; offset: number } | null {
  const { queue } = reading.readerState;
  for (const [index, [offset, length]] of queue.entries()) {
    const bytes = reading.world.lineAt(offset, length);
    const line = bytes === null ? null : parseTranscriptLine(bytes);
    if (line !== null && content !== null && line.content !== content) continue;
    queue.splice(index, 1);
    return line === null ? null : { line, offset };
  }
  return null;
}

function emitNext(reading: LineReading, content: string | null): void {
  const next = takeNext(reading, content);
  if (next === null) return;
  const { line, offset } = next;
  const prompt = queuedPrompt(reading, stringOf(line.content) ?? '', () => undefined);
  if (prompt !== null) emitQueued(reading, prompt, line, offset);
}

function emitQueued(reading: LineReading, prompt: HumanPrompt, line: JsonObject, offset: number): void {
  const isCommand = prompt.kind === 'command' || /^\/[a-z][\w:-]*(?:\s|$)/i.test(prompt.text);
  reading.emit({
    ...eventHeader(reading),
    occurredAt: timeOf(line.timestamp),
    type: 'prompt.submitted',
    dedupeKey: `queue:${offset}`,
    body: {
      ...wordsToEmit(reading, prompt),
      kind: isCommand ? 'command' : 'prompt',
      via: 'queue',
      offset,
    },
  });
}

function queuedPrompt(
  { world }: LineReading,
  content: string,
  refuse: Parameters<typeof humanPromptOf>[3],
): HumanPrompt | null {
  return humanPromptOf(content, { via: 'line', source: null, images: 0 }, world.sanitizer, refuse);
}
