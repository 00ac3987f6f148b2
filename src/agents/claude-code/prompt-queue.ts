// Reads what a person typed while the agent worked. It waits in the program's queue until it is sent, and up to 2.1.9x
// only the queue holds it. The person may also take it back into the input line (`popAll`) or drop it: then it was
// never asked. So a queued text is remembered by its location in the file, and becomes an event when it leaves the
// queue, or when the person sends another prompt (some versions do not write that they sent it). A private text becomes
// an event at once, without its words, because it must hide its run whether or not it is sent.

import { type JsonObject, parseTranscriptLine, stringOf, timeOf } from '../common/json-fields.ts';
import { eventHeader } from './event-fields.ts';
import { type HumanPrompt, humanPromptOf, recordedWords } from './prompt-events.ts';
import type { LineReading } from './reading.ts';

/** Reasons of `remove` for texts that never reached the agent. */
const DROPPED = new Set([
  'cleared_on_cancel',
  'agent_stopped',
  'dropped_by_hook',
  'not_carried_to_background',
]);

/**
 * Commands that the program carries out by itself. They ask the agent nothing; one that was carried out also has a line
 * of its own. With more words it may be the person's own command.
 */
const LOCAL_COMMAND =
  /^\/(?:add-dir|agents|clear|compact|config|context|copy|cost|doctor|effort|exit|export|fast|help|hooks|ide|login|logout|mcp|memory|model|output-style|permissions|plugin|quit|release-notes|rename|resume|rewind|sandbox|skills|stats|status|tasks|terminal-setup|theme|todos|upgrade|usage|vim)(?:\s+\S+)?\s*$/;

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

/**
 * The person sent another prompt: what still waits was sent without a note, or lost with its program. Either way they
 * asked it.
 */
export function emitWaiting(reading: LineReading): void {
  while (reading.readerState.queue.length > 0) emitNext(reading, null);
}

function enqueue(reading: LineReading, content: string): void {
  const { readerState, line, offset, length } = reading;
  const prompt = queuedPrompt(reading, content, (reason) => readerState.countRefused(reason));
  if (prompt === null) return;
  // Starts now, not when it is sent: what a person hides must not depend on the order of lines.
  if (!isLocalCommand(prompt)) readerState.prompt({ uuid: null, promptId: null, private: prompt.private });
  // The text that started a run from the command line comes before any other line of its session; its prompt follows.
  if (prompt.private && readerState.started.has(reading.session)) readerState.hideRun();
  if (prompt.private) emitQueued(reading, prompt, line, offset);
  else readerState.enqueue([offset, length]);
}

/** The waiting text that a line refers to: the one with the same content, else the first. */
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
  if (prompt === null) return;
  if (isLocalCommand(prompt)) reading.readerState.countRefused('local command');
  else emitQueued(reading, prompt, line, offset);
}

function isLocalCommand(prompt: HumanPrompt): boolean {
  return !prompt.private && LOCAL_COMMAND.test(prompt.text);
}

function emitQueued(reading: LineReading, prompt: HumanPrompt, line: JsonObject, offset: number): void {
  const isCommand = prompt.kind === 'command' || /^\/[a-z][\w:-]*(?:\s|$)/i.test(prompt.text);
  reading.emit({
    ...eventHeader(reading),
    occurredAt: timeOf(line.timestamp),
    type: 'prompt.submitted',
    dedupeKey: `queue:${offset}`,
    body: {
      ...recordedWords(reading.world.sanitizer, prompt),
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
