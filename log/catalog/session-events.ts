// Sessions: they start (again and again: resume, clear, compaction), get titles, go on elsewhere, end.
import * as z from 'zod';
import { flag, line, nullableInteger, nullableText, program, workdir } from './body-fields.ts';

export const sessionStarted = z.looseObject({
  /** startup, resume, clear, compact, fork; null when a transcript only shows that it began. */
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

/** The agent goes on under a new session id; fact key: that id. */
export const sessionContinued = z.looseObject({ into: z.string(), offset: nullableInteger });

/** custom (a person's), ai, or summary; fact key: source and the offset where this title first stands. */
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
  /** The agent's closing words as the hook told them; never an error text. */
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
