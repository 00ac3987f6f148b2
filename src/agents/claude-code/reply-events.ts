// Turns what the agent said into events. One API message is written as several lines, one content block each. Every
// block except tool uses becomes an event with the usage on its line (it grows: the last one of a message wins).
// Thinking is recorded without its text. Text that the program wrote in the model's place is not an answer.

import { contentBlocks, idOf, type JsonObject, objectOf, stringOf, usageOf } from '../common/json-fields.ts';
import { sanitizeTranscriptText } from '../common/sanitizer.ts';
import {
  eventHeader,
  lineDedupeKey,
  lineFields,
  programFields,
  subagentFields,
  workdirFields,
} from './event-fields.ts';
import { isCompaction } from './line-kinds.ts';
import type { LineReading } from './reading.ts';
import { emitStopped } from './session-lines.ts';

export function emitReplies(reading: LineReading): void {
  const { line, readerState } = reading;
  const message = objectOf(line.message);
  const blocks = contentBlocks(message);
  if (line.isApiErrorMessage === true || message?.model === '<synthetic>') {
    emitSynthetic(reading, line, blocks);
    return;
  }
  const messageId = idOf(message?.id);
  const dedupeKey = lineDedupeKey(reading);
  let replies = 0;
  blocks.forEach((block, index) => {
    // Count every block, also in private turns and for tool uses: the index is the block's position in the message.
    const blockIndex = messageId === null ? index : readerState.nextBlock(messageId);
    if (block.type === 'tool_use' || reading.private) return;
    emitReply(reading, block, {
      dedupeKey: replies === 0 ? dedupeKey : `${dedupeKey}:${index}`,
      messageId,
      blockIndex,
    });
    replies += 1;
  });
}

/**
 * The agent's own recap, which the program asks for when the person was away: what is done and what comes next. It is
 * made from the whole session, so one private turn suppresses it, as it does titles.
 */
export function emitRecap(reading: LineReading): void {
  const content = reading.line.subtype === 'away_summary' ? stringOf(reading.line.content) : null;
  if (content !== null) emitAccount(reading, content, { recap: true });
}

/**
 * The agent's own account of the session, which takes the place of what was said before a compaction. The program writes it as
 * if a person had sent it. It is made from the whole session too.
 */
export function emitCompactSummary(reading: LineReading): void {
  const { line, main } = reading;
  if (!main || line.isCompactSummary !== true) return;
  const blocks = contentBlocks(objectOf(line.message));
  emitAccount(reading, blocks.flatMap((block) => stringOf(block.text) ?? []).join('\n'), {
    compaction: true,
  });
}

function emitAccount(
  reading: LineReading,
  content: string,
  kind: { readonly recap: true } | { readonly compaction: true },
): void {
  const { readerState, world } = reading;
  if (content.trim() === '' || reading.private || readerState.anyPrivate) return;
  reading.emit({
    ...eventHeader(reading),
    type: 'agent.replied',
    dedupeKey: lineDedupeKey(reading),
    body: {
      text: sanitizeTranscriptText(world.sanitizer, content, 'agent'),
      ...kind,
      ...workdirFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading),
    },
  });
}

function emitReply(
  reading: LineReading,
  block: JsonObject,
  named: { readonly dedupeKey: string; readonly messageId: string | null; readonly blockIndex: number },
): void {
  const message = objectOf(reading.line.message);
  const text = block.type === 'text' ? stringOf(block.text) : null;
  reading.emit({
    ...eventHeader(reading),
    type: 'agent.replied',
    dedupeKey: named.dedupeKey,
    body: {
      messageId: named.messageId,
      block: named.blockIndex,
      text: text === null ? null : sanitizeTranscriptText(reading.world.sanitizer, text, 'agent'),
      model: idOf(message?.model),
      stopReason: idOf(message?.stop_reason),
      usage: usageOf(message?.usage),
      compaction: reading.agentId !== null && isCompaction(reading.agentId),
      ...workdirFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading),
    },
  });
}

function emitSynthetic(reading: LineReading, line: JsonObject, blocks: readonly JsonObject[]): void {
  const text = blocks.flatMap((block) => stringOf(block.text) ?? []).join('\n');
  const { error } = line;
  if (text.startsWith('[Request interrupted by user')) emitStopped(reading, 'interrupted', null);
  // What a fork or an interrupted start writes to close an open turn. The agent did nothing.
  else if (line.isApiErrorMessage !== true && text === 'No response requested.') return;
  else emitStopped(reading, 'error', stringOf(error) ?? stringOf(objectOf(error)?.type) ?? text);
}
