// The tokens of a reply as Anthropic's Messages API counts them, which Claude Code passes on.
import type { Json } from '../../../log/index.ts';
import { countOf, objectOf } from '../../agents/common/json-fields.ts';
import type { ModelUsage } from './provider.ts';

export function usageIn(value: Json | undefined): ModelUsage | null {
  const usage = objectOf(value);
  const [input, output] = [countOf(usage?.input_tokens), countOf(usage?.output_tokens)];
  if (input === null || output === null) return null;
  const cacheRead = countOf(usage?.cache_read_input_tokens) ?? 0;
  return { input, output, cacheRead, cacheWrite: countOf(usage?.cache_creation_input_tokens) ?? 0 };
}
