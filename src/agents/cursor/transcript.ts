// Transcripts of Cursor, from April 2026. A line has a role and parts: no id, no time, no folder, and of a tool only its name
// and input. So they are read only when somebody imports them, and only for sessions that hooks did not report.
import { contentBlocks, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import type { TranscriptFormat, TranscriptRecord } from '../common/records.ts';
import { isOfSubagent } from './files.ts';

const OPEN = '<user_query>';
const CLOSE = '</user_query>';

export const format: TranscriptFormat = {
  version: 1,
  form: 'lines',
  memory: {},
  unlessHooked: true,
  records: (line, memory, { offset, path }) => ({
    records: isOfSubagent(path)
      ? [{ kind: 'ignored', at: null, reason: 'line of a sub-agent' }]
      : lineRecords(line, `@${offset.toString(36)}`),
    memory,
  }),
};

/** `id`: its place, because lines are only added. */
function lineRecords(line: JsonObject, id: string): readonly TranscriptRecord[] {
  const blocks = contentBlocks(objectOf(line.message));
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? (stringOf(text) ?? []) : []));
  switch (line.role) {
    case 'user': {
      const text = texts.flatMap((one) => typedIn(one) ?? []).join('\n');
      return text.trim() === ''
        ? [{ kind: 'ignored', at: null, reason: 'not typed by a person' }]
        : [{ kind: 'prompt', at: null, id, text }];
    }
    case 'assistant': {
      const text = texts.join('\n');
      return text.trim() === '' ? [] : [{ kind: 'reply', at: null, id, text }];
    }
    default:
      return [{ kind: 'unknown', at: null, name: line.role }];
  }
}

/** What the person typed is the last block. Those before it are pages, files and rules, whose text may name its tag too. */
function typedIn(text: string): string | null {
  const end = text.trimEnd();
  const start = end.lastIndexOf(`\n${OPEN}`) + 1;
  return end.startsWith(OPEN, start) && end.endsWith(CLOSE)
    ? end.slice(start + OPEN.length, -CLOSE.length).trim()
    : null;
}
