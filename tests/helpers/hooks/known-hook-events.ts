// The known hook events of Claude Code: which are kept, and why the others are not. An unknown event in a new version
// makes the suite of real agents fail, so that a person decides about it.

/** The hook events that become log events; `annals install claude-code` subscribes to these, and to `PreToolUse` while `recall.edit` is on. */
export const KEPT_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStop',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const;

/** Hook event → reason why it is not kept. */
export const EVENTS_NOT_KEPT: Readonly<Record<string, string>> = {
  PreToolUse: 'the tool has not run; PostToolUse or the transcript says how it ended',
  PostToolBatch: 'the tool uses of the batch are reported one by one',
  PermissionRequest: 'a question on the way; the tool use says what came of it',
  PermissionDenied: 'a question on the way; the transcript holds the refused tool use',
  UserPromptExpansion: 'the prompt itself is kept as it was typed',
  Notification: 'a call for attention, not work',
  Setup: 'preparation of the machine, not work',
  SubagentStart: 'the tool use that launched the sub-agent is kept, and its end',
  TeammateIdle: 'a state of the moment',
  TaskCreated: 'the tool use that created the task is kept',
  TaskCompleted: 'the tool use that completed the task is kept',
  PreCompact: 'SessionStart with source compact says that the session was compacted',
  PostCompact: 'its summary repeats the session in the words of a model',
  PreModelSwitch: 'asks before the switch; nothing has happened yet',
  PostModelSwitch: 'the transcript names the model of each answer',
  Elicitation: 'a question of an MCP server; its tool use is kept',
  ElicitationResult: 'an answer to an MCP server; its tool use is kept',
  ConfigChange: 'settings are not work',
  InstructionsLoaded: 'rules files are injected context, never kept',
  WorktreeCreate: 'a hook for it would replace what git does',
  WorktreeRemove: 'the folder of each tool use is kept',
  CwdChanged: 'the folder of each tool use is kept',
  FileChanged: 'a file that somebody else changed is not work of the session',
  DirectoryAdded: 'a permission of the session, not work',
  MessageDisplay: 'fires for each piece of text on the screen; the answer itself is kept',
};

export function isKnownEvent(name: string): boolean {
  return (KEPT_EVENTS as readonly string[]).includes(name) || Object.hasOwn(EVENTS_NOT_KEPT, name);
}
