import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  detailOf,
  resultText,
  sanitizeText as sanitizeText2,
  sanitizerOf
} from "./chunk-VKFA445Q.js";
import {
  idOf,
  listOf,
  objectOf,
  stringOf,
  wholeOf
} from "./chunk-UUIGHUSM.js";
import {
  HOOK_CLIP_BYTES,
  isPrivatePrompt,
  isTaskNotification,
  redactText,
  sanitizeText
} from "./chunk-JGLDXPJ5.js";
import {
  codeOf,
  inGroups,
  inOrder
} from "./chunk-2OYYQARY.js";
import "./chunk-4WN6EROU.js";
import {
  isAnnalsError
} from "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// src/capture/claude-code/hook.ts
function fromHook(payload, receipt) {
  const hook = objectOf(payload);
  if (hook === null) return nothing("no object");
  const session = idOf(hook.session_id) ?? idOf(hook.sessionId) ?? idOf(hook.id);
  if (session === null) return nothing("no session id");
  if (hook.cwd === "") return nothing("empty cwd");
  const event = stringOf(hook.hook_event_name) ?? "no event name";
  const told = Object.hasOwn(READERS, event) ? READERS[event]?.(hook, receipt, session) : void 0;
  if (told === void 0) return nothing(/^[A-Za-z ]{1,40}$/.test(event) ? event : "unknown event");
  return told === null ? nothing(`${event} not by a person`) : { tellings: [told], ignored: null };
}
function nothing(reason) {
  return { tellings: [], ignored: reason };
}
var READERS = {
  SessionStart: (hook, receipt, session) => {
    const source = idOf(hook.source);
    return {
      ...envelope(receipt, session),
      type: "session.started",
      fact: `${source ?? ""}:${receipt.spoolName}`,
      body: { source, model: idOf(hook.model), permissionMode: idOf(hook.permission_mode), ...shared(hook) }
    };
  },
  SessionEnd: (hook, receipt, session) => {
    const reason = idOf(hook.reason);
    return {
      ...envelope(receipt, session),
      type: "session.ended",
      fact: `${reason ?? ""}:${receipt.spoolName}`,
      body: { reason, ...shared(hook) }
    };
  },
  UserPromptSubmit: promptSubmitted,
  PostToolUse: (hook, receipt, session) => toolUsed(hook, receipt, session, "ok"),
  PostToolUseFailure: (hook, receipt, session) => toolUsed(hook, receipt, session, hook.is_interrupt === true ? "cancelled" : "failed"),
  Stop: (hook, receipt, session) => stopped(hook, receipt, session, "stop"),
  StopFailure: (hook, receipt, session) => stopped(hook, receipt, session, "error"),
  SubagentStop: (hook, receipt, session) => stopped(hook, receipt, session, "subagent-stop")
};
var HUMAN_SOURCES = /* @__PURE__ */ new Set([void 0, null, "user", "sdk"]);
function promptSubmitted(hook, receipt, session) {
  const text = stringOf(hook.prompt);
  if (text === null || !HUMAN_SOURCES.has(hook.source) || sanitizer.isTaskNotification(text)) return null;
  const isPrivate = sanitizer.isPrivate(text);
  return {
    ...envelope(receipt, session),
    type: "prompt.submitted",
    fact: idOf(hook.prompt_id) ?? receipt.spoolName,
    body: {
      text: isPrivate ? null : clean(text, "person"),
      private: isPrivate,
      kind: /^\/[a-z][\w:-]*(?:\s|$)/i.test(text) ? "command" : "prompt",
      via: "hook",
      source: idOf(hook.source),
      permissionMode: idOf(hook.permission_mode),
      ...shared(hook)
    }
  };
}
function toolUsed(hook, receipt, session, outcome) {
  const toolUseId = idOf(hook.tool_use_id) ?? receipt.spoolName;
  const response = hook.tool_response ?? null;
  const input = hook.tool_input ?? null;
  const result = responseText(response);
  const error = stringOf(hook.error);
  return {
    ...envelope(receipt, session),
    type: "tool.used",
    fact: toolUseId,
    body: {
      toolUseId,
      name: clean(stringOf(hook.tool_name) ?? "", "tool"),
      input: sanitizer.value(input, "tool"),
      outcome: objectOf(response)?.interrupted === true ? "cancelled" : outcome,
      result: result === null ? null : clean(result, "tool"),
      detail: sanitizer.value(detailOf(response, input, result), "tool"),
      error: error === null ? null : clean(error, "tool"),
      durationMs: wholeOf(hook.duration_ms),
      launchedAgentId: idOf(objectOf(response)?.agentId),
      endedAt: receipt.receivedAt,
      ...shared(hook),
      ...subagent(hook)
    }
  };
}
function stopped(hook, receipt, session, reason) {
  const answer = reason === "error" ? null : stringOf(hook.last_assistant_message);
  return {
    ...envelope(receipt, session),
    type: "agent.stopped",
    fact: `${idOf(hook.prompt_id) ?? ""}:${receipt.spoolName}`,
    body: {
      reason,
      error: reason === "error" ? clean(stringOf(hook.error) ?? "unknown", "tool") : null,
      text: answer === null ? null : clean(answer, "agent"),
      agentType: agentName(hook.agent_type),
      backgroundTasks: Array.isArray(hook.background_tasks) ? hook.background_tasks.length : null,
      ...shared(hook),
      ...subagent(hook)
    }
  };
}
function responseText(response) {
  if (typeof response === "string") return response;
  if (Array.isArray(response)) return resultText({ content: response });
  const object = objectOf(response);
  const output = [stringOf(object?.stdout), stringOf(object?.stderr)].filter(
    (text) => text !== null && text !== ""
  );
  if (output.length > 0) return output.join("\n");
  const content = stringOf(objectOf(object?.file)?.content) ?? null;
  return content ?? (listOf(object?.content).length > 0 ? resultText({ content: object?.content ?? null }) : null);
}
function envelope(receipt, session) {
  return {
    agent: "claude-code",
    session,
    witness: "hook",
    occurredAt: receipt.receivedAt
  };
}
function shared(hook) {
  const cwd = stringOf(hook.cwd);
  return { cwd: cwd === null ? null : clean(cwd, "tool"), promptId: idOf(hook.prompt_id) };
}
function subagent(hook) {
  const agentId = agentName(hook.agent_id);
  return { agentId, sidechain: agentId !== null };
}
function agentName(value) {
  const name = idOf(value);
  return name === null || name.length > 128 ? null : clean(name, "tool");
}
var sanitizer = sanitizerOf(HOOK_CLIP_BYTES);
function clean(text, author) {
  return sanitizeText2(sanitizer, text, author);
}

// src/capture/spool/bad.ts
var CLIP_BYTES = 32 * 1024;
var LOOKED_AT_BYTES = 1024 * 1024;
var TORN_END = /[\w+/=.~%:@-]{1,8192}$/;
function badFile(reason, { bytes, at }, size) {
  const head = `annals: ${redactText(reason)}; ${size} bytes, left ${isoOf(at)}
`;
  if (bytes === null) return `${head}(hidden)
`;
  const text = bytes.toString("utf8", 0, LOOKED_AT_BYTES).replace(TORN_END, "");
  return `${head}${sanitizeText(text, { author: "person", clipBytes: CLIP_BYTES })}
`;
}
function idsIn(bytes) {
  const text = bytes.toString("utf8", 0, LOOKED_AT_BYTES);
  const told = (field) => {
    const quoted = new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,4096}")`).exec(text)?.[1];
    try {
      return quoted === void 0 ? null : JSON.parse(quoted);
    } catch {
      return null;
    }
  };
  return {
    session: told("session_id"),
    promptId: told("prompt_id"),
    agentId: told("agent_id"),
    cwd: told("cwd")
  };
}
function isoOf(at) {
  return new Date(at).toISOString();
}

// src/capture/spool/logged.ts
async function loggedSession(log, agent, session) {
  const prompts = [];
  const launched = [];
  for (let after = 0; ; ) {
    const { events, end } = await log.pageBySession({ agent, session, after });
    if (events.length === 0) return { prompts, launched };
    for (const event of events) {
      if (event.type === "prompt.submitted") {
        const { promptId, private: isPrivate } = event.body;
        prompts.push({ promptId, at: event.occurredAt, private: isPrivate });
      } else if (event.type === "tool.used" && event.body.launchedAgentId !== null)
        launched.push(event.body.launchedAgentId);
    }
    after = end.position;
  }
}

// src/capture/spool/caller.ts
function callerOf(hook) {
  const transcript = stringOf(hook.transcript_path) ?? stringOf(hook.transcriptPath) ?? "";
  if (hook.conversation_id !== void 0 || hook.cursor_version !== void 0 || below(transcript, ".cursor"))
    return "cursor";
  if (below(transcript, ".copilot") || hook.sessionId !== void 0 && hook.session_id === void 0)
    return "copilot";
  if (below(transcript, ".codex") || hook.turn_id !== void 0) return "codex";
  return typeof hook.session_id === "string" && transcript !== "" ? "claude-code" : null;
}
function below(path, folder) {
  return path.split(/[\\/]/).includes(folder);
}

// src/capture/spool/payload.ts
var PAYLOAD_BYTES_MAX = 256 * 1024 * 1024;
function lookAt(bytes) {
  if (bytes.length === 0) return { unusable: "empty" };
  if (bytes.length > PAYLOAD_BYTES_MAX) return { unusable: `larger than ${PAYLOAD_BYTES_MAX} bytes` };
  let value;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { unusable: "not JSON" };
  }
  const hook = objectOf(value);
  if (hook === null) return { unusable: "no JSON object" };
  const caller = callerOf(hook);
  if (caller === null) return { unusable: "nothing in it says which agent sent it" };
  const response = objectOf(hook.tool_response);
  return {
    payload: {
      caller,
      hook,
      event: stringOf(hook.hook_event_name) ?? "",
      session: idOf(hook.session_id),
      promptId: idOf(hook.prompt_id),
      agentId: idOf(hook.agent_id),
      launches: [response?.agentId, response?.backgroundTaskId, response?.taskId].map(idOf).filter((id) => id !== null),
      inputs: Object.values(objectOf(hook.tool_input) ?? {}).map(idOf).filter((text) => text !== null),
      prompt: promptPart(hook)
    }
  };
}
var PERSON_SOURCES = /* @__PURE__ */ new Set([void 0, null, "user", "sdk"]);
function promptPart(hook) {
  const text = stringOf(hook.prompt);
  if (hook.hook_event_name !== "UserPromptSubmit" || text === null) return null;
  const byPerson = PERSON_SOURCES.has(hook.source) && !isTaskNotification(text);
  return { byPerson, private: byPerson && isPrivatePrompt(text), machineText: byPerson ? "" : text };
}

// src/capture/spool/standing.ts
var NO_MEMORY = { prompts: [], launched: [], fired: [] };
var NOT_LOGGED = { prompts: [], launched: [] };
var PROMPTS_MAX = 300;
var LAUNCHED_MAX = 500;
var FIRED_MAX = 30;
var TWICE_FIRED_MS = 2e3;
var CERTAINTY = { unknown: 0, public: 1, private: 2 };
var SessionStanding = class {
  #prompts;
  #launched;
  #fired;
  #logged = NOT_LOGGED;
  #changed = false;
  constructor(memory) {
    this.#prompts = [...memory.prompts];
    this.#launched = new Map(
      memory.launched.map(([id, isPrivate]) => [id, isPrivate ? "private" : "public"])
    );
    this.#fired = [...memory.fired];
  }
  /** Prompts come before all else of their session, in the order of their times. */
  seePrompt(prompt, promptId, { at }) {
    const standing = prompt.byPerson ? prompt.private ? "private" : "public" : this.#ofMachine(prompt, at);
    if (standing === "unknown") return;
    const seen = { promptId, at, private: standing === "private" };
    const known = this.#prompts.some(
      (other) => promptId === null ? other.promptId === null && other.at === at : other.promptId === promptId
    );
    if (known) return;
    this.#prompts.push(seen);
    this.#changed = true;
  }
  seeLog(logged) {
    this.#logged = logged;
  }
  /** What a judged tool use set going has its standing. An unknown one is not remembered beyond this drain. */
  seeLaunch(launches, standing) {
    let learned = false;
    for (const id of launches) {
      const before = this.#launched.get(id);
      if (before !== void 0 && CERTAINTY[before] >= CERTAINTY[standing]) continue;
      this.#launched.set(id, standing);
      learned = true;
      if (standing !== "unknown") this.#changed = true;
    }
    return learned;
  }
  standingOf(payload, at) {
    if (payload.inputs.some((input) => this.#launched.get(input) === "private")) return "private";
    const turn = this.#turnStanding(payload.promptId, at);
    if (payload.agentId === null || turn === "private") return turn;
    const launched = this.#launchedBy(payload.agentId);
    if (launched !== null) return launched;
    return this.hasPrivate ? "unknown" : turn;
  }
  /** Whether the idle time may not set free what this agent says: a private turn may have launched it. */
  isDoubtful(agentId) {
    return agentId !== null && this.hasPrivate && this.#launchedBy(agentId) !== "public";
  }
  get hasPrivate() {
    return this.#all().some((prompt) => prompt.private);
  }
  /** Whether the same event was just told by another file: a hook installed twice. Remembers this one if not. */
  isSecondFiring(what, { at, file }) {
    const same = this.#fired.find(([other, when]) => other === what && Math.abs(when - at) <= TWICE_FIRED_MS);
    if (same !== void 0) return same[2] !== file;
    this.#fired.push([what, at, file]);
    this.#changed = true;
    return false;
  }
  /** What to remember, or null when nothing changed. */
  memory() {
    if (!this.#changed) return null;
    const launched = [...this.#launched].filter(([, standing]) => standing !== "unknown");
    return {
      prompts: this.#prompts.slice(-PROMPTS_MAX),
      launched: launched.slice(-LAUNCHED_MAX).map(([id, standing]) => [id, standing === "private"]),
      fired: this.#fired.slice(-FIRED_MAX)
    };
  }
  #turnStanding(promptId, at) {
    if (promptId === null) return this.#standingAt(at);
    const told = this.#all().filter((prompt) => prompt.promptId === promptId);
    if (told.length === 0) return "unknown";
    return told.some((prompt) => prompt.private) ? "private" : "public";
  }
  /** By time: the session's latest prompt. What comes before every prompt known may still serve a private one whose file is late. */
  #standingAt(at) {
    const timed = this.#all().filter((prompt) => prompt.at !== null);
    timed.sort((one, other) => one.at - other.at);
    const latest = timed.findLast((prompt) => prompt.at <= at);
    if (latest !== void 0) return latest.private ? "private" : "public";
    return timed[0]?.private === true ? "private" : "unknown";
  }
  /** A finished task belongs to the turn that launched it, anything else to the turn before. */
  #ofMachine({ machineText }, at) {
    for (const [id, standing] of this.#launched)
      if (standing === "private" && machineText.includes(id)) return "private";
    return this.#standingAt(at);
  }
  #launchedBy(agentId) {
    return this.#launched.get(agentId) ?? (this.#logged.launched.includes(agentId) ? "public" : null);
  }
  #all() {
    return [...this.#prompts, ...this.#logged.prompts];
  }
};

// src/capture/spool/drain.ts
var AGENT = "claude-code";
var IDLE_MS = 30 * 6e4;
var BROKEN_OFF_MS = 60 * 6e4;
var BATCH_FILES_MAX = 256;
var BATCH_BYTES_MAX = 4 * 1024 * 1024;
var KEPT_BYTES_MAX = 64 * 1024 * 1024;
async function drainSpool(request) {
  const run = new Drain(request);
  await run.look();
  await run.judge();
  await run.tell();
  return run.report();
}
var Drain = class {
  #request;
  #now;
  #waiting = [];
  #unusable = [];
  #sessions = /* @__PURE__ */ new Map();
  #told = [];
  /** Removed once the sessions' memory is on disk. */
  #untold = [];
  #ignored = {};
  #problems = [];
  #cwds = /* @__PURE__ */ new Set();
  #counts = { appended: 0, duplicates: 0, private: 0, held: 0, bad: 0, foreign: 0 };
  #keptBytes = 0;
  constructor(request) {
    this.#request = request;
    this.#now = request.now();
  }
  async look() {
    const { files, folders } = this.#request;
    const fresh = await files.list(folders.new);
    const aside = await files.list(folders.tmp);
    for (const { problem } of [fresh, aside]) if (problem !== null) this.#problem(problem);
    this.#counts.foreign = fresh.foreign + aside.foreign;
    const brokenOff = aside.files.filter((file) => this.#now - msOf(file) > BROKEN_OFF_MS);
    await inGroups([...brokenOff, ...fresh.files].sort(inOrder), (file) => this.#lookAt(file));
    this.#waiting.sort((one, other) => inOrder(one.file, other.file));
  }
  async #lookAt(file) {
    let bytes;
    try {
      bytes = await this.#request.files.read(file.path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") this.#problem(`${file.path} cannot be read (${codeOf(error)})`);
      return;
    }
    const at = msOf(file);
    const looked = lookAt(bytes);
    if ("unusable" in looked) {
      this.#unusable.push({ file, at, reason: looked.unusable, ids: idsIn(bytes) });
      return;
    }
    const { hook, ...head } = looked.payload;
    const keep = this.#keptBytes + bytes.length <= KEPT_BYTES_MAX;
    if (keep) this.#keptBytes += bytes.length;
    this.#waiting.push({ file, at, head, hook: keep ? hook : null });
  }
  async judge() {
    const own = this.#waiting.filter(({ head }) => head.caller === AGENT);
    for (const waiting of this.#waiting)
      if (waiting.head.caller !== AGENT) this.#ignore(waiting.file, `of ${waiting.head.caller}`);
    const sessions = [
      ...own.map(({ head }) => head.session),
      ...this.#unusable.map(({ ids }) => ids.session)
    ];
    for (const session of new Set(sessions)) if (session !== null) await this.#openSession(session);
    const prompts = own.filter(({ head }) => head.prompt !== null);
    const others = own.filter(({ head }) => head.prompt === null);
    for (const { head, file, at } of prompts.filter(({ head: head2 }) => head2.prompt?.byPerson === true))
      this.#standing(head.session)?.seePrompt(head.prompt, head.promptId, { at, file: file.name });
    for (const [session, standing] of this.#sessions)
      if (this.#needsLog(session, standing, others))
        standing.seeLog(await loggedSession(this.#request.log, AGENT, session));
    this.#learnLaunches(others);
    for (const { head, file, at } of prompts.filter(({ head: head2 }) => head2.prompt?.byPerson === false))
      this.#standing(head.session)?.seePrompt(head.prompt, head.promptId, { at, file: file.name });
    this.#learnLaunches(others);
    this.#told.push(...prompts);
    for (const waiting of others) this.#decide(waiting);
  }
  /** A sub-agent may launch another: what is learned of one may decide on the next. */
  #learnLaunches(others) {
    const launching = others.filter(({ head }) => head.launches.length > 0);
    for (let learned = true; learned; ) {
      learned = false;
      for (const { head, at } of launching) {
        const session = this.#standing(head.session);
        if (session?.seeLaunch(head.launches, session.standingOf(head, at)) === true) learned = true;
      }
    }
  }
  #decide(waiting) {
    const { head, at, file } = waiting;
    const session = this.#standing(head.session);
    if (session === null || head.event === "SessionStart" || head.event === "SessionEnd") {
      if (this.#isSecondFiring(waiting, session)) this.#ignore(file, "told twice");
      else this.#told.push(waiting);
      return;
    }
    const standing = this.#settled(session, session.standingOf(head, at), head.agentId, at);
    if (standing === "unknown") this.#counts.held += 1;
    else if (standing === "private") {
      this.#counts.private += 1;
      this.#untold.push(file);
    } else if (this.#isSecondFiring(waiting, session)) this.#ignore(file, "told twice");
    else {
      session.seeLaunch(head.launches, "public");
      this.#told.push(waiting);
    }
  }
  /** After the idle time nothing is unknown any more. */
  #settled(session, standing, agentId, at) {
    if (standing !== "unknown" || this.#now - at <= IDLE_MS) return standing;
    return session.isDoubtful(agentId) ? "private" : "public";
  }
  #isSecondFiring({ head, at, file, hook }, session) {
    if (session === null || !SINGULAR.has(head.event) || hook === null) return false;
    const what = [head.event, hook.source ?? hook.reason, head.promptId, head.agentId, hook.stop_hook_active];
    const words = stringOf(hook.last_assistant_message)?.length ?? 0;
    return session.isSecondFiring(JSON.stringify([...what, words]), { at, file: file.name });
  }
  async tell() {
    await this.#append([], this.#cursors());
    await this.#remove(this.#untold);
    for (let batch = this.#nextBatch(0); batch.files.length > 0; batch = this.#nextBatch(batch.end)) {
      const read = await inGroups(batch.files, (waiting) => this.#tellingsOf(waiting));
      const tellings = read.flatMap((one) => one ?? []);
      try {
        await this.#append(tellings, []);
        await this.#remove(batch.files.filter((_, index) => read[index] !== null).map(({ file }) => file));
      } catch (error) {
        if (!isAnnalsError(error) || error.code !== "INPUT_INVALID") throw error;
        await this.#oneByOne(batch.files, read);
      }
    }
    for (const unusable of this.#unusable) await this.#park(unusable);
  }
  #nextBatch(start) {
    let bytes = 0;
    let end = start;
    while (end < this.#told.length && end - start < BATCH_FILES_MAX && (bytes === 0 || bytes < BATCH_BYTES_MAX))
      bytes += this.#told[end++].file.bytes;
    return { files: this.#told.slice(start, end), end };
  }
  #excluded(cwd) {
    return this.#request.excluded?.(cwd) ?? false;
  }
  /** Null when the file cannot be read again: it stays. */
  async #tellingsOf(waiting) {
    let { hook } = waiting;
    if (hook === null) {
      const bytes = await this.#request.files.read(waiting.file.path).catch(() => null);
      const looked = bytes === null ? null : lookAt(bytes);
      if (looked === null || !("payload" in looked)) return null;
      hook = looked.payload.hook;
    }
    waiting.hook = null;
    const { tellings, ignored } = fromHook(hook, { spoolName: waiting.file.name, receivedAt: waiting.at });
    if (ignored !== null) this.#count(ignored);
    const kept = tellings.filter(({ body }) => typeof body.cwd !== "string" || !this.#excluded(body.cwd));
    if (kept.length < tellings.length) this.#count("of an excluded folder");
    for (const { body } of kept)
      if (typeof body.cwd === "string" && body.cwd !== "") this.#cwds.add(body.cwd);
    return kept;
  }
  /** A telling that the log refuses must not hold up the others. */
  async #oneByOne(files, read) {
    for (const [index, { file, at, head }] of files.entries()) {
      const tellings = read[index];
      if (tellings === null || tellings === void 0) continue;
      try {
        await this.#append(tellings, []);
        await this.#remove([file]);
      } catch (error) {
        if (!isAnnalsError(error) || error.code !== "INPUT_INVALID") throw error;
        const { session, promptId, agentId } = head;
        const cwd = null;
        const ids = { session, promptId, agentId, cwd };
        this.#unusable.push({ file, at, reason: "the log refused what it tells", ids });
      }
    }
  }
  async #append(tellings, cursors) {
    if (tellings.length === 0 && cursors.length === 0) return;
    const outcomes = await this.#request.log.append(tellings, { cursors });
    for (const { outcome } of outcomes) {
      if (outcome === "appended") this.#counts.appended += 1;
      else this.#counts.duplicates += 1;
    }
  }
  async #park({ file, at, reason, ids }) {
    const { files, folders } = this.#request;
    const session = this.#standing(ids.session);
    const found = session === null ? "public" : session.standingOf({ ...ids, inputs: [] }, at);
    const standing = session === null ? found : this.#settled(session, found, ids.agentId, at);
    if (standing === "unknown") {
      this.#counts.held += 1;
      return;
    }
    try {
      const hidden = standing === "private" || ids.cwd !== null && this.#excluded(ids.cwd);
      const bytes = hidden ? null : await files.read(file.path);
      await files.write(`${folders.bad}/${file.name}`, badFile(reason, { bytes, at }, file.bytes));
      this.#counts.bad += 1;
    } catch (error) {
      this.#problem(
        `${file.path} is unusable (${reason}) and cannot be moved to spool/bad (${codeOf(error)})`
      );
      return;
    }
    await this.#remove([file]);
  }
  async #remove(files) {
    await inGroups(files, async ({ path }) => {
      try {
        await this.#request.files.remove(path);
      } catch (error) {
        if (codeOf(error) !== "ENOENT") this.#problem(`${path} cannot be removed (${codeOf(error)})`);
      }
    });
  }
  async #openSession(session) {
    const remembered = await this.#request.log.cursor(cursorKey(session));
    this.#sessions.set(session, new SessionStanding(remembered ?? NO_MEMORY));
  }
  /** Reading a whole session is dear: only when what is at hand does not say which turn a file serves. */
  #needsLog(session, standing, others) {
    return this.#unusable.some(({ ids }) => ids.session === session) || others.some(
      ({ head, at }) => head.session === session && !head.event.startsWith("Session") && (head.promptId === null || standing.standingOf(head, at) === "unknown")
    );
  }
  #cursors() {
    return [...this.#sessions].flatMap(([session, standing]) => {
      const memory = standing.memory();
      return memory === null ? [] : [{ key: cursorKey(session), value: memory }];
    });
  }
  #standing(session) {
    return session === null ? null : this.#sessions.get(session) ?? null;
  }
  #ignore(file, reason) {
    this.#count(reason);
    this.#untold.push(file);
  }
  #count(reason) {
    this.#ignored[reason] = (this.#ignored[reason] ?? 0) + 1;
  }
  #problem(sentence) {
    if (this.#problems.length < 20) this.#problems.push(sentence);
  }
  report() {
    return { ...this.#counts, ignored: this.#ignored, problems: this.#problems, cwds: [...this.#cwds] };
  }
};
var SINGULAR = /* @__PURE__ */ new Set([
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStop"
]);
function cursorKey(session) {
  return `hooks/${AGENT}/${session}`;
}
function msOf(file) {
  return Number(file.modifiedNs / 1000000n);
}
export {
  drainSpool
};
//# sourceMappingURL=drain-XWQAQUDA.js.map
