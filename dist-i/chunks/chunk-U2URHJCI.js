import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// log/errors.ts
var ERROR_CODES = {
  USAGE: "The call itself is wrong: an unknown option, a missing argument, a value of the wrong form.",
  NOT_FOUND: "Nothing has this id.",
  AMBIGUOUS_ID: "A shortened id fits more than one thing.",
  INPUT_INVALID: "What was handed in does not have the documented shape; nothing of it was stored.",
  INPUT_UNREADABLE: "A file or folder handed in could not be read.",
  HOME_INVALID: "The home is a link, belongs to another user, is open to others or is no folder.",
  HOME_UNWRITABLE: "The home cannot be written.",
  HOME_LOCKED: "Another process holds the log.",
  DISK_FULL: "The disk is full; what was acknowledged is safe, the rest was not taken.",
  LOG_DAMAGED: "The log on disk is not what was written.",
  LOG_TOO_NEW: "The log was written by a newer version that this one cannot read.",
  LOG_CLOSED: "The log was used after it was closed.",
  VIEW_DAMAGED: "A view on disk cannot be read; rebuild it.",
  VIEW_UNKNOWN: "No view has this name.",
  INTERNAL: "A bug of ours."
};
var AnnalsError = class extends Error {
  code;
  /** What to do next: one sentence, may name a command. */
  hint;
  /** What was found, as fields. Never captured text. */
  facts;
  constructor(code, message, options = {}) {
    super(message, options.cause === void 0 ? void 0 : { cause: options.cause });
    this.name = "AnnalsError";
    this.code = code;
    this.hint = options.hint ?? null;
    this.facts = options.facts ?? {};
  }
};
function isAnnalsError(error) {
  return error instanceof AnnalsError;
}

// log/event.ts
var WITNESSES = ["hook", "transcript", "api", "cli", "import"];

// log/ids.ts
import { hash } from "node:crypto";
var SCHEME = 1;
function eventId(telling) {
  const { agent, session, type, fact, witness } = telling;
  return hash("sha256", JSON.stringify([SCHEME, agent, session, type, fact, witness])).slice(0, 32);
}

export {
  ERROR_CODES,
  AnnalsError,
  isAnnalsError,
  WITNESSES,
  eventId
};
//# sourceMappingURL=chunk-U2URHJCI.js.map
