// Removes secrets from a reply before it becomes an event, and bounds its length. A model may put together what was not
// recognised in its request, or repeat what a service added to it.
import { parseJson } from '../../../log/index.ts';
import { REPLY_CHARS_MAX } from '../../../projections/index.ts';
import { redactText } from '../../capture/redact/index.ts';
import type { ModelReply } from '../providers/provider.ts';

/** Characters behind the limit that are looked at, so that no half of a secret is kept. */
const BEHIND = 4_000;

/**
 * The text as it came if there is no secret in it. Of a text that is too long to be read, so much that this can be seen. JSON stays
 * JSON: each of its strings is redacted by itself.
 */
export function redactReply({ text, form }: Pick<ModelReply, 'text' | 'form'>): string {
  if (text.length > REPLY_CHARS_MAX)
    return redactText(text.slice(0, REPLY_CHARS_MAX + BEHIND))
      .slice(0, REPLY_CHARS_MAX + 1)
      .toWellFormed();
  const parsed = form === 'schema' ? parseJson(text) : null;
  if (parsed === null || !('value' in parsed)) return redactText(text);
  let isChanged = false;
  const redacted = JSON.stringify(parsed.value, (_, value) => {
    if (typeof value !== 'string') return value;
    const kept = redactText(value);
    isChanged ||= kept !== value;
    return kept;
  });
  return isChanged ? redacted : text;
}
