import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  _enum,
  array,
  boolean,
  custom,
  looseObject,
  number,
  object,
  string
} from "./chunk-YLAJVCKN.js";

// log/catalog/fields.ts
var text = string().nullable().default(null);
var whole = number().int().nullable().default(null);
var flag = boolean().default(false);
var json = custom(isJson);
var usage = object({
  input: number().int().default(0),
  output: number().int().default(0),
  cacheRead: number().int().default(0),
  cacheCreation: number().int().default(0)
}).nullable().default(null);
var place = {
  cwd: text,
  branch: text
};
var program = {
  agentVersion: text,
  entrypoint: text
};
var line = {
  uuid: text,
  parent: text,
  offset: whole,
  promptId: text,
  promptUuid: text
};
var subagent = {
  agentId: text,
  sidechain: flag
};
function isJson(value) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (Array.isArray(value)) return value.every(isJson);
      for (const key in value) if (!isJson(value[key])) return false;
      return isPlain(value);
    default:
      return false;
  }
}
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// log/catalog/memories.ts
var memorySaved = looseObject({
  title: string(),
  text: string(),
  type: text,
  /** As the caller named it; resolved by the projects view. */
  project: text,
  cwd: text,
  files: array(string()).default([]),
  concepts: array(string()).default([]),
  metadata: json.default(null),
  /** Who speaks: user or agent. */
  author: _enum(["user", "agent"]).default("user"),
  /** Index within one call, so that saves of one call keep their order. */
  index: number().int().default(0)
});
var projectLinked = looseObject({ cwd: string(), project: string() });

// log/catalog/places.ts
var placeSeen = looseObject({
  cwd: string(),
  /** Root of the work tree. */
  root: text,
  /** The repository's common directory (of a worktree: the main repository's). */
  commonDir: text,
  /** A linked work tree: `root` is not the main work tree of `commonDir`. */
  worktree: flag,
  /** Root of the repository that this one is a submodule of. */
  superproject: text,
  /** Name and URL, without user and password. */
  remotes: array(looseObject({ name: string(), url: string() })).default([]),
  /** What `.annals.json` at the root proposes inside its own identity: a display name, sub-project folders. */
  proposal: looseObject({
    name: text,
    subprojects: array(looseObject({ path: string(), name: text })).default([])
  }).nullable().default(null)
});

// log/catalog/sessions.ts
var sessionStarted = looseObject({
  /** startup, resume, clear, compact, fork; null when a transcript only shows that it began. */
  source: text,
  model: text,
  permissionMode: text,
  /** Tokens in context before a compaction. */
  tokensBefore: whole,
  ...place,
  ...program,
  ...line
});
var sessionEnded = looseObject({ reason: text, ...place, ...line });
var sessionContinued = looseObject({ into: string(), offset: whole });
var sessionTitled = looseObject({
  source: _enum(["custom", "ai", "summary"]),
  title: string(),
  offset: whole
});
var agentStopped = looseObject({
  /** stop, subagent-stop, error, interrupted. */
  reason: string(),
  /** The machine-readable error of a StopFailure or an API-error line. */
  error: text,
  /** The agent's closing words as the hook told them; never an error text. */
  text,
  agentType: text,
  backgroundTasks: whole,
  durationMs: whole,
  private: flag,
  ...place,
  ...line,
  agentId: text,
  sidechain: flag
});

// log/catalog/turns.ts
var promptSubmitted = looseObject({
  /** null exactly when `private`: then only the fact that a private turn took place is kept. */
  text,
  private: flag,
  /** prompt: words for the model. command: a slash command, `text` is the command line. */
  kind: _enum(["prompt", "command"]).default("prompt"),
  /** How it was told: line, queue (enqueue operation), attachment (queued_command), hook. */
  via: _enum(["line", "queue", "attachment", "hook"]),
  /** The agent's own word for where it came from: typed, queued, sdk, user, … */
  source: text,
  permissionMode: text,
  images: number().int().default(0),
  ...place,
  ...program,
  ...line
});
var toolUse = {
  toolUseId: string(),
  name: string(),
  input: json.default(null),
  messageId: text,
  model: text,
  usage,
  ...place,
  ...program,
  ...line,
  ...subagent
};
var toolUsed = looseObject({
  ...toolUse,
  /** ok, failed, or cancelled (the person or a rule said no, or it was interrupted). */
  outcome: _enum(["ok", "failed", "cancelled"]),
  /** What the model was shown. */
  result: text,
  /** The structured result without whole files and without what `result` or `input` already says. */
  detail: json.default(null),
  /** What went wrong, when `outcome` is not ok. */
  error: text,
  durationMs: whole,
  /** The sub-agent that this use launched. */
  launchedAgentId: text,
  resultUuid: text,
  resultOffset: whole,
  /** When the result came, Unix ms; `occurredAt` is when the tool was used. */
  endedAt: whole
});
var toolUnanswered = looseObject(toolUse);
var agentReplied = looseObject({
  messageId: text,
  /** Index of the block within its message, counted by line. */
  block: whole,
  /** null for a block that holds no words (thinking). */
  text,
  model: text,
  stopReason: text,
  usage,
  /** A compaction's summary: repeats what the lines already say. */
  compaction: flag,
  ...place,
  ...program,
  ...line,
  ...subagent
});

// log/catalog/index.ts
var CATALOG = {
  "session.started": { version: 1, body: sessionStarted },
  "session.ended": { version: 1, body: sessionEnded },
  "session.continued": { version: 1, body: sessionContinued },
  "session.titled": { version: 1, body: sessionTitled },
  "prompt.submitted": { version: 1, body: promptSubmitted },
  "tool.used": { version: 1, body: toolUsed },
  "tool.unanswered": { version: 1, body: toolUnanswered },
  "agent.replied": { version: 1, body: agentReplied },
  "agent.stopped": { version: 1, body: agentStopped },
  "place.seen": { version: 1, body: placeSeen },
  "memory.saved": { version: 1, body: memorySaved },
  "project.linked": { version: 1, body: projectLinked }
};

export {
  CATALOG
};
//# sourceMappingURL=chunk-TYXJTTDK.js.map
