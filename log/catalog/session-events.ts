// Sessions start (more than once: resume, clear, compaction), get titles, continue under another id, end.
import * as z from 'zod';
import { flag, line, nullableInteger, nullableText, program, workdir } from './body-fields.ts';

export const sessionStarted = z.looseObject({
  /** startup, resume, clear, compact, fork; null when a transcript shows only the start itself. */
  source: nullableText,
  model: nullableText,
  permissionMode: nullableText,
  /** Tokens in context before a compaction. */
  tokensBefore: nullableInteger,
  ...workdir,
  ...program,
  ...line,
});

export const sessionEnded = z.looseObject({ reason: nullableText, ...workdir, ...line });

/** The agent continues under a new session id. Dedupe key: that id. */
export const sessionContinued = z.looseObject({ into: z.string(), offset: nullableInteger });

/** A title of source custom (by a person), ai or summary. Dedupe key: the source and the offset of its first line. */
export const sessionTitled = z.looseObject({
  source: z.enum(['custom', 'ai', 'summary']),
  title: z.string(),
  offset: nullableInteger,
});

export const agentStopped = z.looseObject({
  /** stop, subagent-stop, error, interrupted. */
  reason: z.string(),
  /** The machine-readable error of a StopFailure or an API-error line. */
  error: nullableText,
  /** The agent's final answer as the hook reported it; never an error text. */
  text: nullableText,
  agentType: nullableText,
  backgroundTasks: nullableInteger,
  durationMs: nullableInteger,
  private: flag,
  ...workdir,
  ...line,
  agentId: nullableText,
  sidechain: flag,
});
