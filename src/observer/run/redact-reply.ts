// Removes secrets from a reply before it becomes an event. A model may put together what was not recognised in its request, or
// repeat what a service added to it.
import { parseJson } from '../../../log/index.ts';
import { redactText } from '../../capture/redact/index.ts';
import type { ModelReply } from '../providers/provider.ts';

/** The text as it came if there is no secret in it. JSON stays JSON: each of its strings is redacted by itself. */
export function redactReply({ text, form }: Pick<ModelReply, 'text' | 'form'>): string {
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
