// What a person typed while the agent worked. It waits in the program's queue until it is sent on, and in versions up
// to 2.1.9x the queue is the only place where it stands. It may also be taken back into the input line (`popAll`) or
// dropped: then it was never asked. So a queued text is held by its place in the file until its fate is known, and told
// when it leaves the queue or when a person goes on without a word of it (versions may not write that they sent it).
// A private one is told at once, without its words: whether it is sent must not decide whether it hides.
import { told } from './fields.ts';
import { type JsonObject, parseLine, stringOf, timeOf } from './line.ts';
import { type HumanPrompt, promptOf, wordsToTell } from './prompts.ts';
import type { Reading } from './reading.ts';

/** Reasons of `remove` for texts that never reached the agent. */
const DROPPED = new Set([
  'cleared_on_cancel',
  'agent_stopped',
  'dropped_by_hook',
  'not_carried_to_background',
]);

export function readQueue(reading: Reading): void {
  const { line, standing } = reading;
  const content = stringOf(line.content);
  switch (line.operation) {
    case 'enqueue':
      if (content !== null) enqueue(reading, content);
      break;
    case 'dequeue':
      tellNext(reading, content);
      break;
    case 'remove':
      if (!DROPPED.has(stringOf(line.reason) ?? '')) tellNext(reading, content);
      else if (takeNext(reading, content) !== null) standing.countRefused('taken back');
      break;
    case 'popAll':
      for (const _ of standing.queue.splice(0)) standing.countRefused('taken back');
      break;
  }
}

/** A person went on: what still waits was sent without a word of it, or is lost with its program; they did ask it. */
export function tellWaiting(reading: Reading): void {
  while (reading.standing.queue.length > 0) tellNext(reading, null);
}

function enqueue(reading: Reading, content: string): void {
  const { standing, line, offset, length } = reading;
  const prompt = queuedPrompt(reading, content, (reason) => standing.countRefused(reason));
  if (prompt === null) return;
  // From here on, not from when it is sent: what a person hides must not depend on the order of lines.
  standing.prompt({ uuid: null, promptId: null, private: prompt.private });
  // At the head of a run by the command line it stands before any line of its session, and its prompt follows.
  if (prompt.private && standing.started.has(reading.session)) standing.hideRun();
  if (prompt.private) tellQueued(reading, prompt, line, offset);
  else standing.enqueue([offset, length]);
}

/** The waiting text that a line speaks of: the one with the same words, else the first. */
function takeNext(reading: Reading, content: string | null): { line: JsonObject; offset: number } | null {
  const { queue } = reading.standing;
  for (const [index, [offset, length]] of queue.entries()) {
    const bytes = reading.world.lineAt(offset, length);
    const line = bytes === null ? null : parseLine(bytes);
    if (line !== null && content !== null && line.content !== content) continue;
    queue.splice(index, 1);
    return line === null ? null : { line, offset };
  }
  return null;
}

function tellNext(reading: Reading, content: string | null): void {
  const next = takeNext(reading, content);
  if (next === null) return;
  const { line, offset } = next;
  const prompt = queuedPrompt(reading, stringOf(line.content) ?? '', () => undefined);
  if (prompt !== null) tellQueued(reading, prompt, line, offset);
}

function tellQueued(reading: Reading, prompt: HumanPrompt, line: JsonObject, offset: number): void {
  const isCommand = prompt.kind === 'command' || /^\/[a-z][\w:-]*(?:\s|$)/i.test(prompt.text);
  reading.tell({
    ...told(reading),
    occurredAt: timeOf(line.timestamp),
    type: 'prompt.submitted',
    fact: `queue:${offset}`,
    body: {
      ...wordsToTell(reading, prompt),
      kind: isCommand ? 'command' : 'prompt',
      via: 'queue',
      offset,
    },
  });
}

function queuedPrompt(
  { world }: Reading,
  content: string,
  refuse: Parameters<typeof promptOf>[3],
): HumanPrompt | null {
  return promptOf(content, { via: 'line', source: null, images: 0 }, world.sanitizer, refuse);
}
