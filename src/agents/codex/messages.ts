// Prompts and answers.
import type { RecordFields, TranscriptRecord } from '../common/records.ts';
import { type Memory, turnOf } from './memory.ts';
import { partsText } from './output-text.ts';
import { personText } from './person-text.ts';
import type { Line, Read } from './rollout-line.ts';

/** Prompts and answers are read from their events; here, only in rollouts without envelopes, which have none. */
export function readMessage({ payload, fields, id }: Line, memory: Memory): Read {
  const text = partsText(payload.content);
  const unwrapped = memory.form === 'unwrapped';
  if (payload.role === 'user') {
    const person = personText(text);
    const cwd = unwrapped ? (/<cwd>([^<\n]{1,4096})<\/cwd>/.exec(text)?.[1] ?? null) : null;
    const moved: readonly TranscriptRecord[] = cwd === null ? [] : [{ kind: 'workdir', ...fields, cwd }];
    if ('ignored' in person && person.ignored !== 'no text')
      return { records: [...moved, { kind: 'ignored', ...fields, reason: person.ignored }], memory };
    return { records: unwrapped ? promptRecords(text, 0, { fields, id, memory }) : [], memory };
  }
  if (!unwrapped || payload.role !== 'assistant' || text.trim() === '') return { records: [], memory };
  return { records: [{ kind: 'reply', ...fields, id, text }], memory };
}

export function promptRecords(
  sent: string,
  images: number,
  { fields, id, memory }: { fields: RecordFields; id: string; memory: Memory },
): readonly TranscriptRecord[] {
  if (memory.parent !== null) return [{ kind: 'ignored', ...fields, reason: 'prompt of a sub-agent' }];
  const person = personText(sent);
  // An empty prompt would say that its turn is private.
  if ('ignored' in person && (person.ignored !== 'no text' || images === 0))
    return [{ kind: 'ignored', ...fields, reason: person.ignored }];
  const text = 'text' in person ? person.text : '[image]';
  return [{ kind: 'prompt', turn: turnOf(memory), ...fields, id, text, images }];
}
