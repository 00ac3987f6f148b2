// What the plugin reports (plugin.ts), in the common form. A payload has the parts as OpenCode has them, so that hooks and
// exports are read by the same rules.
import { join } from 'node:path';
import type { AgentHooks, CommonHook } from '../common/agent.ts';
import { idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { sessionStartAnswer } from '../common/start-answer.ts';
import { settingsFolder } from './files.ts';
import { ABORTED, callIdOf, errorOf, judged, partsOf, sentBy } from './parts.ts';
import { pluginCommand, pluginText } from './plugin.ts';

export const hooks: AgentHooks = {
  read(payload) {
    const event = stringOf(payload.hook_event_name) ?? '';
    return Object.hasOwn(READERS, event) ? READERS[event]!(payload) : payload;
  },
  // Only the plugin reads it, and it can show a person nothing.
  startAnswer: (text) => sessionStartAnswer(text, ''),
  // No limit is known; this many arrived whole.
  contextMax: 30_000,
  settings: {
    kind: 'file',
    file: (machine) => join(settingsFolder(machine), 'plugins', 'annals.js'),
    content: pluginText,
    commandIn: pluginCommand,
    afterInstall: 'Restart OpenCode: it loads plugins when it starts.',
  },
};

const READERS: { readonly [event: string]: (payload: JsonObject) => CommonHook | string } = {
  UserPromptSubmit({ parts, ...common }) {
    const { text, images } = sentBy(partsOf(parts));
    if (text.trim() === '' && images === 0) return 'not sent by a person';
    return { ...common, prompt: text };
  },
  PostToolUse({ call_id, state: value, ...common }) {
    const state = objectOf(value) ?? {};
    const result = judged(state);
    if (result === null) return 'a tool use that has not ended';
    const { outcome, text, durationMs, launchedAgentId } = result;
    const isOk = outcome === 'ok';
    return {
      ...common,
      hook_event_name: isOk ? 'PostToolUse' : 'PostToolUseFailure',
      tool_use_id: callIdOf(call_id, state),
      tool_input: state.input ?? null,
      ...(isOk ? { tool_response: response(text, launchedAgentId ?? null) } : { error: text }),
      ...(outcome === 'cancelled' ? { is_interrupt: true } : {}),
      duration_ms: durationMs ?? null,
    };
  },
  Stop({ error: value, last_assistant_message, agent_type, ...common }) {
    const error = errorOf(value);
    if (error?.name === ABORTED) return 'interrupted by the person';
    if (idOf(common.agent_id) !== null)
      return {
        ...common,
        hook_event_name: 'SubagentStop',
        agent_type: agent_type ?? null,
        last_assistant_message: last_assistant_message ?? null,
      };
    if (error !== null) return { ...common, hook_event_name: 'StopFailure', error: error.text };
    return { ...common, last_assistant_message: last_assistant_message ?? null };
  },
};

/** Claude Code's form of a sub-agent's report says which sub-agent was launched. */
function response(text: string | null, launched: string | null) {
  if (launched === null) return text;
  return { status: 'completed', agentId: launched, content: [{ type: 'text', text: text ?? '' }] };
}
