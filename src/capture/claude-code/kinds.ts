// The line types and attachments this reader knows. Known ones that tell nothing are passed over in silence;
// unknown ones are counted by name, so that a new version of the agent shows itself, and never kept.

/** Line types that are read. */
const TOLD = ['user', 'assistant', 'system', 'attachment', 'queue-operation'];
const NAMING = ['summary', 'ai-title', 'custom-title', 'continued-in'];

/** Line types that are passed over: bookkeeping, repeated output, or things never to be stored. */
const PASSED = [
  'progress',
  'file-history-snapshot',
  'file-history-delta',
  'last-prompt',
  'permission-mode',
  'mode',
  'pr-link',
  'frame-link',
  'agent-name',
  'cost-state',
  'bridge-session',
  'atis-latch',
  'relocated',
  'artifact-autoreact-ledger',
  'artifact-comment-monitor',
];

export const KNOWN_LINES: ReadonlySet<string> = new Set([...TOLD, ...NAMING, ...PASSED]);

/** Attachments are context for the model, not conversation. Of these only `queued_command` is ever told. */
export const KNOWN_ATTACHMENTS: ReadonlySet<string> = new Set([
  'queued_command',
  'hook_additional_context',
  'hook_success',
  'hook_system_message',
  'hook_non_blocking_error',
  'hook_cancelled',
  'file',
  'compact_file_reference',
  'edited_text_file',
  'nested_memory',
  'skill_listing',
  'invoked_skills',
  'deferred_tools_delta',
  'deferred_tools_record',
  'agent_listing_delta',
  'mcp_instructions_delta',
  'task_reminder',
  'task_status',
  'command_permissions',
  'auto_mode',
  'plan_mode',
  'date_change',
  'date',
  'model',
  'environment',
  'instructions',
  'prompt_snapshot',
  'session_context',
  'structured_output',
  'total_tokens_reminder',
  'silent_turn_reminder',
  'read_truncation_notice',
]);

/** Whether it is the agent that sums up a session when it is compacted. */
export function isCompaction(agentId: string): boolean {
  return agentId.startsWith('acompact');
}
