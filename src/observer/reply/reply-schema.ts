// The JSON form of a reply, for providers that enforce a schema. They bound neither lengths nor numbers.
import * as z from 'zod';
import { parseJson } from '../../../log/index.ts';
import type { JsonObject } from '../../agents/common/json-fields.ts';
import {
  OBSERVATIONS_MAX,
  observationOfParts,
  REPLY_CHARS_MAX,
  type Reply,
  replyOf,
  summaryOfParts,
} from './reply.ts';

const text = z.string().nullable();
const list = z.array(z.string());

const jsonReply = z.strictObject({
  observations: z.array(
    z.strictObject({
      type: text,
      title: text,
      subtitle: text,
      narrative: text,
      facts: list,
      concepts: list,
      files_read: list,
      files_modified: list,
    }),
  ),
  summary: z
    .strictObject({
      request: text,
      investigated: text,
      learned: text,
      completed: text,
      next_steps: text,
      notes: text,
    })
    .nullable(),
  /** Why there is no summary; null when there is one. */
  skip_summary: z.string().nullable(),
});

export const REPLY_SCHEMA = z.toJSONSchema(jsonReply, { target: 'draft-2020-12' }) as unknown as JsonObject;

/** Never throws. */
export function parseJsonReply(reply: string): Reply {
  if (reply.length > REPLY_CHARS_MAX)
    return { valid: false, reason: `The reply has more than ${REPLY_CHARS_MAX} characters.` };
  const parsed = parseJson(reply);
  if (!('value' in parsed))
    return { valid: false, reason: 'The reply is no JSON: it may have been cut off.' };
  const checked = jsonReply.safeParse(parsed.value);
  if (!checked.success) {
    const { path } = checked.error.issues[0]!;
    return {
      valid: false,
      reason: `The reply has another form than the schema, at ${path.join('.') || 'its top'}.`,
    };
  }
  const { observations, summary, skip_summary } = checked.data;
  const counted = observations.slice(0, OBSERVATIONS_MAX);
  return replyOf({
    observations: counted.map(({ files_read, files_modified, ...fields }) =>
      observationOfParts({ ...fields, filesRead: files_read, filesModified: files_modified }),
    ),
    summary: summary === null ? undefined : summaryOfParts({ ...summary, nextSteps: summary.next_steps }),
    skipped: skip_summary === null ? null : { reason: skip_summary.trim() || null },
    problems:
      counted.length < observations.length ? [`Only the first ${OBSERVATIONS_MAX} observations count.`] : [],
  });
}
