import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  tellPlaces
} from "./chunk-GDXS7J7H.js";
import "./chunk-OPKWVCNO.js";
import {
  detailOf,
  resultText,
  sanitizeText,
  sanitizerOf
} from "./chunk-VKFA445Q.js";
import {
  isItem,
  itemIdentity,
  readPrompt,
  rowKeys
} from "./chunk-3Q575QWH.js";
import {
  blocksOf,
  idOf,
  nameOf,
  objectOf,
  parseLine,
  stringOf,
  timeOf,
  usageOf,
  wholeOf
} from "./chunk-UUIGHUSM.js";
import {
  TRANSCRIPT_CLIP_BYTES,
  redactText
} from "./chunk-JGLDXPJ5.js";
import "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// src/capture/import.ts
import { open as open2 } from "node:fs/promises";

// src/capture/claude-code/privacy.ts
import { open, stat } from "node:fs/promises";
import { basename as basename2, dirname, join } from "node:path";

// src/capture/transcripts/lines.ts
var LINE_BYTES_MAX = 32 * 1024 * 1024;
var LineSplitter = class {
  #offset;
  #held = [];
  #heldBytes = 0;
  #lineBytesMax;
  constructor(offset, lineBytesMax = LINE_BYTES_MAX) {
    this.#offset = offset;
    this.#lineBytesMax = lineBytesMax;
  }
  /** The lines that this chunk closes. */
  push(chunk) {
    const lines = [];
    let from = 0;
    for (let at = chunk.indexOf(10, from); at >= 0; at = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, at));
      lines.push(this.#take(true));
      from = at + 1;
    }
    if (from < chunk.length) this.#hold(Uint8Array.prototype.slice.call(chunk, from));
    return lines;
  }
  /** What stands behind the last newline, or null when there is nothing. */
  rest() {
    return this.#heldBytes === 0 ? null : this.#take(false);
  }
  #hold(piece) {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#lineBytesMax) this.#held = [];
    else this.#held.push(piece);
  }
  #take(ended) {
    const length = this.#heldBytes;
    const bytes = length > this.#lineBytesMax ? null : this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held, length);
    const line = { offset: this.#offset, length, bytes, ended };
    this.#offset += length + (ended ? 1 : 0);
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }
};

// src/capture/transcripts/pages.ts
var CHUNK_BYTES = 256 * 1024;
var PAGE_BYTES = 1024 * 1024;
async function* linePages(file, from, to) {
  const splitter = new LineSplitter(from);
  let at = from;
  let lines = [];
  let bytes = 0;
  while (at < to) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    for (const line of splitter.push(chunk.subarray(0, bytesRead))) {
      lines.push(line);
      bytes += line.bytes?.length ?? 0;
    }
    if (bytes >= PAGE_BYTES) {
      yield { lines, readTo: at };
      lines = [];
      bytes = 0;
    }
  }
  const rest = splitter.rest();
  if (rest !== null) lines.push(rest);
  yield { lines, readTo: at };
}

// src/capture/claude-code/kinds.ts
var TOLD = ["user", "assistant", "system", "attachment", "queue-operation"];
var NAMING = ["summary", "ai-title", "custom-title", "continued-in"];
var PASSED = [
  "progress",
  "file-history-snapshot",
  "file-history-delta",
  "last-prompt",
  "permission-mode",
  "mode",
  "pr-link",
  "frame-link",
  "agent-name",
  "cost-state",
  "bridge-session",
  "atis-latch",
  "relocated",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor"
];
var KNOWN_LINES = /* @__PURE__ */ new Set([...TOLD, ...NAMING, ...PASSED]);
var KNOWN_ATTACHMENTS = /* @__PURE__ */ new Set([
  "queued_command",
  "hook_additional_context",
  "hook_success",
  "hook_system_message",
  "hook_non_blocking_error",
  "hook_cancelled",
  "file",
  "compact_file_reference",
  "edited_text_file",
  "nested_memory",
  "skill_listing",
  "invoked_skills",
  "deferred_tools_delta",
  "deferred_tools_record",
  "agent_listing_delta",
  "mcp_instructions_delta",
  "task_reminder",
  "task_status",
  "command_permissions",
  "auto_mode",
  "plan_mode",
  "date_change",
  "date",
  "model",
  "environment",
  "instructions",
  "prompt_snapshot",
  "session_context",
  "structured_output",
  "total_tokens_reminder",
  "silent_turn_reminder",
  "read_truncation_notice"
]);

// src/capture/claude-code/fields.ts
function told(reading) {
  return {
    agent: "claude-code",
    session: reading.session,
    witness: "transcript",
    occurredAt: timeOf(reading.line.timestamp)
  };
}
function placeFields(reading) {
  return { cwd: reading.name(reading.line.cwd), branch: reading.name(reading.line.gitBranch) };
}
function programFields(reading) {
  return { agentVersion: idOf(reading.line.version), entrypoint: idOf(reading.line.entrypoint) };
}
function lineFields(reading) {
  const { line } = reading;
  return {
    uuid: reading.uuid,
    parent: idOf(line.parentUuid) ?? idOf(line.logicalParentUuid),
    offset: reading.offset,
    promptId: idOf(line.promptId),
    promptUuid: reading.promptUuid
  };
}
function subagentFields(reading) {
  return { agentId: reading.agentId, sidechain: reading.sidechain };
}
function factOf(reading) {
  return reading.uuid ?? `line:${reading.offset}`;
}

// src/capture/claude-code/prompts.ts
var MARKUP = /^\s*(?:<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|task-notification|system-reminder|user-memory-input)\b|Caveat: The messages below|\[Request interrupted by user)/;
var COMMAND = /^\s*<command-(?:name|message)>/;
var MEMORY_NOTE = /^#\s[^\n]*$/;
var HUMAN_SOURCES = /* @__PURE__ */ new Set(["typed", "queued", "sdk", "user"]);
function humanPrompt(line, sanitizer) {
  if (line.type === "attachment") return queuedCommand(line, sanitizer);
  if (line.type !== "user" || line.isMeta === true) return null;
  if (line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true) return null;
  const blocks = blocksOf(objectOf(line.message));
  if (blocks.length === 0 || blocks.some((block) => block.type === "tool_result")) return null;
  if (!isHumanOrigin(line)) return null;
  const text = wordsOf(blocks);
  const version = stringOf(line.version);
  if (version?.startsWith("1.") === true && MEMORY_NOTE.test(text)) return null;
  const images = blocks.filter((block) => block.type === "image").length;
  return promptOf(text, { via: "line", source: idOf(line.promptSource), images }, sanitizer);
}
function queuedCommand(line, sanitizer) {
  const attachment = objectOf(line.attachment);
  if (attachment?.type !== "queued_command" || attachment.isMeta === true) return null;
  const mode = attachment.commandMode;
  const origin = objectOf(attachment.origin);
  if (origin !== null ? origin.kind !== "human" : mode !== void 0 && mode !== "prompt") return null;
  const blocks = blocksOf({ content: attachment.prompt ?? null });
  const images = blocks.filter((block) => block.type === "image").length;
  return promptOf(wordsOf(blocks), { via: "attachment", source: idOf(mode), images }, sanitizer);
}
function isHumanOrigin(line) {
  if (line.origin !== void 0 && line.origin !== null) return objectOf(line.origin)?.kind === "human";
  return typeof line.promptSource !== "string" || HUMAN_SOURCES.has(line.promptSource);
}
function promptOf(text, rest, sanitizer) {
  if (COMMAND.test(text)) {
    const command = commandLine(text);
    return command === null ? null : { ...rest, text: command, kind: "command", private: sanitizer.isPrivate(command) };
  }
  if (MARKUP.test(text) || sanitizer.isTaskNotification(text)) return null;
  if (text.trim() === "" && rest.images === 0) return null;
  return { ...rest, text, kind: "prompt", private: sanitizer.isPrivate(text) };
}
function commandLine(text) {
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1]?.trim() ?? "";
  if (name === "") return null;
  const args = /<command-args>([\s\S]*)<\/command-args>/.exec(text)?.[1]?.trim() ?? "";
  return `${name.startsWith("/") ? name : `/${name}`} ${args}`.trim();
}
function wordsOf(blocks) {
  const texts = blocks.flatMap((block) => block.type === "text" ? stringOf(block.text) ?? "" : []);
  const words = texts.filter((text) => !/^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/.test(text));
  return (words.length > 0 ? words : texts).join("\n");
}
function tellPrompt(reading, prompt) {
  reading.tell({
    ...told(reading),
    type: "prompt.submitted",
    fact: factOf(reading),
    body: {
      ...wordsToTell(reading, prompt.text, prompt.private),
      kind: prompt.kind,
      via: prompt.via,
      source: prompt.source,
      permissionMode: idOf(reading.line.permissionMode),
      images: prompt.private ? 0 : prompt.images,
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading)
    }
  });
}
function tellQueued(reading) {
  const { line, standing, world } = reading;
  if (line.operation !== "enqueue" || typeof line.content !== "string") return;
  const prompt = promptOf(line.content, { via: "line", source: null, images: 0 }, world.sanitizer);
  if (prompt === null) return;
  const isCommand = prompt.kind === "command" || /^\/[a-z][\w:-]*(?:\s|$)/i.test(prompt.text);
  standing.prompt({ uuid: null, promptId: null, private: prompt.private });
  reading.tell({
    ...told(reading),
    occurredAt: timeOf(line.timestamp),
    type: "prompt.submitted",
    fact: `queue:${reading.offset}`,
    body: {
      ...wordsToTell(reading, prompt.text, prompt.private),
      kind: isCommand ? "command" : "prompt",
      via: "queue",
      offset: reading.offset
    }
  });
}
function tellCommandLine(reading) {
  const { line } = reading;
  if (line.subtype !== "local_command" || reading.private || !reading.main) return;
  const content = stringOf(line.content);
  if (content === null || !COMMAND.test(content)) return;
  const prompt = promptOf(content, { via: "line", source: null, images: 0 }, reading.world.sanitizer);
  if (prompt !== null) tellPrompt(reading, prompt);
}
function isInterruption(line) {
  return blocksOf(objectOf(line.message)).some(
    (block) => block.type === "text" && stringOf(block.text)?.startsWith("[Request interrupted by user") === true
  );
}
function wordsToTell(reading, text, isPrivate) {
  return isPrivate ? { text: null, private: true } : { text: sanitizeText(reading.world.sanitizer, text, "person"), private: false };
}

// src/capture/claude-code/standing.ts
var WINDOW_LINES = 512;
var PARKED_MAX = 100;
var PROMPTS_KEPT = 256;
var MESSAGES_KEPT = 64;
var OPEN_MAX = 2e3;
var IDS_MAX = 4e3;
var Standing = class {
  offset;
  tail;
  session;
  lastPrompt;
  anyPrivate;
  speakers;
  started;
  window;
  prompts;
  privatePromptIds;
  agents;
  messages;
  open;
  titles;
  summaries;
  parked;
  counts;
  constructor(state) {
    this.offset = state.offset;
    this.tail = state.tail;
    this.session = state.session;
    this.lastPrompt = state.lastPrompt;
    this.anyPrivate = state.anyPrivate;
    this.speakers = new Map(
      state.speakers.map((one) => [speakerKey(one.session, one.agentId), { ...one, cwds: [...one.cwds] }])
    );
    this.started = new Set(state.started);
    this.window = new Map(state.window);
    this.prompts = new Map(state.prompts);
    this.privatePromptIds = new Set(state.privatePromptIds);
    this.agents = new Map(state.agents);
    this.messages = new Map(state.messages);
    this.open = new Map(state.open.map((side) => [side.id, side]));
    this.titles = new Map(state.titles);
    this.summaries = new Map(state.summaries);
    this.parked = [...state.parked];
    this.counts = {
      ...state.counts,
      unknownLines: { ...state.counts.unknownLines },
      unknownAttachments: { ...state.counts.unknownAttachments },
      tellings: { ...state.counts.tellings }
    };
  }
  toJSON() {
    return {
      version: 1,
      offset: this.offset,
      tail: this.tail,
      session: this.session,
      speakers: [...this.speakers.values()],
      started: [...this.started],
      window: [...this.window],
      prompts: [...this.prompts],
      lastPrompt: this.lastPrompt,
      privatePromptIds: [...this.privatePromptIds],
      anyPrivate: this.anyPrivate,
      agents: [...this.agents],
      messages: [...this.messages],
      open: [...this.open.values()],
      titles: [...this.titles],
      summaries: [...this.summaries],
      counts: this.counts,
      parked: this.parked
    };
  }
  /** Notes that a line leads to a prompt, and forgets the oldest line. */
  see(uuid, prompt) {
    keep(this.window, lineKey(uuid), prompt, WINDOW_LINES);
  }
  /** Gives a new human prompt its number. */
  prompt(prompt) {
    this.lastPrompt += 1;
    this.prompts.set(this.lastPrompt, prompt);
    if (prompt.private) this.anyPrivate = true;
    if (prompt.private && prompt.promptId !== null) this.privatePromptIds.add(prompt.promptId);
    if (this.prompts.size > PROMPTS_KEPT) {
      const used = new Set([...this.window.values()].map(Math.abs));
      const oldest = this.lastPrompt - PROMPTS_KEPT / 2;
      for (const number of this.prompts.keys())
        if (number < oldest && !used.has(number)) this.prompts.delete(number);
    }
    return this.lastPrompt;
  }
  launched(agentId, isPrivate) {
    keep(this.agents, agentId, isPrivate || this.agents.get(agentId) === true, IDS_MAX);
  }
  /** The index of the next block of a message. */
  nextBlock(messageId) {
    const block = this.messages.get(messageId) ?? 0;
    keep(this.messages, messageId, block + 1, MESSAGES_KEPT);
    return block;
  }
  hold(side) {
    keep(this.open, side.id, side, OPEN_MAX);
  }
  holdSummary(leaf, place) {
    keep(this.summaries, leaf, place, MESSAGES_KEPT);
  }
  /** Notes who speaks, and from which folder. */
  speaks(session, agentId, cwd) {
    const key = speakerKey(session, agentId);
    let speaker = this.speakers.get(key);
    if (speaker === void 0) {
      speaker = { session, agentId, cwds: [] };
      keep(this.speakers, key, speaker, IDS_MAX);
    }
    if (cwd !== null && speaker.cwds.length < 64 && !speaker.cwds.includes(cwd)) speaker.cwds.push(cwd);
  }
  park(piece) {
    this.counts.parked += 1;
    if (this.parked.length < PARKED_MAX) this.parked.push(piece);
  }
  countUnknown(what, name) {
    const counts = this.counts[what];
    const key = Object.hasOwn(counts, name) || Object.keys(counts).length < 100 ? name : "(others)";
    counts[key] = (counts[key] ?? 0) + 1;
  }
};
function lineKey(uuid) {
  return uuid.length === 36 && uuid[8] === "-" ? uuid.slice(0, 8) + uuid.slice(9, 13) : uuid;
}
function speakerKey(session, agentId) {
  return JSON.stringify([session, agentId]);
}
function keep(map, key, value, max) {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value);
}

// src/capture/claude-code/sessions.ts
function tellStart(reading) {
  const { line, session, uuid, standing } = reading;
  const compaction = line.type === "system" && line.subtype === "compact_boundary";
  if (uuid === null || reading.agentId !== null) return;
  if (standing.started.has(session) && !compaction) return;
  standing.started.add(session);
  reading.tell({
    ...told(reading),
    type: "session.started",
    fact: `start:${uuid}`,
    body: {
      source: compaction ? "compact" : null,
      tokensBefore: compaction ? wholeOf(objectOf(line.compactMetadata)?.preTokens) : null,
      permissionMode: idOf(line.permissionMode),
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading)
    }
  });
}
function tellTitle(reading, type) {
  const { line, standing, offset, length } = reading;
  if (type !== "summary") {
    tellTitleOf(reading, line, type, [offset, length]);
    return;
  }
  const leaf = idOf(line.leafUuid);
  if (leaf === null) return;
  if (standing.window.has(lineKey(leaf))) tellTitleOf(reading, line, type, [offset, length]);
  else standing.holdSummary(lineKey(leaf), [offset, length]);
}
function tellSummaryOf(reading, leaf) {
  const place = reading.standing.summaries.get(leaf);
  if (place === void 0) return;
  reading.standing.summaries.delete(leaf);
  const bytes = reading.world.lineAt(...place);
  const line = bytes === null ? null : parseLine(bytes);
  if (line !== null) tellTitleOf(reading, line, "summary", place);
}
function tellTitleOf(reading, line, type, place) {
  const { standing, session, world } = reading;
  const title = titleOf(line);
  if (title === null || standing.anyPrivate && type !== "custom-title") return;
  const source = type === "custom-title" ? "custom" : type === "ai-title" ? "ai" : "summary";
  const key = `${session} ${source}`;
  const before = standing.titles.get(key);
  if (before !== void 0) {
    const bytes = world.lineAt(...before);
    if (bytes !== null && titleOf(parseLine(bytes) ?? {}) === title) return;
  }
  standing.titles.set(key, place);
  const clean = sanitizeText(world.sanitizer, title, type === "custom-title" ? "person" : "agent");
  if (clean === "") return;
  reading.tell({
    ...told(reading),
    type: "session.titled",
    fact: `${source}:${place[0]}`,
    body: { source, title: clean, offset: place[0] }
  });
}
function titleOf(line) {
  return stringOf(line.customTitle) ?? stringOf(line.aiTitle) ?? stringOf(line.summary);
}
function tellContinuation(reading) {
  const into = idOf(reading.line.continuedInSessionId);
  if (into === null || into === reading.session) return;
  reading.tell({
    ...told(reading),
    type: "session.continued",
    fact: into,
    body: { into, offset: reading.offset }
  });
}
function tellStopped(reading, reason, error) {
  if (reading.private) return;
  reading.tell({
    ...told(reading),
    type: "agent.stopped",
    fact: factOf(reading),
    body: {
      reason,
      error: error === null ? null : sanitizeText(reading.world.sanitizer, error, "tool"),
      ...placeFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading)
    }
  });
}

// src/capture/claude-code/replies.ts
function tellReplies(reading) {
  const { line, standing } = reading;
  const message = objectOf(line.message);
  const blocks = blocksOf(message);
  if (line.isApiErrorMessage === true || message?.model === "<synthetic>") {
    tellSynthetic(reading, line, blocks);
    return;
  }
  const messageId = idOf(message?.id);
  const fact = factOf(reading);
  let replies = 0;
  blocks.forEach((block, index) => {
    const place = messageId === null ? index : standing.nextBlock(messageId);
    if (block.type === "tool_use" || reading.private) return;
    tellReply(reading, block, { fact: replies === 0 ? fact : `${fact}:${index}`, messageId, place });
    replies += 1;
  });
}
function tellReply(reading, block, named) {
  const message = objectOf(reading.line.message);
  const text = block.type === "text" ? stringOf(block.text) : null;
  reading.tell({
    ...told(reading),
    type: "agent.replied",
    fact: named.fact,
    body: {
      messageId: named.messageId,
      block: named.place,
      text: text === null ? null : sanitizeText(reading.world.sanitizer, text, "agent"),
      model: idOf(message?.model),
      stopReason: idOf(message?.stop_reason),
      usage: usageOf(message?.usage),
      compaction: reading.agentId?.startsWith("acompact") === true,
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading)
    }
  });
}
function tellSynthetic(reading, line, blocks) {
  const text = blocks.flatMap((block) => stringOf(block.text) ?? []).join("\n");
  const { error } = line;
  if (text.startsWith("[Request interrupted by user")) tellStopped(reading, "interrupted", null);
  else if (line.isApiErrorMessage !== true && text === "No response requested.") return;
  else tellStopped(reading, "error", stringOf(error) ?? stringOf(objectOf(error)?.type) ?? text);
}

// src/capture/claude-code/tools.ts
function takeUses(reading) {
  for (const block of blocksOf(objectOf(reading.line.message))) {
    const id = block.type === "tool_use" ? idOf(block.id) : null;
    if (id === null) continue;
    const waiting = reading.standing.open.get(id);
    if (waiting?.side === "use") continue;
    const use = sideOf(reading, id, "use");
    if (waiting === void 0) {
      reading.standing.hold(use);
      continue;
    }
    reading.standing.open.delete(id);
    const line = lineAgain(reading, waiting);
    const result = line === null ? void 0 : blocksOf(objectOf(line.message)).find((one) => one.tool_use_id === id);
    if (line !== null && result !== void 0)
      close(reading, use, block, { line, block: result, offset: waiting.offset });
  }
}
function takeResults(reading) {
  for (const block of blocksOf(objectOf(reading.line.message))) {
    const id = block.type === "tool_result" ? idOf(block.tool_use_id) : null;
    if (id === null) continue;
    const waiting = reading.standing.open.get(id);
    if (waiting?.side !== "use") {
      if (waiting === void 0) reading.standing.hold(sideOf(reading, id, "result"));
      continue;
    }
    reading.standing.open.delete(id);
    const use = useAgain(reading, waiting);
    if (use === null) continue;
    close({ ...reading, line: use.line, ...standOf(waiting, use.line) }, waiting, use.block, {
      line: reading.line,
      block,
      offset: reading.offset
    });
  }
}
function tellUnanswered(reading) {
  for (const side of reading.standing.open.values()) {
    if (side.side !== "use" || !side.main || side.told || side.session !== reading.session) continue;
    reading.standing.open.set(side.id, { ...side, told: true });
    const use = side.private ? null : useAgain(reading, side);
    if (use === null) continue;
    const at = { ...reading, line: use.line, ...standOf(side, use.line) };
    reading.tell({ ...told(at), type: "tool.unanswered", fact: side.id, body: useFields(at, use.block) });
  }
}
function close(reading, use, block, result) {
  const structured = result.line.toolUseResult ?? null;
  const launched = idOf(objectOf(structured)?.agentId);
  if (launched !== null) reading.standing.launched(launched, use.private);
  if (use.private) return;
  const { sanitizer } = reading.world;
  const shown = resultText(result.block);
  const outcome = outcomeOf(result, structured, shown);
  const input = block.input ?? null;
  const clean = shown === null ? null : sanitizeText(sanitizer, shown, "tool");
  reading.tell({
    ...told(reading),
    type: "tool.used",
    fact: use.id,
    body: {
      ...useFields(reading, block),
      outcome,
      result: clean,
      detail: sanitizer.value(detailOf(structured, input, shown), "tool"),
      error: outcome === "ok" ? null : clean,
      durationMs: wholeOf(objectOf(structured)?.durationMs ?? objectOf(structured)?.totalDurationMs),
      launchedAgentId: launched,
      resultUuid: idOf(result.line.uuid),
      resultOffset: result.offset,
      endedAt: timeOf(result.line.timestamp)
    }
  });
}
function useFields(reading, block) {
  const message = objectOf(reading.line.message);
  return {
    toolUseId: idOf(block.id) ?? "",
    name: reading.name(block.name) ?? "",
    input: reading.world.sanitizer.value(block.input ?? null, "tool"),
    messageId: idOf(message?.id),
    model: idOf(message?.model),
    usage: usageOf(message?.usage),
    ...placeFields(reading),
    ...programFields(reading),
    ...lineFields(reading),
    ...subagentFields(reading)
  };
}
function outcomeOf(result, structured, shown) {
  const words = shown ?? "";
  if (typeof result.line.toolDenialKind === "string") return "cancelled";
  if (words.startsWith("The user doesn't want to ") || words.startsWith("[Request interrupted by user"))
    return "cancelled";
  if (objectOf(structured)?.interrupted === true) return "cancelled";
  return result.block.is_error === true ? "failed" : "ok";
}
function sideOf(reading, id, side) {
  const { offset, length, session, agentId, main, promptUuid } = reading;
  return {
    id,
    side,
    offset,
    length,
    session,
    agentId,
    main,
    promptUuid,
    private: reading.private,
    told: false
  };
}
function standOf(side, line) {
  return {
    offset: side.offset,
    length: side.length,
    session: side.session,
    uuid: idOf(line.uuid),
    agentId: side.agentId,
    sidechain: line.isSidechain === true,
    main: side.main,
    promptUuid: side.promptUuid,
    private: side.private
  };
}
function useAgain(reading, side) {
  const line = lineAgain(reading, side);
  const block = line === null ? void 0 : blocksOf(objectOf(line.message)).find((one) => one.id === side.id);
  return line === null || block === void 0 ? null : { line, block };
}
function lineAgain(reading, side) {
  const bytes = reading.world.lineAt(side.offset, side.length);
  const line = bytes === null ? null : parseLine(bytes);
  if (line === null) {
    const reason = "an open tool use could not be read again";
    reading.standing.park({ offset: side.offset, length: side.length, reason });
  }
  return line;
}

// src/capture/claude-code/reader.ts
function readLines(state, lines, world) {
  const standing = new Standing(state);
  const tellings = [];
  const parked = [];
  const names = /* @__PURE__ */ new Map();
  const park = (piece) => {
    standing.park(piece);
    parked.push(piece);
  };
  for (const line of lines) {
    if (standing.tail !== null) {
      if (!takeTail(standing, line, park)) break;
      continue;
    }
    const parsed = line.bytes === null ? null : parseLine(line.bytes);
    if (parsed === null && !line.ended && line.bytes !== null) break;
    if (parsed !== null) {
      standing.counts.lines += 1;
      readLine(standing, world, parsed, line, names, (telling) => {
        standing.counts.tellings[telling.type] = (standing.counts.tellings[telling.type] ?? 0) + 1;
        tellings.push(telling);
      });
    } else if (line.bytes === null || !isBlank(line.bytes)) {
      standing.counts.lines += 1;
      park({ offset: line.offset, length: line.length, reason: reasonOf(line) });
    }
    standing.offset = line.offset + line.length + (line.ended ? 1 : 0);
    if (!line.ended) standing.tail = { kind: parsed === null ? "long" : "used", offset: line.offset };
  }
  const next = standing.toJSON();
  return { tellings, state: next, parked, counts: next.counts };
}
function takeTail(standing, line, park) {
  const tail = standing.tail;
  const ours = tail.kind === "long" || line.bytes !== null && isBlank(line.bytes);
  if (!line.ended && !ours) return false;
  if (tail.kind === "long") {
    const at = standing.parked.findIndex((piece) => piece.offset === tail.offset);
    if (at >= 0)
      standing.parked[at] = { ...standing.parked[at], length: line.offset + line.length - tail.offset };
  } else if (!ours) {
    park({ offset: line.offset, length: line.length, reason: "bytes after a complete line" });
  }
  standing.offset = line.offset + line.length + (line.ended ? 1 : 0);
  if (line.ended) standing.tail = null;
  return true;
}
function readLine(standing, world, line, place, names, tell) {
  const type = stringOf(line.type) ?? "";
  if (!KNOWN_LINES.has(type)) {
    standing.countUnknown("unknownLines", nameOf(line.type));
    return;
  }
  standing.counts.known += 1;
  const session = idOf(line.sessionId) ?? standing.session ?? world.fallbackSession;
  if (session === null) return;
  standing.session = session;
  const uuid = idOf(line.uuid);
  const agentId = idOf(line.agentId) ?? world.agentId;
  const sidechain = line.isSidechain === true;
  const main = !sidechain && agentId === null;
  const human = main ? humanPrompt(line, world.sanitizer) : null;
  const turn = human === null ? turnOf(standing, line) : standing.prompt({ uuid, promptId: idOf(line.promptId), private: human.private });
  if (uuid !== null) standing.see(uuid, turn);
  const isPrivate = human?.private ?? isPrivateTurn(standing, world, line, turn, agentId);
  const reading = {
    standing,
    world,
    line,
    offset: place.offset,
    length: place.length,
    session,
    uuid,
    agentId,
    sidechain,
    main,
    promptUuid: turn > 0 ? standing.prompts.get(turn)?.uuid ?? null : null,
    private: isPrivate,
    tell: (telling) => {
      standing.speaks(session, agentId, null);
      tell(telling);
    },
    name: (value) => {
      if (typeof value !== "string") return null;
      let clean = names.get(value);
      if (clean === void 0) {
        clean = sanitizeText(world.sanitizer, value, "tool");
        if (names.size < 256) names.set(value, clean);
      }
      return clean;
    }
  };
  if (uuid !== null) {
    standing.speaks(session, agentId, reading.name(line.cwd));
    tellStart(reading);
    tellSummaryOf(reading, lineKey(uuid));
  }
  if (human !== null) {
    if (type === "user") tellUnanswered(reading);
    tellPrompt(reading, human);
  } else {
    readType(reading, type);
  }
}
function readType(reading, type) {
  const { line, standing } = reading;
  switch (type) {
    case "user":
      takeResults(reading);
      if (isInterruption(line)) tellStopped(reading, "interrupted", null);
      break;
    case "assistant":
      takeUses(reading);
      tellReplies(reading);
      break;
    case "queue-operation":
      tellQueued(reading);
      break;
    case "attachment": {
      const name = nameOf(objectOf(line.attachment)?.type);
      if (!KNOWN_ATTACHMENTS.has(name)) standing.countUnknown("unknownAttachments", name);
      break;
    }
    case "system":
      tellCommandLine(reading);
      break;
    case "continued-in":
      tellContinuation(reading);
      break;
    case "summary":
    case "ai-title":
    case "custom-title":
      tellTitle(reading, type);
      break;
  }
}
function turnOf(standing, line) {
  const parent = idOf(line.parentUuid) ?? idOf(line.logicalParentUuid);
  const found = parent === null ? void 0 : standing.window.get(lineKey(parent));
  return found ?? -standing.lastPrompt;
}
function isPrivateTurn(standing, world, line, turn, agentId) {
  const promptId = idOf(line.promptId);
  if (promptId !== null && (standing.privatePromptIds.has(promptId) || world.privatePromptIds.has(promptId)))
    return true;
  if (!standing.anyPrivate) return false;
  if (agentId !== null && standing.agents.get(agentId) === true) return true;
  if (standing.prompts.get(Math.abs(turn))?.private === true) return true;
  const newest = standing.prompts.get(standing.lastPrompt);
  return newest?.private === true && newest.uuid === null;
}
function reasonOf(line) {
  if (line.bytes === null) return "longer than 32 MiB";
  return line.bytes.includes(0) ? "not text" : "not a JSON object";
}
function isBlank(bytes) {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

// src/capture/claude-code/state.ts
var FRESH_STATE = {
  version: 1,
  offset: 0,
  tail: null,
  session: null,
  speakers: [],
  started: [],
  window: [],
  prompts: [],
  lastPrompt: 0,
  privatePromptIds: [],
  anyPrivate: false,
  agents: [],
  messages: [],
  open: [],
  titles: [],
  summaries: [],
  counts: { lines: 0, known: 0, parked: 0, unknownLines: {}, unknownAttachments: {}, tellings: {} },
  parked: []
};

// src/capture/claude-code/world.ts
import { readSync } from "node:fs";
import { basename } from "node:path";
function worldOf(path, file, sanitizer, agent = { agentId: null, privatePromptIds: /* @__PURE__ */ new Set() }) {
  return {
    sanitizer,
    fallbackSession: redactText(basename(path).replace(/\.jsonl$/, "")) || null,
    ...agent,
    lineAt: (offset, length) => {
      const bytes = Buffer.allocUnsafe(length);
      return readSync(file.fd, bytes, 0, length, offset) === length ? bytes : null;
    }
  };
}

// src/capture/claude-code/privacy.ts
function agentIdOf(path) {
  const id = /^agent-(.+)\.jsonl$/.exec(basename2(path))?.[1];
  return id === void 0 ? null : redactText(id);
}
function privatePartsOf(state) {
  const { anyPrivate, privatePromptIds, agents, prompts } = state;
  return anyPrivate ? { privatePromptIds, agents, prompts } : null;
}
var READ_ALL = { read: true, privatePromptIds: /* @__PURE__ */ new Set() };
async function standingOfAgent(path, agentId, sanitizer, known) {
  const head = await firstIds(path);
  const mainPath = await mainFileOf(path, head.session);
  if (mainPath === null) return READ_ALL;
  const main = known.get(mainPath) ?? (known.has(mainPath) ? null : await scan(mainPath, sanitizer));
  known.set(mainPath, main);
  if (main === null) return READ_ALL;
  const privatePromptIds = new Set(main.privatePromptIds);
  const launched = new Map(main.agents).get(agentId);
  const servesPublic = head.promptId !== null && main.prompts.some(([, prompt]) => prompt.promptId === head.promptId && !prompt.private);
  if (launched === true || head.promptId !== null && privatePromptIds.has(head.promptId))
    return { read: false, reason: "a private turn launched it" };
  if (launched === false || servesPublic) return { read: true, privatePromptIds };
  return {
    read: false,
    reason: "its session has a private turn, and nothing shows that another launched it"
  };
}
async function mainFileOf(path, session) {
  const below = /^(.*)[\\/]subagents[\\/]/.exec(path)?.[1];
  const candidates = [
    ...below === void 0 ? [] : [`${below}.jsonl`],
    ...session === null ? [] : [join(dirname(path), `${session}.jsonl`)]
  ];
  for (const candidate of candidates) {
    const found = await stat(candidate).catch(() => null);
    if (found?.isFile() === true) return candidate;
  }
  return null;
}
async function firstIds(path) {
  const file = await open(path, "r");
  try {
    for await (const page of linePages(file, 0, 1024 * 1024)) {
      for (const line of page.lines) {
        const parsed = line.bytes === null ? null : parseLine(line.bytes);
        const session = idOf(parsed?.sessionId);
        if (session !== null) return { session, promptId: idOf(parsed?.promptId) };
      }
    }
    return { session: null, promptId: null };
  } finally {
    await file.close();
  }
}
async function scan(path, sanitizer) {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const world = worldOf(path, file, { ...sanitizer, value: () => null });
    let state = FRESH_STATE;
    for await (const page of linePages(file, 0, size)) state = readLines(state, page.lines, world).state;
    return privatePartsOf(state);
  } finally {
    await file.close();
  }
}

// src/capture/transcripts/identity.ts
import { createHash } from "node:crypto";
var HEAD_BYTES = 4096;
async function identify(file, headLength = HEAD_BYTES) {
  const stat3 = await file.stat({ bigint: true });
  const size = Number(stat3.size);
  const length = Math.min(headLength, size);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  const hash = createHash("sha256").update(bytes.subarray(0, bytesRead)).digest("hex").slice(0, 16);
  return { inode: stat3.ino.toString(), size, head: { length: bytesRead, hash } };
}
async function goesOn(file, before, offset) {
  const now = await identify(file, before.head.length);
  return now.inode === before.inode && now.size >= offset && now.head.hash === before.head.hash;
}

// src/capture/transcripts/cursor.ts
async function findPlace(log, agent, path, file, fresh) {
  const identity = await identify(file);
  const key = pathKey(agent, path);
  const known = await cursorAt(log, key, fresh);
  if (known !== null && await goesOn(file, known.identity, known.state.offset))
    return { identity, state: known.state, movedFrom: null };
  const before = await log.cursor(inodeKey(agent, identity.inode));
  if (typeof before === "string" && before !== key) {
    const moved = await cursorAt(log, before, fresh);
    if (moved !== null && await goesOn(file, moved.identity, moved.state.offset))
      return { identity, state: moved.state, movedFrom: before };
  }
  return { identity, state: fresh, movedFrom: null };
}
function cursorWrites(agent, path, place, state, session) {
  const key = pathKey(agent, path);
  const value = { version: 1, session, identity: place.identity, state };
  const writes = [
    { key, value },
    { key: inodeKey(agent, place.identity.inode), value: key }
  ];
  return place.movedFrom === null ? writes : [...writes, { key: place.movedFrom, value: null }];
}
function pathKey(agent, path) {
  return `${agent} file ${redactText(path)}`;
}
function inodeKey(agent, inode) {
  return `${agent} inode ${inode}`;
}
async function cursorAt(log, key, fresh) {
  const value = await log.cursor(key);
  return value?.version === 1 && value.state.version === fresh.version ? value : null;
}

// src/capture/transcripts/discover.ts
import { lstat, readdir, realpath, stat as stat2 } from "node:fs/promises";
import { join as join2 } from "node:path";
async function discover(paths) {
  const files = /* @__PURE__ */ new Map();
  const unreadable = [];
  const note = (path, error) => unreadable.push({ path, reason: reasonOf2(error) });
  for (const path of paths) {
    try {
      const real = await realpath(path);
      const found = await stat2(real);
      if (found.isDirectory()) await walk(real, files, note);
      else if (found.isFile()) files.set(real, { path: real, bytes: found.size });
      else note(path, "is neither a file nor a folder");
    } catch (error) {
      note(path, error);
    }
  }
  const order = (file) => file.path.replace(/\.jsonl$/, "");
  return { files: [...files.values()].sort((a, b) => compare(order(a), order(b))), unreadable };
}
async function walk(folder, files, note) {
  let names;
  try {
    names = await readdir(folder);
  } catch (error) {
    note(folder, error);
    return;
  }
  for (const name of names.sort(compare)) {
    const path = join2(folder, name);
    try {
      const found = await lstat(path);
      if (found.isDirectory()) await walk(path, files, note);
      else if (found.isFile() && name.endsWith(".jsonl")) files.set(path, { path, bytes: found.size });
    } catch (error) {
      note(path, error);
    }
  }
}
function reasonOf2(error) {
  if (typeof error === "string") return error;
  const code = error?.code;
  if (code === "ENOENT") return "there is nothing here (ENOENT)";
  if (code === "EACCES" || code === "EPERM") return `no right to read it (${code})`;
  return code === void 0 ? "could not be read" : `could not be read (${code})`;
}
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// src/capture/transcripts/first-folder.ts
var LOOKED_AT_BYTES = 256 * 1024;
var CWD = /"cwd"\s*:\s*("(?:[^"\\\n]|\\.)*")/;
async function firstFolder(file) {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
  const found = CWD.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
  if (found === void 0) return null;
  try {
    return JSON.parse(found);
  } catch {
    return null;
  }
}

// src/capture/import.ts
var AGENT = "claude-code";
async function importTranscripts(request) {
  const found = request.files === void 0 ? await discover(request.paths) : null;
  const files = request.files ?? found?.files ?? [];
  const unreadable = [...found?.unreadable ?? []];
  const bytesTotal = files.reduce((sum, file) => sum + file.bytes, 0);
  const run = { ...request, sanitizer: sanitizerOf(TRANSCRIPT_CLIP_BYTES), mainFiles: /* @__PURE__ */ new Map() };
  const imported = [];
  const places = /* @__PURE__ */ new Set();
  let bytesBefore = 0;
  for (const [index, file] of files.entries()) {
    if (request.signal?.aborted === true) break;
    const progress = (bytes, filesDone) => request.onProgress?.({
      filesDone,
      filesTotal: files.length,
      bytesDone: bytesBefore + Math.min(bytes, file.bytes),
      bytesTotal,
      file: file.path
    });
    progress(0, index);
    const outcome = await importFile(run, file.path, (bytes) => progress(bytes, index));
    bytesBefore += file.bytes;
    progress(0, index + 1);
    if ("reason" in outcome) unreadable.push(outcome);
    else {
      imported.push(outcome);
      const cwds = outcome.sessions.flatMap((speaker) => speaker.cwds).filter((cwd) => !places.has(cwd));
      for (const cwd of cwds) places.add(cwd);
      if (cwds.length > 0) await request.onPlaces?.([...new Set(cwds)]);
    }
  }
  return { files: imported, unreadable, complete: request.signal?.aborted !== true };
}
async function importFile(run, path, onBytes) {
  let file;
  try {
    file = await open2(path, "r");
  } catch (error) {
    return { path, reason: reasonOf2(error) };
  }
  try {
    return await readInto(run, path, file, onBytes);
  } catch (error) {
    if (!isFileError(error)) throw error;
    return { path, reason: reasonOf2(error) };
  } finally {
    await file.close();
  }
}
async function readInto(run, path, file, onBytes) {
  const { log, sanitizer, signal, mainFiles, excluded = () => false } = run;
  const folder = await firstFolder(file);
  if (folder !== null && excluded(folder))
    return reportOf(path, FRESH_STATE, { heldBack: "its folder is excluded by the settings" });
  const agentId = agentIdOf(path);
  const standing = agentId === null ? null : await standingOfAgent(path, agentId, sanitizer, mainFiles);
  if (standing?.read === false) return reportOf(path, FRESH_STATE, { heldBack: standing.reason });
  const privatePromptIds = standing?.privatePromptIds ?? /* @__PURE__ */ new Set();
  const world = worldOf(path, file, sanitizer, { agentId, privatePromptIds });
  const place = await findPlace(log, AGENT, path, file, FRESH_STATE);
  const { size } = place.identity;
  let state = place.state;
  let saved = state;
  let readTo = state.offset;
  let appended = 0;
  let duplicates = 0;
  let writing = Promise.resolve();
  const save = async (tellings) => {
    await writing;
    const cursors = cursorWrites(AGENT, path, place, state, state.session);
    writing = log.append(tellings, { cursors }).then((outcomes) => {
      for (const { outcome } of outcomes) {
        if (outcome === "appended") appended += 1;
        else duplicates += 1;
      }
    });
    writing.catch(() => void 0);
    saved = state;
  };
  for await (const page of linePages(file, state.offset, size)) {
    const outcome = readLines(state, page.lines, world);
    state = outcome.state;
    readTo = page.readTo;
    const kept = outcome.tellings.filter((telling) => !stoodIn(telling, excluded));
    if (outcome.tellings.length > 0) await save(kept);
    onBytes(readTo);
    if (signal?.aborted === true) break;
  }
  await writing;
  if (state.counts.lines > 0 && state.counts.known === 0) {
    const reason = `no Claude Code transcript: none of its lines (${state.counts.lines}) is of a kind it writes`;
    return { path, reason };
  }
  if (state.offset === 0 && await beginsWithoutJson(file))
    return { path, reason: "no Claude Code transcript: it does not begin with a JSON object" };
  if (state.offset !== saved.offset || place.movedFrom !== null) await save([]);
  await writing;
  if (agentId === null) mainFiles.set(path, privatePartsOf(state));
  return reportOf(path, state, { appended, duplicates, tornBytes: readTo - state.offset });
}
function stoodIn({ body }, excluded) {
  return "cwd" in body && typeof body.cwd === "string" && excluded(body.cwd);
}
function reportOf(path, state, ofThisRun) {
  return {
    path,
    sessions: state.speakers,
    appended: 0,
    duplicates: 0,
    parked: state.counts.parked,
    parkedLines: state.parked,
    openToolUses: state.open.filter((side) => side.side === "use" && !side.private).map((side) => side.id),
    unknownLines: state.counts.unknownLines,
    unknownAttachments: state.counts.unknownAttachments,
    tornBytes: 0,
    heldBack: null,
    ...ofThisRun
  };
}
async function beginsWithoutJson(file) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
  const text = buffer.toString("latin1", 0, bytesRead).trimStart();
  return bytesRead > 0 && text !== "" && !text.startsWith("{");
}
function isFileError(error) {
  return error instanceof Error && "syscall" in error;
}

// src/operations/counts.ts
async function countInput(spoken, openToolUses, turns) {
  const sessions = /* @__PURE__ */ new Map();
  for (const one of spoken) {
    const name = JSON.stringify([one.agent, one.session]);
    const threads = sessions.get(name) ?? /* @__PURE__ */ new Map();
    sessions.set(name, threads.set(one.agentId, one));
  }
  const prompts = /* @__PURE__ */ new Set();
  const commands = /* @__PURE__ */ new Set();
  const toolUses = new Set(openToolUses);
  for (const threads of sessions.values()) {
    const { agent, session } = [...threads.values()][0];
    for (const [, item] of await turns.range(rowKeys.turns(agent, session))) {
      if (!isItem(item)) continue;
      if (item.kind === "prompt" && threads.has(null)) {
        (readPrompt(item).kind === "command" ? commands : prompts).add(itemIdentity(item));
      } else if (item.kind === "tool" && threads.has(item.tellings[0].agentId ?? null)) {
        toolUses.add(itemIdentity(item));
      }
    }
  }
  return { sessions: sessions.size, prompts: prompts.size, commands: commands.size, toolUses: toolUses.size };
}

// src/operations/import.ts
var AGENT2 = "claude-code";
var PARKED_SHOWN_MAX = 100;
async function importPaths(paths, options, opened) {
  const { log, runner, text, views, excluded, now } = opened;
  const began = now();
  const { onProgress, signal } = options;
  const places = /* @__PURE__ */ new Set();
  const report = await importTranscripts({
    log,
    paths,
    excluded,
    onPlaces: (cwds) => {
      for (const cwd of cwds) places.add(cwd);
    },
    ...onProgress === void 0 ? {} : { onProgress },
    ...signal === void 0 ? {} : { signal }
  });
  refuseNothing(report);
  await tellPlaces([...places], opened);
  await runner.catchUp();
  await runner.whileSteady((upstream) => text.settle(upstream(text.follows)));
  const spoken = report.files.flatMap(
    (file) => file.sessions.map(({ session, agentId }) => ({ agent: AGENT2, session, agentId }))
  );
  const open3 = report.files.flatMap((file) => file.openToolUses);
  return {
    files: report.files.length,
    ...await countInput(spoken, open3, views.turns),
    ...totals(report),
    ms: now() - began
  };
}
function refuseNothing({ files, unreadable }) {
  const first = unreadable[0];
  if (files.length > 0 || first === void 0) return;
  const others = unreadable.length === 1 ? "" : `, nor could ${unreadable.length - 1} more`;
  throw new AnnalsError(
    "INPUT_UNREADABLE",
    `${first.path} could not be imported: ${first.reason}${others}.`,
    {
      hint: "Name a transcript (*.jsonl) of Claude Code, or a folder that holds some: they stand in ~/.claude/projects.",
      facts: { path: first.path, unreadable: unreadable.length }
    }
  );
}
function totals({
  files,
  unreadable
}) {
  const sum = (of) => files.reduce((total, file) => total + file[of], 0);
  const parkedLines = files.flatMap((file) => file.parkedLines.map((line) => ({ file: file.path, ...line })));
  return {
    appended: sum("appended"),
    duplicates: sum("duplicates"),
    parked: sum("parked"),
    parkedLines: parkedLines.slice(0, PARKED_SHOWN_MAX),
    unreadable
  };
}
export {
  importPaths
};
//# sourceMappingURL=import-BNP26CP3.js.map
