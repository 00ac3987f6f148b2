// Events inside a turn: the person sends a prompt, the agent uses tools and replies.
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
 * Dedupe key: the channel's own name for the prompt. Transcript line: its uuid. Queue operation: `queue:<offset>`.
 * Hook: the spool file's name, because one prompt_id covers a run of the agent, with possibly several prompts.
 */
export const promptSubmitted = z.looseObject({
  /** null exactly when `private`: the event then only records that a private turn took place. */
  text: nullableText,
  private: flag,
  /** Who wrote `text`. agent: a plan that the person accepted and the program submitted as a prompt. */
  author: z.enum(['user', 'agent']).default('user'),
  /** What the person added when accepting the plan; always written by the person. */
  feedback: nullableText,
  /** prompt: text for the model. command: a slash command; `text` is the command line. */
  kind: z.enum(['prompt', 'command']).default('prompt'),
  /** How it was reported: line, queue (enqueue operation), attachment (queued_command), hook. */
  via: z.enum(['line', 'queue', 'attachment', 'hook']),
  /** The agent's own value for the origin of the prompt: typed, queued, sdk, user, … */
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

/** Dedupe key: tool_use_id. Written only when the use has ended. */
export const toolUsed = z.looseObject({
  ...toolUse,
  /**
   * ok, failed, or cancelled (a person or a rule denied it, or it was interrupted). null when this channel does not say:
   * the hooks of some agents report a command that failed like one that succeeded.
   */
  outcome: z.enum(['ok', 'failed', 'cancelled']).nullable(),
  /** The result as shown to the model. */
  result: nullableText,
  /** The structured result, without whole files and without anything that `result` or `input` already contains. */
  detail: json.default(null),
  /** What went wrong, when `outcome` is not ok. */
  error: nullableText,
  durationMs: nullableInteger,
  /** Id of the sub-agent that this tool use launched. */
  launchedAgentId: nullableText,
  resultUuid: nullableText,
  resultOffset: nullableInteger,
  /** When the result arrived, Unix ms; `occurredAt` is when the tool was called. */
  endedAt: nullableInteger,
});

/** Dedupe key: tool_use_id. A tool use without a result when its session continued; a later tool.used replaces it. */
export const toolUnanswered = z.looseObject(toolUse);

/** Dedupe key: uuid of the line. One line is one content block of an API message; `usage` grows, the last value counts. */
export const agentReplied = z.looseObject({
  messageId: nullableText,
  /** Index of the block within its message, counted by line. */
  block: nullableInteger,
  /** null for a block without text (thinking). */
  text: nullableText,
  model: nullableText,
  stopReason: nullableText,
  usage,
  /** The summary of a compaction: repeats earlier lines. */
  compaction: flag,
  /** The agent's own recap of the session, for a person who was away; not an answer to a prompt. */
  recap: flag,
  ...workdir,
  ...program,
  ...line,
  ...subagent,
});
