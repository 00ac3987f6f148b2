// Sessions: they start (again and again: resume, clear, compaction), get titles, go on elsewhere, end.
import * as z from 'zod';
import { flag, line, place, program, text, whole } from './fields.ts';

export const sessionStarted = z.looseObject({
  /** startup, resume, clear, compact, fork; null when a transcript only shows that it began. */
  source: text,
  model: text,
  permissionMode: text,
  /** Tokens in context before a compaction. */
  tokensBefore: whole,
  ...place,
  ...program,
  ...line,
});

export const sessionEnded = z.looseObject({ reason: text, ...place, ...line });

/** The agent goes on under a new session id; fact key: that id. */
export const sessionContinued = z.looseObject({ into: z.string(), offset: whole });

/** custom (a person's), ai, or summary; fact key: source and the offset where this title first stands. */
export const sessionTitled = z.looseObject({
  source: z.enum(['custom', 'ai', 'summary']),
  title: z.string(),
  offset: whole,
});

export const agentStopped = z.looseObject({
  /** stop, subagent-stop, error, interrupted. */
  reason: z.string(),
  /** The machine-readable error of a StopFailure or an API-error line. */
  error: text,
  /** The agent's closing words as the hook told them; never an error text. */
  text: text,
  agentType: text,
  backgroundTasks: whole,
  durationMs: whole,
  private: flag,
  ...place,
  ...line,
  agentId: text,
  sidechain: flag,
});
