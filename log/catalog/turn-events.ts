// What happens inside a turn: the person asks, the agent uses tools and answers.
import * as z from 'zod';
import {
  flag,
  json,
  line,
  nullableInteger,
  nullableText,
  program,
  subagent,
  usage,
  workdir,
} from './body-fields.ts';

/**
 * Dedupe key: the witness's own name for it. Transcript line: its uuid. Queue operation: `queue:<offset>`.
 * Hook: the spool file's name; a prompt_id names a run of the agent, in which several prompts may be typed.
 */
export const promptSubmitted = z.looseObject({
  /** null exactly when `private`: then only the fact that a private turn took place is kept. */
  text: nullableText,
  private: flag,
  /** Whose words `text` is. agent: a plan that the person accepted and the program sent on as a prompt. */
  author: z.enum(['user', 'agent']).default('user'),
  /** What the person added when accepting the plan; always the person's words. */
  feedback: nullableText,
  /** prompt: words for the model. command: a slash command, `text` is the command line. */
  kind: z.enum(['prompt', 'command']).default('prompt'),
  /** How it was told: line, queue (enqueue operation), attachment (queued_command), hook. */
  via: z.enum(['line', 'queue', 'attachment', 'hook']),
  /** The agent's own word for where it came from: typed, queued, sdk, user, … */
  source: nullableText,
  permissionMode: nullableText,
  images: z.number().int().default(0),
  ...workdir,
  ...program,
  ...line,
});

const toolUse = {
  toolUseId: z.string(),
  name: z.string(),
  input: json.default(null),
  messageId: nullableText,
  model: nullableText,
  usage,
  ...workdir,
  ...program,
  ...line,
  ...subagent,
};

/** Dedupe key: tool_use_id. Written only when the outcome is known. */
export const toolUsed = z.looseObject({
  ...toolUse,
  /** ok, failed, or cancelled (the person or a rule said no, or it was interrupted). */
  outcome: z.enum(['ok', 'failed', 'cancelled']),
  /** What the model was shown. */
  result: nullableText,
  /** The structured result without whole files and without what `result` or `input` already says. */
  detail: json.default(null),
  /** What went wrong, when `outcome` is not ok. */
  error: nullableText,
  durationMs: nullableInteger,
  /** The sub-agent that this use launched. */
  launchedAgentId: nullableText,
  resultUuid: nullableText,
  resultOffset: nullableInteger,
  /** When the result came, Unix ms; `occurredAt` is when the tool was used. */
  endedAt: nullableInteger,
});

/** Dedupe key: tool_use_id. A use still without result when its session moved on; a tool.used replaces it. */
export const toolUnanswered = z.looseObject(toolUse);

/** Dedupe key: uuid of the line. One line is one content block of an API message; `usage` grows, the last wins. */
export const agentReplied = z.looseObject({
  messageId: nullableText,
  /** Index of the block within its message, counted by line. */
  block: nullableInteger,
  /** null for a block that holds no words (thinking). */
  text: nullableText,
  model: nullableText,
  stopReason: nullableText,
  usage,
  /** A compaction's summary: repeats what the lines already say. */
  compaction: flag,
  /** The agent's own recap of the session so far, for a person who was away; no answer to anything. */
  recap: flag,
  ...workdir,
  ...program,
  ...line,
  ...subagent,
});
