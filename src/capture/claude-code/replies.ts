// What the agent said. One API message is written as several lines, one content block each; every block that
// is no tool use is told with the usage as it stood on its line (it grows: the last of a message wins).
// Thinking is told without its words. What the program wrote in the model's place is no answer.
import { factOf, lineFields, placeFields, programFields, subagentFields, told } from './fields.ts';
import { isCompaction } from './kinds.ts';
import { blocksOf, idOf, type JsonObject, objectOf, stringOf, usageOf } from './line.ts';
import type { Reading } from './reading.ts';
import { sanitizeText } from './sanitize.ts';
import { tellStopped } from './sessions.ts';

export function tellReplies(reading: Reading): void {
  const { line, standing } = reading;
  const message = objectOf(line.message);
  const blocks = blocksOf(message);
  if (line.isApiErrorMessage === true || message?.model === '<synthetic>') {
    tellSynthetic(reading, line, blocks);
    return;
  }
  const messageId = idOf(message?.id);
  const fact = factOf(reading);
  let replies = 0;
  blocks.forEach((block, index) => {
    // Counted for every block, also in private turns and for tool uses: the index is the block's place.
    const place = messageId === null ? index : standing.nextBlock(messageId);
    if (block.type === 'tool_use' || reading.private) return;
    tellReply(reading, block, { fact: replies === 0 ? fact : `${fact}:${index}`, messageId, place });
    replies += 1;
  });
}

/**
 * The agent's own recap, which the program asks for when the person was away: what is done and what comes next. It is
 * made from the whole session, so one turn that is private silences it, as it does titles.
 */
export function tellRecap(reading: Reading): void {
  const { line, standing, world } = reading;
  const content = line.subtype === 'away_summary' ? stringOf(line.content) : null;
  if (content === null || content.trim() === '' || reading.private || standing.anyPrivate) return;
  reading.tell({
    ...told(reading),
    type: 'agent.replied',
    fact: factOf(reading),
    body: {
      text: sanitizeText(world.sanitizer, content, 'agent'),
      recap: true,
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading),
    },
  });
}

function tellReply(
  reading: Reading,
  block: JsonObject,
  named: { readonly fact: string; readonly messageId: string | null; readonly place: number },
): void {
  const message = objectOf(reading.line.message);
  const text = block.type === 'text' ? stringOf(block.text) : null;
  reading.tell({
    ...told(reading),
    type: 'agent.replied',
    fact: named.fact,
    body: {
      messageId: named.messageId,
      block: named.place,
      text: text === null ? null : sanitizeText(reading.world.sanitizer, text, 'agent'),
      model: idOf(message?.model),
      stopReason: idOf(message?.stop_reason),
      usage: usageOf(message?.usage),
      compaction: reading.agentId !== null && isCompaction(reading.agentId),
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading),
    },
  });
}

function tellSynthetic(reading: Reading, line: JsonObject, blocks: readonly JsonObject[]): void {
  const text = blocks.flatMap((block) => stringOf(block.text) ?? []).join('\n');
  const { error } = line;
  if (text.startsWith('[Request interrupted by user')) tellStopped(reading, 'interrupted', null);
  // What a fork or an interrupted start writes to close an open turn: nothing happened.
  else if (line.isApiErrorMessage !== true && text === 'No response requested.') return;
  else tellStopped(reading, 'error', stringOf(error) ?? stringOf(objectOf(error)?.type) ?? text);
}
