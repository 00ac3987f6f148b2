// The events of a payload of Claude Code, as the drain makes them.

import type { Json } from '../../../log/index.ts';
import { claudeCode } from '../../../src/agents/claude-code/index.ts';
import { hookEvents as eventsOf, type HookOutcome } from '../../../src/agents/common/hook-events.ts';
import { type JsonObject, objectOf } from '../../../src/agents/common/json-fields.ts';

export function hookEvents(
  payload: unknown,
  receipt: { readonly spoolName: string; readonly receivedAt: number },
): HookOutcome {
  const hook = claudeCode.hooks!.read(objectOf(payload as Json) ?? ({} as JsonObject));
  if (typeof hook === 'string') return { events: [], ignored: hook };
  return eventsOf(hook, { agent: 'claude-code', ...receipt });
}
