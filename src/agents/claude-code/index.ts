import { join, resolve } from 'node:path';
import type { Agent, HookEntry } from '../common/agent.ts';
import { sessionStartAnswer } from '../common/start-answer.ts';
import { readHook } from './hooks.ts';
import { openTranscript } from './open-transcript.ts';

/** Seconds. A capture takes milliseconds; a hanging one (a dead network disk) must not hang the agent. */
const HOOK_SECONDS = 10;

/** The prompt hook is never asynchronous, so its file exists before the model starts. */
const entry = (event: string, matcher: string | null = null): HookEntry => ({
  event,
  matcher,
  startsSession: event === 'SessionStart',
});

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  folder: ({ environment: { CLAUDE_CONFIG_DIR }, userHome }) =>
    CLAUDE_CONFIG_DIR === undefined || CLAUDE_CONFIG_DIR === ''
      ? join(userHome, '.claude')
      : resolve(CLAUDE_CONFIG_DIR),
  hooks: {
    read: readHook,
    startAnswer: sessionStartAnswer,
    showsMessage: true,
    contextMax: 10_000,
    settings: {
      kind: 'groups',
      file: (machine) => join(claudeCode.folder(machine), 'settings.json'),
      entries: [
        entry('SessionStart'),
        entry('UserPromptSubmit'),
        entry('PostToolUse', '*'),
        entry('PostToolUseFailure', '*'),
        entry('SubagentStop'),
        entry('Stop'),
        entry('StopFailure'),
        entry('SessionEnd'),
      ],
      handler: (_, { line, words: [command = '', ...args], windows }) => ({
        type: 'command',
        ...(windows ? { command, args } : { command: line }),
        timeout: HOOK_SECONDS,
      }),
    },
  },
  transcripts: {
    folders: (machine) => [join(claudeCode.folder(machine), 'projects')],
    isTranscript: (path) => path.endsWith('.jsonl'),
    recognises: ({ lines }) =>
      lines.some(
        ({ sessionId, uuid, type, leafUuid }) =>
          (typeof sessionId === 'string' && typeof type === 'string') ||
          (typeof uuid === 'string' && typeof type === 'string') ||
          typeof leafUuid === 'string',
      ),
    open: openTranscript,
  },
};
