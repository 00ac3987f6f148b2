import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  require_level
} from "./chunk-4WN6EROU.js";
import {
  AnnalsError,
  isAnnalsError
} from "./chunk-U2URHJCI.js";
import {
  __toESM
} from "./chunk-BELT5PH7.js";

// projections/keys.ts
function key(...parts) {
  return parts.map(escapePart).join("/");
}
function below(...parts) {
  return `${key(...parts)}/`;
}
function keyParts(rowKey) {
  return rowKey.split("/").map((part) => decodeURIComponent(part));
}
function compareKeys(one, other) {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a !== b) return byteRank(a) - byteRank(b);
  }
  return one.length - other.length;
}
function prefixEnd(prefix) {
  const points = [...prefix];
  for (let last2 = points.pop(); last2 !== void 0; last2 = points.pop()) {
    const point = last2.codePointAt(0);
    if (point === 1114111) continue;
    return points.join("") + String.fromCodePoint(point === 55295 ? 57344 : point + 1);
  }
  throw new RangeError("No key stands after every key.");
}
function escapePart(part) {
  return part.replace(
    new RegExp("[%/\\u0000-\\u001f\\u007f]|\\p{Surrogate}", "gu"),
    (char) => char >= "\uD800" && char <= "\uDFFF" ? "\uFFFD" : `%${char.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`
  );
}
function byteRank(unit) {
  if (unit < 55296) return unit;
  return unit <= 57343 ? unit + 8192 : unit - 2048;
}

// projections/context/rows.ts
var CONTEXT_KINDS = ["summary", "observation", "prompt", "saved"];
var TIME_MAX = 9999999999999;
var COUNT_MAX = 99999999;
var contextKeys = {
  row: ({ place, kind, at, id }) => key("row", place, kind, backwards(at), id),
  rows: (place, kind) => below("row", place, kind),
  lasting: (what, { place, at, id }) => key("lasting", place, what, backwards(at), id),
  lastings: (place, what) => below("lasting", place, what),
  ofSession: (session, { at, id }) => key("session", session, backwards(at), id),
  allOfSession: (session) => below("session", session),
  id: (id) => key("id", id),
  tally: (place, kind, name) => key("tally", place, kind, name),
  rank: (place, kind, count3, name) => key("rank", place, kind, String(COUNT_MAX - count3).padStart(8, "0"), name),
  ranks: (place, kind) => below("rank", place, kind)
};
function upTo(prefix, at) {
  return `${prefix}${backwards(at)}`;
}
function from(prefix, at) {
  return `${prefix}${backwards(at - 1)}`;
}
function countOfRank(part) {
  return COUNT_MAX - Number(part);
}
function backwards(at) {
  const time = Math.min(Math.max(Math.trunc(at ?? 0), -1), TIME_MAX);
  return String(TIME_MAX - time).padStart(14, "0");
}

// projections/context/read.ts
var PER_PLACE_MIN = 10;
async function newestRows(view, places, kind, limit) {
  const each = share(limit, places);
  const rows = [];
  for (const place of places)
    for (const [, row] of await view.range(contextKeys.rows(place, kind), { limit: each }))
      rows.push(row);
  return newestFirst(rows).slice(0, limit);
}
async function rowsBetween(view, places, kinds, { since, until }, limit, oldest = false) {
  const rows = [];
  for (const place of places)
    for (const kind of kinds) {
      const prefix = contextKeys.rows(place, kind);
      const edge = oldest ? since : until;
      const after = edge === void 0 ? void 0 : (oldest ? from : upTo)(prefix, edge);
      const found = await view.range(prefix, {
        limit,
        reverse: oldest,
        ...after === void 0 ? {} : { after }
      });
      for (const [, row] of found) if (within(row, since, until)) rows.push(row);
    }
  const sorted = newestFirst(rows);
  return oldest ? sorted.slice(-limit) : sorted.slice(0, limit);
}
async function lastingRows(view, places, what, limit) {
  const each = share(limit, places);
  const keys = [];
  for (const place of places)
    for (const [, rowKey] of await view.range(contextKeys.lastings(place, what), { limit: each }))
      keys.push(rowKey);
  return newestFirst(await rowsAt(view, keys)).slice(0, limit);
}
async function sessionRows(view, session, limit) {
  const keys = await view.range(contextKeys.allOfSession(session), { limit });
  return newestFirst(
    await rowsAt(
      view,
      keys.map(([, rowKey]) => rowKey)
    )
  );
}
async function rowsById(view, id, limit) {
  const keys = await view.range(contextKeys.id(id), { limit });
  return rowsAt(
    view,
    keys.map(([, rowKey]) => rowKey)
  );
}
async function mostFrequent(view, places, kind, limit) {
  const counts = /* @__PURE__ */ new Map();
  for (const place of places)
    for (const [rowKey] of await view.range(contextKeys.ranks(place, kind), { limit })) {
      const [, , , count3 = "", name = ""] = keyParts(rowKey);
      counts.set(name, (counts.get(name) ?? 0) + countOfRank(count3));
    }
  return [...counts].map(([name, count3]) => ({ name, count: count3 })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, limit);
}
function newestFirst(rows) {
  const time = ({ at }) => at ?? Number.NEGATIVE_INFINITY;
  return [...rows].sort((a, b) => time(a) === time(b) ? a.id < b.id ? -1 : 1 : time(b) - time(a));
}
async function rowsAt(view, keys) {
  return (await view.getMany(keys)).filter((row) => row !== void 0);
}
function within({ at }, since, until) {
  if (since === void 0 && until === void 0) return true;
  return at !== null && (since === void 0 || at >= since) && (until === void 0 || at <= until);
}
function share(limit, places) {
  return Math.min(limit, Math.max(PER_PLACE_MIN, Math.ceil(2 * limit / Math.max(1, places.length))));
}

// projections/projector.ts
function isFirst(projector) {
  return projector.follows === "log";
}
function defineProjector(projector) {
  if (!/^[a-z][a-z-]*$/.test(projector.name))
    throw new TypeError(`A view name is lower-case words: ${projector.name}`);
  if (!Number.isInteger(projector.version) || projector.version < 1)
    throw new TypeError(`${projector.name}: versions count from 1`);
  return projector;
}

// projections/context/lines.ts
var FIELD_CHARS_MAX = 700;
var ITEM_CHARS_MAX = 300;
var FILES_MAX = 10;
var COMMANDS_MAX = 24;
var EVIDENCE_MAX = 6;
function lineOf(rowKey, row) {
  if (row === null) return null;
  if (rowKey.startsWith("observation/")) return observationLine(row);
  if (rowKey.startsWith("summary/")) return summaryLine(row);
  if (!rowKey.startsWith("document/")) return null;
  const document = row;
  if (document.kind === "memory") return savedLine(document);
  return document.kind === "prompt" ? { ...base(document), kind: "prompt" } : null;
}
function lastingOf(line) {
  if (line.kind === "saved") return line.type === "decision" || line.type === "gotcha" ? [line.type] : [];
  if (line.kind !== "observation") return [];
  const decided = line.decisions.length > 0 ? ["decision"] : [];
  return line.errors.some(({ fixedBy }) => fixedBy !== null) ? [...decided, "gotcha"] : decided;
}
function observationLine(row) {
  const { commands, tests, commits, errors, decisions } = row.evidence;
  return {
    ...base(row),
    kind: "observation",
    type: row.type,
    subtitle: short(row.subtitle, ITEM_CHARS_MAX),
    narrative: short(row.narrative, ITEM_CHARS_MAX),
    files: row.filesModified.slice(0, FILES_MAX),
    commands: commands.slice(-COMMANDS_MAX).map(({ command, outcome }) => ({
      command: short(command, ITEM_CHARS_MAX),
      outcome
    })),
    tests: tests.slice(-EVIDENCE_MAX).map(({ command, before, after, said: said2 }) => ({
      command: short(command, ITEM_CHARS_MAX),
      before,
      after,
      said: said2 === null ? null : short(said2, ITEM_CHARS_MAX)
    })),
    commits: commits.slice(-EVIDENCE_MAX).map(({ hash: hash2, message }) => ({
      hash: hash2,
      subject: short(message.split("\n")[0] ?? "", ITEM_CHARS_MAX)
    })),
    errors: errors.slice(-EVIDENCE_MAX).map(({ error, command, fixedBy }) => ({
      error: short(error, ITEM_CHARS_MAX),
      command: short(command, ITEM_CHARS_MAX),
      fixedBy: fixedBy === null ? null : short(fixedBy, ITEM_CHARS_MAX)
    })),
    decisions: decisions.slice(0, EVIDENCE_MAX).map((decision) => short(decision, ITEM_CHARS_MAX))
  };
}
function summaryLine(row) {
  const field = (text) => text === null ? null : short(text, FIELD_CHARS_MAX);
  return {
    ...base(row),
    kind: "summary",
    request: short(row.request, FIELD_CHARS_MAX),
    investigated: field(row.investigated),
    learned: field(row.learned),
    completed: field(row.completed),
    nextSteps: row.nextSteps.slice(0, EVIDENCE_MAX).map((step) => short(step, ITEM_CHARS_MAX)),
    notes: field(row.notes)
  };
}
function savedLine(document) {
  return {
    ...base(document),
    kind: "saved",
    type: document.type,
    text: short(document.body, FIELD_CHARS_MAX)
  };
}
function base(row) {
  const { id, place, agent, session, turn, at } = row;
  return { id, place, agent, session, turn, at, title: short(row.title, ITEM_CHARS_MAX) };
}
function short(text, charsMax) {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= charsMax) return line;
  const cut2 = line.slice(0, charsMax - 1).toWellFormed();
  const space = cut2.lastIndexOf(" ");
  return `${space > charsMax / 2 ? cut2.slice(0, space) : cut2}\u2026`;
}

// projections/context/tallies.ts
var NAME_CHARS_MAX = 200;
var Tallies = class {
  #deltas = /* @__PURE__ */ new Map();
  /** Adds what a row counts, `by` times; null counts nothing. */
  count(line, by) {
    if (line?.kind !== "observation") return;
    const tests = new Set(line.tests.map(({ command }) => command));
    const ran = line.commands.filter(({ command, outcome }) => outcome === "ok" && !tests.has(command));
    this.#add(
      line.place,
      "command",
      by,
      ran.map(({ command }) => command)
    );
    const passed = line.tests.filter(({ after }) => after === "passed");
    this.#add(
      line.place,
      "test",
      by,
      passed.map(({ command }) => command)
    );
    this.#add(line.place, "file", by, line.files);
  }
  async write(view) {
    const deltas = [...this.#deltas].filter(([, { by }]) => by !== 0);
    const stood = await view.getMany(deltas.map(([rowKey]) => rowKey));
    deltas.forEach(([rowKey, { place, kind, name, by }], index) => {
      const before = stood[index] ?? 0;
      const after = before + by;
      if (before > 0) view.del(contextKeys.rank(place, kind, before, name));
      if (after > 0) {
        view.put(rowKey, after);
        view.put(contextKeys.rank(place, kind, after, name), 1);
      } else view.del(rowKey);
    });
  }
  #add(place, kind, by, names) {
    for (const name of new Set(names)) {
      if (name === "" || name.length > NAME_CHARS_MAX) continue;
      const rowKey = contextKeys.tally(place, kind, name);
      const delta = this.#deltas.get(rowKey) ?? { place, kind, name, by: 0 };
      this.#deltas.set(rowKey, delta);
      delta.by += by;
    }
  }
};

// projections/context/projector.ts
var contextProjector = defineProjector({
  name: "context",
  version: 1,
  follows: "memory",
  feed: "none",
  fold
});
async function fold(changes, view) {
  const tallies = new Tallies();
  for (const { key: key2, before, after } of changes) {
    const was = lineOf(key2, before);
    const now = lineOf(key2, after);
    if (was === null && now === null) continue;
    const stand = rowsOf(now);
    for (const rowKey of rowsOf(was).keys()) if (!stand.has(rowKey)) view.del(rowKey);
    for (const [rowKey, row] of stand) view.put(rowKey, row);
    tallies.count(was, -1);
    tallies.count(now, 1);
  }
  await tallies.write(view);
}
function rowsOf(line) {
  if (line === null) return /* @__PURE__ */ new Map();
  const own = contextKeys.row(line);
  const rows = /* @__PURE__ */ new Map([
    [own, line],
    [contextKeys.id(line.id), own]
  ]);
  for (const what of lastingOf(line)) rows.set(contextKeys.lasting(what, line), own);
  if (line.session !== null) rows.set(contextKeys.ofSession(line.session, line), own);
  return rows;
}

// projections/digest.ts
import { createHash } from "node:crypto";

// projections/store.ts
var import_level = __toESM(require_level(), 1);
var ANCHOR_KEY = "m/anchor";
var META_KEY = "m/meta";
var CHANGES = "c/";
var CHANGES_END = "c0";
var DEAD_LETTERS = "d/";
var DEAD_LETTERS_END = "d0";
var ROWS = "r/";
var ROWS_END = "r0";
var WRITE_BUFFER_BYTES = 8 * 1024 * 1024;
function changeKey(seq) {
  return CHANGES + seq.toString(16).padStart(12, "0");
}
async function openLevelStore(location) {
  const store = new import_level.Level(location, {
    keyEncoding: "utf8",
    valueEncoding: "utf8",
    writeBufferSize: WRITE_BUFFER_BYTES
  });
  await store.open();
  return store;
}
function storeFailure(view, error) {
  if (isAnnalsError(error)) return error;
  const said2 = chain(error);
  if (said2.some(({ code }) => code === "LEVEL_LOCKED"))
    return new AnnalsError("HOME_LOCKED", `The view ${view} is open in another process.`, { cause: error });
  if (said2.some(({ code, message }) => code === "ENOSPC" || /No space left on device/i.test(message)))
    return new AnnalsError("DISK_FULL", `The disk is full: the view ${view} could not be written.`, {
      hint: "Free some space; the view goes on from where it stands.",
      facts: { view },
      cause: error
    });
  return new AnnalsError("VIEW_DAMAGED", `The view ${view} cannot be read or written.`, {
    hint: `Run \`annals rebuild ${view}\`: it is made again from the log.`,
    facts: { view },
    cause: error
  });
}
function chain(error) {
  const links = [];
  for (let link = error; link instanceof Error; link = link.cause)
    links.push({ code: "code" in link ? String(link.code) : "", message: link.message });
  return links;
}

// projections/digest.ts
var ROWS_PER_READ = 500;
async function digestRows(store) {
  const hash2 = createHash("sha256");
  const rows = store.iterator({ gte: ROWS, lt: ROWS_END });
  try {
    for (; ; ) {
      const page = await rows.nextv(ROWS_PER_READ);
      if (page.length === 0) return hash2.digest("hex");
      for (const [key2, text] of page)
        hash2.update(`${JSON.stringify(key2.slice(ROWS.length))}
${canonicalJson(JSON.parse(text))}
`);
    }
  } finally {
    await rows.close();
  }
}
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = value;
  return `{${Object.keys(fields).sort().map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name])}`).join(",")}}`;
}

// projections/turns/rows.ts
var NOWHERE = "";
var rowKeys = {
  session: (agent, session) => key("session", agent, session),
  sessions: () => below("session"),
  turn: (agent, session, turn) => key("turn", agent, session, turn),
  /** Every turn of a session, each followed by its items. */
  turns: (agent, session) => below("turn", agent, session),
  item: (agent, session, turn, item) => key("turn", agent, session, turn, item),
  itemsOfTurn: (agent, session, turn) => below("turn", agent, session, turn),
  saved: (agent, session, item) => key("saved", agent, session ?? "", item),
  savedOf: (agent, session) => below("saved", agent, session ?? ""),
  line: (agent, lineKey) => key("line", agent, lineKey)
};
function isItem(row) {
  return "tellings" in row;
}

// projections/turns/merge.ts
var RANK = {
  line: 0,
  transcript: 1,
  attachment: 2,
  queue: 3,
  hook: 4,
  api: 5,
  cli: 6,
  import: 7
};
var HOOK_KNOWS = /* @__PURE__ */ new Set(["durationMs", "permissionMode", "word"]);
function merge(tellings) {
  if (tellings.length === 1) return tellings[0];
  const ranked = [...tellings].sort((a, b) => rank(a) - rank(b) || (a.event < b.event ? -1 : 1));
  const merged = {};
  for (const telling of ranked)
    for (const name in telling) if (merged[name] === void 0) merged[name] = telling[name];
  for (const name of HOOK_KNOWS) {
    const hook = ranked.find((telling) => telling.witness === "hook" && telling[name] !== void 0);
    if (hook !== void 0) merged[name] = hook[name];
  }
  return merged;
}
function rank(telling) {
  const via = telling.via;
  return RANK[via ?? telling.witness] ?? 9;
}
var readPrompt = (item) => merge(item.tellings);
var readTool = (item) => merge(item.tellings);
var readReply = (item) => merge(item.tellings);
var readStop = (item) => merge(item.tellings);

// projections/memory/tools.ts
var PATH_FIELDS = ["file_path", "notebook_path", "path", "filePath", "file", "directory"];
var TELLING_FIELDS = [
  "description",
  "command",
  "query",
  "pattern",
  "url",
  "skill",
  "prompt",
  "subject",
  "title",
  "task_id"
];
var FILES_MAX2 = 50;
function toolTitle(name, input) {
  const path = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === "string");
  const pattern = input.pattern ?? input.query;
  switch (name) {
    case "Bash":
      return String(input.description ?? input.command ?? name);
    case "Read":
    case "Edit":
    case "MultiEdit":
    case "Write":
    case "NotebookEdit":
      return `${name} ${path === void 0 ? "" : shortPath(String(path))}`.trim();
    case "Grep":
    case "Glob":
      return `Search for ${pattern ?? ""}${path === void 0 ? "" : ` in ${shortPath(String(path))}`}`;
    default: {
      const telling = TELLING_FIELDS.map((field) => input[field]).find((value) => typeof value === "string");
      const about = telling ?? path ?? Object.values(input).find((value) => typeof value === "string");
      return about === void 0 ? name : `${name}: ${about}`;
    }
  }
}
function filesOf(input) {
  const files = PATH_FIELDS.map((field) => input[field]).filter(
    (value) => typeof value === "string" && value !== ""
  );
  return [...new Set(files)].slice(0, FILES_MAX2);
}
function shortPath(path) {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return parts.slice(-3).join("/");
}

// projections/memory/documents.ts
var TITLE_CHARS_MAX = 110;
function promptDocument(item, turn) {
  return saidDocument("prompt", item, turn, readPrompt(item).text);
}
function answerDocument(item, turn) {
  const { text, agentId, compaction } = readReply(item);
  return compaction === true ? null : saidDocument("answer", item, turn, text, agentId);
}
function stopDocument(item, turn) {
  const { text, agentId } = readStop(item);
  return saidDocument("answer", item, turn, text, agentId);
}
function saidDocument(kind, item, turn, text, agentId) {
  if (text === void 0 || text.trim() === "") return null;
  return {
    ...base2(item, turn, agentId),
    kind,
    type: null,
    ...words(titleOf(text), text),
    files: [],
    outcome: null,
    events: eventsOf(item)
  };
}
function toolDocument(item, turn) {
  const tool = readTool(item);
  const title = oneLine(toolTitle(tool.name, tool.input));
  const said2 = Object.values(tool.input).filter((value) => typeof value === "string" && value !== title);
  const body = [...said2, ...tool.error === void 0 ? [] : [tool.error]].join("\n");
  return {
    ...base2(item, turn, tool.agentId),
    kind: "tool",
    type: tool.name,
    ...words(title, body),
    files: filesOf(tool.input),
    outcome: tool.outcome ?? null,
    events: eventsOf(item)
  };
}
function savedDocument(row) {
  const { id, type, place, agent, session, at, order, files, event } = row;
  const concepts = row.concepts.length === 0 ? "" : `
${row.concepts.join(", ")}`;
  return {
    id,
    kind: "memory",
    type,
    ...words(oneLine(row.title), `${row.text}${concepts}`),
    files,
    neighbours: [],
    place,
    agent,
    session,
    turn: null,
    agentId: null,
    at,
    order,
    outcome: null,
    events: [event]
  };
}
function withNeighbours(documents) {
  const sorted = [...documents].sort((a, b) => a.order < b.order ? -1 : 1);
  return sorted.map((document, index) => ({
    ...document,
    neighbours: [sorted[index - 1]?.title, sorted[index + 1]?.title].filter((title) => title !== void 0)
  }));
}
function titleOf(text) {
  const line = text.split("\n").map(
    (one) => one.replace(/^[\s#>*\-–•]+/, "").replace(/[*`_]{1,3}/g, "").trim()
  ).find((one) => /[\p{L}\p{N}]/u.test(one));
  const sentence = line?.match(/^.{12,}?[.!?](?=\s)/u)?.[0] ?? line ?? text;
  return oneLine(sentence);
}
function oneLine(text) {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= TITLE_CHARS_MAX) return line;
  const cut2 = line.slice(0, TITLE_CHARS_MAX - 1).toWellFormed();
  const space = cut2.lastIndexOf(" ");
  return `${space > TITLE_CHARS_MAX / 2 ? cut2.slice(0, space) : cut2}\u2026`;
}
function base2(item, turn, agentId) {
  const { agent, session, place, id } = turn;
  return {
    id: item.id,
    neighbours: [],
    place,
    agent,
    session,
    turn: id,
    agentId: agentId ?? null,
    at: item.at,
    order: item.order
  };
}
function eventsOf({ tellings }) {
  return tellings.map((telling) => telling.event).sort();
}
function words(title, body) {
  return { title, body, tokens: Math.ceil((title.length + body.length) / 4) };
}

// projections/memory/observation-documents.ts
var FILES_MAX3 = 50;
function observedDocuments({ observations, summary }) {
  const documents = observations.map((row, index) => observationDocument(row, observations, index));
  return summary === null ? documents : [...documents, summaryDocument(summary, observations)];
}
function observationDocument(row, all, index) {
  return {
    ...base3(row),
    kind: "observation",
    type: row.type,
    ...words2(row.title, observationBody(row)),
    files: [...row.filesModified, ...row.filesRead].slice(0, FILES_MAX3),
    neighbours: [all[index - 1]?.title, all[index + 1]?.title].filter((title) => title !== void 0),
    events: row.evidence.events
  };
}
function summaryDocument(row, observations) {
  const modified = observations.flatMap(({ filesModified }) => filesModified);
  const read = observations.flatMap(({ filesRead }) => filesRead);
  return {
    ...base3(row),
    kind: "summary",
    type: null,
    ...words2(row.title, summaryBody(row)),
    files: [.../* @__PURE__ */ new Set([...modified, ...read])].slice(0, FILES_MAX3),
    neighbours: [],
    events: row.events
  };
}
function observationBody({ subtitle, narrative, facts }) {
  return [subtitle, narrative, ...facts.map((fact) => `- ${fact}`)].filter((part) => part !== "").join("\n");
}
function summaryBody(row) {
  const { request, investigated: investigated2, learned, completed, nextSteps, notes } = row;
  const fields = [
    ["Request", request],
    ["Investigated", investigated2],
    ["Learned", learned],
    ["Completed", completed],
    ["Next", nextSteps.join("\n")],
    ["Notes", notes]
  ];
  return fields.filter(([, text]) => text !== null && text !== "").map(([name, text]) => `${name}: ${text}`).join("\n");
}
function base3({ id, turn, agent, session, place, at, order }) {
  return { id, turn, agent, session, place, at, order, agentId: null, outcome: null };
}
function words2(title, body) {
  return { title, body, tokens: Math.ceil((title.length + body.length) / 4) };
}

// projections/item-id.ts
import { hash } from "node:crypto";
var ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
var LENGTH = 12;
function itemId(letter, ...parts) {
  const bytes = hash("sha256", JSON.stringify(parts), "buffer");
  let id = "";
  for (let index = 0; index < LENGTH; index++) {
    const bit = index * 5;
    const word = (bytes[bit >> 3] << 8 | bytes[(bit >> 3) + 1]) >> 11 - (bit & 7);
    id += ALPHABET[word & 31];
  }
  return `${letter}-${id}`;
}

// projections/memory/rules/markdown.ts
function blocksOf(markdown) {
  const blocks = [];
  let fence = null;
  let open = false;
  for (const raw of markdown.split("\n")) {
    const line = raw.replace(/^(\s*)\*{1,2}(?=\d{1,2}[.)]\s)/, "$1");
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== void 0) {
      fence = mark;
      open = false;
      continue;
    }
    const kind = kindOf(line);
    const text = kind === null ? "" : plain(line);
    if (kind === null || text === "") {
      open = false;
      continue;
    }
    const last2 = blocks.at(-1);
    const joins = kind === "text" && open && last2 !== void 0 && last2.kind !== "heading";
    if (joins) blocks[blocks.length - 1] = { kind: last2.kind, text: `${last2.text} ${text}` };
    else blocks.push({ kind, text });
    open = kind === "text" || kind === "item";
  }
  return blocks.map((block) => isLabel(block) ? { kind: "label", text: block.text } : block);
}
var PLAIN = /^[A-Za-z("'](?:[A-Za-z0-9.,;:!?'"()/=&%$@-]| (?! ))*[A-Za-z0-9.,;:!?'")]$/;
var EMOJI = new RegExp("(?![\xA9\xAE\u2122\u2194])\\p{Extended_Pictographic}|\\u2713|\\u2717|\\u200d|\\ufe0f", "gu");
function plain(markdown) {
  if (PLAIN.test(markdown)) return markdown;
  const text = /[^\u0000-\u007f]/.test(markdown) ? markdown.replace(EMOJI, "") : markdown;
  return text.replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+)+/, "").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<\/?[a-z][^<>]{0,80}>/gi, " ").replace(/\*{1,3}|`+|~~/g, "").replace(/(?<![\p{L}\p{N}])__(.+?)__(?![\p{L}\p{N}])/gu, "$1").replace(/\u001b\[[0-9;]*m/g, "").replace(/\s+/g, " ").trim();
}
function kindOf(line) {
  if (/^\s*$/.test(line) || /^\s*\|.*\|\s*$/.test(line) || /^\s*(?:[-*_=─]\s*){3,}$/.test(line)) return null;
  if (/^\s*[│├└┌┐┘┤↓▼]/.test(line)) return null;
  if (/^\s*#{1,6}\s/.test(line)) return "heading";
  if (/^\s*(?:[-*+•]|\d{1,2}[.)])\s+\S/.test(line)) return "item";
  return "text";
}
function isLabel({ kind, text }) {
  return kind === "text" && text.length <= 80 && /[:：]$/.test(text) && !/[.!?]\s/.test(text);
}

// projections/memory/rules/sentences.ts
var ABBREVIATION = new RegExp("(?:\\b(?:e\\.g|i\\.e|vs|etc|cf|approx|no|incl|resp)|\\b\\p{Lu})\\.$", "iu");
function sentencesOf(text) {
  const sentences = [];
  for (const piece of text.split(/(?<=[.!?][)"'”’]?)\s+|(?<=[。！？])/u)) {
    const last2 = sentences.at(-1);
    const goesOn = last2 !== void 0 && (ABBREVIATION.test(last2) || new RegExp("^\\p{Ll}+(?:[\\s,.]|$)", "u").test(piece));
    if (goesOn) sentences[sentences.length - 1] = `${last2} ${piece}`;
    else if (piece.trim() !== "") sentences.push(piece.trim());
  }
  return sentences;
}
function fitting(sentences, charsMax) {
  let text = "";
  for (const sentence of sentences) {
    const longer = text === "" ? sentence : `${text} ${sentence}`;
    if (longer.length > charsMax) break;
    text = longer;
  }
  return text === "" && sentences[0] !== void 0 ? cut(sentences[0], charsMax) : text;
}
function cut(text, charsMax) {
  if (text.length <= charsMax) return text;
  const head = text.slice(0, charsMax - 1).toWellFormed();
  const space = head.lastIndexOf(" ");
  return `${(space > charsMax / 2 ? head.slice(0, space) : head).replace(/[\s,;:(–—-]+$/, "")}\u2026`;
}
function capital(text) {
  return new RegExp("^\\p{Ll}+(?:[\\s,;:.!?'\u2019-]|$)", "u").test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
function wordCount(text) {
  let words4 = 0;
  let inside = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit <= 32) inside = false;
    else if (!inside && (unit > 127 || unit >= 48 && unit <= 57 || (unit | 32) >= 97 && (unit | 32) <= 122)) {
      inside = true;
      words4++;
    }
  }
  return words4;
}
function isDense(text) {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(text);
}

// projections/memory/rules/wording.ts
var PLEASANTRY = /^(?:perfect|great|excellent|awesome|nice|wonderful|done|all done|all set|sure|certainly|of course|absolutely|exactly|correct|right|got it|found it|thanks|thank you|gone|fixed|sorted|ok|okay|alright|yes|no|yep|nope|good (?:catch|question|point|idea|call|news)|great (?:catch|question|point|idea)|perfect approach|ah,? (?:right|yes|i see)|i see|you(?:'|’)?re (?:absolutely |totally |completely )?(?:right|correct)|you were (?:absolutely )?right|you are (?:absolutely )?right|sorry.*|sounds good|understood|makes sense|hello|hi)(?:[\s,!.—–-]+(?:done|perfect|approach|indeed|then|now|all|here|it is|again|about that|to .{1,40}))*[\s!.,:—–-]*$/i;
var OPENING = /^(?:(?:perfect|great|excellent|awesome|done|all done|sure|ok|okay|alright|absolutely|exactly|good|nice|fixed|got it|found it|gone)\s*(?:[!.,:]|—|–| - )\s*|(?:good|great|nice) (?:catch|question|point|idea|call)\s*(?:[!.,:]|—|–| - )\s*|(?:ah,? )?(?:yes,? )?you(?:'|’)?(?:re| are| were) (?:absolutely |largely |totally )?(?:right|correct)\s*(?:[!.,:]|—|–| - )\s*|(?:ah|oh),?\s+)+/i;
var META = /^(?:here(?:'|’)?s|here (?:is|are)|let me|let(?:'|’)?s|now let me|now,? i(?:'|’)?ll|i(?:'|’)?ll|i will|i(?:'|’)?m going to|i (?:now )?need to|now i (?:need|have|can|understand|see)|now (?:let|add|update|fix|run|i)\b|next,? i|i have (?:a|the) (?:clear|full|complete|good)|i understand|what (?:changed|i did|was done)\b|to summari[sz]e|in summary|summary|let me know|hope this|sources?\b|looking (?:at|back)|for (?:clarity|context)|as requested|feel free|please (?:rebuild|try|run|let)|try (?:it|running)|you can (?:now )?(?:run|test|try|use|verify)|run (?:it|the test)|this will|this time|i can see|the (?:script|code) looks|great,? (?:now|i)|good,? (?:now|i)|that(?:'|’)s just|this was just|just the|the (?:background|notification))\b/i;
var META_DENSE = /^(?:讓我|让我|我來|我来|現在|现在|首先)/;
function isPleasantry(sentence) {
  return PLEASANTRY.test(sentence.trim());
}
function isMeta(sentence) {
  return META.test(sentence) || META_DENSE.test(sentence);
}
function isAnnouncement(sentence) {
  return /[:：…]\s*$/.test(sentence) || isMeta(sentence);
}
function withoutOpening(sentence) {
  const rest = sentence.replace(OPENING, "").trim();
  return rest === "" ? sentence : capital(rest);
}
function impersonal(sentence) {
  const rest = withoutOpening(sentence).replace(/^(?:and|but|so|also|now|then|finally|additionally|next),?\s+/i, "").replace(
    /^(?:I|we)(?:(?:'|’)ve| have)?\s+(?:now |just |also |already |fully )*(?:successfully )?(?=\w+(?:ed|lt|ote|ade|ept|ran|nt|de|und|ove)\b)/i,
    ""
  ).replace(/^(?:successfully )/i, "").replace(/^(?:I think|I believe|it (?:seems|looks like))(?: that)?\s+/i, "").replace(/^based on (?:my|the|this) [^,]{1,40},\s+/i, "").replace(/^looking at [^,]{1,60},\s+/i, "").replace(/^(?:it turns out|turns out)(?: that)?[,:]?\s+/i, "").replace(
    /^(?:the )?(?:issue|problem|bug|root cause|cause|key insight|key|catch)\s*(?:here |there )?(?:was|is|:)\s*(?:that |in |on )?/i,
    (match) => /\b(?:in|on)\s*$/.test(match) ? match : ""
  );
  return capital(rest.trim());
}

// projections/memory/rules/closing.ts
var WORDS_MIN = 14;
var REPLIES_READ = 6;
var NEXT_STEPS_MAX = 6;
var NOTES_MAX = 4;
var NEXT_HEADING = /^(?:(?:recommended |suggested |possible )?next\b.*|to-?dos?|remaining\b.*|follow-?ups?\b.*|what(?:'|’)?s (?:left|next)|still (?:to do|open|needed|missing)|open (?:points|questions|items)|outstanding\b.*|left to do)\s*:?$/i;
var NEXT_SENTENCE = /\b(?:todo|still (?:needs?|to do|missing|open|have to)|remain(?:s|ing) (?:to|is|issue|work|step)|(?:would|do) you (?:like|want) me to|want me to|shall I|should I|let me know (?:if|when|whether) you(?:'|’)?d like|you (?:may|might|should|will|need to|'ll) (?:want to|need to|have to)|next (?:step|up|,)|waiting (?:on|for) (?:your|you)|ready for you to|left uncommitted|not (?:yet )?(?:committed|pushed|implemented|done))\b/i;
var NOTE_SENTENCE = /^(?:\(?note\b|important\b|caveat|one (?:thing|caveat|note)|however\b|but (?:note|be aware)|be (?:aware|careful)|keep in mind|for (?:future )?reference|heads[- ]up|warning|limitation|downside|the (?:catch|downside|only))|\b(?:could(?:n't| not) (?:verify|test|run|reproduce)|not (?:been )?(?:tested|verified)|untested|unverified|pre-?existing|unrelated|out of scope|known (?:issue|limitation)|doesn(?:'|’)t (?:cover|handle)|deliberately|intentionally left)\b/i;
var GENERIC_HEADING = /^(?:\W*(?:summary|changes?(?: made| summary)?|what (?:i|we)(?:'|’)?(?:ve)? (?:did|changed|found|done)|what was (?:done|changed|implemented|accomplished|completed)|overview|details?|results?|implementation(?: details| summary)?|files? (?:changed|modified|created)|key (?:changes|points|features|findings|insights?)|conclusion|analysis|(?:the |my |proposed )?(?:fix|solution|solutions|problem|issue|recommendation|answer|approach|bug|assessment|verdict)|verification|tests?|testing|usage|before(?:\/| and | )after|before|after|options?|example|structure|benefits|how it works|why it works|bottom line|findings|background|context|issues found|review|validation summary|short answer|tl;?dr)(?:\b\W*\S*)?|.*\b(?:complete|completed|done|summary)\W*|why this .{0,24}|\W*\d+[.)]?.*|(?:phase|step|option|approach|issue|task|part|batch) \d+.*|完成總結|總結|总结)$/i;
function closingOf(said2) {
  let thin = null;
  for (let index = said2.length - 1; index >= 0 && index >= said2.length - REPLIES_READ; index--) {
    const one = takenApart(said2[index]);
    if (isSubstantial(one)) return one;
    if (thin === null && !endsOpen(one)) thin = one;
  }
  return thin;
}
function takenApart(said2) {
  const blocks = blocksOf(said2.text);
  const headings = [];
  const sentences = [];
  const items = [];
  const nextSteps = [];
  const notes = [];
  let underNext = false;
  for (const { kind, text } of blocks) {
    if (kind === "heading" || kind === "label") {
      underNext = NEXT_HEADING.test(text.replace(/[:：]$/, ""));
      const name = text.replace(/[:：]$/, "").replace(/^\d+[.)]\s*/, "");
      if (kind === "heading" && !underNext && !GENERIC_HEADING.test(name) && wordCount(name) >= 3)
        headings.push(name);
      else if (kind === "label" && !isMeta(text) && new RegExp("^\\p{Lu}?\\p{L}+(?:ed|ote|ade|ept|ran)\\b", "u").test(text))
        sentences.push(text);
      continue;
    }
    if (kind === "item" && underNext) {
      nextSteps.push(text);
      continue;
    }
    if (kind === "item") {
      if (NEXT_SENTENCE.test(text) && text.length < 200) nextSteps.push(text);
      else items.push(text);
      continue;
    }
    for (const sentence of sentencesOf(text).map(withoutOpening)) {
      if (isPleasantry(sentence) || wordCount(sentence) < 2 && !isDense(sentence)) continue;
      if (NEXT_SENTENCE.test(sentence)) nextSteps.push(sentence);
      else if (NOTE_SENTENCE.test(sentence)) notes.push(sentence);
      if (!isMeta(sentence) && !NEXT_SENTENCE.test(sentence)) sentences.push(sentence);
    }
    if (kind === "text") underNext = underNext && /[:：]$/.test(text);
  }
  return {
    said: said2,
    blocks,
    headings,
    sentences,
    items: items.filter((item) => /[\p{L}]{3}/u.test(item)),
    nextSteps: nextSteps.slice(0, NEXT_STEPS_MAX),
    notes: notes.slice(0, NOTES_MAX)
  };
}
function isSubstantial(closing) {
  if (endsOpen(closing) && closing.items.length < 3) return false;
  const words4 = [...closing.sentences, ...closing.items].join(" ");
  return wordCount(words4) >= WORDS_MIN || isDense(words4) && words4.length >= 30;
}
function endsOpen({ blocks }) {
  const last2 = blocks.at(-1);
  if (last2 === void 0) return true;
  const sentence = sentencesOf(last2.text).at(-1) ?? "";
  return last2.kind !== "item" && (last2.kind === "label" || isAnnouncement(sentence)) && blocks.length <= 3;
}

// projections/memory/rules/concepts.ts
function conceptsOf({ type, prompt, said: said2, decided, fixedErrors, changed }) {
  const concepts = /* @__PURE__ */ new Set();
  if (changed) concepts.add("what-changed");
  if (type === "bugfix" || type === "security" || fixedErrors > 0 || ROOT_CAUSE.test(said2))
    concepts.add("problem-solution");
  if (!changed && (HOW.test(prompt) || HOW_SAID.test(said2) || type === "discovery"))
    concepts.add("how-it-works");
  if (WHY.test(prompt) || WHY_SAID.test(said2)) concepts.add("why-it-exists");
  if (GOTCHA.test(said2)) concepts.add("gotcha");
  if (PATTERN.test(said2)) concepts.add("pattern");
  if (decided || TRADE_OFF.test(said2)) concepts.add("trade-off");
  if (concepts.size === 0) concepts.add("what-changed");
  return [...concepts].sort();
}
var ROOT_CAUSE = /\b(?:root cause|the (?:issue|problem|bug) (?:was|is)|caused by)\b/i;
var HOW = /\b(?:how (?:do|does|is|are|would|can)|explain|what (?:is|does|are)|where)\b/i;
var HOW_SAID = /\b(?:works? by|is (?:stored|computed|called|defined|triggered)|under the hood)\b/i;
var WHY = /\bwhy\b/i;
var WHY_SAID = /\b(?:the reason|exists? (?:because|so that|to)|by design|on purpose|historical)\b/i;
var GOTCHA = /\b(?:gotcha|careful|beware|caveat|pitfall|turns out|surpris\w+|silently|trap|edge case|easy to miss|only works? (?:when|if|on)|must (?:be|not)|false positive|circular dependency|race condition|misleading)\b/i;
var PATTERN = /\b(?:pattern|convention|consistent(?:ly)? with|single source of truth|same approach|idiom)\b/i;
var TRADE_OFF = /\b(?:trade-?offs?|pros?(?: and |\/)cons?|downsides?|at the cost of|instead of|rather than|versus)\b/i;

// projections/memory/rules/decisions.ts
var CHOOSES = /\b(?:decided|chose|chosen|choosing|opted|went with|going with|prefer(?:red)?|instead of|rather than|on purpose|deliberately|intentionally|kept|keeps? (?:it|them|the)|recommend(?:ed|ation)?|selected|trade-?off|not worth|by design)\b/i;
var REASON = /\b(?:because|since|so that|so (?:it|we|the|that|they)\b|the reason|to avoid|to keep|instead of|rather than|over (?:the|a)\b|otherwise|which (?:means|avoids|keeps|lets)|due to|in order to|as (?:it|this|that|the)\b)|—|: /i;
var PERSON_DECIDES = /\b(?:I(?:'|’)?d (?:go with|rather|prefer|say we)|I (?:would (?:call|prefer|go)|prefer|want to keep|only want|decided|think (?:we should|it'?s? (?:better|correct)|I'?d prefer))|we (?:removed|decided|want|should not|shouldn(?:'|’)t|don(?:'|’)t want|agreed)|let(?:'|’)?s (?:keep|use|go with|not|stick)|should (?:be|not)|instead of|rather than|on purpose)\b/i;
var DECISION_CHARS_MAX = 260;
var DECISIONS_MAX = 4;
function decisionsOf(asked, closing) {
  const found = [];
  for (const sentence of asked)
    if (PERSON_DECIDES.test(sentence) && !/\?\s*$/.test(sentence) && wordCount(sentence) >= 5 && sentence.length <= 400)
      found.push(`The person: ${cut(sentence, DECISION_CHARS_MAX)}`);
  const own = found.slice(0, 2);
  const agents = [];
  for (const block of closing) {
    if (block.kind === "heading" || block.kind === "label") continue;
    for (const sentence of sentencesOf(block.text))
      if (CHOOSES.test(sentence) && REASON.test(sentence) && wordCount(sentence) >= 7 && !/\?\s*$|:\s*$|^\s*(?:would|do|should|want|if) /i.test(sentence))
        agents.push(cut(sentence, DECISION_CHARS_MAX));
  }
  return [.../* @__PURE__ */ new Set([...own, ...agents])].slice(0, DECISIONS_MAX);
}

// projections/memory/rules/commits.ts
var MESSAGE_CHARS_MAX = 600;
var PRINTED = /^\[[^\]\n]{1,120}? ([0-9a-f]{7,40})\] (.+)$/gm;
var HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)(?:\n\s*\2\b|$)/g;
var QUOTED = /(?:\s-[a-zA-Z]*m|\s--message[=\s])\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;
function commitsOf(use) {
  const command = use.command?.whole;
  if (command === void 0 || use.outcome !== "ok" || !/\bgit\b[^\n]*\b(?:commit|cherry-pick|merge|revert)\b/.test(command))
    return [];
  const printed = [...use.tail.matchAll(PRINTED)].map(([, hash2, subject]) => ({
    hash: hash2,
    subject: subject.trim()
  }));
  const messages = messagesOf(command).filter((message) => !/^wip\b|\$\{?\w/i.test(message));
  if (printed.length === 0) return messages.map((message) => ({ hash: null, message }));
  return printed.map(({ hash: hash2, subject }) => {
    const whole = messages.find((message) => message.startsWith(clean(subject)));
    return { hash: hash2, message: whole ?? clean(subject) };
  });
}
function messagesOf(command) {
  if (!/\bgit\b[^\n]*\bcommit\b/.test(command)) return [];
  const found = [];
  const documents = [...command.matchAll(HERE_DOCUMENT)].map((match) => match[3]);
  const isMessage = /\bcommit\b[^\n]*(?:-[a-zA-Z]*m\s*"?\$\(cat\s*<<|-F\s*-|--file[= ]-)/.test(command);
  if (isMessage && documents.length > 0) found.push(...documents);
  else {
    const rest = command.slice(command.search(/\bcommit\b/));
    const pieces2 = [...rest.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? "");
    if (pieces2.length > 0) found.push(pieces2.join("\n\n"));
  }
  return found.map(clean).filter((message) => message !== "" && !message.startsWith("$("));
}
function clean(message) {
  return message.replace(/^\s*@['"]?\s*|\s*['"]?@\s*$/g, "").replace(/\\n/g, "\n").replace(/\\(["'`$])/g, "$1").split("\n").map((line) => line.trim()).filter(
    (line) => !/^(?:Co-Authored-By|Signed-off-by|Claude-Session|Entire-\w+):|Generated with/i.test(line)
  ).join("\n").trim().slice(0, MESSAGE_CHARS_MAX).toWellFormed();
}

// projections/memory/rules/commands.ts
var SHELLS = /* @__PURE__ */ new Set(["Bash", "PowerShell", "shell", "run_shell_command", "exec"]);
var COMMAND_CHARS_MAX = 160;
var RUNNERS = /(?:^|[\s;&|(/])(?:vitest|jest|mocha|ava|pytest|py\.test|tox|phpunit|rspec|ctest|minitest|unittest)\b/;
var TEST_TASK = /\b(?:npm|pnpm|yarn|bun|go|cargo|mix|dotnet|swift|deno|flutter|dart|sbt|lein|rake|make|just|task|mise|gradlew?|mvnw?|bazel|rails|composer|zig|stack|cabal|nx|turbo)\s+(?:(?:run|exec|build|-\S+)\s+)*(?:test|tests|t|check|spec|verify|nextest)\b/;
var CHECK = /\b(?:tsc|eslint|biome|prettier|golangci-lint|gofmt|ruff|mypy|flake8|clippy|rubocop|credo|markdownlint\S*|vale|shellcheck|dialyzer|pyright|vet)\b|\b(?:go|cargo|mix|dotnet|swift|gradlew?|mvnw?|make|npm|pnpm|yarn|bun|mise|just|task|docker|hugo)\s+(?:run\s+)?(?:build|compile|lint|fmt|format|typecheck|package|install)\b/;
var COMMIT = /\bgit\s+(?:-\S+\s+\S+\s+)*(?:commit|merge|cherry-pick|rebase|revert)\b/;
var MUTATION = /\bgit\s+(?:mv|rm|push|tag|checkout\s+--|restore|reset|branch\s+-[dDmM]|worktree\s+(?:add|remove))\b|\bgh\s+(?:pr|issue|release)\s+(?:create|merge|close|edit|comment)\b|(?:^|[\s;&|])(?:rm|mv|cp|sed\s+-i\S*|tee|ln|patch)\s|(?:^|\s)cat\s*>|Remove-Item|Move-Item|\b(?:npm|pnpm|yarn|pip|cargo|go|mix|bundle)\s+(?:install|add|get|remove|deps\.get|i)\b/;
var LOOK = /^(?:ls|cat|head|tail|grep|rg|find|fd|pwd|which|wc|tree|stat|file|du|df|ps|env|echo|sed -n|awk|sort|diff|jq|type|command -v|git (?:-\S+ \S+ )?(?:status|log|diff|show|branch|remote|blame|ls-files|rev-parse|fetch|check-ignore|config --get)|gh (?:pr|issue|run|repo) (?:view|list|diff|checks|status)|Get-\w+)\b/;
function commandIn(name, { command }) {
  if (!SHELLS.has(name) || typeof command !== "string" || command.trim() === "") return null;
  const short2 = shortCommand(command);
  return { whole: command, short: short2, purpose: purposeOf(command, short2) };
}
function purposeOf(command, short2) {
  if (LOOK.test(short2) && !/&&|;/.test(short2)) return "look";
  const bare = withoutTexts(command);
  if (COMMIT.test(bare)) return "commit";
  if (RUNNERS.test(bare) || TEST_TASK.test(bare)) return "test";
  if (CHECK.test(bare)) return "check";
  if (MUTATION.test(bare)) return "mutation";
  return LOOK.test(short2) ? "look" : "other";
}
function shortCommand(command) {
  if (command.length <= COMMAND_CHARS_MAX && /^\w[^\n\t<>|;&=]*$/.test(command)) return command.trim();
  const line = command.replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:\n\s*\2\b|$)/g, "").split("\n").map((one) => one.trim()).filter((one) => one !== "" && !one.startsWith("#")).join("; ").replace(/^(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/, "").replace(/^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)\s*(?:&&|;)?\s*)+/, "").replace(/^(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/, "").replace(/\s*2>&1/g, "").replace(/\s*[12]?>\s*\/dev\/null/g, "").replace(/(?:\s*\|\s*(?:tail|head|tee|cat|less|sort|uniq|wc)\b[^|&;]*)+(?=\s*(?:$|&&|;))/g, "").replace(/\s*;\s*echo\s+["']?[^;&|]*$/i, "").replace(/\s+/g, " ").trim();
  return line.length <= COMMAND_CHARS_MAX ? line : `${line.slice(0, COMMAND_CHARS_MAX - 1).toWellFormed()}\u2026`;
}
function likeness(one, other) {
  const a = wordsOf(one);
  const b = wordsOf(other);
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.min(a.size, b.size);
}
function wordsOf({ short: short2 }) {
  return new Set(short2.match(/[\p{L}\p{N}_./:-]{2,}/gu) ?? []);
}
function withoutTexts(command) {
  return command.replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:\n\s*\2\b|$)/g, " ").replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ' "" ');
}

// projections/memory/rules/files.ts
var READERS = /* @__PURE__ */ new Set(["Read", "NotebookRead", "read_file", "View"]);
var WRITERS = /* @__PURE__ */ new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "write_file", "apply_patch"]);
var PATH_FIELDS2 = ["file_path", "notebook_path", "path", "filePath"];
var FILES_MAX4 = 50;
function filesOf2(uses, place) {
  const read = /* @__PURE__ */ new Set();
  const modified = /* @__PURE__ */ new Set();
  const scratch = /* @__PURE__ */ new Set();
  const events = [];
  for (const use of uses) {
    const path = pathOf(use);
    if (path === null || use.outcome !== "ok") continue;
    const file = insidePlace(path, place);
    const kind = isWriter(use) ? isScratch(file) ? scratch : modified : readsFile(use, path) ? read : null;
    if (kind === null || kind.has(file) || kind.size >= FILES_MAX4) continue;
    kind.add(file);
    events.push(...use.events);
  }
  return {
    read: [...read].filter((file) => !modified.has(file)),
    modified: [...modified],
    scratch: [...scratch],
    events
  };
}
function isWriter({ name }) {
  return WRITERS.has(name);
}
function pathOf({ input }) {
  const path = PATH_FIELDS2.map((field) => input[field]).find((value) => typeof value === "string");
  return typeof path === "string" && path !== "" ? path : null;
}
function insidePlace(path, place) {
  const slashed = path.replaceAll("\\", "/");
  const root = place.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = root !== "" && slashed.toLowerCase().startsWith(`${root.toLowerCase()}/`) ? slashed.slice(root.length + 1) : slashed;
  return inside.replace(/^\.\//, "");
}
function baseName(path) {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
function readsFile({ name }, path) {
  return READERS.has(name) || name === "Grep" && /\.[A-Za-z0-9]{1,8}$/.test(path);
}
function isScratch(file) {
  return /^(?:\/|[a-z]:\/).*\b(?:te?mp|scratchpad|T)\//i.test(file) || /^\/tmp\/|^\/var\/folders\//.test(file);
}

// projections/memory/rules/test-outcome.ts
var FAILED = /^\s*(?:---\s*)?FAIL(?:ED|URE)?\b|\bFAIL\s|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failures?|failing)\b|\bTests?:\s.*\b[1-9]\d*\s+failed|npm ERR!|panicked at|could not compile|\bBUILD FAILED\b|ERROR task failed|^Exit code [1-9]|\berror TS\d+|^error(?:\[E\d+\])?:/m;
var PASSED = /\b\d+\s+(?:tests?|examples?|specs?)\b[^\n]{0,40}\b0 failures\b|\b\d+ (?:tests? )?pass(?:ed|ing)\b|^\s*(?:ok\s|PASS\b)|\ball (?:tests )?pass|test result: ok|^OK\b|\b0 issues\b|found no issues/im;
var RUNNERS_LAST_WORDS = /^.*(?:\b\d+\s+(?:tests?|examples?|specs?|doctests?)\b.*\bfailures?\b|\bTests?:?\s+.*\b\d+ (?:passed|failed)\b|\b\d+ (?:passed|passing|failed|failing)\b|test result: .*|\b0 issues\b).*$/gim;
function endOf(use) {
  if (use.outcome === "failed") return "failed";
  if (use.outcome !== "ok" || use.input.run_in_background === true) return null;
  if (FAILED.test(use.tail)) return "failed";
  const hidden = /\|(?!\|)|;|\|\|/.test(use.command?.whole ?? "");
  return !hidden || PASSED.test(use.tail) ? "passed" : null;
}
function lastWordsOf({ tail, error }) {
  const lines = `${error}
${tail}`.match(RUNNERS_LAST_WORDS);
  const last2 = lines?.at(-1);
  return last2 === void 0 ? null : plain(last2).slice(0, 120);
}

// projections/memory/rules/errors.ts
var ERRORS_MAX = 6;
var ERROR_CHARS_MAX = 220;
var LIKENESS_MIN = 0.5;
var FILES_NAMED_MAX = 4;
function errorsOf(uses) {
  const found = [];
  const cured = /* @__PURE__ */ new Set();
  uses.forEach((use, index) => {
    const { command } = use;
    if (command === null || command.purpose === "look" || endOf(use) !== "failed") return;
    const { short: short2, purpose } = command;
    const error = gistOf(use);
    if (error === null) return;
    const fix = fixOf(uses, index, command);
    if (fix === null && (purpose !== "test" && purpose !== "check" || SHELL_SPEAKS.test(error))) return;
    if (fix !== null && fix.by === null) return;
    const name = `${short2}
${fix?.by ?? ""}`;
    if (cured.has(name)) return;
    cured.add(name);
    found.push({
      error,
      command: short2,
      fixedBy: fix?.by ?? null,
      events: [...use.events, ...fix?.events ?? []]
    });
  });
  return found.filter((one, index) => {
    const again = found.findIndex(
      (other) => other.command === one.command && other.fixedBy === one.fixedBy
    );
    return again === index;
  }).slice(0, ERRORS_MAX);
}
function fixOf(uses, failed, command) {
  const { purpose, short: short2 } = command;
  const edited = /* @__PURE__ */ new Map();
  for (let index = failed + 1; index < uses.length; index++) {
    const use = uses[index];
    if (isWriter(use) && use.outcome === "ok") {
      const path = pathOf(use);
      if (path !== null && !edited.has(baseName(path))) edited.set(baseName(path), use.events);
      continue;
    }
    const next = use.command;
    if (next === null || next.purpose === "look") continue;
    const alike = likeness(command, next) >= LIKENESS_MIN;
    const samePurpose = next.purpose === purpose && (purpose === "test" || purpose === "check");
    if (!(alike || samePurpose && edited.size > 0) || endOf(use) !== "passed") continue;
    const events = [...[...edited.values()].flat(), ...use.events];
    if (edited.size > 0) return { by: `edits to ${listed([...edited.keys()])}`, events };
    return { by: next.short === short2 ? null : `running ${next.short} instead`, events };
  }
  return null;
}
function listed(names) {
  const more = names.length - FILES_NAMED_MAX;
  return more > 0 ? `${names.slice(0, FILES_NAMED_MAX).join(", ")} and ${more} more` : names.join(", ");
}
function gistOf({ error, tail }) {
  const lines = `${error}
${tail}`.slice(0, TEXT_CHARS_READ).split("\n").map((line) => line.trim()).filter((line) => line.length > 3 && !NOISE.test(line) && new RegExp("\\p{L}{3}", "u").test(line));
  const test = lines.findIndex((line) => FAILED_TEST.test(line));
  if (test >= 0) {
    const name = FAILED_TEST.exec(lines[test])[1];
    const why = lines[test + 1] === void 0 ? void 0 : plain(lines[test + 1]);
    return cut(
      why === void 0 || FAILED_TEST.test(why) ? `${name} fails` : `${name}: ${why}`,
      ERROR_CHARS_MAX
    );
  }
  const telling = lines.find((line) => TELLING.test(line)) ?? lines.find((line) => WEAK.test(line)) ?? lines[0];
  return telling === void 0 ? null : cut(plain(telling), ERROR_CHARS_MAX);
}
var SHELL_SPEAKS = /^(?:\/\S+\/)?(?:ba|z|da)?sh:|command not found|is not recognized/;
var TEXT_CHARS_READ = 5e3;
var FAILED_TEST = /^--- FAIL: (\S+)/;
var NOISE = /^(?:Exit code \d+$|\[\w+\] \$ |ok\s|\?\s|PASS|FAIL\s+\S+\s+[\d.(]|=== (?:RUN|PAUSE|CONT)|# |> |FAIL$|Some characters|Error: Exit code|\[\w+\] ERROR task failed|--- PASS|<\/?tool_use_error>)/;
var TELLING = /\w*Error\b: |\berror[: [(]|\bundefined\b|cannot |can't |could not|not found|no such|unexpected|expected|panic|denied|refused|missing|invalid|mismatch|declared and not used|imported and not used|import cycle|^\s*--- FAIL/i;
var WEAK = /fail|error|warn|exception/i;

// projections/memory/rules/evidence.ts
var COMMANDS_MAX2 = 12;
var TESTS_MAX = 6;
function gather(uses, place) {
  const commands = /* @__PURE__ */ new Map();
  const tests = /* @__PURE__ */ new Map();
  const commits = /* @__PURE__ */ new Map();
  const events = [];
  let mutated = false;
  for (const use of uses) {
    if (use.command === null || use.command.purpose === "look") continue;
    const { short: short2, purpose } = use.command;
    const end = purpose === "test" || purpose === "check" ? endOf(use) : null;
    const outcome = end === "failed" ? "failed" : use.outcome;
    if ((purpose === "mutation" || purpose === "commit") && use.outcome === "ok") mutated = true;
    commands.set(short2, { command: short2, outcome, events: use.events });
    if (purpose === "test" && end !== null) {
      const stood = tests.get(short2);
      const before = stood === void 0 ? null : stood.before ?? stood.after;
      tests.set(short2, { command: short2, before, after: end, said: lastWordsOf(use), events: use.events });
    }
    for (const commit of commitsOf(use)) {
      commits.set(commit.hash ?? commit.message, commit);
      events.push(...use.events);
    }
  }
  const files = filesOf2(uses, place);
  const errors = errorsOf(uses);
  const keptCommands = [...commands.values()].slice(-COMMANDS_MAX2);
  const keptTests = [...tests.values()].slice(-TESTS_MAX);
  events.push(...files.events, ...[...keptCommands, ...keptTests, ...errors].flatMap((one) => one.events));
  return {
    commands: keptCommands.map(({ command, outcome }) => ({ command, outcome })),
    tests: keptTests.map(({ command, before, after, said: said2 }) => ({ command, before, after, said: said2 })),
    commits: [...commits.values()],
    errors,
    files,
    changed: files.modified.length > 0 || commits.size > 0 || mutated,
    created: uses.some((use) => use.name === "Write" && use.outcome === "ok"),
    events
  };
}

// projections/memory/rules/facts.ts
var FACT_CHARS_MAX = 220;
var SAID_MAX = 8;
function factsOf(closing, gathered, decisions) {
  const said2 = (closing?.items ?? []).filter((item) => wordCount(item) >= 3 || isDense(item)).map((item) => cut(item.replace(/[:：]$/, ""), FACT_CHARS_MAX)).slice(0, SAID_MAX);
  const errors = gathered.errors.map(
    ({ error, command, fixedBy }) => fixedBy === null ? `Still failing: ${command}: ${error}` : `${command} failed with \u201C${error}\u201D; fixed by ${fixedBy}`
  );
  const tests = gathered.tests.map(
    ({ command, before, after, said: words4 }) => `${command}: ${before === null || before === after ? after : `${before}, then ${after}`}${words4 === null ? "" : ` (${words4})`}`
  );
  const commits = gathered.commits.map(
    ({ hash: hash2, message }) => `Commit${hash2 === null ? "" : ` ${hash2}`}: ${message.split("\n")[0]}`
  );
  const chosen = decisions.filter((decision) => !said2.some((fact) => fact.includes(decision.slice(0, 60))));
  return [.../* @__PURE__ */ new Set([...said2, ...chosen, ...errors, ...tests, ...commits])];
}

// projections/memory/rules/parts.ts
var USES_MIN = 40;
var USES_MAX = 60;
var USES_REST = 20;
function partsOf(uses) {
  const parts = [[]];
  for (const use of uses) {
    const part = parts.at(-1);
    part.push(use);
    const committed = part.length >= USES_MIN && commitsOf(use).length > 0;
    if (committed || part.length >= USES_MAX) parts.push([]);
  }
  const rest = parts.at(-1);
  if (parts.length > 1 && rest.length < USES_REST) {
    parts.pop();
    parts.at(-1).push(...rest);
  }
  return parts;
}

// projections/memory/rules/request.ts
var REQUEST_CHARS_MAX = 300;
var PROMPT_CHARS_READ = 3e3;
var COURTESY = /^(?:(?:hi|hello|hey|ok(?:ay)?|yes|no|yeah|ah|right|so|and|but|well|great|cool|perfect|thanks|thank you|alright|also|now|then|one follow up|follow up|question|quick question|next)\b[\s,:;.!—–-]*|(?:can|could|would|will) (?:you|we)(?: please| maybe| also)?\s+|please\s+|(?:i(?:'|’)?d|i would) (?:like|want|love)(?: you| us)? to\s+|i (?:want|need)(?: you| us)? to\s+|(?:let(?:'|’)?s|lets)\s+|(?:do me|give me)\s+|i think (?:we should |you should )?|maybe |it would be (?:nice|good|great) (?:to|if) )+/i;
var ASKING = /^(?:(?:and|but|so|ok(?:ay)?|yes|no|also|then|now|question)\b[\s,:;]*)?(?:can|could|would|will) (?:you|we)\b|\bplease\b|^(?:i(?:'|’)?d|i would) (?:like|want|love)\b|^i (?:want|need)\b|^(?:let(?:'|’)?s|lets)\b/i;
var ASKS_YOU = /\b(?:can|could|would|will) (?:you|we)\b/i;
var QUESTION = /\?\s*$|^(?:what|why|how|where|when|which|who|is|are|do|does|did|should|would|can it|isn(?:'|’)?t|doesn(?:'|’)?t|aren(?:'|’)?t|has|have|was|were)\b/i;
var ASKS_TO_CHANGE = /\b(?:fix|add|change|update|remove|delete|create|write|implement|rename|move|refactor|rewrite|convert|make|build|drop|upgrade|bump|commit|push|merge|replace|revert|clean ?up|install|continue|work on|set ?up|migrate)\b/i;
var GO_ON = /^(?:go ahead|continue|do (?:it|that|this|option)|proceed|start(?: with)?|pick up|carry on|keep going|option|ignore this)\b/i;
var SEVERITY = /^(?:low|medium|high|critical) severity$/i;
function requestOf(prompts) {
  const lines = prompts.flatMap((prompt) => humanLines(prompt.slice(0, PROMPT_CHARS_READ)));
  const sentences = lines.flatMap(sentencesOf);
  const words4 = cut(sentences.join(" "), REQUEST_CHARS_MAX);
  const asking = sentences.filter((sentence) => !isCourtesyOnly(sentence));
  const asks = asking.find((one) => ASKING.test(one) && isLong(one.replace(COURTESY, ""))) ?? asking.find(isLong);
  const topic = asks === void 0 ? "" : topicOf(asks);
  const whole = sentences.join(" ");
  return {
    words: words4,
    sentences,
    topic,
    vague: topic === "" || GO_ON.test(topic) && wordCount(topic) <= 10 || !isDense(topic) && wordCount(
      topic.replace(
        /\b(?:it|this|that|them|these|those|the|do|all|are|is|in|a|an|to|of|one|option|your|you|i|we|me|good|for)\b/gi,
        ""
      )
    ) < 3,
    question: QUESTION.test(asks ?? whole) && !ASKS_TO_CHANGE.test(asks ?? whole)
  };
}
function humanLines(prompt) {
  const withoutCode = prompt.replace(/```[\s\S]*?(?:```|$)/g, "\n").replace(/\[Image #\d+\]/g, "").replace(/^\s*\/[\w:-]+(?=\s+\S)/, "");
  const lines = withoutCode.split("\n").map((line) => line.trimEnd());
  const kept = lines.filter(isHuman).map(plain).filter((line) => line !== "" && !SEVERITY.test(line));
  return kept.length > 0 ? kept : lines.map(plain).filter((line) => line !== "").slice(0, 1);
}
function isHuman(line) {
  const text = line.trim();
  if (text === "" || /^(?:[+={}<>$|/\\;#]|-{2,}|[-+]\s{2,}|\d+[:|]\s|at\s+\S+\s*\()/.test(text)) return false;
  if (/[{;]$|:=|=>|\(\);|^\s*(?:func|const|let|var|import|return|if \(|for |type |class |def )\b.*[({]$/.test(
    text
  ))
    return false;
  if (/^(?:Error|Traceback|Exception|fatal|warning|panic|go:|npm |Building|Built|Found|Looking for|Initialized|Switched to|Created|Added to|Operation stopped|unknown command|Keeping|\d+ files? changed|create mode|\[[\w ,/:-]+\])/i.test(
    text
  ) && !text.endsWith("?"))
    return false;
  if (/^"?\w+"?\s*:\s*["\d[{]/.test(text)) return false;
  const letters = text.match(/[\p{L}\s,.'’?!]/gu)?.length ?? 0;
  return letters / text.length > 0.78 || letters / text.length > 0.6 && wordCount(text) >= 6;
}
function topicOf(sentence) {
  return capital(
    sentence.replace(COURTESY, "").replace(
      /,?\s*(?:please|thanks|right)?\s*[?.!:]*$/i,
      (end) => /\?/.test(end) && !ASKS_YOU.test(sentence) ? "?" : ""
    ).replace(new RegExp("^to (?=\\p{Ll})", "u"), "").trim()
  );
}
function isCourtesyOnly(sentence) {
  return sentence.replace(COURTESY, "").replace(/[\s.,!?]/g, "") === "";
}
function isLong(sentence) {
  return wordCount(sentence) >= 3 || isDense(sentence) && sentence.length >= 5;
}

// projections/memory/rules/routine.ts
var WORDS_MIN2 = 40;
var WORDS_MIN_AFTER_WORK = 22;
var ANSWER_CHARS = 900;
var STATUS_WORDS_MAX = 130;
var STATUS = /^(?:(?:what(?:'|’)?s|what is) (?:the )?(?:status|state|progress|left|next|running)|status\b|git status|(?:list|show)(?: me)?\b|how far|are (?:we|you) (?:done|finished|ready)|(?:did|have) (?:you|we) (?:already )?(?:commit|push|run|finish|start)|is (?:it|this|that|everything) (?:done|running|finished|ready|committed|pushed|ok|fixed)|start\b|open\b|launch\b|run\b|(?:i think )?this was (?:just )?fixed|is (?:the|that|it) [\w ]{0,20}\bstill\b|continue$|thanks?\b|thank you|hello|hi|hey|good (?:morning|evening))/i;
var IN_PROGRESS = /\bI(?:'|’)ll (?:report|let you know|get back|update you|check back)\b|\bwhen it (?:lands|finishes|is done)\b|\bstill (?:running|working on it|in progress)\b/i;
function isRoutine({
  request,
  closing,
  changed,
  curedErrors,
  uses,
  commandsOnly
}) {
  if (changed || curedErrors > 0) return false;
  if (closing === null || commandsOnly && uses === 0) return true;
  const text = [...closing.sentences, ...closing.items].join(" ");
  const words4 = isDense(text) ? Math.floor(text.length / 2) : wordCount(text);
  if (words4 <= 2 * STATUS_WORDS_MAX && IN_PROGRESS.test(text)) return true;
  if (closing.said.text.length < ANSWER_CHARS && words4 < (uses >= 3 ? WORDS_MIN_AFTER_WORK : WORDS_MIN2))
    return true;
  return STATUS.test(request.topic) && words4 <= STATUS_WORDS_MAX;
}

// projections/memory/rules/story.ts
function storyOf(turn, items) {
  const asked = [];
  const uses = [];
  const said2 = [];
  const stopped2 = [];
  for (const item of items) {
    if (item.home !== null) continue;
    const { id, at, order } = item;
    const { tellings } = item;
    const events = tellings.length === 1 ? [tellings[0].event] : tellings.map(({ event }) => event);
    switch (item.kind) {
      case "prompt": {
        const { text, kind } = readPrompt(item);
        if (text?.trim()) asked.push({ id, at, order, events, text, command: kind === "command" });
        break;
      }
      case "tool": {
        const { name, input, outcome, error, resultTail: resultTail2 } = readTool(item);
        uses.push({
          id,
          at,
          order,
          events,
          name,
          input,
          command: commandIn(name, input),
          outcome: outcome ?? null,
          error: error ?? "",
          tail: resultTail2 ?? ""
        });
        break;
      }
      case "reply": {
        const { text, agentId, sidechain, compaction } = readReply(item);
        if (text?.trim() && !agentId && !sidechain && !compaction) said2.push({ id, at, order, events, text });
        break;
      }
      case "stop": {
        const { text, agentId, sidechain } = readStop(item);
        if (text?.trim() && !agentId && !sidechain) stopped2.push({ id, at, order, events, text });
        break;
      }
    }
  }
  const spoken = said2.length > 0 ? said2 : stopped2;
  return { turn, asked: inOrder(asked), uses: inOrder(uses), said: inOrder(spoken) };
}
function inOrder(list) {
  return list.sort((a, b) => a.order < b.order ? -1 : a.order > b.order ? 1 : a.id < b.id ? -1 : 1);
}

// projections/memory/rules/summary.ts
var FIELD_CHARS_MAX2 = 600;
var NAMES_MAX = 6;
var LEARNED = /\b(?:because|root cause|caused by|the (?:issue|problem|bug|reason|key|catch)\b|turns out|it turned out|actually|only (?:when|if)|never|always|means that|depends on|already|instead of|due to|found|confirmed|doesn(?:'|’)t|does not|isn(?:'|’)t|is not|cannot|can(?:'|’)t)\b/i;
function summaryOf({ turn, asked, uses }, request, closing, gathered, observations) {
  const changed = gathered.some((part) => part.changed);
  const last2 = observations.at(-1);
  const errors = gathered.flatMap((part) => part.errors).filter(({ fixedBy }) => fixedBy !== null);
  const commits = gathered.flatMap((part) => part.commits);
  const modified = [...new Set(gathered.flatMap((part) => part.files.modified))].map(baseName);
  const sentences = closing?.sentences ?? [];
  const learns = sentences.filter((sentence) => LEARNED.test(sentence)).map(impersonal);
  const tells = sentences.filter((sentence) => !LEARNED.test(sentence)).map(impersonal);
  const items = closing?.items ?? [];
  const learned = changed ? [...learns, ...errors.map(({ error, fixedBy }) => `\u201C${cut(error, 120)}\u201D went away by ${fixedBy}.`)] : [...sentences.map(impersonal), ...items.slice(0, 3).map(stopped)];
  const completed = changed ? [
    ...tells.slice(0, 4),
    ...items.slice(0, 4).map(stopped),
    ...commits.map(
      ({ hash: hash2, message }) => `Committed${hash2 === null ? "" : ` ${hash2}`}: ${message.split("\n")[0]}.`
    )
  ] : [];
  const events = [
    ...asked.flatMap((one) => one.events),
    ...closing?.said.events ?? [],
    ...gathered.flatMap((part) => part.events)
  ];
  return {
    id: itemId("y", turn.agent, turn.session, turn.id),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    place: turn.place,
    at: last2.at,
    order: `${last2.order.slice(0, -2)} y`,
    title: turnTitle(request, observations),
    request: request.words,
    investigated: investigated(gathered, uses),
    learned: textOf(learned),
    completed: textOf(completed) ?? (modified.length > 0 ? `Changed ${listed2(modified)}.` : null),
    nextSteps: (closing?.nextSteps ?? []).map(nextStep),
    notes: textOf(closing?.notes ?? []),
    observations: observations.map(({ id }) => id),
    events: [...new Set(events)].sort()
  };
}
function turnTitle(request, observations) {
  if (observations.length === 1 || request.vague) return observations.at(-1).title;
  return cut(request.topic, 90);
}
function investigated(gathered, uses) {
  const read = [...new Set(gathered.flatMap((part) => [...part.files.read, ...part.files.modified]))].map(
    baseName
  );
  const input = (names, field) => [
    ...new Set(
      uses.filter(({ name }) => names.includes(name)).flatMap((use) => use.input[field] ? [String(use.input[field])] : [])
    )
  ];
  const searched = input(["Grep", "Glob"], "pattern").filter((pattern) => pattern.length <= 60);
  const asked = input(["WebSearch"], "query");
  const pages = input(["WebFetch"], "url").map((url) => url.replace(/^https?:\/\//, "").slice(0, 60));
  const parts = [
    read.length === 0 ? null : `read ${listed2(read)}`,
    searched.length === 0 ? null : `searched for ${listed2(searched, 4)}`,
    asked.length === 0 ? null : `asked the web for ${listed2(asked, 3)}`,
    pages.length === 0 ? null : `looked at ${listed2(pages, 3)}`
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `${capital(parts.join("; "))}.`;
}
function listed2(names, most = NAMES_MAX) {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(", ")} and ${more} more` : names.join(", ");
}
function nextStep(sentence) {
  const offer = /^(?:so,? )?(?:would you like me to|do you want me to|want me to|shall I|should I|let me know if you(?:'|’)?d like me to)\s+(.+?)\??$/i.exec(
    sentence
  );
  return cut(offer === null ? sentence : `Offered: ${offer[1]}`, 220);
}
function textOf(sentences) {
  const text = fitting([...new Set(sentences.filter((one) => one !== ""))], FIELD_CHARS_MAX2);
  return text === "" ? null : text;
}
function stopped(text) {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}

// projections/memory/rules/title.ts
var TITLE_CHARS_MAX2 = 90;
var SENTENCE_CHARS_READ = 300;
var CANDIDATES_MAX = 8;
var SCORE_MIN = 3;
var PAST = /^(?:(?:both|all|\d+|two|three|four) )?(?:fixed|added|removed|updated|created|moved|renamed|replaced|implemented|refactored|extracted|changed|rewrote|rewritten|wrote|switched|converted|merged|committed|pushed|deleted|dropped|simplified|migrated|documented|reverted|bumped|upgraded|built|reduced|restored|cleaned|corrected|split|introduced|enabled|disabled|aligned|adjusted|rebased|released|published|made|set up|opened|closed|resolved|tightened|unified|consolidated|cut|squash|applied|improved|integrated|configured|installed)\b/i;
var LOOKED = /^(?:verified|confirmed|found|reproduced|checked|tested|reviewed)\b/i;
var LEANS = /^(?:this|that|it|these|those|all|verification|quality gates?|status|everything|nothing|they|there|then|also|and|but|so|which|the (?:same|latter|former|following|above|test|tests|build|plan|analysis|script|change|changes)|all (?:tests|checks|done|good)|tests? pass|no\b|yes\b|not|if|when|since|because|for example|e\.g|note|however|you|i|we)\b/i;
var EMPTY = /\b(?:all (?:\d+ )?(?:tests|checks|\w+ tests) (?:now )?(?:pass|are passing|passed)|both tasks|as (?:requested|follows)|the following|these (?:changes|conditions|files)|what (?:was|I)|here)\b|^fixed and verified\b/i;
var CAUSE = /\b(?:because|root cause|caused by|due to|turns out|instead of|so that|never|only when|always|missing|lacks?)\b/i;
var IDENTIFIER = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.\w{1,4}\b|--\w/;
function titleOf2({ closing, request, commits, changed, files, part }) {
  const touched = touchedTitle(files);
  const commit = bestCommit(commits);
  if (commit !== null) return finish(commit);
  const said2 = bestSentence(closing, changed);
  if (said2 !== null && (said2.score >= SCORE_MIN || request.vague)) return finish(said2.text);
  const heading = closing?.headings[0];
  if (said2 !== null && changed && request.question && said2.score >= 1.5) return finish(said2.text);
  if (!request.vague) return finish(part === null ? request.topic : `${cut(request.topic, 72)} (${part})`);
  if (heading !== void 0) return finish(capital(heading));
  return finish(said2?.text ?? "") || (files.length > 0 ? touched : finish(request.topic || request.words)) || touched;
}
function finish(text) {
  const line = text.slice(0, SENTENCE_CHARS_READ).replace(/\s*\((?:lines? )?[\w./-]*:?\d+(?:[-–,]\d+)*\)/g, "").replace(/https?:\/\/\S+?\/(?:pull|issues|pulls|merge_requests)\/(\d+)\S*/g, "#$1").replace(/\s+(?:[-–—]|and) (?:it |they |which )?(?:now )?\w+:$/, "").replace(
    /https?:\/\/\S+|(?:[A-Z]:)?(?:[\w.@~-]*[\\/]){2,}[\w.@-]+(?::\d+(?:[-:]\d+)*)?/g,
    (path) => /^https?:/.test(path) ? path : baseName(path)
  ).replace(/(\.\w{1,5}):\d+(?:[-:]\d+)*/g, "$1").replace(/\s+([,.;:])/g, "$1").replace(/\s+/g, " ").replace(/[\s.:;,，。：–—-]+$/, "").replace(/\s+(?:because|that|which|and|or|to|with|now|by|of|the|a|an|in|for|so|but)$/i, "").trim();
  if (line.length <= TITLE_CHARS_MAX2) return line;
  const clause = line.slice(0, TITLE_CHARS_MAX2).search(
    /(?:\s[—–]\s|;\s|\s\(|,\s(?:which|so|and|but|because|where|while|using|matching)\b|\.\s|:\s)(?!.*(?:\s[—–]\s|;\s|\s\(|,\s(?:which|so|and|but|because|where|while|using|matching)\b|\.\s|:\s))/
  );
  if (clause >= 40) return line.slice(0, clause).trim();
  return cut(line, TITLE_CHARS_MAX2);
}
function subjectOf(message) {
  const [subject = ""] = message.split("\n");
  return capital(
    subject.replace(/^\w+(?:\([^)]*\))?!?:\s+/, "").replace(/\s*\((?:#\d+|[\w-]+-\w+(?:\.\d+)?)\)\s*$/, "").trim()
  );
}
function touchedTitle(files) {
  const [first2] = files;
  if (first2 === void 0) return "Work without words";
  const more = files.length - 1;
  return `Changes to ${baseName(first2)}${more === 0 ? "" : ` and ${more} more file${more === 1 ? "" : "s"}`}`;
}
function bestCommit(commits) {
  const worth = commits.filter(
    (message) => wordCount(message) >= 3 && !/^(?:merge|wip|bd sync|sync)\b/i.test(message)
  );
  const chosen = worth.find((message) => /^feat\b/i.test(message)) ?? worth.find((message) => /^fix\b/i.test(message)) ?? worth[0];
  return chosen === void 0 ? null : subjectOf(chosen);
}
function bestSentence(closing, changed) {
  if (closing === null) return null;
  let best = null;
  const candidates = [...closing.sentences.slice(0, CANDIDATES_MAX), ...closing.items.slice(0, 3)];
  candidates.forEach((sentence, index) => {
    const isItem2 = index >= Math.min(closing.sentences.length, CANDIDATES_MAX);
    const text = withItem(impersonal(isItem2 ? withoutLabel(sentence) : sentence), closing.items[0]);
    if (wordCount(text) < 4 && !isDense(text)) return;
    let score = changed ? 0 : 2;
    if (PAST.test(text)) score += 4;
    else if (LOOKED.test(text)) score += changed ? -1 : 1.5;
    else if (new RegExp("^\\p{Ll}{3,}ed\\b", "iu").test(text)) score += 1.5;
    if (CAUSE.test(text)) score += 1;
    if (IDENTIFIER.test(text)) score += 1;
    if (/^(?:the )?(?:issue|problem|bug|root cause|cause)(?: here)?(?: was| is|: )/i.test(sentence))
      score += 2;
    if (text.length >= 30 && text.length <= 140) score += 1;
    if (text.length > 220) score -= 2;
    if (LEANS.test(text) || /^\S{1,40}\s[-–—]\s/.test(text)) score -= 3;
    if (EMPTY.test(text)) score -= 3;
    if (isMeta(sentence)) score -= 4;
    if (/[:：]$/.test(sentence)) score -= PAST.test(text) ? 0 : wordCount(text) >= 7 ? 1 : 3;
    if (/\?$/.test(text)) score -= 3;
    if (isItem2) score -= 2;
    score -= index * 0.35;
    if (best === null || score > best.score) best = { text, score };
  });
  return best;
}
function withItem(text, item) {
  if (item === void 0 || !/\b(?:now|will|to|that|by|with|because)[:：]$/.test(text)) return text;
  return `${text.slice(0, -1)} ${new RegExp("^\\p{Lu}\\p{Ll}+\\s", "u").test(item) ? item.charAt(0).toLowerCase() + item.slice(1) : item}`;
}
function withoutLabel(item) {
  const rest = item.replace(/^[^:–—]{1,70}?(?::| - | – | — )\s*(?=\S)/, "");
  return PAST.test(rest) || new RegExp("^\\p{Ll}{3,}ed\\b", "iu").test(rest) ? rest : item;
}

// projections/memory/rules/type.ts
var SECURITY = /\b(?:vulnerabilit(?:y|ies)|CVE-\d+|path traversal|(?:sql|command|shell|code|prompt) injection|XSS|CSRF|SSRF|RCE|leak(?:s|ed|ing)? (?:secrets?|tokens?|credentials?|passwords?)|privilege escalation|security (?:issue|hole|bug|fix|flaw)|sanitiz(?:e|ing) (?:user )?input)\b/i;
var BUG = /\b(?:bug|fix(?:e[sd]|ing)?|broken|crash(?:es|ed)?|regression|incorrect(?:ly)?|wrong(?:ly)?|fail(?:s|ing|ed|ure)?|doesn(?:'|’)?t work|does not work|not working|isn(?:'|’)?t working|error|missing|lost|off by one|race condition|leak|misleading|inconsisten(?:t|cy)|stuck|hangs?|unable to|inaccurate|severity)\b/i;
var REFACTOR = /\b(?:refactor\w*|renam(?:e|ed|ing)|mov(?:e|ed|ing)\b(?! on)|extract(?:ed|ing)?|simplif(?:y|ied|ies)|clean(?:ed|ing)? ?up|dedup\w*|duplicat(?:e|ed|ion)|consolidat\w+|reorgani[sz]\w+|unus(?:ed)|dead code|split (?:up|into)|migrat(?:e|ed|ing))\b/i;
var FEATURE = /\b(?:add(?:ed|ing|s)?|implement(?:ed|ing|s)?|creat(?:e|ed|ing)|support(?:s|ed)?|introduc(?:e|ed|ing)|build|new (?:feature|command|option|setting|segment|endpoint|flag)|feature|enable[sd]?)\b/i;
var DOCUMENTS = /\.(?:md|mdx|rst|txt|adoc)$/i;
function typeOf(sources) {
  const { commits, prompt, title, said: said2, filesModified, changed, created, decided, fixedErrors } = sources;
  const asked = prompt.slice(0, 600);
  if (SECURITY.test(`${asked.slice(0, 300)}
${title}
${commits.join("\n")}`)) return "security";
  if (!changed) return decided && DECIDES.test(`${title}
${said2}
${asked}`) ? "decision" : "discovery";
  const word = commitWord(commits);
  if (word !== null) return word;
  const documents = filesModified.length > 0 && filesModified.every((file) => DOCUMENTS.test(file));
  if (documents)
    return decided && /\b(?:ADR|decision|architecture)\b/i.test(asked + title) ? "decision" : "change";
  const started = first(title) ?? first(said2);
  if (started !== null) return started === "feature" && BUG.test(asked) && !created ? "bugfix" : started;
  if (BUG.test(asked) || fixedErrors > 1) return "bugfix";
  if (REFACTOR.test(asked)) return "refactor";
  if (FEATURE.test(asked) && created) return "feature";
  if (BUG.test(said2)) return "bugfix";
  if (REFACTOR.test(said2)) return "refactor";
  return created && FEATURE.test(said2) ? "feature" : "change";
}
var DECIDES = /\b(?:decid\w+|chose|chosen|opted|went with|go(?:ing)? with|recommend\w*|prefer|keep (?:it|them|the)|instead|on purpose|option \w)\b/i;
function commitWord(commits) {
  const words4 = commits.map(
    (message) => /^(\w+)(?:\([^)]*\))?!?:/.exec(message)?.[1]?.toLowerCase() ?? firstVerb(message)
  );
  for (const [word, type] of BY_COMMIT) if (words4.includes(word)) return type;
  return null;
}
var BY_COMMIT = [
  ["feat", "feature"],
  ["fix", "bugfix"],
  ["refactor", "refactor"],
  ["perf", "change"],
  ["docs", "change"],
  ["test", "change"],
  ["chore", "change"],
  ["ci", "change"],
  ["build", "change"],
  ["style", "change"]
];
function firstVerb(message) {
  const word = /^\w+/.exec(message)?.[0].toLowerCase() ?? "";
  return {
    fix: "fix",
    fixed: "fix",
    add: "feat",
    implement: "feat",
    refactor: "refactor",
    rename: "refactor",
    move: "refactor",
    simplify: "refactor",
    remove: "refactor",
    update: "chore",
    bump: "chore",
    document: "docs"
  }[word] ?? null;
}
function first(text) {
  const word = new RegExp("^(?:both |all )?(\\p{L}+)", "iu").exec(text)?.[1]?.toLowerCase() ?? "";
  if (/^(?:fix|fixed|corrected|resolved|restored)$/.test(word)) return "bugfix";
  if (/^(?:refactored|renamed|moved|extracted|simplified|consolidated|unified|removed|dropped|deleted|migrated|split|cleaned|rename|move)$/.test(
    word
  ))
    return "refactor";
  if (/^(?:rewrote|rewritten|documented|bumped|upgraded|committed|merged|pushed)$/.test(word))
    return "change";
  if (/^(?:added|implemented|introduced|add|implement)$/.test(word)) return "feature";
  return null;
}

// projections/memory/rules/observe.ts
var NOTHING = { observations: [], summary: null };
var NARRATIVE_CHARS_MAX = 700;
function observe(turn, items) {
  if (turn.private || turn.inherited) return NOTHING;
  const story = storyOf(turn, items);
  if (story.said.length === 0 && story.uses.length === 0) return NOTHING;
  const request = requestOf(story.asked.map(({ text }) => text));
  const closing = closingOf(story.said);
  const stretches = stretchesOf(story);
  const gathered = stretches.map(({ uses }) => gather(uses, turn.place));
  const routine = isRoutine({
    request,
    closing,
    changed: gathered.some(({ changed }) => changed),
    curedErrors: gathered.flatMap(({ errors }) => errors).filter(({ fixedBy }) => fixedBy !== null).length,
    uses: story.uses.length,
    commandsOnly: story.asked.length > 0 && story.asked.every(({ command }) => command)
  });
  if (routine) return NOTHING;
  const observations = stretches.map((stretch, index) => {
    const last2 = index === stretches.length - 1;
    const own = stretches.length === 1 ? closing : closingOf(stretch.said);
    const words4 = last2 ? own ?? closing : own;
    return observation(story, request, words4, gathered[index], {
      part: index + 1,
      parts: stretches.length,
      end: stretch
    });
  });
  return { observations, summary: summaryOf(story, request, closing, gathered, observations) };
}
function stretchesOf({ uses, said: said2 }) {
  const parts = partsOf(uses);
  let from2 = "";
  return parts.map((part, index) => {
    const to = index === parts.length - 1 ? null : part.at(-1).order;
    const after = from2;
    from2 = to ?? from2;
    return {
      uses: part,
      said: said2.filter(({ order }) => order > after && (to === null || order <= to))
    };
  });
}
function observation({ turn, asked }, request, closing, gathered, { part, parts, end }) {
  const { commands, tests, commits, errors, files, changed, created } = gathered;
  const prompts = asked.filter(({ command }) => !command).map(({ text }) => text);
  const decisions = decisionsOf(part === 1 ? request.sentences : [], closing?.blocks ?? []);
  const messages = commits.map(({ message }) => message);
  const title = titleOf2({
    closing,
    request,
    commits: messages,
    changed,
    files: files.modified,
    part: parts > 1 ? `part ${part} of ${parts}` : null
  });
  const said2 = (closing?.sentences ?? []).slice(0, 6).join(" ");
  const prompt = prompts.join("\n");
  const fixedErrors = errors.filter(({ fixedBy }) => fixedBy !== null).length;
  const decided = decisions.length > 0;
  const type = typeOf({
    commits: messages,
    prompt,
    title,
    said: said2,
    filesModified: files.modified,
    changed,
    created,
    decided,
    fixedErrors
  });
  const last2 = [...end.uses, ...end.said].reduce(
    (a, b) => a.order > b.order ? a : b,
    asked[0] ?? end.uses[0] ?? end.said[0]
  );
  const all = [...asked, ...end.said.filter((one) => one === closing?.said)].flatMap(({ events }) => events);
  return {
    id: itemId("o", turn.agent, turn.session, turn.id, String(part)),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    place: turn.place,
    at: last2.at,
    order: `${last2.order} o`,
    part,
    parts,
    type,
    title,
    subtitle: subtitleOf(title, request, closing),
    narrative: narrativeOf(title, closing),
    facts: factsOf(closing, gathered, decisions),
    concepts: conceptsOf({ type, prompt, said: said2, decided, fixedErrors, changed }),
    filesRead: files.read,
    filesModified: files.modified,
    evidence: {
      commands,
      tests,
      commits,
      errors: errors.map(({ error, command, fixedBy }) => ({ error, command, fixedBy })),
      decisions,
      events: [.../* @__PURE__ */ new Set([...all, ...gathered.events])].sort()
    }
  };
}
function subtitleOf(title, request, closing) {
  if (!request.vague && !isSame(title, request.topic)) return finish(request.topic);
  const sentence = closing?.sentences.find((one) => !isSame(title, one));
  return sentence === void 0 ? "" : fitting([impersonal(sentence)], 160);
}
function narrativeOf(title, closing) {
  if (closing === null) return "";
  const sentences = closing.sentences.filter((sentence, index) => (index > 0 || !isSame(title, sentence)) && !opensList(sentence)).map((sentence) => /^(?:I|We)(?:(?:'|’)ve| have)\b/.test(sentence) ? impersonal(sentence) : sentence).map((sentence) => sentence.replace(/[:：]$/, "."));
  const text = fitting(sentences, NARRATIVE_CHARS_MAX);
  return text === "" ? closing.sentences[0] ?? "" : text;
}
function opensList(sentence) {
  return /[:：]$/.test(sentence) && (wordCount(sentence) < 6 || /\b(?:following|will|these|this|like|as)[^.]{0,12}:$/i.test(sentence));
}
function isSame(one, other) {
  const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const [a, b] = [bare(one), bare(other)];
  const shorter = Math.min(a.length, b.length);
  return a === b || shorter > 20 && (a.startsWith(b) || b.startsWith(a) || b.length - a.length < 12 && b.endsWith(a));
}

// projections/memory/projector.ts
var memoryProjector = defineProjector({
  name: "memory",
  version: 2,
  follows: "turns",
  feed: "rows",
  fold: fold2
});
var memoryKeys = {
  document: (id) => key("document", id),
  observation: (id) => key("observation", id),
  observations: () => below("observation"),
  summary: (id) => key("summary", id),
  summaries: () => below("summary"),
  at: (place, id) => key("at", place, id),
  allAt: (place) => below("at", place),
  place: (place) => key("place", place),
  places: () => below("place"),
  group: (agent, session, turn) => key("group", agent, session, turn)
};
var NOTHING_HERE = { prompt: 0, answer: 0, tool: 0, memory: 0, observation: 0, summary: 0 };
var NO_ROWS = /* @__PURE__ */ new Map();
var NOTHING2 = { documents: [], rows: NO_ROWS };
async function fold2(changes, view, upstream) {
  const counts = /* @__PURE__ */ new Map();
  for (const group of groupsOf(changes)) {
    const made = group.turn === "" ? await savedDocuments(group, upstream) : await turnDocuments(group, upstream);
    await write(group, made, view, counts);
  }
  await writeCounts(counts, view);
}
function groupsOf(changes) {
  const groups = /* @__PURE__ */ new Map();
  for (const { key: rowKey, after } of changes) {
    const [kind, agent, session, turn] = keyParts(rowKey);
    if (kind !== "turn" && kind !== "saved") continue;
    const name = memoryKeys.group(agent, session, kind === "saved" ? "" : turn);
    const group = groups.get(name) ?? {
      key: name,
      agent,
      session,
      turn: kind === "saved" ? "" : turn,
      row: null,
      items: []
    };
    groups.set(name, group);
    if (kind === "saved" || after === null) continue;
    const row = after;
    if (isItem(row)) group.items.push(row);
    else group.row = row;
  }
  return groups.values();
}
async function turnDocuments(group, upstream) {
  const { row, items } = await rowsOf2(group, upstream);
  if (row === null || row.private) return NOTHING2;
  const answered = /* @__PURE__ */ new Set();
  const documents = [];
  for (const item of items) {
    const document = item.home === null ? documentOf(item, row) : null;
    if (document === null) continue;
    if (document.kind === "answer") answered.add(closingWords(document.body));
    documents.push(document);
  }
  for (const item of items) {
    if (item.kind !== "stop" || item.home !== null) continue;
    const document = stopDocument(item, row);
    if (document === null || answered.has(closingWords(document.body))) continue;
    answered.add(closingWords(document.body));
    documents.push(document);
  }
  const observed = observe(row, items);
  const { observations, summary } = observed;
  return {
    documents: [...withNeighbours(documents), ...observedDocuments(observed)],
    rows: new Map([...observations, ...summary === null ? [] : [summary]].map((one) => [one.id, one]))
  };
}
async function rowsOf2(group, upstream) {
  const { agent, session, turn } = group;
  if (group.row !== null && group.row.items === group.items.length) return group;
  const row = await upstream.get(rowKeys.turn(agent, session, turn));
  const items = await upstream.range(rowKeys.itemsOfTurn(agent, session, turn));
  return { row: row ?? null, items: items.map(([, item]) => item) };
}
function documentOf(item, turn) {
  switch (item.kind) {
    case "prompt":
      return promptDocument(item, turn);
    case "tool":
      return toolDocument(item, turn);
    case "reply":
      return answerDocument(item, turn);
    case "stop":
      return null;
  }
}
function closingWords(text) {
  return text.replace(/\s+/g, " ").trim().slice(0, 500);
}
async function savedDocuments({ agent, session }, upstream) {
  const rows = await upstream.range(rowKeys.savedOf(agent, session === "" ? null : session));
  const documents = rows.map(([, row]) => savedDocument(row));
  return { documents: session === "" ? documents : withNeighbours(documents), rows: NO_ROWS };
}
async function write(group, { documents, rows }, view, counts) {
  const row = group.key;
  const after = new Map(documents.map((document) => [document.id, document]));
  const ids = [.../* @__PURE__ */ new Set([...await view.get(row) ?? [], ...after.keys()])];
  const stood = await view.getMany(ids.map(memoryKeys.document));
  ids.forEach((id, index) => {
    const old = stood[index];
    const now = after.get(id);
    if (now === void 0 && (old === void 0 || (old.turn ?? "") !== group.turn)) return;
    if (old !== void 0 && old.place !== now?.place) {
      view.del(memoryKeys.at(old.place, id));
      count(counts, old, -1);
    }
    if (now === void 0) {
      view.del(memoryKeys.document(id));
      const rowKey = rowKeyOf(old);
      if (rowKey !== null) view.del(rowKey);
    } else {
      view.put(memoryKeys.document(id), now);
      const rowKey = rowKeyOf(now);
      if (rowKey !== null) view.put(rowKey, rows.get(id));
      if (old?.place !== now.place) {
        view.put(memoryKeys.at(now.place, id), 1);
        count(counts, now, 1);
      }
    }
  });
  if (after.size === 0) view.del(row);
  else view.put(row, [...after.keys()].sort());
}
function rowKeyOf({ id, kind }) {
  if (kind === "observation") return memoryKeys.observation(id);
  return kind === "summary" ? memoryKeys.summary(id) : null;
}
function count(counts, { place, kind }, by) {
  const changed = counts.get(place) ?? { ...NOTHING_HERE };
  changed[kind] += by;
  counts.set(place, changed);
}
async function writeCounts(counts, view) {
  for (const [place, changed] of counts) {
    const row = await view.get(memoryKeys.place(place)) ?? NOTHING_HERE;
    const sum = { ...NOTHING_HERE };
    for (const kind of Object.keys(sum)) sum[kind] = row[kind] + changed[kind];
    if (Object.values(sum).every((number) => number === 0)) view.del(memoryKeys.place(place));
    else view.put(memoryKeys.place(place), sum);
  }
}

// projections/named-place.ts
var NAMED_PLACE = "project:";

// projections/projects/paths.ts
var UNKNOWN_PROJECT = "unknown-project";
function withSlashes(path) {
  const slashed = path.trim().replaceAll("\\", "/");
  return slashed.length > 1 ? slashed.replace(/\/+$/, "") || "/" : slashed;
}
function pathParts(path) {
  return withSlashes(path).split("/").filter((part) => part !== "" && !/^[A-Za-z]:$/.test(part));
}
function nameOfPath(path, home) {
  const given = path?.trim() ?? "";
  const whole = home !== void 0 && /^~(?=$|[\\/])/.test(given) ? home + given.slice(1) : given;
  const last2 = pathParts(whole).at(-1);
  if (last2 !== void 0) return last2;
  const drive = /^([A-Za-z]):[\\/]*$/.exec(whole)?.[1];
  return drive === void 0 ? UNKNOWN_PROJECT : `drive-${drive.toUpperCase()}`;
}
function pathBelow(folder, path) {
  const [above, below2] = [withSlashes(folder), withSlashes(path)];
  if (above === below2) return "";
  const prefix = above.endsWith("/") ? above : `${above}/`;
  return below2.startsWith(prefix) ? below2.slice(prefix.length) : null;
}

// projections/projects/identity.ts
function identityOf(cwd, seen, superproject) {
  if (seen === null || seen.root === null) return folderIdentity(cwd);
  const around = seen.superproject === null ? [] : parentOfSubmodule(seen.superproject, superproject);
  const repository = { ...repositoryIdentity(seen), parents: around };
  const tree = seen.worktree === true ? worktreeIdentity(repository, seen.root) : repository;
  return subprojectIdentity(tree, cwd, seen) ?? tree;
}
function namedIdentity(name) {
  const plain2 = name.trim();
  if (plain2 === "") return { key: "dir:", names: [nameOfPath("")], claims: [], parents: [] };
  return { key: `name:${plain2}`, names: [plain2, `name:${plain2}`], claims: [], parents: [] };
}
function folderIdentity(path) {
  return { key: `dir:${withSlashes(path)}`, names: pathNames(path), claims: [], parents: [] };
}
function repositoryIdentity(seen) {
  const claims = plainClaim(seen.proposal?.name ?? null);
  const remote = identifyingRemote(seen);
  if (remote !== null) {
    const parts = remote.split("/").filter((part) => part !== "");
    const names = parts.map((_, index) => parts.slice(-1 - index).join("/"));
    return { key: `repo:${caseless(remote)}`, names, claims, parents: [] };
  }
  if (seen.commonDir === null) return { ...folderIdentity(seen.root), claims };
  return {
    key: `git:${withSlashes(seen.commonDir)}`,
    // `/home/u/app/.git` and a bare `/srv/app.git` are both `app`.
    names: pathNames(seen.commonDir.replace(/[\\/]\.(?:git|bare)$/, "").replace(/\.git$/, "")),
    claims,
    parents: []
  };
}
function identifyingRemote(seen) {
  const origin = seen.remotes.find((remote) => remote.name === "origin");
  return (origin ?? (seen.remotes.length === 1 ? seen.remotes[0] : void 0))?.url ?? null;
}
function caseless(remote) {
  const forge = /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|dev\.azure\.com)\//.test(remote);
  return forge ? remote.toLowerCase() : remote;
}
function worktreeIdentity(repository, root) {
  const own = pathNames(root);
  return {
    key: `${repository.key}@${withSlashes(root)}`,
    names: [...own.slice(0, 3), withSlashes(root)].map((name) => `${repository.names[0]}/${name}`),
    claims: [],
    parents: [repository, ...repository.parents]
  };
}
function subprojectIdentity(whole, cwd, seen) {
  const inside = (seen.proposal?.subprojects ?? []).filter(({ path }) => path !== "" && pathBelow(`${seen.root}/${path}`, cwd) !== null).sort((one, other) => other.path.length - one.path.length || (one.path < other.path ? -1 : 1))[0];
  if (inside === void 0) return null;
  return {
    key: `${whole.key}#${inside.path}`,
    names: whole.names.map((name) => `${name}#${inside.path}`),
    claims: plainClaim(inside.name ?? nameOfPath(inside.path)).map((name) => `${whole.names[0]}/${name}`),
    parents: [whole, ...whole.parents]
  };
}
function plainClaim(name) {
  return name === null || name.trim() === "" || /[\\/:@#]/.test(name) ? [] : [name.trim()];
}
function parentOfSubmodule(root, superproject) {
  const parent = superproject(root) ?? folderIdentity(root);
  return [parent, ...parent.parents];
}
function pathNames(path) {
  const parts = pathParts(path);
  const longer = parts.slice(1).map((_, index) => parts.slice(-2 - index).join("/"));
  return [.../* @__PURE__ */ new Set([nameOfPath(path), ...longer, withSlashes(path)])].filter((name) => name !== "");
}

// projections/projects/read.ts
async function resolveProject(place, reader) {
  const row = await reader.get(key("place", place));
  const project = row === void 0 ? void 0 : await reader.get(key("project", row.key));
  if (project !== void 0) return { key: project.key, name: project.name, parents: project.parents };
  const own = place.startsWith(NAMED_PLACE) ? namedIdentity(place.slice(NAMED_PLACE.length)) : identityOf(place, null, () => null);
  return { key: own.key, name: own.names[0], parents: [] };
}
async function placesOf(projectQuery, reader) {
  const projects = await listProjects(reader);
  const meant = new Set(meantBy(projectQuery.trim(), projects));
  const answering = projects.filter(
    (project) => meant.has(project.key) || project.parents.some((parent) => meant.has(parent))
  );
  return [...new Set(answering.flatMap((project) => project.places))].sort();
}
async function listProjects(reader) {
  return (await reader.range(below("project"))).map(([, row]) => row);
}
function meantBy(query, projects) {
  const folded2 = query.toLowerCase();
  const same = (name) => name.toLowerCase() === folded2;
  const isClaim = (project) => project.claims.some((claim) => claim === project.name);
  const rules = [
    (project) => project.key === query,
    (project) => same(project.name) && !isClaim(project),
    (project) => project.places.some((place) => place === query || withSlashes(place) === withSlashes(query)),
    (project) => project.aliases.some(same),
    (project) => same(project.name),
    (project) => project.claims.some(same),
    // A folder nobody worked in itself stands for what lies below it.
    (project) => /^(?:\/|[A-Za-z]:[\\/])./.test(query) && project.places.some((place) => pathBelow(query, place) !== null)
  ];
  for (const rule of rules) {
    const found = projects.filter(rule);
    if (found.length > 0) return found.map((project) => project.key);
  }
  return [];
}

// projections/projects/derive.ts
function deriveRows(known2) {
  const places = [...new Set(known2.places)].sort();
  const folders = places.filter((place) => !place.startsWith(NAMED_PLACE));
  const roots = lookedAtRoots(known2.seen);
  const superproject = (root) => {
    const seen = roots.get(withSlashes(root));
    return seen === void 0 ? null : identityOf(root, { ...seen, superproject: null }, () => null);
  };
  const identities = /* @__PURE__ */ new Map();
  const linked = /* @__PURE__ */ new Map();
  for (const folder of folders) {
    const seen = known2.seen.get(folder) ?? null;
    const link = linkOf(folder, seen, known2.links);
    if (link === null) identities.set(folder, identityOf(folder, seen, superproject));
    else linked.set(folder, link);
  }
  const byName = indexByName([...identities.values()]);
  const rows = folders.map((place) => {
    const link = linked.get(place);
    if (link === void 0) return { place, key: identities.get(place).key, by: "seen" };
    identities.set(place, byName(link) ?? namedIdentity(link));
    return { place, key: identities.get(place).key, by: "link" };
  });
  const byNameOrLink = indexByName([...identities.values()]);
  for (const place of places.filter((one) => one.startsWith(NAMED_PLACE))) {
    const name = place.slice(NAMED_PLACE.length);
    identities.set(place, byNameOrLink(name) ?? namedIdentity(name));
    rows.push({ place, key: identities.get(place).key, by: "name" });
  }
  rows.sort((one, other) => one.place < other.place ? -1 : 1);
  return { places: rows, projects: projectRows(rows, identities, known2.seen) };
}
function lookedAtRoots(seen) {
  const roots = /* @__PURE__ */ new Map();
  for (const look of seen.values()) if (look.root !== null) roots.set(withSlashes(look.root), look);
  return roots;
}
function linkOf(folder, seen, links) {
  const own = links.get(folder);
  if (own !== void 0 || seen === null || seen.root === null) return own ?? null;
  let nearest = null;
  for (const linked of links.keys()) {
    if (pathBelow(linked, folder) === null || pathBelow(seen.root, linked) === null) continue;
    if (nearest === null || linked.length > nearest.length) nearest = linked;
  }
  return nearest === null ? null : links.get(nearest);
}
function indexByName(identities) {
  const keys = /* @__PURE__ */ new Map();
  const names = /* @__PURE__ */ new Map();
  const add = (identity) => {
    if (keys.has(identity.key)) return;
    keys.set(identity.key, identity);
    for (const name of new Set(identity.names.map(folded)))
      names.set(name, names.has(name) ? null : identity);
  };
  for (const identity of identities) for (const one of [identity, ...identity.parents]) add(one);
  return (name) => keys.get(name.trim()) ?? names.get(folded(name)) ?? null;
}
function projectRows(rows, identities, seen) {
  const projects = /* @__PURE__ */ new Map();
  const add = (identity) => {
    const project = projects.get(identity.key) ?? { identity, claims: /* @__PURE__ */ new Set(), places: [] };
    projects.set(identity.key, project);
    return project;
  };
  for (const { place, by } of rows) {
    const identity = identities.get(place);
    add(identity).places.push(place);
    for (const parent of identity.parents) add(parent);
    if (by !== "seen" || !seen.has(place)) continue;
    for (const one of [identity, ...identity.parents.slice(0, 1)])
      for (const claim of one.claims) add(one).claims.add(claim);
  }
  const all = [...projects.values()].sort((one, other) => one.identity.key < other.identity.key ? -1 : 1);
  const names = settleNames(all.map(({ identity, claims }) => ({ identity, claims: [...claims].sort() })));
  return all.map(({ identity, claims, places }) => {
    const name = names.get(identity.key);
    return {
      key: identity.key,
      name,
      aliases: identity.names.filter((alias) => alias !== name),
      claims: [...claims].sort(),
      parents: [...new Set(identity.parents.map((parent) => parent.key))],
      places
    };
  });
}
function settleNames(projects) {
  const holders = count2(
    projects.flatMap(({ identity }) => [...new Set([...identity.names, identity.key].map(folded))])
  );
  const claimants = count2(projects.flatMap(({ claims }) => [...new Set(claims.map(folded))]));
  const names = /* @__PURE__ */ new Map();
  for (const { identity, claims } of projects) {
    const own = new Set([...identity.names, identity.key].map(folded));
    const free = claims.find(
      (claim) => claimants.get(folded(claim)) === 1 && (own.has(folded(claim)) ? holders.get(folded(claim)) === 1 : !holders.has(folded(claim)))
    );
    const short2 = identity.names.find((name) => holders.get(folded(name)) === 1);
    names.set(identity.key, free ?? short2 ?? identity.key);
  }
  return names;
}
function count2(names) {
  const counts = /* @__PURE__ */ new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
function folded(name) {
  return name.trim().toLowerCase();
}

// projections/projects/projector.ts
var projectsProjector = defineProjector({
  name: "projects",
  version: 1,
  feed: "none",
  follows: "log",
  fold: async (facts, view) => {
    let changed = false;
    for (const fact of facts) changed = await keepFact(fact, view) || changed;
    if (changed) await rewriteRows(view);
  }
});
async function keepFact(fact, view) {
  if (fact.type === "place.seen") {
    const { cwd } = fact.body;
    const newer = await keepNewest(view, key("seen", cwd), { ...stamp(fact), body: fact.body });
    return await keepPlace(view, cwd) || newer;
  }
  if (fact.type === "project.linked") {
    const { cwd, project } = fact.body;
    const newer = await keepNewest(view, key("link", cwd), { ...stamp(fact), project });
    return await keepPlace(view, cwd) || newer;
  }
  if (fact.type === "session.started") return keepPlace(view, fact.body.cwd);
  if (fact.type === "memory.saved") {
    const { project, cwd } = fact.body;
    return keepPlace(view, project === null ? cwd : NAMED_PLACE + project);
  }
  return false;
}
function stamp(fact) {
  return { at: fact.occurredAt, id: fact.id };
}
async function keepNewest(view, rowKey, row) {
  const held = await view.get(rowKey);
  if (held !== void 0 && !isNewer(row, held)) return false;
  view.put(rowKey, row);
  return true;
}
function isNewer(one, other) {
  const [at, otherAt] = [one.at ?? Number.NEGATIVE_INFINITY, other.at ?? Number.NEGATIVE_INFINITY];
  return at > otherAt || at === otherAt && one.id > other.id;
}
function byAge([, one], [, other]) {
  return isNewer(one, other) ? 1 : -1;
}
async function keepPlace(view, place) {
  if (place === null || await view.get(key("known", place)) !== void 0) return false;
  view.put(key("known", place), { place });
  return true;
}
async function rewriteRows(view) {
  const known2 = await view.range(below("known"));
  const seen = await view.range(below("seen"));
  const links = await view.range(below("link"));
  const placeOfKey = new Map(
    known2.map(([rowKey, { place }]) => [rowKey.slice(below("known").length), place])
  );
  const placeOf2 = (rowKey, group) => placeOfKey.get(rowKey.slice(below(group).length));
  const rows = deriveRows({
    places: known2.map(([, { place }]) => place),
    seen: new Map(seen.sort(byAge).map(([, { body }]) => [body.cwd, body])),
    links: new Map(links.map(([rowKey, { project }]) => [placeOf2(rowKey, "link"), project]))
  });
  await rewrite(view, "place", new Map(rows.places.map((row) => [key("place", row.place), row])));
  await rewrite(view, "project", new Map(rows.projects.map((row) => [key("project", row.key), row])));
}
async function rewrite(view, group, rows) {
  const held = new Map(await view.range(below(group)));
  for (const rowKey of held.keys()) if (!rows.has(rowKey)) view.del(rowKey);
  for (const [rowKey, row] of rows)
    if (JSON.stringify(held.get(rowKey)) !== JSON.stringify(row)) view.put(rowKey, row);
}

// projections/turns/saved.ts
function savedRow(fact) {
  const { body } = fact;
  const id = savedId(fact);
  return {
    id,
    event: fact.id,
    agent: fact.agent,
    session: fact.session,
    at: fact.occurredAt,
    order: `${pad(fact.occurredAt ?? 0)} ${pad(body.index)} ${id}`,
    title: body.title,
    text: body.text,
    type: body.type,
    place: body.project === null ? body.cwd ?? NOWHERE : `${NAMED_PLACE}${body.project}`,
    files: body.files,
    concepts: body.concepts
  };
}
function savedId(fact) {
  return itemId("m", fact.agent, fact.session, fact.fact);
}
function pad(value) {
  return String(value).padStart(14, "0");
}

// projections/anchor.ts
var EMPTY_ANCHOR = { log: null, upstream: null, seq: 0, feedFrom: 1, dead: 0 };
async function logProblem(view, anchor, log) {
  if (anchor.log === null) return null;
  const standing = await log.standing(anchor.log);
  if (standing === "held") return null;
  const stood = anchor.log.position.toLocaleString("en-US");
  const message = standing === "ahead" ? `log lost its tail: ${log.head().position.toLocaleString("en-US")} of ${stood}` : anchor.log.logId === log.logId ? `the log changed before event ${stood}: its chain is not the one this view was made from` : `this view was made from another log (${anchor.log.logId}, event ${stood})`;
  return { code: "LOG_DAMAGED", view, message };
}
function parseAnchor(text) {
  const found = parseJson(text);
  if (!isRecord(found)) return null;
  const { log, upstream, seq, feedFrom, dead } = found;
  if (!isCount(seq) || !isCount(feedFrom) || !isCount(dead)) return null;
  if (log !== null && !isLogAnchor(log)) return null;
  if (upstream !== null && !isFeedPlace(upstream)) return null;
  return { log, upstream, seq, feedFrom, dead };
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isLogAnchor(value) {
  return isRecord(value) && typeof value.logId === "string" && isCount(value.position) && typeof value.chain === "string";
}
function isFeedPlace(value) {
  return isRecord(value) && typeof value.generation === "string" && isCount(value.seq);
}
function isCount(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

// projections/change-feed.ts
var FEED_KEPT = 1e4;
function feedOperations(changes, seq, feed) {
  return changes.map(({ key: key2, before, after }, index) => ({
    type: "put",
    key: changeKey(seq + 1 + index),
    value: feed === "rows" ? `[${JSON.stringify(key2)},${before ?? "null"},${after ?? "null"}]` : `[${JSON.stringify(key2)}]`
  }));
}
async function readFeed(store, after, limit) {
  const entries = await store.iterator({ gt: changeKey(after), lt: CHANGES_END, limit }).all();
  const net = /* @__PURE__ */ new Map();
  let twice = false;
  for (const [, text] of entries) {
    const [key2, before = null, after2 = null] = JSON.parse(text);
    const first2 = net.get(key2);
    twice ||= first2 !== void 0;
    net.set(key2, { key: key2, before: first2 === void 0 ? before : first2.before, after: after2 });
  }
  const changes = [...net.values()];
  return {
    changes: twice ? changes.filter(changedSomething) : changes,
    seq: entries.length === 0 ? after : Number.parseInt(entries.at(-1)[0].slice(CHANGES.length), 16)
  };
}
async function trimFeed(store, feedFrom) {
  await store.clear({ gte: CHANGES, lt: changeKey(feedFrom) });
}
function changedSomething(change) {
  if (change.before === null && change.after === null) return true;
  return JSON.stringify(change.before) !== JSON.stringify(change.after);
}

// projections/view-page.ts
var DELETED = /* @__PURE__ */ Symbol("deleted");
var ViewPage = class {
  #view;
  #store;
  /** What the store holds, as far as it was looked at. */
  #stored = /* @__PURE__ */ new Map();
  /** Written by this page and final unless written again. undefined: deleted. */
  #sealed = /* @__PURE__ */ new Map();
  /** Written since the last seal. */
  #pending = /* @__PURE__ */ new Map();
  /** Keys of sealed and pending in key order; made by the first range of the page. */
  #order = null;
  #failure = null;
  constructor(view, store) {
    this.#view = view;
    this.#store = store;
  }
  async get(key2) {
    if (this.#pending.has(key2)) return this.#pendingRow(key2);
    if (this.#sealed.has(key2)) return this.#parse(this.#sealed.get(key2));
    if (this.#stored.has(key2)) return this.#parse(this.#stored.get(key2));
    return this.#guard(async () => {
      const text = await this.#store.text(key2);
      this.#stored.set(key2, text);
      return this.#parse(text);
    });
  }
  async getMany(keys) {
    await this.#load(keys.filter((key2) => !this.#pending.has(key2) && !this.#sealed.has(key2)));
    return Promise.all(keys.map((key2) => this.get(key2)));
  }
  async range(prefix, options = {}) {
    const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
    const { from: from2, to } = rangeBounds(prefix, after, reverse);
    const written = this.#writtenBetween(from2, to);
    const stored = await this.#guard(
      () => this.#store.textRange({ from: from2, to, limit: limit + written.length, reverse })
    );
    for (const [key2, text] of stored) if (!this.#stored.has(key2)) this.#stored.set(key2, text);
    const own = new Set(written);
    const keys = stored.map(([key2]) => key2).filter((key2) => !own.has(key2));
    for (const key2 of written) if (this.#alive(key2)) keys.push(key2);
    if (written.length > 0) keys.sort(reverse ? (a, b) => compareKeys(b, a) : compareKeys);
    const rows = [];
    for (const key2 of keys) {
      if (rows.length >= limit) break;
      rows.push([key2, await this.get(key2)]);
    }
    return rows;
  }
  put(key2, row) {
    if (row === null || row === void 0) throw new TypeError("A row is a JSON value other than null.");
    this.#note(key2);
    this.#pending.set(key2, row);
  }
  del(key2) {
    this.#note(key2);
    this.#pending.set(key2, DELETED);
  }
  /** Turns what was written since the last seal into text. Throws where a row is not JSON: the fold's fault. */
  seal() {
    const texts = [];
    for (const [key2, row] of this.#pending) {
      const text = row === DELETED ? void 0 : JSON.stringify(row);
      if (row !== DELETED && text === void 0) throw new TypeError("A row is JSON.");
      texts.push([key2, text]);
    }
    this.#pending.clear();
    for (const [key2, text] of texts) this.#sealed.set(key2, text);
  }
  /** Forgets what was written since the last seal. */
  dropPending() {
    this.#pending.clear();
    this.#order = null;
  }
  /** Throws what the store failed with, also when the fold swallowed it: that is no fault of the input. */
  check() {
    if (this.#failure !== null) throw storeFailure(this.#view, this.#failure.error);
  }
  /**
   * The page's net effect in key order: keys whose text differs from what the store holds. When nobody wants
   * to know what was there before, rows that the fold did not read are not looked up: writing such a row as it
   * was is cheaper than finding out.
   */
  async changes(wanted) {
    const keys = [...this.#sealed.keys()];
    if (wanted.before) await this.#load(keys);
    const changes = [];
    for (const key2 of keys) {
      const before = this.#stored.get(key2);
      const after = this.#sealed.get(key2);
      if (before !== after || !this.#stored.has(key2)) changes.push({ key: key2, before, after });
    }
    return changes.sort((one, other) => compareKeys(one.key, other.key));
  }
  #pendingRow(key2) {
    const row = this.#pending.get(key2);
    return row === DELETED ? void 0 : row;
  }
  #alive(key2) {
    if (this.#pending.has(key2)) return this.#pending.get(key2) !== DELETED;
    return this.#sealed.get(key2) !== void 0;
  }
  async #load(keys) {
    const missing = keys.filter((key2) => !this.#stored.has(key2));
    if (missing.length === 0) return;
    const texts = await this.#guard(() => this.#store.texts(missing));
    for (let index = 0; index < missing.length; index++) this.#stored.set(missing[index], texts[index]);
  }
  #parse(text) {
    if (text === void 0) return void 0;
    try {
      return JSON.parse(text);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
  async #guard(read) {
    try {
      return await read();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
  #note(key2) {
    if (this.#order === null || this.#pending.has(key2) || this.#sealed.has(key2)) return;
    this.#order.splice(firstAtLeast(this.#order, key2), 0, key2);
  }
  #writtenBetween(from2, to) {
    this.#order ??= [.../* @__PURE__ */ new Set([...this.#sealed.keys(), ...this.#pending.keys()])].sort(compareKeys);
    return this.#order.slice(firstAtLeast(this.#order, from2), firstAtLeast(this.#order, to));
  }
};
function rangeBounds(prefix, after, reverse) {
  const end = prefix === "" ? "\u{10FFFF}" : prefixEnd(prefix);
  if (after === void 0) return { from: prefix, to: end };
  if (reverse) return { from: prefix, to: compareKeys(after, end) < 0 ? after : end };
  const next = `${after}\0`;
  return { from: compareKeys(next, prefix) > 0 ? next : prefix, to: end };
}
function firstAtLeast(sorted, key2) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = low + high >>> 1;
    if (compareKeys(sorted[middle], key2) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// projections/kv-view.ts
var FORMAT = 1;
var KvView = class _KvView {
  name;
  version;
  /** Folder of this generation, `<version>-<n>`. */
  folder;
  /** Random name of this generation, as followers' anchors hold it. */
  generation;
  feed;
  #store;
  #texts;
  #anchor;
  #failed = false;
  #reads = 0;
  #whenUnread = null;
  /** Takes a store over. `generation` is given for a new one, which must be empty; else it is read from the store. */
  static async open(projector, folder, store, generation) {
    try {
      if (generation !== void 0) {
        const meta2 = { format: FORMAT, name: projector.name, version: projector.version, generation };
        await store.batch([
          { type: "put", key: META_KEY, value: JSON.stringify(meta2) },
          { type: "put", key: ANCHOR_KEY, value: JSON.stringify(EMPTY_ANCHOR) }
        ]);
        return new _KvView(projector, folder, store, generation, EMPTY_ANCHOR);
      }
      const meta = parseJson(await store.get(META_KEY) ?? "");
      if (!isRecord(meta) || meta.format !== FORMAT || meta.name !== projector.name || meta.version !== projector.version || typeof meta.generation !== "string")
        throw new TypeError("The store does not say which view it is.");
      return new _KvView(projector, folder, store, meta.generation, await readAnchor(store));
    } catch (error) {
      throw storeFailure(projector.name, error);
    }
  }
  constructor(projector, folder, store, generation, anchor) {
    this.name = projector.name;
    this.version = projector.version;
    this.folder = folder;
    this.generation = generation;
    this.feed = projector.feed;
    this.#store = store;
    this.#anchor = anchor;
    this.#texts = rowTexts(store);
  }
  get anchor() {
    return this.#anchor;
  }
  /** Log position this view stands at. */
  get position() {
    return this.#anchor.log?.position ?? 0;
  }
  get(key2) {
    return this.#read(async () => {
      const text = await this.#texts.text(key2);
      return text === void 0 ? void 0 : JSON.parse(text);
    });
  }
  getMany(keys) {
    return this.#read(async () => {
      const texts = await this.#texts.texts(keys);
      return texts.map((text) => text === void 0 ? void 0 : JSON.parse(text));
    });
  }
  range(prefix, options = {}) {
    const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
    return this.#read(async () => {
      const rows = await this.#texts.textRange({ ...rangeBounds(prefix, after, reverse), limit, reverse });
      return rows.map(([key2, text]) => [key2, JSON.parse(text)]);
    });
  }
  /** An empty page to fold into. */
  page() {
    return new ViewPage(this.name, this.#texts);
  }
  /**
   * Writes a sealed page and moves the anchor, in one batch.
   * @throws AnnalsError DISK_FULL, VIEW_DAMAGED; the view then stands where it stood
   */
  async commit(page, to) {
    try {
      const kept = to.followed && this.feed !== "none";
      const changes = await page.changes({ before: kept });
      const { seq, feedFrom, dead } = this.#anchor;
      const operations = kept ? feedOperations(changes, seq, this.feed) : [];
      const letters = await this.#newLetters(to.deadLetters ?? []);
      operations.push(...letters);
      const anchor = {
        log: to.log,
        upstream: to.upstream,
        seq: seq + changes.length,
        feedFrom: kept ? feedFrom : seq + changes.length + 1,
        dead: dead + letters.length
      };
      operations.push({ type: "put", key: ANCHOR_KEY, value: JSON.stringify(anchor) });
      for (const { key: key2, after } of changes)
        operations.push(
          after === void 0 ? { type: "del", key: ROWS + key2 } : { type: "put", key: ROWS + key2, value: after }
        );
      await this.#write(operations, anchor, to.sync ?? false);
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }
  /** Moves the anchor alone. */
  async moveTo(to, sync = false) {
    try {
      const anchor = { ...this.#anchor, ...to };
      await this.#write([{ type: "put", key: ANCHOR_KEY, value: JSON.stringify(anchor) }], anchor, sync);
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }
  /** Whether the feed still holds everything after `seq`. */
  feedReaches(seq) {
    return seq >= this.#anchor.feedFrom - 1 && seq <= this.#anchor.seq;
  }
  changes(after, limit) {
    return this.#read(() => readFeed(this.#store, after, limit));
  }
  /** Trims the feed to what somebody may still want: all after `passed`, and the newest `kept`. */
  async trim(passed, kept = FEED_KEPT) {
    const feedFrom = Math.min(passed, this.#anchor.seq - kept) + 1;
    if (feedFrom - this.#anchor.feedFrom < kept / 10) return;
    await this.moveTo({ feedFrom });
    await this.#read(() => trimFeed(this.#store, feedFrom));
  }
  digest() {
    return this.#read(() => digestRows(this.#store));
  }
  deadLetters() {
    return this.#read(async () => {
      const texts = await this.#store.values({ gte: DEAD_LETTERS, lt: DEAD_LETTERS_END }).all();
      return texts.map((text) => JSON.parse(text));
    });
  }
  /** After a failed write: opens the store again and stands where the disk says. */
  async recover() {
    if (!this.#failed) return;
    try {
      await this.#unread();
      await this.#store.close();
      await this.#store.open();
      this.#anchor = await readAnchor(this.#store);
      this.#failed = false;
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }
  /** Waits for reads under way, then lets go of the store. */
  async close() {
    await this.#unread();
    await this.#store.close();
  }
  async #write(operations, anchor, sync) {
    if (this.#failed) throw new TypeError("The store failed before and was not opened again.");
    try {
      await this.#store.batch(operations, { sync });
    } catch (error) {
      this.#failed = true;
      throw error;
    }
    this.#anchor = anchor;
  }
  /** The batch entries of letters that are not there yet. */
  async #newLetters(letters) {
    const bySubject = new Map(letters.map((letter) => [DEAD_LETTERS + letter.subject, letter]));
    const keys = [...bySubject.keys()];
    const known2 = keys.length === 0 ? [] : await this.#store.getMany(keys);
    return keys.filter((_, index) => known2[index] === void 0).map((key2) => ({ type: "put", key: key2, value: JSON.stringify(bySubject.get(key2)) }));
  }
  async #read(read) {
    this.#reads++;
    try {
      return await read();
    } catch (error) {
      throw storeFailure(this.name, error);
    } finally {
      this.#reads--;
      if (this.#reads === 0) this.#whenUnread?.();
    }
  }
  async #unread() {
    if (this.#reads === 0) return;
    await new Promise((resolve) => {
      this.#whenUnread = resolve;
    });
    this.#whenUnread = null;
  }
};
async function readAnchor(store) {
  const anchor = parseAnchor(await store.get(ANCHOR_KEY) ?? "");
  if (anchor === null) throw new TypeError("The store does not say where the view stands.");
  return anchor;
}
function rowTexts(store) {
  const inPlace = store.supports.getSync === true;
  return {
    text: (key2) => inPlace ? store.getSync(ROWS + key2) : store.get(ROWS + key2),
    texts: (keys) => store.getMany(keys.map((key2) => ROWS + key2)),
    textRange: async ({ from: from2, to, limit, reverse }) => {
      const rows = await store.iterator({ gte: ROWS + from2, lt: ROWS + to, reverse, limit: Number.isFinite(limit) ? limit : -1 }).all();
      return rows.map(([key2, text]) => [key2.slice(ROWS.length), text]);
    }
  };
}

// projections/generation.ts
function directoryShelf(directory, files) {
  const place = (view, folder) => `${directory}/${view}/${folder}`;
  return {
    list: async (view) => (await files.list(`${directory}/${view}`)).filter((name) => name !== "CURRENT"),
    current: async (view) => (await files.readText(place(view, "CURRENT")))?.trim() ?? null,
    setCurrent: (view, folder) => files.writeAtomically(place(view, "CURRENT"), `${folder}
`),
    open: async (view, folder) => {
      await files.makeFolder(place(view, folder));
      return openLevelStore(place(view, folder));
    },
    remove: (view, folder) => files.remove(place(view, folder))
  };
}
async function openCurrent(workshop, projector) {
  const { shelf } = workshop;
  const current = await shelf.current(projector.name);
  let view = null;
  let problem = null;
  if (current !== null && versionOf(current) !== projector.version) {
    if (versionOf(current) === null) problem = damaged(projector, "its CURRENT names no generation");
  } else if (current !== null) {
    if ((await shelf.list(projector.name)).includes(current)) {
      view = await openExisting(shelf, projector, current);
      if (view === null) problem = damaged(projector, "its files cannot be read");
    } else problem = damaged(projector, "its folder is missing");
  }
  if (view === null) {
    view = await createGeneration(workshop, projector);
    await shelf.setCurrent(projector.name, view.folder);
  }
  await removeOthers(shelf, projector.name, view.folder);
  return { view, problem };
}
async function createGeneration(workshop, projector) {
  const { shelf } = workshop;
  const numbers = (await shelf.list(projector.name)).map((folder2) => Number(folder2.split("-")[1]));
  const next = Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1;
  const folder = `${projector.version}-${next}`;
  try {
    const store = await shelf.open(projector.name, folder);
    const generation = Buffer.from(workshop.randomBytes(8)).toString("hex");
    return await KvView.open(projector, folder, store, generation);
  } catch (error) {
    throw storeFailure(projector.name, error);
  }
}
async function swapIn(shelf, view) {
  await view.moveTo({}, true);
  await shelf.setCurrent(view.name, view.folder);
}
async function discard(shelf, view) {
  await view.close();
  await shelf.remove(view.name, view.folder);
}
async function openExisting(shelf, projector, folder) {
  let store = null;
  try {
    store = await shelf.open(projector.name, folder);
    return await KvView.open(projector, folder, store);
  } catch (error) {
    await store?.close();
    const failure = storeFailure(projector.name, error);
    if (failure.code === "VIEW_DAMAGED") return null;
    throw failure;
  }
}
async function removeOthers(shelf, view, kept) {
  for (const folder of await shelf.list(view)) if (folder !== kept) await shelf.remove(view, folder);
}
function versionOf(folder) {
  const parts = /^(\d+)-(\d+)$/.exec(folder);
  return parts === null ? null : Number(parts[1]);
}
function damaged(projector, what) {
  return {
    code: "VIEW_DAMAGED",
    view: projector.name,
    message: `view ${projector.name} was damaged (${what}) and is made again from the log`
  };
}

// projections/dead-letter.ts
import { createHash as createHash2 } from "node:crypto";
async function foldPage(view, items, page, fold4, subject) {
  if (items.length === 0) return [];
  if (await tryFold(page, () => fold4(items)) === null) return [];
  const letters = [];
  for (const item of items) {
    const failure = await tryFold(page, () => fold4([item]));
    if (failure !== null) letters.push({ view, subject: subject(item), ...nameAndCode(failure.error) });
  }
  return letters;
}
function rowSubject(change) {
  return `row:${createHash2("sha256").update(change.key).digest("hex").slice(0, 16)}`;
}
async function tryFold(page, fold4) {
  try {
    await fold4();
    page.check();
    page.seal();
    return null;
  } catch (error) {
    page.check();
    page.dropPending();
    return { error };
  }
}
function nameAndCode(error) {
  const name = error instanceof Error ? error.name : "Error";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return {
    error: /^\w{1,60}$/.test(name) ? name : "Error",
    code: /^[A-Z][A-Z0-9_]{0,60}$/.test(code) ? code : null
  };
}

// projections/fill.ts
async function fillFromLog(log, fills, options) {
  const start = Math.min(...fills.map(({ view }) => view.position));
  let total = log.head().position - start;
  if (fills.length === 0 || total <= 0) return;
  options.onProgress?.(0, total);
  let coming = readPage(log, start, options.pageSize);
  for (; ; ) {
    const page = await coming;
    if (page.events.length === 0 || options.stopped?.()) return;
    coming = readPage(log, page.end.position, options.pageSize);
    coming.catch(() => void 0);
    await allOrFirstError(fills.map((fill) => foldLogPage(fill, page)));
    total = Math.max(total, page.end.position - start);
    options.onProgress?.(page.end.position - start, total);
  }
}
function readPage(log, after, limit) {
  return log.page({ after, limit });
}
async function allOrFirstError(work) {
  for (const outcome of await Promise.allSettled(work))
    if (outcome.status === "rejected") throw outcome.reason;
}
async function foldLogPage({ projector, view, followed }, page) {
  if (page.end.position <= view.position) return;
  const facts = page.events.filter(
    (event) => event.type !== "unknown" && event.position > view.position
  );
  const writes = view.page();
  const deadLetters = await foldPage(
    projector.name,
    facts,
    writes,
    (some) => projector.fold(some, writes),
    (fact) => fact.id
  );
  await view.commit(writes, { log: page.end, upstream: null, followed, deadLetters });
}
function canFollow(view, upstream) {
  const place = view.anchor.upstream;
  return place !== null && place.generation === upstream.generation && upstream.feedReaches(place.seq);
}
async function fillFromFeed(fill, options) {
  const { view, upstream, followed } = fill;
  const { generation } = upstream;
  for (; ; ) {
    const { seq } = view.anchor.upstream;
    if (seq >= upstream.anchor.seq || options.stopped?.()) break;
    const page = await upstream.changes(seq, options.pageSize);
    const writes = view.page();
    const deadLetters = await foldChanges(fill, page.changes, writes);
    const log = page.seq >= upstream.anchor.seq ? upstream.anchor.log : view.anchor.log;
    await view.commit(writes, { log, upstream: { generation, seq: page.seq }, followed, deadLetters });
  }
  if (view.anchor.upstream.seq === upstream.anchor.seq && view.position !== upstream.position)
    await view.moveTo({ log: upstream.anchor.log });
}
async function fillFromRows(fill, options) {
  const { view, upstream } = fill;
  const place = { generation: upstream.generation, seq: upstream.anchor.seq };
  for await (const rows of allRows(upstream, options.pageSize)) {
    if (options.stopped?.()) return;
    const changes = rows.map(
      ([key2, row]) => ({ key: key2, before: null, after: upstream.feed === "rows" ? row : null })
    );
    const writes = view.page();
    const deadLetters = await foldChanges(fill, changes, writes);
    await view.commit(writes, { log: null, upstream: null, followed: false, deadLetters });
  }
  await view.moveTo({ log: upstream.anchor.log, upstream: place });
}
async function* allRows(view, pageRows) {
  let after;
  for (; ; ) {
    const rows = await view.range("", { limit: pageRows, ...after === void 0 ? {} : { after } });
    if (rows.length === 0) return;
    yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)[0];
  }
}
function foldChanges({ projector, upstream }, changes, writes) {
  return foldPage(
    projector.name,
    changes,
    writes,
    (some) => projector.fold(some, writes, upstream),
    rowSubject
  );
}

// projections/build.ts
async function buildAside(request) {
  const { log, workshop, projectors, fill, now } = request;
  const views = /* @__PURE__ */ new Map();
  const ms = /* @__PURE__ */ new Map();
  let finished = false;
  try {
    for (const projector of projectors)
      views.set(projector.name, await createGeneration(workshop, projector));
    const started = now();
    const firsts = projectors.flatMap(
      (projector) => isFirst(projector) ? [{ projector, view: views.get(projector.name), followed: false }] : []
    );
    await fillFromLog(log, firsts, fill);
    for (const { projector } of firsts) ms.set(projector.name, now() - started);
    for (const projector of projectors) {
      if (isFirst(projector)) continue;
      const since = now();
      const upstream = views.get(projector.follows) ?? request.live(projector.follows);
      await fillFromRows({ projector, view: views.get(projector.name), upstream, followed: false }, fill);
      ms.set(projector.name, now() - since);
    }
    finished = !(fill.stopped?.() ?? false);
    if (!finished) return null;
    return projectors.map((projector) => ({
      projector,
      view: views.get(projector.name),
      ms: ms.get(projector.name)
    }));
  } finally {
    if (!finished) for (const view of views.values()) await discard(workshop.shelf, view);
  }
}

// projections/catch-up.ts
async function catchUp(work) {
  for (let attempts = work.views.all().length; ; attempts--) {
    try {
      return await bringUp(work);
    } catch (error) {
      const damaged2 = isAnnalsError(error) && error.code === "VIEW_DAMAGED" ? error.facts.view : void 0;
      const projector = work.views.ordered.find(({ name }) => name === damaged2);
      if (projector === void 0 || attempts === 0) throw error;
      await startOver(work, projector);
    }
  }
}
async function holdAnchors({ views, log }) {
  for (const projector of views.ordered.filter(isFirst)) {
    const problem = await logProblem(projector.name, views.live(projector.name).anchor, log);
    if (problem === null) views.blocked.delete(projector.name);
    else views.blocked.set(projector.name, problem);
  }
}
async function bringUp(work) {
  const { log, views, fill } = work;
  for (const view of views.all()) await view.recover();
  await holdAnchors(work);
  const firsts = views.ordered.filter(isFirst).filter(({ name }) => !views.blocked.has(name)).map((projector) => {
    const view = views.live(projector.name);
    return { projector, view, followed: views.followed(view) };
  });
  await fillFromLog(log, firsts, fill);
  for (const projector of views.ordered) {
    if (fill.stopped?.()) return;
    if (isFirst(projector)) continue;
    const view = views.live(projector.name);
    const upstream = views.live(projector.follows);
    if (canFollow(view, upstream))
      await fillFromFeed({ projector, view, upstream, followed: views.followed(view) }, fill);
    else await work.refill(projector);
  }
  for (const index of views.indexes) await index.catchUp(views.upstream(index.follows));
  for (const view of views.all()) await view.trim(views.passed(view));
}
async function startOver({ views, workshop }, projector) {
  const { name } = projector;
  views.noteDamage({
    code: "VIEW_DAMAGED",
    view: name,
    message: `view ${name} was damaged (it could not be read) and is made again from the log`
  });
  await views.exchange([await createGeneration(workshop, projector)]);
}

// projections/graph.ts
function inOrder2(projectors, indexes) {
  const names = [...projectors, ...indexes].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== void 0 || names.includes("log"))
    throw new TypeError(`Two views are named ${twice ?? "log"}.`);
  const ordered = [];
  let waiting = [...projectors];
  while (waiting.length > 0) {
    const ready = waiting.filter(
      ({ follows }) => follows === "log" || ordered.some(({ name }) => name === follows)
    );
    if (ready.length === 0)
      throw new TypeError(`${waiting[0].name} follows ${waiting[0].follows}, which leads nowhere.`);
    ordered.push(...ready);
    waiting = waiting.filter((projector) => !ready.includes(projector));
  }
  for (const { name, follows } of [...ordered, ...indexes]) {
    if (follows === "log") continue;
    const upstream = ordered.find((projector) => projector.name === follows);
    if (upstream === void 0 || upstream.feed === "none")
      throw new TypeError(`${name} follows ${follows}, which writes no feed.`);
  }
  return ordered;
}
function withFollowers(ordered, names) {
  const chosen = new Set(names);
  return ordered.filter((projector) => {
    if (chosen.has(projector.follows)) chosen.add(projector.name);
    return chosen.has(projector.name);
  });
}

// projections/upstream.ts
function upstreamOf(view) {
  return {
    name: view.name,
    version: view.version,
    place: { generation: view.generation, seq: view.anchor.seq },
    position: view.position,
    rows: view,
    changes: async (after, limit) => after.generation === view.generation && view.feedReaches(after.seq) ? view.changes(after.seq, limit) : null,
    all: (pageRows = 1e3) => allRows(view, pageRows)
  };
}

// projections/live-views.ts
var LiveViews = class _LiveViews {
  /** Projectors, each after the one it follows. */
  ordered;
  indexes;
  /** First views that the log does not bear out; they stand still. */
  blocked = /* @__PURE__ */ new Map();
  #workshop;
  #slots = /* @__PURE__ */ new Map();
  /** What was found damaged, until the view is rebuilt. */
  #damaged = /* @__PURE__ */ new Map();
  constructor(workshop, ordered, indexes) {
    this.#workshop = workshop;
    this.ordered = ordered;
    this.indexes = indexes;
  }
  /** @throws AnnalsError HOME_LOCKED, DISK_FULL; TypeError when the projectors do not fit together */
  static async open(workshop, projectors, indexes) {
    const views = new _LiveViews(workshop, inOrder2(projectors, indexes), indexes);
    try {
      const opening = views.ordered.map((projector) => openCurrent(workshop, projector));
      const opened = await Promise.allSettled(opening);
      views.ordered.forEach((projector, index) => {
        const one = opened[index];
        if (one.status === "fulfilled") views.#take(projector, one.value);
      });
      for (const one of opened) if (one.status === "rejected") throw one.reason;
      for (const projector of views.ordered) await views.#detach(projector);
      return views;
    } catch (error) {
      for (const view of views.all()) await view.close();
      throw error;
    }
  }
  all() {
    return [...this.#slots.values()].map(({ live }) => live);
  }
  /** @throws AnnalsError VIEW_UNKNOWN */
  live(name) {
    return this.#slot(name).live;
  }
  /** Stays valid when the view is rebuilt. @throws AnnalsError VIEW_UNKNOWN */
  reader(name) {
    return this.#slot(name).reader;
  }
  index(name) {
    return this.indexes.find((index) => index.name === name);
  }
  upstream(name) {
    return upstreamOf(this.live(name));
  }
  names() {
    return [...this.ordered, ...this.indexes].map(({ name }) => name);
  }
  get problems() {
    return [...this.#damaged.values(), ...this.blocked.values()];
  }
  noteDamage(problem) {
    this.#damaged.set(problem.view, problem);
  }
  /** Readers change over in one step, after every CURRENT names the new generation; then the old ones go. */
  async exchange(filled) {
    for (const view of filled) await swapIn(this.#workshop.shelf, view);
    const old = filled.map((view) => {
      const slot = this.#slot(view.name);
      const { live } = slot;
      slot.live = view;
      return live;
    });
    for (const view of old) await discard(this.#workshop.shelf, view);
  }
  /** The views were rebuilt: what was wrong with them is over. */
  forgetProblems(names) {
    for (const name of names) {
      this.#damaged.delete(name);
      this.blocked.delete(name);
    }
  }
  /** Whether anybody follows the live generation of this view. */
  followed(view) {
    return this.#followers(view).length > 0;
  }
  /** The newest change that every follower of this generation has taken over. */
  passed(view) {
    return Math.min(view.anchor.seq, ...this.#followers(view).map(({ seq }) => seq));
  }
  states(log) {
    const head = log.head().position;
    const views = this.all().map(({ name, version, position, anchor }) => ({
      name,
      version,
      position,
      lag: Math.max(0, head - position),
      deadLetters: anchor.dead
    }));
    const indexes = this.indexes.map((index) => {
      const { name, version } = index;
      const position = this.#indexPosition(index);
      return { name, version, position, lag: Math.max(0, head - position), deadLetters: 0 };
    });
    return [...views, ...indexes];
  }
  anchors() {
    return this.all().flatMap(
      ({ name, anchor }) => anchor.log === null ? [] : [{ view: name, anchor: anchor.log }]
    );
  }
  /** The log position that every view covers. */
  lowest() {
    const positions = [
      ...this.all().map(({ position }) => position),
      ...this.indexes.map((index) => this.#indexPosition(index))
    ];
    return Math.min(...positions);
  }
  async close() {
    for (const index of this.indexes) await index.close();
    for (const view of this.all()) await view.close();
  }
  #take(projector, { view, problem }) {
    this.#slots.set(projector.name, slotOf(projector, view));
    if (problem !== null) this.noteDamage(problem);
  }
  /** Takes a second view off an upstream that it can no longer follow. */
  async #detach(projector) {
    const view = this.live(projector.name);
    if (isFirst(projector) || view.anchor.upstream === null) return;
    if (!canFollow(view, this.live(projector.follows))) await view.moveTo({ upstream: null }, true);
  }
  #followers(view) {
    const views = [...this.#slots.values()].filter(({ projector }) => projector.follows === view.name);
    const indexes = this.indexes.filter(({ follows }) => follows === view.name);
    const places = [
      ...views.map(({ live }) => live.anchor.upstream),
      ...indexes.map((index) => index.place())
    ];
    return places.filter((place) => place !== null).filter((place) => place.generation === view.generation);
  }
  /** An index of which nothing is built stands where its upstream stands: it is made from it when asked. */
  #indexPosition(index) {
    return index.place() === null ? this.live(index.follows).position : index.position();
  }
  #slot(name) {
    const slot = this.#slots.get(name);
    if (slot === void 0) throw unknownView(name);
    return slot;
  }
};
function unknownView(name) {
  return new AnnalsError("VIEW_UNKNOWN", `No view is named ${name}.`, {
    hint: "Run `annals status` to see the views."
  });
}
function slotOf(projector, view) {
  const slot = {
    projector,
    live: view,
    reader: {
      get: (key2) => slot.live.get(key2),
      getMany: (keys) => slot.live.getMany(keys),
      range: (prefix, options) => slot.live.range(prefix, options)
    }
  };
  return slot;
}

// projections/runner.ts
async function openRunner(options) {
  return new Runner(options, await LiveViews.open(options, options.projectors, options.indexes ?? []));
}
var Runner = class {
  #options;
  #views;
  #queue = Promise.resolve();
  /** The catching up that has not begun: whoever asks meanwhile joins it. */
  #waiting = null;
  #closed = false;
  #onClose = /* @__PURE__ */ new Set();
  /** Use `openRunner`. */
  constructor(options, views) {
    this.#options = options;
    this.#views = views;
  }
  /**
   * Brings every view up to the log's head, at least as it is at the time of the call. Calls that wait for
   * their turn are one. A view that cannot be read is made again; one that the log does not bear out stands
   * still and is named in `problems`.
   * @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED
   */
  catchUp(options = {}) {
    if (this.#waiting === null) {
      const listeners = /* @__PURE__ */ new Set();
      const done = this.#alone(() => {
        this.#waiting = null;
        return this.#catchUp((finished, total) => {
          for (const listener of listeners) listener(finished, total);
        });
      });
      this.#waiting = { done, listeners };
    }
    if (options.onProgress !== void 0) this.#waiting.listeners.add(options.onProgress);
    return this.#waiting.done;
  }
  /**
   * Resolves when every view covers a log position, however far away that is.
   * @throws AnnalsError LOG_DAMAGED when a view stands still, LOG_CLOSED when the runner closes first
   */
  async whenProjected(position) {
    while (this.#views.lowest() < position) {
      await this.catchUp();
      if (this.#views.lowest() >= position) return;
      for (const { message } of this.#views.blocked.values())
        throw new AnnalsError("LOG_DAMAGED", `The views cannot move on: ${message}.`, {
          hint: "Run `annals verify` to see what is missing, then `annals rebuild`."
        });
      await this.#nextHead(position);
    }
  }
  /** Rows of a key-value view; stays valid when the view is rebuilt. @throws AnnalsError VIEW_UNKNOWN */
  view(name) {
    return this.#views.reader(name);
  }
  states() {
    return this.#views.states(this.#options.log);
  }
  /** Where each key-value view stands in the log: witnesses of what the log once held. */
  anchors() {
    return this.#views.anchors();
  }
  /** What was found wrong, each until the view is rebuilt or the log is whole again. */
  get problems() {
    return this.#views.problems;
  }
  async deadLetters() {
    return (await Promise.all(this.#views.all().map((view) => view.deadLetters()))).flat();
  }
  /** Digest of a view as it is served now. @throws AnnalsError VIEW_UNKNOWN */
  async digest(name) {
    const index = this.#views.index(name);
    if (index === void 0) this.#views.live(name);
    return this.#alone(
      () => index === void 0 ? this.#views.live(name).digest() : index.digest(this.#views.upstream(index.follows))
    );
  }
  /**
   * Fills new generations from zero while the old ones serve, then swaps them in. Whatever follows a rebuilt
   * view is rebuilt too. Without names: everything. What is appended meanwhile is projected afterwards.
   * @throws AnnalsError VIEW_UNKNOWN, LOG_DAMAGED, DISK_FULL; the old generations then stay
   */
  async rebuild(names, options = {}) {
    const known2 = this.#views.names();
    const chosen = new Set(names ?? known2);
    for (const name of chosen) if (!known2.includes(name)) throw unknownView(name);
    return this.#alone(() => this.#rebuild(chosen, options.onProgress));
  }
  /** Catches up, builds everything again aside, compares digests and throws the builds away. */
  verifyRebuilt(options = {}) {
    return this.#alone(async () => {
      await this.#catchUp();
      const built = await this.#build(this.#views.ordered, options.onProgress);
      try {
        return await this.#compare(built);
      } finally {
        for (const { view } of built) await discard(this.#options.shelf, view);
      }
    });
  }
  /** Rebuilds the views that the log does not bear out, once it is known that the log is all there is. */
  heal(options = {}) {
    return this.#alone(async () => {
      await holdAnchors({ views: this.#views, log: this.#options.log });
      const names = new Set(this.#views.blocked.keys());
      return names.size === 0 ? [] : this.#rebuild(names, options.onProgress);
    });
  }
  /**
   * Runs some work while no view moves: for whoever reads a view in many steps, or an index that builds a
   * part of itself when it is first asked. The work must not wait for `catchUp` or anything else queued here.
   */
  whileSteady(work) {
    return this.#alone(() => work((name) => this.#views.upstream(name)));
  }
  /** Stops at the end of the page under way and lets go of every store. */
  async close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const wake of this.#onClose) wake();
    await this.#queue;
    await this.#views.close();
  }
  #catchUp(onProgress) {
    return catchUp({
      log: this.#options.log,
      views: this.#views,
      workshop: this.#options,
      fill: this.#fillOptions(onProgress),
      refill: async (projector) => {
        const built = await this.#build([projector]);
        await this.#views.exchange(built.map(({ view }) => view));
      }
    });
  }
  async #rebuild(names, onProgress) {
    const built = await this.#build(withFollowers(this.#views.ordered, names), onProgress);
    const reports = [];
    for (const { view, ms } of built)
      reports.push({ name: view.name, events: view.position, ms, digest: await view.digest() });
    await this.#views.exchange(built.map(({ view }) => view));
    const rebuilt = new Set(built.map(({ view }) => view.name));
    this.#views.forgetProblems(rebuilt);
    for (const index of this.#views.indexes) {
      if (!names.has(index.name) && !rebuilt.has(index.follows)) continue;
      const upstream = this.#views.upstream(index.follows);
      const ms = await this.#timed(() => index.rebuild(upstream));
      reports.push({ name: index.name, events: upstream.position, ms, digest: await index.digest(upstream) });
    }
    return reports;
  }
  async #compare(built) {
    const comparisons = [];
    for (const { view, ms } of built) {
      const live = await this.#views.live(view.name).digest();
      const rebuilt = await view.digest();
      const { name, position: events } = view;
      comparisons.push({ name, events, ms, live, rebuilt, equal: live === rebuilt });
    }
    for (const index of this.#views.indexes) {
      const upstream = upstreamOf(built.find(({ view }) => view.name === index.follows).view);
      let rebuilt = "";
      const ms = await this.#timed(async () => {
        rebuilt = await index.digestAside(upstream);
      });
      const live = await index.digest(this.#views.upstream(index.follows));
      const { position: events } = upstream;
      comparisons.push({ name: index.name, events, ms, live, rebuilt, equal: live === rebuilt });
    }
    return comparisons;
  }
  async #build(projectors, onProgress) {
    const built = await buildAside({
      log: this.#options.log,
      workshop: this.#options,
      projectors,
      live: (name) => this.#views.live(name),
      now: () => this.#options.now(),
      fill: this.#fillOptions(onProgress)
    });
    if (built === null) throw closed();
    return built;
  }
  async #timed(work) {
    const started = this.#options.now();
    await work();
    return this.#options.now() - started;
  }
  /** Everything else waits until this is done; it waits for all that came before. */
  #alone(work) {
    const turn = this.#queue.then(() => {
      if (this.#closed) throw closed();
      return work();
    });
    this.#queue = turn.catch(() => void 0);
    return turn;
  }
  #fillOptions(onProgress) {
    return { pageSize: this.#options.pageSize ?? 1e3, onProgress, stopped: () => this.#closed };
  }
  async #nextHead(position) {
    const { log } = this.#options;
    await new Promise((resolve) => {
      const wake = () => {
        stop();
        this.#onClose.delete(wake);
        resolve();
      };
      const stop = log.onHead((head) => {
        if (head.position >= position) wake();
      });
      this.#onClose.add(wake);
      if (this.#closed || log.head().position >= position) wake();
    });
  }
};
function closed() {
  return new AnnalsError("LOG_CLOSED", "The views were used after they were closed.");
}

// projections/text-index/recipe.ts
var RECIPE_VERSION = 1;
var FIELDS = {
  /** A title says what a document is about in few words. Known items: 73.3 at 1, 72.4 at 2. */
  title: 2,
  body: 1,
  /** A path is often a mere mention. Known items: 71.5 at 0.25, 72.4 at 0.5, 72.5 at 1. */
  files: 0.5,
  /** What stands before and after explains a short turn. LoCoMo: 69.3 / 49.3 at 0.2, 71.5 / 49.0 at 0.4, 71.8 / 45.9 at 0.8. */
  neighbours: 0.4
};
var FIELD_NAMES = Object.keys(FIELDS);
var BM25 = { k: 1.5, b: 0.8, d: 0 };
var WIDENING = { prefixLengthMin: 3, fuzzyLengthMin: 4, fuzzy: 0.25, maxFuzzy: 2 };
var SCORE_STEPS = 1e9;
function fieldText(document, field) {
  if (field === "title") return document.title;
  return field === "body" ? bodyText(document) : document[field].join("\n");
}
function bodyText({ type, title, body }) {
  const words4 = type !== null && title.startsWith(type) ? title.slice(type.length).replace(/^[:\s]+/, "") : title;
  const said2 = words4.replace(/…$/, "");
  const text = body.trimStart();
  return text.startsWith(said2) ? text.slice(said2.length) : body;
}

// projections/text-index/text-index.ts
import { createHash as createHash5 } from "node:crypto";

// projections/text-index/digest.ts
import { createHash as createHash3 } from "node:crypto";

// projections/text-index/porter2.ts
function porter2(word) {
  const exception = EXCEPTIONS.get(word);
  if (exception !== void 0) return exception;
  if (word.length <= 2 || !/^['a-z]+$/.test(word)) return word;
  const marked = markConsonantY(word.startsWith("'") ? word.slice(1) : word);
  const regions = findRegions(marked);
  const steps = [plural, participle, finalY, derivation, longDerivation, latinEnding, silentEnding];
  return steps.reduce((stem, step) => step(stem, regions), marked).replaceAll("Y", "y");
}
var EXCEPTIONS = new Map(
  "andes atlas bias cosmos howe news sky skis:ski skies:sky idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl".split(" ").map((entry) => entry.split(":")).map(([word, stem]) => [word, stem ?? word])
);
function markConsonantY(word) {
  return word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
}
function findRegions(word) {
  const fixed = /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/.exec(word);
  const first2 = fixed ? fixed[0].length : afterVowelAndConsonant(word, 0);
  return { first: first2, second: afterVowelAndConsonant(word, first2) };
}
function afterVowelAndConsonant(word, from2) {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from2));
  return found ? from2 + found.index + 2 : word.length;
}
function plural(word) {
  const stem = word.replace(/(?:'s'|'s|')$/, "");
  if (stem.endsWith("sses")) return stem.slice(0, -2);
  if (/ie[ds]$/.test(stem)) return stem.length > 4 ? stem.slice(0, -2) : stem.slice(0, -1);
  if (/[us]s$/.test(stem)) return stem;
  if (/[aeiouy].+s$/.test(stem)) return stem.slice(0, -1);
  return stem;
}
function participle(word, { first: first2 }) {
  const found = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word);
  if (!found) return word;
  const ending = found[0];
  const stem = word.slice(0, found.index);
  if (ending.startsWith("eed"))
    return found.index >= first2 && !/^(?:succ|proc|exc)$/.test(stem) ? `${stem}ee` : word;
  if (ending === "ing") {
    if (/^[^aeiouy]y$/.test(stem)) return `${stem.slice(0, -1)}ie`;
    if (/^(?:even|cann|inn|earr|herr|out)$/.test(stem)) return word;
  }
  if (!/[aeiouy]/.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1);
  return first2 >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem;
}
function finalY(word) {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}
var DERIVATIONS = [
  ["ational", "ate"],
  ["fulness", "ful"],
  ["iveness", "ive"],
  ["ization", "ize"],
  ["ousness", "ous"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["tional", "tion"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ation", "ate"],
  ["entli", "ent"],
  ["fulli", "ful"],
  ["iviti", "ive"],
  ["ogist", "og"],
  ["ousli", "ous"],
  ["abli", "able"],
  ["alli", "al"],
  ["anci", "ance"],
  ["ator", "ate"],
  ["enci", "ence"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""]
];
function derivation(word, { first: first2 }) {
  const found = DERIVATIONS.find(([ending2]) => word.endsWith(ending2));
  if (!found) return word;
  const [ending, replacement] = found;
  const stem = word.slice(0, -ending.length);
  if (stem.length < first2) return word;
  if (ending === "li" && !/[cdeghkmnrt]$/.test(stem)) return word;
  if (ending === "ogi" && !stem.endsWith("l")) return word;
  return stem + replacement;
}
var LONG_DERIVATIONS = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""]
];
function longDerivation(word, { first: first2, second }) {
  const found = LONG_DERIVATIONS.find(([ending2]) => word.endsWith(ending2));
  if (!found) return word;
  const [ending, replacement] = found;
  const stem = word.slice(0, -ending.length);
  return stem.length < (ending === "ative" ? second : first2) ? word : stem + replacement;
}
function latinEnding(word, { second }) {
  const found = /(?:ement|ment|able|ance|ence|ible|ant|ate|ent|ion|ism|iti|ive|ize|ous|al|er|ic)$/.exec(word);
  if (!found || found.index < second) return word;
  const stem = word.slice(0, found.index);
  return found[0] === "ion" && !/[st]$/.test(stem) ? word : stem;
}
function silentEnding(word, { first: first2, second }) {
  const stem = word.slice(0, -1);
  if (word.endsWith("e") && (stem.length >= second || stem.length >= first2 && !endsInShortSyllable(stem)))
    return stem;
  if (word.endsWith("ll") && stem.length >= second) return stem;
  return word;
}
function endsInShortSyllable(stem) {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(stem) || /^[aeiouy][^aeiouy]$/.test(stem) || stem.endsWith("past");
}

// projections/text-index/stop-words.ts
var STOP_WORDS = new Set(
  "a about above after again all also am an and any are as at be because been before being below between both but by can could d did do does doing don down during each few for from further had has have having he her here hers him his how i if in into is it its itself just ll m me more most my no nor not now of off on once or other our ours out over own re s same she should so some such t than that the their theirs them then there these they this those through to too under until up ve very was we were what when where which while who whom why will with would you your yours".split(" ")
);

// projections/text-index/terms.ts
var WORD = /[\p{L}\p{M}\p{N}_$@#]+/gu;
var PART = new RegExp("\\p{Lu}+(?![\\p{Ll}\\p{M}])|\\p{Lu}?[\\p{Ll}\\p{M}]+|\\p{Lu}+|[\\p{Lo}\\p{Lm}\\p{M}]+|\\p{N}+", "gu");
var UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
var WORD_LENGTH_MAX = 64;
var MEMORY_WORDS_MAX = 1e5;
var memory = /* @__PURE__ */ new Map();
function termsOf(text) {
  const terms = [];
  for (const word of text.match(WORD) ?? []) {
    for (const term of termsOfWord(word)) terms.push(term);
  }
  return terms;
}
function termsOfWord(word) {
  const known2 = memory.get(word);
  if (known2 !== void 0) return known2;
  const terms = makeTerms(word.slice(0, WORD_LENGTH_MAX));
  if (memory.size >= MEMORY_WORDS_MAX) memory.clear();
  memory.set(word, terms);
  return terms;
}
function wordsOf2(text) {
  return Array.from(text.matchAll(WORD), (match) => ({ word: match[0], start: match.index }));
}
function makeTerms(word) {
  const whole = word.toLowerCase();
  const parts = word.match(PART) ?? [];
  if (parts.length === 1 && parts[0] === word && !UNSPACED.test(word)) return plainTerms(whole);
  const terms = new Set(UNSPACED.test(word) ? [] : [whole]);
  for (const part of parts) {
    if (UNSPACED.test(part)) for (const pair of pairsOf(part)) terms.add(pair);
    else if (part.length > 1) for (const term of plainTerms(part.toLowerCase())) terms.add(term);
  }
  return [...terms];
}
function plainTerms(lower) {
  return STOP_WORDS.has(lower) ? [] : [porter2(lower)];
}
function pairsOf(run) {
  const characters = [...run];
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, index) => characters[index] + character);
}

// projections/text-index/digest.ts
var QUERIES = 50;
var ANSWERS = 10;
var QUERY_WORDS = 4;
function textDigest(index, documents) {
  const hash2 = createHash3("sha256").update(`recipe ${RECIPE_VERSION}
`);
  for (const line of contentLines(index)) hash2.update(`${line}
`);
  const all = {
    documents: index.documentCount,
    count: (term, field) => index.frequency(term, field)
  };
  for (const query of drawQueries(documents)) {
    const terms = [...new Set(termsOf(query))];
    hash2.update(`${JSON.stringify([query, index.hits(terms, all).slice(0, ANSWERS)])}
`);
  }
  return hash2.digest("hex");
}
function* contentLines(index) {
  const { averages, ids, lengths, terms } = index.contents();
  yield JSON.stringify([averages, byId(lengths, ids)]);
  for (const [term, fields] of [...terms].sort(([a], [b]) => a < b ? -1 : 1)) {
    const ordered = [...fields].sort(([a], [b]) => a - b);
    yield JSON.stringify([term, ordered.map(([field, counts]) => [field, byId(counts, ids)])]);
  }
}
function byId(values, ids) {
  return Array.from(values, ([number, value]) => [ids.get(number), value]).sort(
    ([a], [b]) => a < b ? -1 : 1
  );
}
function drawQueries(documents) {
  const sorted = [...documents].sort((a, b) => a.id < b.id ? -1 : 1);
  const count3 = Math.min(QUERIES, sorted.length);
  return Array.from({ length: count3 }, (_, turn) => {
    const document = sorted[Math.floor(turn * sorted.length / count3)];
    const words4 = wordsOf2(FIELD_NAMES.map((field) => fieldText(document, field)).join("\n"));
    const step = Math.max(1, Math.floor(words4.length / QUERY_WORDS));
    const chosen = Array.from({ length: QUERY_WORDS }, (_2, n) => words4[n * step]?.word ?? "");
    return (turn % 5 === 0 ? chosen.map((word) => word.slice(0, -1)) : chosen).join(" ").trim();
  });
}

// ../../main/node_modules/minisearch/dist/es/index.js
var ENTRIES = "ENTRIES";
var KEYS = "KEYS";
var VALUES = "VALUES";
var LEAF = "";
var TreeIterator = class {
  constructor(set, type) {
    const node = set._tree;
    const keys = Array.from(node.keys());
    this.set = set;
    this._type = type;
    this._path = keys.length > 0 ? [{ node, keys }] : [];
  }
  next() {
    const value = this.dive();
    this.backtrack();
    return value;
  }
  dive() {
    if (this._path.length === 0) {
      return { done: true, value: void 0 };
    }
    const { node, keys } = last$1(this._path);
    if (last$1(keys) === LEAF) {
      return { done: false, value: this.result() };
    }
    const child = node.get(last$1(keys));
    this._path.push({ node: child, keys: Array.from(child.keys()) });
    return this.dive();
  }
  backtrack() {
    if (this._path.length === 0) {
      return;
    }
    const keys = last$1(this._path).keys;
    keys.pop();
    if (keys.length > 0) {
      return;
    }
    this._path.pop();
    this.backtrack();
  }
  key() {
    return this.set._prefix + this._path.map(({ keys }) => last$1(keys)).filter((key2) => key2 !== LEAF).join("");
  }
  value() {
    return last$1(this._path).node.get(LEAF);
  }
  result() {
    switch (this._type) {
      case VALUES:
        return this.value();
      case KEYS:
        return this.key();
      default:
        return [this.key(), this.value()];
    }
  }
  [Symbol.iterator]() {
    return this;
  }
};
var last$1 = (array) => {
  return array[array.length - 1];
};
var fuzzySearch = (node, query, maxDistance) => {
  const results = /* @__PURE__ */ new Map();
  if (query === void 0)
    return results;
  const n = query.length + 1;
  const m = n + maxDistance;
  const matrix = new Uint8Array(m * n).fill(maxDistance + 1);
  for (let j = 0; j < n; ++j)
    matrix[j] = j;
  for (let i = 1; i < m; ++i)
    matrix[i * n] = i;
  recurse(node, query, maxDistance, results, matrix, 1, n, "");
  return results;
};
var recurse = (node, query, maxDistance, results, matrix, m, n, prefix) => {
  const offset = m * n;
  key: for (const key2 of node.keys()) {
    if (key2 === LEAF) {
      const distance = matrix[offset - 1];
      if (distance <= maxDistance) {
        results.set(prefix, [node.get(key2), distance]);
      }
    } else {
      let i = m;
      for (let pos = 0; pos < key2.length; ++pos, ++i) {
        const char = key2[pos];
        const thisRowOffset = n * i;
        const prevRowOffset = thisRowOffset - n;
        let minDistance = matrix[thisRowOffset];
        const jmin = Math.max(0, i - maxDistance - 1);
        const jmax = Math.min(n - 1, i + maxDistance);
        for (let j = jmin; j < jmax; ++j) {
          const different = char !== query[j];
          const rpl = matrix[prevRowOffset + j] + +different;
          const del = matrix[prevRowOffset + j + 1] + 1;
          const ins = matrix[thisRowOffset + j] + 1;
          const dist = matrix[thisRowOffset + j + 1] = Math.min(rpl, del, ins);
          if (dist < minDistance)
            minDistance = dist;
        }
        if (minDistance > maxDistance) {
          continue key;
        }
      }
      recurse(node.get(key2), query, maxDistance, results, matrix, i, n, prefix + key2);
    }
  }
};
var SearchableMap = class _SearchableMap {
  /**
   * The constructor is normally called without arguments, creating an empty
   * map. In order to create a {@link SearchableMap} from an iterable or from an
   * object, check {@link SearchableMap.from} and {@link
   * SearchableMap.fromObject}.
   *
   * The constructor arguments are for internal use, when creating derived
   * mutable views of a map at a prefix.
   */
  constructor(tree = /* @__PURE__ */ new Map(), prefix = "") {
    this._size = void 0;
    this._tree = tree;
    this._prefix = prefix;
  }
  /**
   * Creates and returns a mutable view of this {@link SearchableMap},
   * containing only entries that share the given prefix.
   *
   * ### Usage:
   *
   * ```javascript
   * let map = new SearchableMap()
   * map.set("unicorn", 1)
   * map.set("universe", 2)
   * map.set("university", 3)
   * map.set("unique", 4)
   * map.set("hello", 5)
   *
   * let uni = map.atPrefix("uni")
   * uni.get("unique") // => 4
   * uni.get("unicorn") // => 1
   * uni.get("hello") // => undefined
   *
   * let univer = map.atPrefix("univer")
   * univer.get("unique") // => undefined
   * univer.get("universe") // => 2
   * univer.get("university") // => 3
   * ```
   *
   * @param prefix  The prefix
   * @return A {@link SearchableMap} representing a mutable view of the original
   * Map at the given prefix
   */
  atPrefix(prefix) {
    if (!prefix.startsWith(this._prefix)) {
      throw new Error("Mismatched prefix");
    }
    const [node, path] = trackDown(this._tree, prefix.slice(this._prefix.length));
    if (node === void 0) {
      const [parentNode, key2] = last(path);
      for (const k of parentNode.keys()) {
        if (k !== LEAF && k.startsWith(key2)) {
          const node2 = /* @__PURE__ */ new Map();
          node2.set(k.slice(key2.length), parentNode.get(k));
          return new _SearchableMap(node2, prefix);
        }
      }
    }
    return new _SearchableMap(node, prefix);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/clear
   */
  clear() {
    this._size = void 0;
    this._tree.clear();
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/delete
   * @param key  Key to delete
   */
  delete(key2) {
    this._size = void 0;
    return remove(this._tree, key2);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/entries
   * @return An iterator iterating through `[key, value]` entries.
   */
  entries() {
    return new TreeIterator(this, ENTRIES);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/forEach
   * @param fn  Iteration function
   */
  forEach(fn) {
    for (const [key2, value] of this) {
      fn(key2, value, this);
    }
  }
  /**
   * Returns a Map of all the entries that have a key within the given edit
   * distance from the search key. The keys of the returned Map are the matching
   * keys, while the values are two-element arrays where the first element is
   * the value associated to the key, and the second is the edit distance of the
   * key to the search key.
   *
   * ### Usage:
   *
   * ```javascript
   * let map = new SearchableMap()
   * map.set('hello', 'world')
   * map.set('hell', 'yeah')
   * map.set('ciao', 'mondo')
   *
   * // Get all entries that match the key 'hallo' with a maximum edit distance of 2
   * map.fuzzyGet('hallo', 2)
   * // => Map(2) { 'hello' => ['world', 1], 'hell' => ['yeah', 2] }
   *
   * // In the example, the "hello" key has value "world" and edit distance of 1
   * // (change "e" to "a"), the key "hell" has value "yeah" and edit distance of 2
   * // (change "e" to "a", delete "o")
   * ```
   *
   * @param key  The search key
   * @param maxEditDistance  The maximum edit distance (Levenshtein)
   * @return A Map of the matching keys to their value and edit distance
   */
  fuzzyGet(key2, maxEditDistance) {
    return fuzzySearch(this._tree, key2, maxEditDistance);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/get
   * @param key  Key to get
   * @return Value associated to the key, or `undefined` if the key is not
   * found.
   */
  get(key2) {
    const node = lookup(this._tree, key2);
    return node !== void 0 ? node.get(LEAF) : void 0;
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/has
   * @param key  Key
   * @return True if the key is in the map, false otherwise
   */
  has(key2) {
    const node = lookup(this._tree, key2);
    return node !== void 0 && node.has(LEAF);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/keys
   * @return An `Iterable` iterating through keys
   */
  keys() {
    return new TreeIterator(this, KEYS);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/set
   * @param key  Key to set
   * @param value  Value to associate to the key
   * @return The {@link SearchableMap} itself, to allow chaining
   */
  set(key2, value) {
    if (typeof key2 !== "string") {
      throw new Error("key must be a string");
    }
    this._size = void 0;
    const node = createPath(this._tree, key2);
    node.set(LEAF, value);
    return this;
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/size
   */
  get size() {
    if (this._size) {
      return this._size;
    }
    this._size = 0;
    const iter = this.entries();
    while (!iter.next().done)
      this._size += 1;
    return this._size;
  }
  /**
   * Updates the value at the given key using the provided function. The function
   * is called with the current value at the key, and its return value is used as
   * the new value to be set.
   *
   * ### Example:
   *
   * ```javascript
   * // Increment the current value by one
   * searchableMap.update('somekey', (currentValue) => currentValue == null ? 0 : currentValue + 1)
   * ```
   *
   * If the value at the given key is or will be an object, it might not require
   * re-assignment. In that case it is better to use `fetch()`, because it is
   * faster.
   *
   * @param key  The key to update
   * @param fn  The function used to compute the new value from the current one
   * @return The {@link SearchableMap} itself, to allow chaining
   */
  update(key2, fn) {
    if (typeof key2 !== "string") {
      throw new Error("key must be a string");
    }
    this._size = void 0;
    const node = createPath(this._tree, key2);
    node.set(LEAF, fn(node.get(LEAF)));
    return this;
  }
  /**
   * Fetches the value of the given key. If the value does not exist, calls the
   * given function to create a new value, which is inserted at the given key
   * and subsequently returned.
   *
   * ### Example:
   *
   * ```javascript
   * const map = searchableMap.fetch('somekey', () => new Map())
   * map.set('foo', 'bar')
   * ```
   *
   * @param key  The key to update
   * @param initial  A function that creates a new value if the key does not exist
   * @return The existing or new value at the given key
   */
  fetch(key2, initial) {
    if (typeof key2 !== "string") {
      throw new Error("key must be a string");
    }
    this._size = void 0;
    const node = createPath(this._tree, key2);
    let value = node.get(LEAF);
    if (value === void 0) {
      node.set(LEAF, value = initial());
    }
    return value;
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/values
   * @return An `Iterable` iterating through values.
   */
  values() {
    return new TreeIterator(this, VALUES);
  }
  /**
   * @see https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map/@@iterator
   */
  [Symbol.iterator]() {
    return this.entries();
  }
  /**
   * Creates a {@link SearchableMap} from an `Iterable` of entries
   *
   * @param entries  Entries to be inserted in the {@link SearchableMap}
   * @return A new {@link SearchableMap} with the given entries
   */
  static from(entries) {
    const tree = new _SearchableMap();
    for (const [key2, value] of entries) {
      tree.set(key2, value);
    }
    return tree;
  }
  /**
   * Creates a {@link SearchableMap} from the iterable properties of a JavaScript object
   *
   * @param object  Object of entries for the {@link SearchableMap}
   * @return A new {@link SearchableMap} with the given entries
   */
  static fromObject(object) {
    return _SearchableMap.from(Object.entries(object));
  }
};
var trackDown = (tree, key2, path = []) => {
  if (key2.length === 0 || tree == null) {
    return [tree, path];
  }
  for (const k of tree.keys()) {
    if (k !== LEAF && key2.startsWith(k)) {
      path.push([tree, k]);
      return trackDown(tree.get(k), key2.slice(k.length), path);
    }
  }
  path.push([tree, key2]);
  return trackDown(void 0, "", path);
};
var lookup = (tree, key2) => {
  if (key2.length === 0 || tree == null) {
    return tree;
  }
  for (const k of tree.keys()) {
    if (k !== LEAF && key2.startsWith(k)) {
      return lookup(tree.get(k), key2.slice(k.length));
    }
  }
};
var createPath = (node, key2) => {
  const keyLength = key2.length;
  outer: for (let pos = 0; node && pos < keyLength; ) {
    for (const k of node.keys()) {
      if (k !== LEAF && key2[pos] === k[0]) {
        const len = Math.min(keyLength - pos, k.length);
        let offset = 1;
        while (offset < len && key2[pos + offset] === k[offset])
          ++offset;
        const child2 = node.get(k);
        if (offset === k.length) {
          node = child2;
        } else {
          const intermediate = /* @__PURE__ */ new Map();
          intermediate.set(k.slice(offset), child2);
          node.set(key2.slice(pos, pos + offset), intermediate);
          node.delete(k);
          node = intermediate;
        }
        pos += offset;
        continue outer;
      }
    }
    const child = /* @__PURE__ */ new Map();
    node.set(key2.slice(pos), child);
    return child;
  }
  return node;
};
var remove = (tree, key2) => {
  const [node, path] = trackDown(tree, key2);
  if (node === void 0) {
    return;
  }
  node.delete(LEAF);
  if (node.size === 0) {
    cleanup(path);
  } else if (node.size === 1) {
    const [key3, value] = node.entries().next().value;
    merge2(path, key3, value);
  }
};
var cleanup = (path) => {
  if (path.length === 0) {
    return;
  }
  const [node, key2] = last(path);
  node.delete(key2);
  if (node.size === 0) {
    cleanup(path.slice(0, -1));
  } else if (node.size === 1) {
    const [key3, value] = node.entries().next().value;
    if (key3 !== LEAF) {
      merge2(path.slice(0, -1), key3, value);
    }
  }
};
var merge2 = (path, key2, value) => {
  if (path.length === 0) {
    return;
  }
  const [node, nodeKey] = last(path);
  node.set(nodeKey + key2, value);
  node.delete(nodeKey);
};
var last = (array) => {
  return array[array.length - 1];
};
var OR = "or";
var AND = "and";
var AND_NOT = "and_not";
var MiniSearch = class _MiniSearch {
  /**
   * @param options  Configuration options
   *
   * ### Examples:
   *
   * ```javascript
   * // Create a search engine that indexes the 'title' and 'text' fields of your
   * // documents:
   * const miniSearch = new MiniSearch({ fields: ['title', 'text'] })
   * ```
   *
   * ### ID Field:
   *
   * ```javascript
   * // Your documents are assumed to include a unique 'id' field, but if you want
   * // to use a different field for document identification, you can set the
   * // 'idField' option:
   * const miniSearch = new MiniSearch({ idField: 'key', fields: ['title', 'text'] })
   * ```
   *
   * ### Options and defaults:
   *
   * ```javascript
   * // The full set of options (here with their default value) is:
   * const miniSearch = new MiniSearch({
   *   // idField: field that uniquely identifies a document
   *   idField: 'id',
   *
   *   // extractField: function used to get the value of a field in a document.
   *   // By default, it assumes the document is a flat object with field names as
   *   // property keys and field values as string property values, but custom logic
   *   // can be implemented by setting this option to a custom extractor function.
   *   extractField: (document, fieldName) => document[fieldName],
   *
   *   // tokenize: function used to split fields into individual terms. By
   *   // default, it is also used to tokenize search queries, unless a specific
   *   // `tokenize` search option is supplied. When tokenizing an indexed field,
   *   // the field name is passed as the second argument.
   *   tokenize: (string, _fieldName) => string.split(SPACE_OR_PUNCTUATION),
   *
   *   // processTerm: function used to process each tokenized term before
   *   // indexing. It can be used for stemming and normalization. Return a falsy
   *   // value in order to discard a term. By default, it is also used to process
   *   // search queries, unless a specific `processTerm` option is supplied as a
   *   // search option. When processing a term from a indexed field, the field
   *   // name is passed as the second argument.
   *   processTerm: (term, _fieldName) => term.toLowerCase(),
   *
   *   // searchOptions: default search options, see the `search` method for
   *   // details
   *   searchOptions: undefined,
   *
   *   // fields: document fields to be indexed. Mandatory, but not set by default
   *   fields: undefined
   *
   *   // storeFields: document fields to be stored and returned as part of the
   *   // search results.
   *   storeFields: []
   * })
   * ```
   */
  constructor(options) {
    if ((options === null || options === void 0 ? void 0 : options.fields) == null) {
      throw new Error('MiniSearch: option "fields" must be provided');
    }
    const autoVacuum = options.autoVacuum == null || options.autoVacuum === true ? defaultAutoVacuumOptions : options.autoVacuum;
    this._options = {
      ...defaultOptions,
      ...options,
      autoVacuum,
      searchOptions: { ...defaultSearchOptions, ...options.searchOptions || {} },
      autoSuggestOptions: { ...defaultAutoSuggestOptions, ...options.autoSuggestOptions || {} }
    };
    this._index = new SearchableMap();
    this._documentCount = 0;
    this._documentIds = /* @__PURE__ */ new Map();
    this._idToShortId = /* @__PURE__ */ new Map();
    this._fieldIds = {};
    this._fieldLength = /* @__PURE__ */ new Map();
    this._avgFieldLength = [];
    this._nextId = 0;
    this._storedFields = /* @__PURE__ */ new Map();
    this._dirtCount = 0;
    this._currentVacuum = null;
    this._enqueuedVacuum = null;
    this._enqueuedVacuumConditions = defaultVacuumConditions;
    this.addFields(this._options.fields);
  }
  /**
   * Adds a document to the index
   *
   * @param document  The document to be indexed
   */
  add(document) {
    const { extractField, stringifyField, tokenize, processTerm, fields, idField } = this._options;
    const id = extractField(document, idField);
    if (id == null) {
      throw new Error(`MiniSearch: document does not have ID field "${idField}"`);
    }
    if (this._idToShortId.has(id)) {
      throw new Error(`MiniSearch: duplicate ID ${id}`);
    }
    const shortDocumentId = this.addDocumentId(id);
    this.saveStoredFields(shortDocumentId, document);
    for (const field of fields) {
      const fieldValue = extractField(document, field);
      if (fieldValue == null)
        continue;
      const tokens = tokenize(stringifyField(fieldValue, field), field);
      const fieldId = this._fieldIds[field];
      const uniqueTerms = new Set(tokens).size;
      this.addFieldLength(shortDocumentId, fieldId, this._documentCount - 1, uniqueTerms);
      for (const term of tokens) {
        const processedTerm = processTerm(term, field);
        if (Array.isArray(processedTerm)) {
          for (const t of processedTerm) {
            this.addTerm(fieldId, shortDocumentId, t);
          }
        } else if (processedTerm) {
          this.addTerm(fieldId, shortDocumentId, processedTerm);
        }
      }
    }
  }
  /**
   * Adds all the given documents to the index
   *
   * @param documents  An array of documents to be indexed
   */
  addAll(documents) {
    for (const document of documents)
      this.add(document);
  }
  /**
   * Adds all the given documents to the index asynchronously.
   *
   * Returns a promise that resolves (to `undefined`) when the indexing is done.
   * This method is useful when index many documents, to avoid blocking the main
   * thread. The indexing is performed asynchronously and in chunks.
   *
   * @param documents  An array of documents to be indexed
   * @param options  Configuration options
   * @return A promise resolving to `undefined` when the indexing is done
   */
  addAllAsync(documents, options = {}) {
    const { chunkSize = 10 } = options;
    const acc = { chunk: [], promise: Promise.resolve() };
    const { chunk, promise } = documents.reduce(({ chunk: chunk2, promise: promise2 }, document, i) => {
      chunk2.push(document);
      if ((i + 1) % chunkSize === 0) {
        return {
          chunk: [],
          promise: promise2.then(() => new Promise((resolve) => setTimeout(resolve, 0))).then(() => this.addAll(chunk2))
        };
      } else {
        return { chunk: chunk2, promise: promise2 };
      }
    }, acc);
    return promise.then(() => this.addAll(chunk));
  }
  /**
   * Removes the given document from the index.
   *
   * The document to remove must NOT have changed between indexing and removal,
   * otherwise the index will be corrupted.
   *
   * This method requires passing the full document to be removed (not just the
   * ID), and immediately removes the document from the inverted index, allowing
   * memory to be released. A convenient alternative is {@link
   * MiniSearch#discard}, which needs only the document ID, and has the same
   * visible effect, but delays cleaning up the index until the next vacuuming.
   *
   * @param document  The document to be removed
   */
  remove(document) {
    const { tokenize, processTerm, extractField, stringifyField, fields, idField } = this._options;
    const id = extractField(document, idField);
    if (id == null) {
      throw new Error(`MiniSearch: document does not have ID field "${idField}"`);
    }
    const shortId = this._idToShortId.get(id);
    if (shortId == null) {
      throw new Error(`MiniSearch: cannot remove document with ID ${id}: it is not in the index`);
    }
    for (const field of fields) {
      const fieldValue = extractField(document, field);
      if (fieldValue == null)
        continue;
      const tokens = tokenize(stringifyField(fieldValue, field), field);
      const fieldId = this._fieldIds[field];
      const uniqueTerms = new Set(tokens).size;
      this.removeFieldLength(shortId, fieldId, this._documentCount, uniqueTerms);
      for (const term of tokens) {
        const processedTerm = processTerm(term, field);
        if (Array.isArray(processedTerm)) {
          for (const t of processedTerm) {
            this.removeTerm(fieldId, shortId, t);
          }
        } else if (processedTerm) {
          this.removeTerm(fieldId, shortId, processedTerm);
        }
      }
    }
    this._storedFields.delete(shortId);
    this._documentIds.delete(shortId);
    this._idToShortId.delete(id);
    this._fieldLength.delete(shortId);
    this._documentCount -= 1;
  }
  /**
   * Removes all the given documents from the index. If called with no arguments,
   * it removes _all_ documents from the index.
   *
   * @param documents  The documents to be removed. If this argument is omitted,
   * all documents are removed. Note that, for removing all documents, it is
   * more efficient to call this method with no arguments than to pass all
   * documents.
   */
  removeAll(documents) {
    if (documents) {
      for (const document of documents)
        this.remove(document);
    } else if (arguments.length > 0) {
      throw new Error("Expected documents to be present. Omit the argument to remove all documents.");
    } else {
      this._index = new SearchableMap();
      this._documentCount = 0;
      this._documentIds = /* @__PURE__ */ new Map();
      this._idToShortId = /* @__PURE__ */ new Map();
      this._fieldLength = /* @__PURE__ */ new Map();
      this._avgFieldLength = [];
      this._storedFields = /* @__PURE__ */ new Map();
      this._nextId = 0;
    }
  }
  /**
   * Discards the document with the given ID, so it won't appear in search results
   *
   * It has the same visible effect of {@link MiniSearch.remove} (both cause the
   * document to stop appearing in searches), but a different effect on the
   * internal data structures:
   *
   *   - {@link MiniSearch#remove} requires passing the full document to be
   *   removed as argument, and removes it from the inverted index immediately.
   *
   *   - {@link MiniSearch#discard} instead only needs the document ID, and
   *   works by marking the current version of the document as discarded, so it
   *   is immediately ignored by searches. This is faster and more convenient
   *   than {@link MiniSearch#remove}, but the index is not immediately
   *   modified. To take care of that, vacuuming is performed after a certain
   *   number of documents are discarded, cleaning up the index and allowing
   *   memory to be released.
   *
   * After discarding a document, it is possible to re-add a new version, and
   * only the new version will appear in searches. In other words, discarding
   * and re-adding a document works exactly like removing and re-adding it. The
   * {@link MiniSearch.replace} method can also be used to replace a document
   * with a new version.
   *
   * #### Details about vacuuming
   *
   * Repetite calls to this method would leave obsolete document references in
   * the index, invisible to searches. Two mechanisms take care of cleaning up:
   * clean up during search, and vacuuming.
   *
   *   - Upon search, whenever a discarded ID is found (and ignored for the
   *   results), references to the discarded document are removed from the
   *   inverted index entries for the search terms. This ensures that subsequent
   *   searches for the same terms do not need to skip these obsolete references
   *   again.
   *
   *   - In addition, vacuuming is performed automatically by default (see the
   *   `autoVacuum` field in {@link Options}) after a certain number of
   *   documents are discarded. Vacuuming traverses all terms in the index,
   *   cleaning up all references to discarded documents. Vacuuming can also be
   *   triggered manually by calling {@link MiniSearch#vacuum}.
   *
   * @param id  The ID of the document to be discarded
   */
  discard(id) {
    const shortId = this._idToShortId.get(id);
    if (shortId == null) {
      throw new Error(`MiniSearch: cannot discard document with ID ${id}: it is not in the index`);
    }
    this._idToShortId.delete(id);
    this._documentIds.delete(shortId);
    this._storedFields.delete(shortId);
    (this._fieldLength.get(shortId) || []).forEach((fieldLength, fieldId) => {
      this.removeFieldLength(shortId, fieldId, this._documentCount, fieldLength);
    });
    this._fieldLength.delete(shortId);
    this._documentCount -= 1;
    this._dirtCount += 1;
    this.maybeAutoVacuum();
  }
  maybeAutoVacuum() {
    if (this._options.autoVacuum === false) {
      return;
    }
    const { minDirtFactor, minDirtCount, batchSize, batchWait } = this._options.autoVacuum;
    this.conditionalVacuum({ batchSize, batchWait }, { minDirtCount, minDirtFactor });
  }
  /**
   * Discards the documents with the given IDs, so they won't appear in search
   * results
   *
   * It is equivalent to calling {@link MiniSearch#discard} for all the given
   * IDs, but with the optimization of triggering at most one automatic
   * vacuuming at the end.
   *
   * Note: to remove all documents from the index, it is faster and more
   * convenient to call {@link MiniSearch.removeAll} with no argument, instead
   * of passing all IDs to this method.
   */
  discardAll(ids) {
    const autoVacuum = this._options.autoVacuum;
    try {
      this._options.autoVacuum = false;
      for (const id of ids) {
        this.discard(id);
      }
    } finally {
      this._options.autoVacuum = autoVacuum;
    }
    this.maybeAutoVacuum();
  }
  /**
   * It replaces an existing document with the given updated version
   *
   * It works by discarding the current version and adding the updated one, so
   * it is functionally equivalent to calling {@link MiniSearch#discard}
   * followed by {@link MiniSearch#add}. The ID of the updated document should
   * be the same as the original one.
   *
   * Since it uses {@link MiniSearch#discard} internally, this method relies on
   * vacuuming to clean up obsolete document references from the index, allowing
   * memory to be released (see {@link MiniSearch#discard}).
   *
   * @param updatedDocument  The updated document to replace the old version
   * with
   */
  replace(updatedDocument) {
    const { idField, extractField } = this._options;
    const id = extractField(updatedDocument, idField);
    this.discard(id);
    this.add(updatedDocument);
  }
  /**
   * Triggers a manual vacuuming, cleaning up references to discarded documents
   * from the inverted index
   *
   * Vacuuming is only useful for applications that use the {@link
   * MiniSearch#discard} or {@link MiniSearch#replace} methods.
   *
   * By default, vacuuming is performed automatically when needed (controlled by
   * the `autoVacuum` field in {@link Options}), so there is usually no need to
   * call this method, unless one wants to make sure to perform vacuuming at a
   * specific moment.
   *
   * Vacuuming traverses all terms in the inverted index in batches, and cleans
   * up references to discarded documents from the posting list, allowing memory
   * to be released.
   *
   * The method takes an optional object as argument with the following keys:
   *
   *   - `batchSize`: the size of each batch (1000 by default)
   *
   *   - `batchWait`: the number of milliseconds to wait between batches (10 by
   *   default)
   *
   * On large indexes, vacuuming could have a non-negligible cost: batching
   * avoids blocking the thread for long, diluting this cost so that it is not
   * negatively affecting the application. Nonetheless, this method should only
   * be called when necessary, and relying on automatic vacuuming is usually
   * better.
   *
   * It returns a promise that resolves (to undefined) when the clean up is
   * completed. If vacuuming is already ongoing at the time this method is
   * called, a new one is enqueued immediately after the ongoing one, and a
   * corresponding promise is returned. However, no more than one vacuuming is
   * enqueued on top of the ongoing one, even if this method is called more
   * times (enqueuing multiple ones would be useless).
   *
   * @param options  Configuration options for the batch size and delay. See
   * {@link VacuumOptions}.
   */
  vacuum(options = {}) {
    return this.conditionalVacuum(options);
  }
  conditionalVacuum(options, conditions) {
    if (this._currentVacuum) {
      this._enqueuedVacuumConditions = this._enqueuedVacuumConditions && conditions;
      if (this._enqueuedVacuum != null) {
        return this._enqueuedVacuum;
      }
      this._enqueuedVacuum = this._currentVacuum.then(() => {
        const conditions2 = this._enqueuedVacuumConditions;
        this._enqueuedVacuumConditions = defaultVacuumConditions;
        return this.performVacuuming(options, conditions2);
      });
      return this._enqueuedVacuum;
    }
    if (this.vacuumConditionsMet(conditions) === false) {
      return Promise.resolve();
    }
    this._currentVacuum = this.performVacuuming(options);
    return this._currentVacuum;
  }
  async performVacuuming(options, conditions) {
    const initialDirtCount = this._dirtCount;
    if (this.vacuumConditionsMet(conditions)) {
      const batchSize = options.batchSize || defaultVacuumOptions.batchSize;
      const batchWait = options.batchWait || defaultVacuumOptions.batchWait;
      let i = 1;
      for (const [term, fieldsData] of this._index) {
        for (const [fieldId, fieldIndex] of fieldsData) {
          for (const [shortId] of fieldIndex) {
            if (this._documentIds.has(shortId)) {
              continue;
            }
            if (fieldIndex.size <= 1) {
              fieldsData.delete(fieldId);
            } else {
              fieldIndex.delete(shortId);
            }
          }
        }
        if (this._index.get(term).size === 0) {
          this._index.delete(term);
        }
        if (i % batchSize === 0) {
          await new Promise((resolve) => setTimeout(resolve, batchWait));
        }
        i += 1;
      }
      this._dirtCount -= initialDirtCount;
    }
    await null;
    this._currentVacuum = this._enqueuedVacuum;
    this._enqueuedVacuum = null;
  }
  vacuumConditionsMet(conditions) {
    if (conditions == null) {
      return true;
    }
    let { minDirtCount, minDirtFactor } = conditions;
    minDirtCount = minDirtCount || defaultAutoVacuumOptions.minDirtCount;
    minDirtFactor = minDirtFactor || defaultAutoVacuumOptions.minDirtFactor;
    return this.dirtCount >= minDirtCount && this.dirtFactor >= minDirtFactor;
  }
  /**
   * Is `true` if a vacuuming operation is ongoing, `false` otherwise
   */
  get isVacuuming() {
    return this._currentVacuum != null;
  }
  /**
   * The number of documents discarded since the most recent vacuuming
   */
  get dirtCount() {
    return this._dirtCount;
  }
  /**
   * A number between 0 and 1 giving an indication about the proportion of
   * documents that are discarded, and can therefore be cleaned up by vacuuming.
   * A value close to 0 means that the index is relatively clean, while a higher
   * value means that the index is relatively dirty, and vacuuming could release
   * memory.
   */
  get dirtFactor() {
    return this._dirtCount / (1 + this._documentCount + this._dirtCount);
  }
  /**
   * Returns `true` if a document with the given ID is present in the index and
   * available for search, `false` otherwise
   *
   * @param id  The document ID
   */
  has(id) {
    return this._idToShortId.has(id);
  }
  /**
   * Returns the stored fields (as configured in the `storeFields` constructor
   * option) for the given document ID. Returns `undefined` if the document is
   * not present in the index.
   *
   * @param id  The document ID
   */
  getStoredFields(id) {
    const shortId = this._idToShortId.get(id);
    if (shortId == null) {
      return void 0;
    }
    return this._storedFields.get(shortId);
  }
  /**
   * Search for documents matching the given search query.
   *
   * The result is a list of scored document IDs matching the query, sorted by
   * descending score, and each including data about which terms were matched and
   * in which fields.
   *
   * ### Basic usage:
   *
   * ```javascript
   * // Search for "zen art motorcycle" with default options: terms have to match
   * // exactly, and individual terms are joined with OR
   * miniSearch.search('zen art motorcycle')
   * // => [ { id: 2, score: 2.77258, match: { ... } }, { id: 4, score: 1.38629, match: { ... } } ]
   * ```
   *
   * ### Restrict search to specific fields:
   *
   * ```javascript
   * // Search only in the 'title' field
   * miniSearch.search('zen', { fields: ['title'] })
   * ```
   *
   * ### Field boosting:
   *
   * ```javascript
   * // Boost a field
   * miniSearch.search('zen', { boost: { title: 2 } })
   * ```
   *
   * ### Prefix search:
   *
   * ```javascript
   * // Search for "moto" with prefix search (it will match documents
   * // containing terms that start with "moto" or "neuro")
   * miniSearch.search('moto neuro', { prefix: true })
   * ```
   *
   * ### Fuzzy search:
   *
   * ```javascript
   * // Search for "ismael" with fuzzy search (it will match documents containing
   * // terms similar to "ismael", with a maximum edit distance of 0.2 term.length
   * // (rounded to nearest integer)
   * miniSearch.search('ismael', { fuzzy: 0.2 })
   * ```
   *
   * ### Combining strategies:
   *
   * ```javascript
   * // Mix of exact match, prefix search, and fuzzy search
   * miniSearch.search('ismael mob', {
   *  prefix: true,
   *  fuzzy: 0.2
   * })
   * ```
   *
   * ### Advanced prefix and fuzzy search:
   *
   * ```javascript
   * // Perform fuzzy and prefix search depending on the search term. Here
   * // performing prefix and fuzzy search only on terms longer than 3 characters
   * miniSearch.search('ismael mob', {
   *  prefix: term => term.length > 3
   *  fuzzy: term => term.length > 3 ? 0.2 : null
   * })
   * ```
   *
   * ### Combine with AND:
   *
   * ```javascript
   * // Combine search terms with AND (to match only documents that contain both
   * // "motorcycle" and "art")
   * miniSearch.search('motorcycle art', { combineWith: 'AND' })
   * ```
   *
   * ### Combine with AND_NOT:
   *
   * There is also an AND_NOT combinator, that finds documents that match the
   * first term, but do not match any of the other terms. This combinator is
   * rarely useful with simple queries, and is meant to be used with advanced
   * query combinations (see later for more details).
   *
   * ### Filtering results:
   *
   * ```javascript
   * // Filter only results in the 'fiction' category (assuming that 'category'
   * // is a stored field)
   * miniSearch.search('motorcycle art', {
   *   filter: (result) => result.category === 'fiction'
   * })
   * ```
   *
   * ### Wildcard query
   *
   * Searching for an empty string (assuming the default tokenizer) returns no
   * results. Sometimes though, one needs to match all documents, like in a
   * "wildcard" search. This is possible by passing the special value
   * {@link MiniSearch.wildcard} as the query:
   *
   * ```javascript
   * // Return search results for all documents
   * miniSearch.search(MiniSearch.wildcard)
   * ```
   *
   * Note that search options such as `filter` and `boostDocument` are still
   * applied, influencing which results are returned, and their order:
   *
   * ```javascript
   * // Return search results for all documents in the 'fiction' category
   * miniSearch.search(MiniSearch.wildcard, {
   *   filter: (result) => result.category === 'fiction'
   * })
   * ```
   *
   * ### Advanced combination of queries:
   *
   * It is possible to combine different subqueries with OR, AND, and AND_NOT,
   * and even with different search options, by passing a query expression
   * tree object as the first argument, instead of a string.
   *
   * ```javascript
   * // Search for documents that contain "zen" and ("motorcycle" or "archery")
   * miniSearch.search({
   *   combineWith: 'AND',
   *   queries: [
   *     'zen',
   *     {
   *       combineWith: 'OR',
   *       queries: ['motorcycle', 'archery']
   *     }
   *   ]
   * })
   *
   * // Search for documents that contain ("apple" or "pear") but not "juice" and
   * // not "tree"
   * miniSearch.search({
   *   combineWith: 'AND_NOT',
   *   queries: [
   *     {
   *       combineWith: 'OR',
   *       queries: ['apple', 'pear']
   *     },
   *     'juice',
   *     'tree'
   *   ]
   * })
   * ```
   *
   * Each node in the expression tree can be either a string, or an object that
   * supports all {@link SearchOptions} fields, plus a `queries` array field for
   * subqueries.
   *
   * Note that, while this can become complicated to do by hand for complex or
   * deeply nested queries, it provides a formalized expression tree API for
   * external libraries that implement a parser for custom query languages.
   *
   * @param query  Search query
   * @param searchOptions  Search options. Each option, if not given, defaults to the corresponding value of `searchOptions` given to the constructor, or to the library default.
   */
  search(query, searchOptions = {}) {
    const { searchOptions: globalSearchOptions } = this._options;
    const searchOptionsWithDefaults = { ...globalSearchOptions, ...searchOptions };
    const rawResults = this.executeQuery(query, searchOptions);
    const results = [];
    for (const [docId, { score, terms, match }] of rawResults) {
      const quality = terms.length || 1;
      const result = {
        id: this._documentIds.get(docId),
        score: score * quality,
        terms: Object.keys(match),
        queryTerms: terms,
        match
      };
      Object.assign(result, this._storedFields.get(docId));
      if (searchOptionsWithDefaults.filter == null || searchOptionsWithDefaults.filter(result)) {
        results.push(result);
      }
    }
    if (query === _MiniSearch.wildcard && searchOptionsWithDefaults.boostDocument == null) {
      return results;
    }
    results.sort(byScore);
    return results;
  }
  /**
   * Provide suggestions for the given search query
   *
   * The result is a list of suggested modified search queries, derived from the
   * given search query, each with a relevance score, sorted by descending score.
   *
   * By default, it uses the same options used for search, except that by
   * default it performs prefix search on the last term of the query, and
   * combine terms with `'AND'` (requiring all query terms to match). Custom
   * options can be passed as a second argument. Defaults can be changed upon
   * calling the {@link MiniSearch} constructor, by passing a
   * `autoSuggestOptions` option.
   *
   * ### Basic usage:
   *
   * ```javascript
   * // Get suggestions for 'neuro':
   * miniSearch.autoSuggest('neuro')
   * // => [ { suggestion: 'neuromancer', terms: [ 'neuromancer' ], score: 0.46240 } ]
   * ```
   *
   * ### Multiple words:
   *
   * ```javascript
   * // Get suggestions for 'zen ar':
   * miniSearch.autoSuggest('zen ar')
   * // => [
   * //  { suggestion: 'zen archery art', terms: [ 'zen', 'archery', 'art' ], score: 1.73332 },
   * //  { suggestion: 'zen art', terms: [ 'zen', 'art' ], score: 1.21313 }
   * // ]
   * ```
   *
   * ### Fuzzy suggestions:
   *
   * ```javascript
   * // Correct spelling mistakes using fuzzy search:
   * miniSearch.autoSuggest('neromancer', { fuzzy: 0.2 })
   * // => [ { suggestion: 'neuromancer', terms: [ 'neuromancer' ], score: 1.03998 } ]
   * ```
   *
   * ### Filtering:
   *
   * ```javascript
   * // Get suggestions for 'zen ar', but only within the 'fiction' category
   * // (assuming that 'category' is a stored field):
   * miniSearch.autoSuggest('zen ar', {
   *   filter: (result) => result.category === 'fiction'
   * })
   * // => [
   * //  { suggestion: 'zen archery art', terms: [ 'zen', 'archery', 'art' ], score: 1.73332 },
   * //  { suggestion: 'zen art', terms: [ 'zen', 'art' ], score: 1.21313 }
   * // ]
   * ```
   *
   * @param queryString  Query string to be expanded into suggestions
   * @param options  Search options. The supported options and default values
   * are the same as for the {@link MiniSearch#search} method, except that by
   * default prefix search is performed on the last term in the query, and terms
   * are combined with `'AND'`.
   * @return  A sorted array of suggestions sorted by relevance score.
   */
  autoSuggest(queryString, options = {}) {
    options = { ...this._options.autoSuggestOptions, ...options };
    const suggestions = /* @__PURE__ */ new Map();
    for (const { score, terms } of this.search(queryString, options)) {
      const phrase = terms.join(" ");
      const suggestion = suggestions.get(phrase);
      if (suggestion != null) {
        suggestion.score += score;
        suggestion.count += 1;
      } else {
        suggestions.set(phrase, { score, terms, count: 1 });
      }
    }
    const results = [];
    for (const [suggestion, { score, terms, count: count3 }] of suggestions) {
      results.push({ suggestion, terms, score: score / count3 });
    }
    results.sort(byScore);
    return results;
  }
  /**
   * Total number of documents available to search
   */
  get documentCount() {
    return this._documentCount;
  }
  /**
   * Number of terms in the index
   */
  get termCount() {
    return this._index.size;
  }
  /**
   * Deserializes a JSON index (serialized with `JSON.stringify(miniSearch)`)
   * and instantiates a MiniSearch instance. It should be given the same options
   * originally used when serializing the index.
   *
   * ### Usage:
   *
   * ```javascript
   * // If the index was serialized with:
   * let miniSearch = new MiniSearch({ fields: ['title', 'text'] })
   * miniSearch.addAll(documents)
   *
   * const json = JSON.stringify(miniSearch)
   * // It can later be deserialized like this:
   * miniSearch = MiniSearch.loadJSON(json, { fields: ['title', 'text'] })
   * ```
   *
   * @param json  JSON-serialized index
   * @param options  configuration options, same as the constructor
   * @return An instance of MiniSearch deserialized from the given JSON.
   */
  static loadJSON(json, options) {
    if (options == null) {
      throw new Error("MiniSearch: loadJSON should be given the same options used when serializing the index");
    }
    return this.loadJS(JSON.parse(json), options);
  }
  /**
   * Async equivalent of {@link MiniSearch.loadJSON}
   *
   * This function is an alternative to {@link MiniSearch.loadJSON} that returns
   * a promise, and loads the index in batches, leaving pauses between them to avoid
   * blocking the main thread. It tends to be slower than the synchronous
   * version, but does not block the main thread, so it can be a better choice
   * when deserializing very large indexes.
   *
   * @param json  JSON-serialized index
   * @param options  configuration options, same as the constructor
   * @return A Promise that will resolve to an instance of MiniSearch deserialized from the given JSON.
   */
  static async loadJSONAsync(json, options) {
    if (options == null) {
      throw new Error("MiniSearch: loadJSON should be given the same options used when serializing the index");
    }
    return this.loadJSAsync(JSON.parse(json), options);
  }
  /**
   * Returns the default value of an option. It will throw an error if no option
   * with the given name exists.
   *
   * @param optionName  Name of the option
   * @return The default value of the given option
   *
   * ### Usage:
   *
   * ```javascript
   * // Get default tokenizer
   * MiniSearch.getDefault('tokenize')
   *
   * // Get default term processor
   * MiniSearch.getDefault('processTerm')
   *
   * // Unknown options will throw an error
   * MiniSearch.getDefault('notExisting')
   * // => throws 'MiniSearch: unknown option "notExisting"'
   * ```
   */
  static getDefault(optionName) {
    if (defaultOptions.hasOwnProperty(optionName)) {
      return getOwnProperty(defaultOptions, optionName);
    } else {
      throw new Error(`MiniSearch: unknown option "${optionName}"`);
    }
  }
  /**
   * @ignore
   */
  static loadJS(js, options) {
    const { index, documentIds, fieldLength, storedFields, serializationVersion } = js;
    const miniSearch = this.instantiateMiniSearch(js, options);
    miniSearch._documentIds = objectToNumericMap(documentIds);
    miniSearch._fieldLength = objectToNumericMap(fieldLength);
    miniSearch._storedFields = objectToNumericMap(storedFields);
    for (const [shortId, id] of miniSearch._documentIds) {
      miniSearch._idToShortId.set(id, shortId);
    }
    for (const [term, data] of index) {
      const dataMap = /* @__PURE__ */ new Map();
      for (const fieldId of Object.keys(data)) {
        let indexEntry = data[fieldId];
        if (serializationVersion === 1) {
          indexEntry = indexEntry.ds;
        }
        dataMap.set(parseInt(fieldId, 10), objectToNumericMap(indexEntry));
      }
      miniSearch._index.set(term, dataMap);
    }
    return miniSearch;
  }
  /**
   * @ignore
   */
  static async loadJSAsync(js, options) {
    const { index, documentIds, fieldLength, storedFields, serializationVersion } = js;
    const miniSearch = this.instantiateMiniSearch(js, options);
    miniSearch._documentIds = await objectToNumericMapAsync(documentIds);
    miniSearch._fieldLength = await objectToNumericMapAsync(fieldLength);
    miniSearch._storedFields = await objectToNumericMapAsync(storedFields);
    for (const [shortId, id] of miniSearch._documentIds) {
      miniSearch._idToShortId.set(id, shortId);
    }
    let count3 = 0;
    for (const [term, data] of index) {
      const dataMap = /* @__PURE__ */ new Map();
      for (const fieldId of Object.keys(data)) {
        let indexEntry = data[fieldId];
        if (serializationVersion === 1) {
          indexEntry = indexEntry.ds;
        }
        dataMap.set(parseInt(fieldId, 10), await objectToNumericMapAsync(indexEntry));
      }
      if (++count3 % 1e3 === 0)
        await wait(0);
      miniSearch._index.set(term, dataMap);
    }
    return miniSearch;
  }
  /**
   * @ignore
   */
  static instantiateMiniSearch(js, options) {
    const { documentCount, nextId, fieldIds, averageFieldLength, dirtCount, serializationVersion } = js;
    if (serializationVersion !== 1 && serializationVersion !== 2) {
      throw new Error("MiniSearch: cannot deserialize an index created with an incompatible version");
    }
    const miniSearch = new _MiniSearch(options);
    miniSearch._documentCount = documentCount;
    miniSearch._nextId = nextId;
    miniSearch._idToShortId = /* @__PURE__ */ new Map();
    miniSearch._fieldIds = fieldIds;
    miniSearch._avgFieldLength = averageFieldLength;
    miniSearch._dirtCount = dirtCount || 0;
    miniSearch._index = new SearchableMap();
    return miniSearch;
  }
  /**
   * @ignore
   */
  executeQuery(query, searchOptions = {}) {
    if (query === _MiniSearch.wildcard) {
      return this.executeWildcardQuery(searchOptions);
    }
    if (typeof query !== "string") {
      const options2 = { ...searchOptions, ...query, queries: void 0 };
      const results2 = query.queries.map((subquery) => this.executeQuery(subquery, options2));
      return this.combineResults(results2, options2.combineWith);
    }
    const { tokenize, processTerm, searchOptions: globalSearchOptions } = this._options;
    const options = { tokenize, processTerm, ...globalSearchOptions, ...searchOptions };
    const { tokenize: searchTokenize, processTerm: searchProcessTerm } = options;
    const terms = searchTokenize(query).flatMap((term) => searchProcessTerm(term)).filter((term) => !!term);
    const queries = terms.map(termToQuerySpec(options));
    const results = queries.map((query2) => this.executeQuerySpec(query2, options));
    return this.combineResults(results, options.combineWith);
  }
  /**
   * @ignore
   */
  executeQuerySpec(query, searchOptions) {
    const options = { ...this._options.searchOptions, ...searchOptions };
    const boosts = (options.fields || this._options.fields).reduce((boosts2, field) => ({ ...boosts2, [field]: getOwnProperty(options.boost, field) || 1 }), {});
    const { boostDocument, weights, maxFuzzy, bm25: bm25params } = options;
    const { fuzzy: fuzzyWeight, prefix: prefixWeight } = { ...defaultSearchOptions.weights, ...weights };
    const data = this._index.get(query.term);
    const results = this.termResults(query.term, query.term, 1, query.termBoost, data, boosts, boostDocument, bm25params);
    let prefixMatches;
    let fuzzyMatches;
    if (query.prefix) {
      prefixMatches = this._index.atPrefix(query.term);
    }
    if (query.fuzzy) {
      const fuzzy = query.fuzzy === true ? 0.2 : query.fuzzy;
      const maxDistance = fuzzy < 1 ? Math.min(maxFuzzy, Math.round(query.term.length * fuzzy)) : fuzzy;
      if (maxDistance)
        fuzzyMatches = this._index.fuzzyGet(query.term, maxDistance);
    }
    if (prefixMatches) {
      for (const [term, data2] of prefixMatches) {
        const distance = term.length - query.term.length;
        if (!distance) {
          continue;
        }
        fuzzyMatches === null || fuzzyMatches === void 0 ? void 0 : fuzzyMatches.delete(term);
        const weight = prefixWeight * term.length / (term.length + 0.3 * distance);
        this.termResults(query.term, term, weight, query.termBoost, data2, boosts, boostDocument, bm25params, results);
      }
    }
    if (fuzzyMatches) {
      for (const term of fuzzyMatches.keys()) {
        const [data2, distance] = fuzzyMatches.get(term);
        if (!distance) {
          continue;
        }
        const weight = fuzzyWeight * term.length / (term.length + distance);
        this.termResults(query.term, term, weight, query.termBoost, data2, boosts, boostDocument, bm25params, results);
      }
    }
    return results;
  }
  /**
   * @ignore
   */
  executeWildcardQuery(searchOptions) {
    const results = /* @__PURE__ */ new Map();
    const options = { ...this._options.searchOptions, ...searchOptions };
    for (const [shortId, id] of this._documentIds) {
      const score = options.boostDocument ? options.boostDocument(id, "", this._storedFields.get(shortId)) : 1;
      results.set(shortId, {
        score,
        terms: [],
        match: {}
      });
    }
    return results;
  }
  /**
   * @ignore
   */
  combineResults(results, combineWith = OR) {
    if (results.length === 0) {
      return /* @__PURE__ */ new Map();
    }
    const operator = combineWith.toLowerCase();
    const combinator = combinators[operator];
    if (!combinator) {
      throw new Error(`Invalid combination operator: ${combineWith}`);
    }
    return results.reduce(combinator) || /* @__PURE__ */ new Map();
  }
  /**
   * Allows serialization of the index to JSON, to possibly store it and later
   * deserialize it with {@link MiniSearch.loadJSON}.
   *
   * Normally one does not directly call this method, but rather call the
   * standard JavaScript `JSON.stringify()` passing the {@link MiniSearch}
   * instance, and JavaScript will internally call this method. Upon
   * deserialization, one must pass to {@link MiniSearch.loadJSON} the same
   * options used to create the original instance that was serialized.
   *
   * ### Usage:
   *
   * ```javascript
   * // Serialize the index:
   * let miniSearch = new MiniSearch({ fields: ['title', 'text'] })
   * miniSearch.addAll(documents)
   * const json = JSON.stringify(miniSearch)
   *
   * // Later, to deserialize it:
   * miniSearch = MiniSearch.loadJSON(json, { fields: ['title', 'text'] })
   * ```
   *
   * @return A plain-object serializable representation of the search index.
   */
  toJSON() {
    const index = [];
    for (const [term, fieldIndex] of this._index) {
      const data = {};
      for (const [fieldId, freqs] of fieldIndex) {
        data[fieldId] = Object.fromEntries(freqs);
      }
      index.push([term, data]);
    }
    return {
      documentCount: this._documentCount,
      nextId: this._nextId,
      documentIds: Object.fromEntries(this._documentIds),
      fieldIds: this._fieldIds,
      fieldLength: Object.fromEntries(this._fieldLength),
      averageFieldLength: this._avgFieldLength,
      storedFields: Object.fromEntries(this._storedFields),
      dirtCount: this._dirtCount,
      index,
      serializationVersion: 2
    };
  }
  /**
   * @ignore
   */
  termResults(sourceTerm, derivedTerm, termWeight, termBoost, fieldTermData, fieldBoosts, boostDocumentFn, bm25params, results = /* @__PURE__ */ new Map()) {
    if (fieldTermData == null)
      return results;
    for (const field of Object.keys(fieldBoosts)) {
      const fieldBoost = fieldBoosts[field];
      const fieldId = this._fieldIds[field];
      const fieldTermFreqs = fieldTermData.get(fieldId);
      if (fieldTermFreqs == null)
        continue;
      let matchingFields = fieldTermFreqs.size;
      const avgFieldLength = this._avgFieldLength[fieldId];
      for (const docId of fieldTermFreqs.keys()) {
        if (!this._documentIds.has(docId)) {
          this.removeTerm(fieldId, docId, derivedTerm);
          matchingFields -= 1;
          continue;
        }
        const docBoost = boostDocumentFn ? boostDocumentFn(this._documentIds.get(docId), derivedTerm, this._storedFields.get(docId)) : 1;
        if (!docBoost)
          continue;
        const termFreq = fieldTermFreqs.get(docId);
        const fieldLength = this._fieldLength.get(docId)[fieldId];
        const rawScore = calcBM25Score(termFreq, matchingFields, this._documentCount, fieldLength, avgFieldLength, bm25params);
        const weightedScore = termWeight * termBoost * fieldBoost * docBoost * rawScore;
        const result = results.get(docId);
        if (result) {
          result.score += weightedScore;
          assignUniqueTerm(result.terms, sourceTerm);
          const match = getOwnProperty(result.match, derivedTerm);
          if (match) {
            match.push(field);
          } else {
            result.match[derivedTerm] = [field];
          }
        } else {
          results.set(docId, {
            score: weightedScore,
            terms: [sourceTerm],
            match: { [derivedTerm]: [field] }
          });
        }
      }
    }
    return results;
  }
  /**
   * @ignore
   */
  addTerm(fieldId, documentId, term) {
    const indexData = this._index.fetch(term, createMap);
    let fieldIndex = indexData.get(fieldId);
    if (fieldIndex == null) {
      fieldIndex = /* @__PURE__ */ new Map();
      fieldIndex.set(documentId, 1);
      indexData.set(fieldId, fieldIndex);
    } else {
      const docs = fieldIndex.get(documentId);
      fieldIndex.set(documentId, (docs || 0) + 1);
    }
  }
  /**
   * @ignore
   */
  removeTerm(fieldId, documentId, term) {
    if (!this._index.has(term)) {
      this.warnDocumentChanged(documentId, fieldId, term);
      return;
    }
    const indexData = this._index.fetch(term, createMap);
    const fieldIndex = indexData.get(fieldId);
    if (fieldIndex == null || fieldIndex.get(documentId) == null) {
      this.warnDocumentChanged(documentId, fieldId, term);
    } else if (fieldIndex.get(documentId) <= 1) {
      if (fieldIndex.size <= 1) {
        indexData.delete(fieldId);
      } else {
        fieldIndex.delete(documentId);
      }
    } else {
      fieldIndex.set(documentId, fieldIndex.get(documentId) - 1);
    }
    if (this._index.get(term).size === 0) {
      this._index.delete(term);
    }
  }
  /**
   * @ignore
   */
  warnDocumentChanged(shortDocumentId, fieldId, term) {
    for (const fieldName of Object.keys(this._fieldIds)) {
      if (this._fieldIds[fieldName] === fieldId) {
        this._options.logger("warn", `MiniSearch: document with ID ${this._documentIds.get(shortDocumentId)} has changed before removal: term "${term}" was not present in field "${fieldName}". Removing a document after it has changed can corrupt the index!`, "version_conflict");
        return;
      }
    }
  }
  /**
   * @ignore
   */
  addDocumentId(documentId) {
    const shortDocumentId = this._nextId;
    this._idToShortId.set(documentId, shortDocumentId);
    this._documentIds.set(shortDocumentId, documentId);
    this._documentCount += 1;
    this._nextId += 1;
    return shortDocumentId;
  }
  /**
   * @ignore
   */
  addFields(fields) {
    for (let i = 0; i < fields.length; i++) {
      this._fieldIds[fields[i]] = i;
    }
  }
  /**
   * @ignore
   */
  addFieldLength(documentId, fieldId, count3, length) {
    let fieldLengths = this._fieldLength.get(documentId);
    if (fieldLengths == null)
      this._fieldLength.set(documentId, fieldLengths = []);
    fieldLengths[fieldId] = length;
    const averageFieldLength = this._avgFieldLength[fieldId] || 0;
    const totalFieldLength = averageFieldLength * count3 + length;
    this._avgFieldLength[fieldId] = totalFieldLength / (count3 + 1);
  }
  /**
   * @ignore
   */
  removeFieldLength(documentId, fieldId, count3, length) {
    if (count3 === 1) {
      this._avgFieldLength[fieldId] = 0;
      return;
    }
    const totalFieldLength = this._avgFieldLength[fieldId] * count3 - length;
    this._avgFieldLength[fieldId] = totalFieldLength / (count3 - 1);
  }
  /**
   * @ignore
   */
  saveStoredFields(documentId, doc) {
    const { storeFields, extractField } = this._options;
    if (storeFields == null || storeFields.length === 0) {
      return;
    }
    let documentFields = this._storedFields.get(documentId);
    if (documentFields == null)
      this._storedFields.set(documentId, documentFields = {});
    for (const fieldName of storeFields) {
      const fieldValue = extractField(doc, fieldName);
      if (fieldValue !== void 0)
        documentFields[fieldName] = fieldValue;
    }
  }
};
MiniSearch.wildcard = /* @__PURE__ */ Symbol("*");
var getOwnProperty = (object, property) => Object.prototype.hasOwnProperty.call(object, property) ? object[property] : void 0;
var combinators = {
  [OR]: (a, b) => {
    for (const docId of b.keys()) {
      const existing = a.get(docId);
      if (existing == null) {
        a.set(docId, b.get(docId));
      } else {
        const { score, terms, match } = b.get(docId);
        existing.score = existing.score + score;
        existing.match = Object.assign(existing.match, match);
        assignUniqueTerms(existing.terms, terms);
      }
    }
    return a;
  },
  [AND]: (a, b) => {
    const combined = /* @__PURE__ */ new Map();
    for (const docId of b.keys()) {
      const existing = a.get(docId);
      if (existing == null)
        continue;
      const { score, terms, match } = b.get(docId);
      assignUniqueTerms(existing.terms, terms);
      combined.set(docId, {
        score: existing.score + score,
        terms: existing.terms,
        match: Object.assign(existing.match, match)
      });
    }
    return combined;
  },
  [AND_NOT]: (a, b) => {
    for (const docId of b.keys())
      a.delete(docId);
    return a;
  }
};
var defaultBM25params = { k: 1.2, b: 0.7, d: 0.5 };
var calcBM25Score = (termFreq, matchingCount, totalCount, fieldLength, avgFieldLength, bm25params) => {
  const { k, b, d } = bm25params;
  const invDocFreq = Math.log(1 + (totalCount - matchingCount + 0.5) / (matchingCount + 0.5));
  return invDocFreq * (d + termFreq * (k + 1) / (termFreq + k * (1 - b + b * fieldLength / avgFieldLength)));
};
var termToQuerySpec = (options) => (term, i, terms) => {
  const fuzzy = typeof options.fuzzy === "function" ? options.fuzzy(term, i, terms) : options.fuzzy || false;
  const prefix = typeof options.prefix === "function" ? options.prefix(term, i, terms) : options.prefix === true;
  const termBoost = typeof options.boostTerm === "function" ? options.boostTerm(term, i, terms) : 1;
  return { term, fuzzy, prefix, termBoost };
};
var defaultOptions = {
  idField: "id",
  extractField: (document, fieldName) => document[fieldName],
  stringifyField: (fieldValue, fieldName) => fieldValue.toString(),
  tokenize: (text) => text.split(SPACE_OR_PUNCTUATION),
  processTerm: (term) => term.toLowerCase(),
  fields: void 0,
  searchOptions: void 0,
  storeFields: [],
  logger: (level, message) => {
    if (typeof (console === null || console === void 0 ? void 0 : console[level]) === "function")
      console[level](message);
  },
  autoVacuum: true
};
var defaultSearchOptions = {
  combineWith: OR,
  prefix: false,
  fuzzy: false,
  maxFuzzy: 6,
  boost: {},
  weights: { fuzzy: 0.45, prefix: 0.375 },
  bm25: defaultBM25params
};
var defaultAutoSuggestOptions = {
  combineWith: AND,
  prefix: (term, i, terms) => i === terms.length - 1
};
var defaultVacuumOptions = { batchSize: 1e3, batchWait: 10 };
var defaultVacuumConditions = { minDirtFactor: 0.1, minDirtCount: 20 };
var defaultAutoVacuumOptions = { ...defaultVacuumOptions, ...defaultVacuumConditions };
var assignUniqueTerm = (target, term) => {
  if (!target.includes(term))
    target.push(term);
};
var assignUniqueTerms = (target, source) => {
  for (const term of source) {
    if (!target.includes(term))
      target.push(term);
  }
};
var byScore = ({ score: a }, { score: b }) => b - a;
var createMap = () => /* @__PURE__ */ new Map();
var objectToNumericMap = (object) => {
  const map = /* @__PURE__ */ new Map();
  for (const key2 of Object.keys(object)) {
    map.set(parseInt(key2, 10), object[key2]);
  }
  return map;
};
var objectToNumericMapAsync = async (object) => {
  const map = /* @__PURE__ */ new Map();
  let count3 = 0;
  for (const key2 of Object.keys(object)) {
    map.set(parseInt(key2, 10), object[key2]);
    if (++count3 % 1e3 === 0) {
      await wait(0);
    }
  }
  return map;
};
var wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
var SPACE_OR_PUNCTUATION = /[\n\r\p{Z}\p{P}]+/u;

// projections/text-index/partition-index.ts
function nothingIn(documentCount) {
  return { documentCount, frequency: () => 0, hits: () => [] };
}
var OPTIONS = {
  fields: [...FIELD_NAMES],
  extractField: (document, field) => field === "id" ? document.id : fieldText(document, field),
  tokenize: termsOf,
  processTerm: (term) => term,
  logger: (_level, message) => {
    throw new Error(message);
  },
  autoVacuum: false
};
var PartitionIndex = class _PartitionIndex extends MiniSearch {
  constructor() {
    super(OPTIONS);
  }
  /** Takes over a snapshot's content: all of its terms, or only those that a query asks for. */
  static of(content) {
    return Object.assign(new _PartitionIndex(), MiniSearch.loadJS(content, OPTIONS));
  }
  holds(term) {
    return this._index.has(term);
  }
  frequency(term, field) {
    return this._index.get(term)?.get(this._fieldIds[field])?.size ?? 0;
  }
  /** What the index holds, in no order. */
  contents() {
    return {
      averages: this._avgFieldLength,
      ids: this._documentIds,
      lengths: this._fieldLength,
      terms: this._index
    };
  }
  /** Sets the averages from the exact lengths; to be called after the last of some additions and removals. */
  settle() {
    const sums = FIELD_NAMES.map(() => 0);
    for (const lengths of this._fieldLength.values())
      for (const [field, length] of lengths.entries()) sums[field] += length;
    this._avgFieldLength = sums.map((sum) => this._documentCount === 0 ? 0 : sum / this._documentCount);
  }
  /**
   * The best hits for these terms, best first, ties by id. A term counts by its rarity in `all`, not in this
   * partition: else a word that is ordinary everywhere would weigh most in the smallest project.
   */
  hits(terms, all) {
    const queries = terms.flatMap((term) => this.#termQueries(term, all));
    if (queries.length === 0) return [];
    return this.search({ combineWith: "OR", queries }).map(({ id, score }) => ({ id, score: Math.round(score * SCORE_STEPS) / SCORE_STEPS })).sort(byScoreThenId);
  }
  #termQueries(term, all) {
    const common = { queries: [term], tokenize: (text) => [text], bm25: BM25 };
    if (FIELD_NAMES.every((field) => all.count(term, field) === 0)) {
      const prefix = term.length >= WIDENING.prefixLengthMin;
      const fuzzy = term.length >= WIDENING.fuzzyLengthMin ? WIDENING.fuzzy : false;
      return [{ ...common, boost: FIELDS, prefix, fuzzy, maxFuzzy: WIDENING.maxFuzzy }];
    }
    return FIELD_NAMES.flatMap((field) => {
      const here = this.frequency(term, field);
      if (here === 0) return [];
      const rarity = inverseFrequency(all.count(term, field), all.documents);
      const weight = FIELDS[field] * rarity / inverseFrequency(here, this.documentCount);
      return [{ ...common, fields: [field], boost: { [field]: weight } }];
    });
  }
};
function byScoreThenId(a, b) {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
function inverseFrequency(count3, documents) {
  return Math.log(1 + (documents - count3 + 0.5) / (count3 + 0.5));
}

// projections/text-index/snapshot.ts
import { createHash as createHash4 } from "node:crypto";
import { crc32 } from "node:zlib";
var FORMAT2 = 2;
var LINE_END = 10;
var TAB = 9;
var CHECKSUM_DIGITS = 8;
function snapshotName(partition) {
  return `${createHash4("sha256").update(partition.id).digest("hex").slice(0, 32)}.text`;
}
function writeSnapshot(partition, anchor, index) {
  const documents = [...index.ids].sort(([, a], [, b]) => a < b ? -1 : 1);
  const numbers = new Map(documents.map(([old], number) => [old, number]));
  const terms = Array.from(index.terms, ([term, fields]) => [wellFormed(term), fields]);
  terms.sort(([a], [b]) => a < b ? -1 : 1);
  const head = {
    format: FORMAT2,
    recipe: RECIPE_VERSION,
    partition: partition.id,
    places: [...partition.places].sort(),
    ...anchor,
    averages: index.averages
  };
  const rest = [
    JSON.stringify(documents.map(([, id]) => id)),
    JSON.stringify(documents.flatMap(([old]) => lengthsOf(index.lengths.get(old)))),
    terms.map(([term]) => term).join(" "),
    terms.map(([term, fields]) => `${term}	${postingsJson(fields, numbers)}
`).join("")
  ].join("\n");
  return sealed(head, Buffer.from(rest));
}
function lengthsOf(lengths = []) {
  return FIELD_NAMES.map((_, field) => lengths[field] ?? 0);
}
function sealed(head, rest) {
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}
`), rest]);
  return Buffer.concat([Buffer.from(`${checksum(content)}
`), content]);
}
function postingsJson(fields, numbers) {
  const parts = [...fields].sort(([a], [b]) => a - b).map(([field, counts]) => {
    const entries = Array.from(counts, ([old, count3]) => [numbers.get(old), count3]);
    entries.sort(([a], [b]) => a - b);
    return `"${field}":{${entries.map(([number, count3]) => `"${number}":${count3}`).join(",")}}`;
  });
  return `{${parts.join(",")}}`;
}
function parseSnapshot(partition, file) {
  const content = file.subarray(CHECKSUM_DIGITS + 1);
  if (`${checksum(content)}
` !== file.toString("latin1", 0, CHECKSUM_DIGITS + 1))
    return isOlder(file) ? { outcome: "outdated" } : { outcome: "damaged" };
  const headEnd = content.indexOf(LINE_END);
  const head = JSON.parse(content.toString("utf8", 0, headEnd));
  if (head.format !== FORMAT2 || head.recipe !== RECIPE_VERSION) return { outcome: "outdated" };
  if (head.partition !== partition.id) return { outcome: "damaged" };
  if (head.places.join("\n") !== [...partition.places].sort().join("\n")) return { outcome: "outdated" };
  return { outcome: "good", snapshot: new OpenSnapshot(head, content.subarray(headEnd + 1)) };
}
var OpenSnapshot = class {
  anchor;
  #head;
  #rest;
  #ids;
  #lengthsAt;
  #termsAt;
  #linesAt;
  #lengths = null;
  #terms = null;
  constructor(head, rest) {
    const idsEnd = rest.indexOf(LINE_END);
    this.anchor = { generation: head.generation, seq: head.seq };
    this.#head = head;
    this.#rest = rest;
    this.#ids = JSON.parse(rest.toString("utf8", 0, idsEnd));
    this.#lengthsAt = idsEnd + 1;
    this.#termsAt = rest.indexOf(LINE_END, this.#lengthsAt) + 1;
    this.#linesAt = rest.indexOf(LINE_END, this.#termsAt) + 1;
  }
  get documentCount() {
    return this.#ids.length;
  }
  holds(term) {
    return this.#line(term) !== null;
  }
  content(terms) {
    const index = terms ? terms.flatMap((term) => this.#postings(term)) : this.#all();
    const numbers = terms ? documentsIn(index) : this.#ids.keys();
    const documentIds = {};
    const fieldLength = {};
    for (const number of numbers) {
      documentIds[number] = this.#ids[number];
      fieldLength[number] = this.#lengthsOf(number);
    }
    return {
      documentCount: this.#ids.length,
      nextId: this.#ids.length,
      documentIds,
      fieldIds: Object.fromEntries(FIELD_NAMES.map((field, number) => [field, number])),
      fieldLength,
      averageFieldLength: [...this.#head.averages],
      storedFields: {},
      dirtCount: 0,
      index,
      serializationVersion: 2
    };
  }
  movedTo(anchor) {
    return sealed({ ...this.#head, ...anchor }, this.#rest);
  }
  similar(term) {
    this.#terms ??= this.#rest.toString("utf8", this.#termsAt, this.#linesAt - 1).split(" ");
    return similarTerms(term, this.#terms);
  }
  #lengthsOf(number) {
    this.#lengths ??= JSON.parse(this.#rest.toString("utf8", this.#lengthsAt, this.#termsAt - 1));
    return this.#lengths.slice(number * FIELD_NAMES.length, (number + 1) * FIELD_NAMES.length);
  }
  #postings(term) {
    const line = this.#line(term);
    return line === null ? [] : [parseLine(this.#rest.toString("utf8", line.start, line.end))];
  }
  #all() {
    const lines = this.#rest.toString("utf8", this.#linesAt, this.#rest.length - 1);
    return lines === "" ? [] : lines.split("\n").map(parseLine);
  }
  /** Where a term's line stands: by halving, as the lines are in the order of their terms. */
  #line(term) {
    let low = this.#linesAt;
    let high = this.#rest.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const start = middle === low ? low : Math.max(low, this.#rest.lastIndexOf(LINE_END, middle - 1) + 1);
      const end = this.#rest.indexOf(LINE_END, start);
      const other = this.#rest.toString("utf8", start, this.#rest.indexOf(TAB, start));
      if (other === term) return { start, end };
      if (other < term) low = end + 1;
      else high = start;
    }
    return null;
  }
};
function parseLine(line) {
  const tab = line.indexOf("	");
  return [line.slice(0, tab), JSON.parse(line.slice(tab + 1))];
}
function documentsIn(index) {
  const numbers = /* @__PURE__ */ new Set();
  for (const [, fields] of index)
    for (const counts of Object.values(fields)) for (const number in counts) numbers.add(Number(number));
  return numbers;
}
function similarTerms(term, all) {
  const edits = term.length < WIDENING.fuzzyLengthMin ? 0 : Math.min(WIDENING.maxFuzzy, Math.round(term.length * WIDENING.fuzzy));
  const parts = pieces(term, edits + 1);
  const begins = term.length >= WIDENING.prefixLengthMin;
  return all.filter(
    (other) => begins && other.startsWith(term) || edits > 0 && Math.abs(other.length - term.length) <= edits && parts.some((part) => other.includes(part)) && isWithin(term, other, edits)
  );
}
function pieces(term, count3) {
  const length = Math.ceil(term.length / count3);
  return Array.from({ length: count3 }, (_, at) => term.slice(at * length, (at + 1) * length));
}
function isWithin(one, other, edits) {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = before[at - 1] + (one.charCodeAt(row - 1) === other.charCodeAt(at - 1) ? 0 : 1);
      now.push(Math.min(replaced, before[at] + 1, now[at - 1] + 1));
    }
    if (Math.min(...now) > edits) return false;
    before = now;
  }
  return before[other.length] <= edits;
}
function wellFormed(term) {
  return /[\ud800-\udfff]/.test(term) ? Buffer.from(term).toString() : term;
}
function isOlder(file) {
  return /^[0-9a-f]{64}\n\{"format":1,/.test(file.toString("latin1", 0, 80));
}
function checksum(content) {
  return crc32(content).toString(16).padStart(CHECKSUM_DIGITS, "0");
}

// projections/text-index/partition.ts
var TextPartition = class {
  partition;
  #source;
  #files;
  #places;
  #state = null;
  #savedAt = null;
  constructor(partition, source, files) {
    this.partition = partition;
    this.#source = source;
    this.#files = files;
    this.#places = new Set(partition.places);
  }
  /** Brings the index to where its source stands. Returns what went wrong on the way, one sentence each. */
  async refresh(changesAfter) {
    const problems = [];
    if (this.#state === null) problems.push(...await this.#loadSnapshot());
    const changes = this.#state && await changesAfter(this.#state.anchor);
    if (changes === null) await this.rebuild();
    else problems.push(...await this.apply(changes));
    return problems;
  }
  /** Takes in changes, of which some may be of other projects or already known. */
  async apply(changes) {
    if (this.#state === null) return [];
    const { generation, seq } = this.#state.anchor;
    const fresh = changes.filter((change) => change.seq > seq);
    if (fresh.length === 0) return [];
    const own = fresh.filter(({ before, after }) => this.#holds(before) || this.#holds(after));
    try {
      if (own.length > 0) this.#fold(this.whole(), own);
    } catch {
      await this.rebuild();
      return ["The text index of a project did not match its documents; it was built again."];
    }
    this.#state = { ...this.#state, anchor: { generation, seq: fresh.at(-1).seq } };
    return [];
  }
  /** Whether any document holds this very term. Only after `refresh`. */
  holds(term) {
    const state = this.#loaded();
    return "index" in state ? state.index.holds(term) : state.snapshot.holds(term);
  }
  /** An index that can be searched for these terms, and for terms similar to `widened`. Only after `refresh`. */
  covering(terms, widened) {
    const state = this.#loaded();
    if ("index" in state) return state.index;
    const similar = widened.flatMap((term) => state.snapshot.similar(term));
    const content = state.snapshot.content([.../* @__PURE__ */ new Set([...terms, ...similar])]);
    return content.index.length === 0 ? nothingIn(content.documentCount) : PartitionIndex.of(content);
  }
  /** The index with all its terms. Only after `refresh`. */
  whole() {
    const state = this.#loaded();
    if ("index" in state) return state.index;
    const index = PartitionIndex.of(state.snapshot.content());
    this.#state = { anchor: state.anchor, index };
    return index;
  }
  /** Writes a snapshot when there is something newer than the last one. */
  async save() {
    const state = this.#state;
    if (this.#files === null || state === null || sameAnchor(this.#savedAt, state.anchor)) return;
    const content = "index" in state ? writeSnapshot(this.partition, state.anchor, state.index.contents()) : state.snapshot.movedTo(state.anchor);
    await this.#files.write(snapshotName(this.partition), content);
    this.#savedAt = state.anchor;
  }
  /** Indexes all documents again, whatever there was. */
  async rebuild() {
    const { anchor, documents } = await this.#source.documents(this.partition);
    const index = new PartitionIndex();
    for await (const document of documents) index.add(document);
    index.settle();
    this.#state = { anchor, index };
    this.#savedAt = null;
  }
  async #loadSnapshot() {
    const parsed = await this.#readSnapshot();
    if (parsed === "damaged")
      return ["A text index on disk was damaged; it was built again from the documents."];
    if (parsed !== null) {
      this.#state = { anchor: parsed.anchor, snapshot: parsed };
      this.#savedAt = parsed.anchor;
    }
    return [];
  }
  async #readSnapshot() {
    try {
      const file = await this.#files?.read(snapshotName(this.partition));
      if (file == null) return null;
      const parsed = parseSnapshot(this.partition, file);
      if (parsed.outcome === "good") return parsed.snapshot;
      return parsed.outcome === "damaged" ? "damaged" : null;
    } catch {
      return "damaged";
    }
  }
  #fold(index, changes) {
    for (const { before, after } of changes) {
      if (this.#holds(before)) index.remove(before);
      if (this.#holds(after)) index.add(after);
    }
    index.settle();
  }
  #holds(document) {
    return document !== null && this.#places.has(document.place);
  }
  #loaded() {
    if (this.#state === null) throw new Error("A text partition was read before it was refreshed.");
    return this.#state;
  }
};
function sameAnchor(a, b) {
  return a !== null && a.generation === b.generation && a.seq === b.seq;
}

// projections/text-index/text-index.ts
var TextIndex = class {
  #source;
  #files;
  #loaded = /* @__PURE__ */ new Map();
  #last = Promise.resolve();
  /** Without files nothing is kept between processes. */
  constructor(source, files) {
    this.#source = source;
    this.#files = files;
  }
  /**
   * Documents of these projects that hold a term of the query, by BM25 as if all of them were one collection.
   * A term that none of them holds is widened to similar ones.
   */
  search(partitions, query) {
    return this.#inTurn(async () => {
      const terms = [...new Set(termsOf(query))];
      const { loaded, degraded } = await this.#refresh(partitions);
      const absent = terms.filter((term) => !loaded.some((one) => one.holds(term)));
      const indexes = loaded.map((one) => ({
        id: one.partition.id,
        index: one.covering(terms, absent)
      }));
      const all = frequencies(indexes.map(({ index }) => index));
      const hits = indexes.flatMap(
        ({ id, index }) => index.hits(terms, all).map((hit) => ({ ...hit, partition: id }))
      );
      return { hits: hits.sort(byScoreThenId), terms, degraded };
    });
  }
  /** Takes in changes for the projects that are loaded; the others catch up when they are asked. */
  apply(changes) {
    return this.#inTurn(async () => {
      const problems = [];
      for (const partition of this.#loaded.values()) problems.push(...await partition.apply(changes));
      return problems;
    });
  }
  /** Loads these projects, or catches them up, without a search: after an import, before a `save`. */
  refresh(partitions) {
    return this.#inTurn(async () => (await this.#refresh(partitions)).degraded);
  }
  /** Writes the snapshots that are not up to date. To be called when idle: it takes about as long as building. */
  save() {
    return this.#inTurn(async () => {
      for (const partition of this.#loaded.values()) await partition.save();
    });
  }
  /** Indexes these projects again from their documents, in place of what was loaded or on disk, and saves them. */
  rebuild(partitions) {
    return this.#inTurn(async () => {
      for (const partition of partitions) {
        const one = this.#partition(partition);
        await one.rebuild();
        await one.save();
      }
    });
  }
  /** Removes the snapshots of projects that are not among these: of merged, renamed and forgotten ones. */
  prune(partitions) {
    return this.#inTurn(async () => {
      const known2 = new Set(partitions.map(snapshotName));
      for (const name of await this.#files?.names() ?? [])
        if (!known2.has(name)) await this.#files?.remove(name);
    });
  }
  /** What the index holds and answers, as sha-256: that of an index without files and never asked before, or it is damaged. */
  digest(partitions) {
    return this.#inTurn(async () => {
      const { loaded } = await this.#refresh(partitions);
      const hash2 = createHash5("sha256");
      loaded.sort((a, b) => a.partition.id < b.partition.id ? -1 : 1);
      for (const one of loaded) {
        const documents = [];
        for await (const document of (await this.#source.documents(one.partition)).documents)
          documents.push(document);
        if (documents.length === 0 && one.whole().documentCount === 0) continue;
        hash2.update(`${one.partition.id} ${textDigest(one.whole(), documents)}
`);
      }
      return hash2.digest("hex");
    });
  }
  /** Forgets a project that was merged, renamed or is idle; what was not saved is indexed again when needed. */
  drop(partitionId) {
    this.#loaded.delete(partitionId);
  }
  async #refresh(partitions) {
    const loaded = [];
    const degraded = /* @__PURE__ */ new Set();
    const changesAfter = readOnce(this.#source);
    for (const partition of partitions) {
      const one = this.#partition(partition);
      for (const problem of await one.refresh(changesAfter)) degraded.add(problem);
      loaded.push(one);
    }
    return { loaded, degraded: [...degraded] };
  }
  #partition(partition) {
    const known2 = this.#loaded.get(partition.id);
    if (known2 && samePlaces(known2.partition, partition)) return known2;
    const fresh = new TextPartition(partition, this.#source, this.#files);
    this.#loaded.set(partition.id, fresh);
    return fresh;
  }
  #inTurn(work) {
    const result = this.#last.then(work);
    this.#last = result.catch(() => void 0);
    return result;
  }
};
function frequencies(indexes) {
  const counts = /* @__PURE__ */ new Map();
  return {
    documents: indexes.reduce((sum, index) => sum + index.documentCount, 0),
    count(term, field) {
      const key2 = `${field} ${term}`;
      const known2 = counts.get(key2);
      if (known2 !== void 0) return known2;
      const count3 = indexes.reduce((sum, index) => sum + index.frequency(term, field), 0);
      counts.set(key2, count3);
      return count3;
    }
  };
}
function readOnce(source) {
  const known2 = [];
  return async (anchor) => {
    const { generation, seq } = anchor;
    const wider = known2.find(({ after }) => after.generation === generation && after.seq <= seq);
    if (wider) return wider.changes;
    const changes = await source.changes(anchor);
    if (changes !== null) known2.push({ after: anchor, changes });
    return changes;
  };
}
function samePlaces(a, b) {
  return [...a.places].sort().join("\n") === [...b.places].sort().join("\n");
}

// projections/text-index/view.ts
var DOCUMENTS_PER_READ = 500;
var CHANGES_PER_READ = 2e3;
var TextView = class {
  name = "text";
  version = RECIPE_VERSION;
  follows = "memory";
  #options;
  #source = new ViewSource();
  #index;
  #place = null;
  #position = 0;
  constructor(options) {
    this.#options = options;
    this.#index = new TextIndex(this.#source, options.files);
  }
  place() {
    return this.#place;
  }
  position() {
    return this.#position;
  }
  async catchUp(upstream) {
    const before = this.#place;
    this.#standAt(upstream);
    if (before === null) return;
    const changes = await this.#source.changes(before);
    if (changes !== null) await this.#index.apply(changes);
  }
  /** The index and its documents as they stand; only while the upstream stands still. */
  at(upstream) {
    this.#standAt(upstream);
    return { index: this.#index, documents: this.#source };
  }
  async rebuild(upstream) {
    this.#standAt(upstream);
    const partitions = await this.#options.partitions();
    await this.#index.rebuild(partitions);
    await this.#index.prune(partitions);
  }
  async digest(upstream) {
    this.#standAt(upstream);
    return this.#index.digest(await this.#options.partitions());
  }
  async digestAside(upstream) {
    const source = new ViewSource();
    source.upstream = upstream;
    return new TextIndex(source, null).digest(await this.#options.partitions());
  }
  /** Builds what is missing and keeps it on disk, so that the next process answers at once. */
  async settle(upstream) {
    this.#standAt(upstream);
    await this.#index.refresh(await this.#options.partitions());
    await this.#index.save();
  }
  async close() {
    await this.#index.save();
  }
  #standAt(upstream) {
    this.#source.upstream = upstream;
    this.#place = upstream.place;
    this.#position = upstream.position;
  }
};
var ViewSource = class {
  upstream = null;
  async documents(partition) {
    const { place, rows } = this.#upstream();
    return { anchor: place, documents: documentsAt(partition.places, rows) };
  }
  async getMany(ids) {
    return this.#upstream().rows.getMany(ids.map(memoryKeys.document));
  }
  async changes(after) {
    const upstream = this.#upstream();
    const changes = [];
    if (after.generation === upstream.place.generation && after.seq === upstream.place.seq) return changes;
    for (let from2 = after; ; ) {
      const page = await upstream.changes(from2, CHANGES_PER_READ);
      if (page === null) return null;
      for (const { key: key2, before, after: now } of page.changes) {
        if (keyParts(key2)[0] === "document")
          changes.push({ seq: page.seq, before, after: now });
      }
      if (page.seq === from2.seq) return changes;
      from2 = { generation: from2.generation, seq: page.seq };
    }
  }
  #upstream() {
    if (this.upstream === null) throw new Error("The text view was asked before it stood anywhere.");
    return this.upstream;
  }
};
async function* documentsAt(places, rows) {
  for (const place of places) {
    const prefix = memoryKeys.allAt(place);
    const keys = (await rows.range(prefix)).map(([key2]) => memoryKeys.document(keyParts(key2)[2]));
    for (let index = 0; index < keys.length; index += DOCUMENTS_PER_READ) {
      for (const document of await rows.getMany(
        keys.slice(index, index + DOCUMENTS_PER_READ)
      )) {
        if (document !== void 0) yield document;
      }
    }
  }
}

// projections/turns/identity.ts
import { createHash as createHash6 } from "node:crypto";
function itemIdentity(item) {
  if (item.kind === "tool") return item.tellings[0].fact;
  if (item.kind === "prompt") {
    const { text, at } = readPrompt(item);
    if (text !== void 0 && at !== void 0) return said(at, text);
  }
  return item.id;
}
function said(at, text) {
  return createHash6("sha256").update(`${at}
${text}`).digest("hex").slice(0, 24);
}

// projections/turns/copies.ts
var LineTimes = class extends Map {
  note(lines, at) {
    const time = at ?? Number.MAX_SAFE_INTEGER;
    for (const line of lines) this.set(line, Math.min(time, this.get(line) ?? time));
  }
};
async function writeLines(agent, sessions, view) {
  const changed = /* @__PURE__ */ new Map();
  for (const { session, before, after } of sessions) {
    for (const [line, at] of after) if (before.get(line) !== at) push(changed, line, { session, at });
    for (const line of before.keys()) if (!after.has(line)) push(changed, line, { session, at: void 0 });
  }
  const lines = [...changed.keys()];
  const keys = lineRowKeys(agent, lines);
  const rows = await view.getMany(keys);
  const touched = /* @__PURE__ */ new Set();
  const homes = /* @__PURE__ */ new Map();
  lines.forEach((line, index) => {
    const stood = rows[index] ?? [];
    const told = changed.get(line);
    for (const [, session] of stood) touched.add(session);
    const left = stood.filter(([, session]) => !told.some((one) => one.session === session));
    const now = told.flatMap(({ session, at }) => at === void 0 ? [] : [[at, session]]);
    const row = left.length + now.length > 1 ? [...left, ...now].sort(homeFirst) : [...left, ...now];
    if (row.length === 0) view.del(keys[index]);
    else {
      view.put(keys[index], row);
      homes.set(line, row[0][1]);
    }
  });
  for (const { session } of sessions) touched.delete(session);
  return { homes, touched };
}
async function readHomes(agent, items, homes, view) {
  const lines = [...new Set(items.flatMap((item) => item.lines))].filter((line) => !homes.has(line));
  const rows = await view.getMany(lineRowKeys(agent, lines));
  lines.forEach((line, index) => {
    const first2 = rows[index]?.[0];
    if (first2 !== void 0) homes.set(line, first2[1]);
  });
}
function homeOf(item, session, homes) {
  for (const line of item.lines) {
    const home = homes.get(line);
    if (home !== void 0 && home !== session) return home;
  }
  return null;
}
function lineRowKeys(agent, lines) {
  return lines.map((line) => rowKeys.line(agent, line));
}
function push(lists, name, one) {
  const list = lists.get(name);
  if (list === void 0) lists.set(name, [one]);
  else list.push(one);
}
function homeFirst(a, b) {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : 1);
}

// projections/turns/lines.ts
function lineKeys(item) {
  switch (item.kind) {
    case "tool":
      return [`tool:${item.tellings[0].fact}`];
    case "reply": {
      const { messageId, block, uuid } = merge(item.tellings);
      return [messageId === void 0 ? `uuid:${uuid}` : `message:${messageId}:${block ?? 0}`];
    }
    case "prompt": {
      const { uuid, text, at } = merge(item.tellings);
      const keys = uuid === void 0 ? [] : [`uuid:${uuid}`];
      if (text !== void 0 && at !== void 0) keys.push(`said:${said(at, text)}`);
      return keys;
    }
    case "stop": {
      const { uuid } = merge(item.tellings);
      return uuid === void 0 ? [] : [`uuid:${uuid}`];
    }
  }
}

// projections/turns/assign.ts
function assignTurns(items, prompts, before, turnOf) {
  const asked = [...prompts].sort((a, b) => a.order < b.order ? -1 : 1);
  const byPromptId = /* @__PURE__ */ new Map();
  const byUuid = /* @__PURE__ */ new Map();
  asked.forEach((prompt, index) => {
    prompt.turn = turnOf(prompt);
    for (const telling of prompt.tellings) {
      if (telling.promptId && !byPromptId.has(telling.promptId)) byPromptId.set(telling.promptId, index);
      if (telling.uuid) byUuid.set(telling.uuid, index);
    }
  });
  const turnAt = (index) => asked[index]?.turn ?? before;
  const mainTurn = (one) => {
    const { promptId, promptUuid } = one.merged;
    const named = promptId === void 0 ? void 0 : byPromptId.get(promptId);
    if (named !== void 0) return turnAt(named);
    const chained = promptUuid === void 0 ? void 0 : byUuid.get(promptUuid);
    const last2 = lastAsked(asked, one.order);
    if (chained === void 0) return turnAt(last2);
    return turnAt(onlyQueuedBetween(asked, chained, last2) ? last2 : chained);
  };
  const launches = /* @__PURE__ */ new Map();
  for (const one of items) {
    if (one.kind === "tool" && one.merged.launchedAgentId) launches.set(one.merged.launchedAgentId, one);
  }
  const threadTurns = /* @__PURE__ */ new Map();
  const threadTurn = (thread, seen) => {
    const known2 = threadTurns.get(thread);
    if (known2 !== void 0) return known2;
    const launch = launches.get(thread);
    let turn;
    if (launch !== void 0 && launch.thread === "") turn = mainTurn(launch);
    else if (launch !== void 0 && !seen.has(launch.thread))
      turn = threadTurn(launch.thread, /* @__PURE__ */ new Set([...seen, thread]));
    else turn = unlaunchedTurn(items, asked, thread, byPromptId, turnAt);
    threadTurns.set(thread, turn);
    return turn;
  };
  for (const one of items) {
    if (one.kind === "prompt") continue;
    one.turn = one.thread === "" ? mainTurn(one) : threadTurn(one.thread, /* @__PURE__ */ new Set([one.thread]));
  }
}
function unlaunchedTurn(items, asked, thread, byPromptId, turnAt) {
  const members = items.filter((one) => one.thread === thread).sort((a, b) => a.order < b.order ? -1 : 1);
  for (const one of members) {
    const { promptId } = one.merged;
    const named = promptId === void 0 ? void 0 : byPromptId.get(promptId);
    if (named !== void 0) return turnAt(named);
  }
  const began = Math.min(...members.map((one) => one.at ?? Number.POSITIVE_INFINITY));
  let last2 = -1;
  asked.forEach((prompt, index) => {
    if ((prompt.at ?? Number.POSITIVE_INFINITY) <= began) last2 = index;
  });
  return turnAt(last2);
}
function lastAsked(asked, order) {
  let low = 0;
  let high = asked.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (asked[middle].order <= order) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
function onlyQueuedBetween(asked, from2, to) {
  for (let index = from2 + 1; index <= to; index++) {
    if (asked[index].tellings.some((telling) => telling.via === "line")) return false;
  }
  return to > from2;
}

// projections/turns/item.ts
function makeItem(kind, id, group) {
  const tellings = group.length === 1 ? group : [...group].sort((a, b) => a.event < b.event ? -1 : 1);
  const merged = merge(tellings);
  const { agentId, offset, at } = merged;
  const block = kind === "reply" ? blockOf(tellings[0].fact) : 0;
  const known2 = {
    id,
    kind,
    tellings,
    merged,
    thread: agentId ?? "",
    offset: offset ?? null,
    block,
    at: at ?? null
  };
  return { ...known2, lines: lineKeys({ kind, tellings }), order: "", turn: "" };
}
function blockOf(fact) {
  const colon = fact.lastIndexOf(":");
  const block = colon < 0 ? 0 : Number(fact.slice(colon + 1));
  return Number.isInteger(block) ? block : 0;
}

// projections/turns/order.ts
function orderItems(items) {
  const orders = /* @__PURE__ */ new Map();
  for (const [thread, members] of byThread(items)) {
    const prefix = thread === "" ? "0" : `1${thread}`;
    const told = members.filter((item) => item.offset !== null).sort((a, b) => a.offset - b.offset);
    const latest = [];
    for (const item of told) latest.push(Math.max(latest.at(-1) ?? 0, item.at ?? 0));
    for (const item of members) {
      if (item.offset !== null)
        orders.set(item.id, `${prefix} ${pad2(item.offset)} ${String(item.block).padStart(3, "0")}`);
      else {
        const at = item.at ?? 0;
        const before = lastNotAfter(latest, at);
        const anchor = before < 0 ? 0 : told[before].offset;
        orders.set(item.id, `${prefix} ${pad2(anchor)} ${AFTER_LINE} ${pad2(at)} ${item.id}`);
      }
    }
  }
  return orders;
}
var AFTER_LINE = "999";
function lastNotAfter(times, at) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (times[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
function byThread(items) {
  const threads = /* @__PURE__ */ new Map();
  for (const item of items) {
    const members = threads.get(item.thread);
    if (members === void 0) threads.set(item.thread, [item]);
    else members.push(item);
  }
  return threads;
}
function pad2(value) {
  return String(value).padStart(14, "0");
}

// projections/turns/prompts.ts
var SAME_PROMPT_MS = 10 * 6e4;
var QUEUE_WAIT_MS = 12 * 36e5;
var TWICE_FIRED_MS = 1e4;
var NOISE_MS = 1e4;
function groupPrompts(tellings) {
  const by = (via) => tellings.filter((telling) => telling.via === via).sort(inOrder3);
  const lines = by("line");
  const groups = lines.map((telling) => [telling]);
  const askedAt = lines.flatMap((telling) => telling.at ?? []).sort((a, b) => a - b);
  join(
    by("attachment"),
    groups,
    (telling, group) => has(group, "attachment") || !mayBeOne(telling, group) ? null : within2(SAME_PROMPT_MS, apart(telling, group))
  );
  join(by("queue"), groups, (telling, group) => {
    if (has(group, "queue") || !mayBeOne(telling, group)) return null;
    return queueDistance(telling, group, askedAt);
  });
  joinHooks(by("hook"), groups);
  return groups;
}
function wordsOf3(text) {
  const clipped = CLIP_MARK.test(text);
  const plain2 = (clipped ? text.slice(0, text.search(CLIP_MARK)) : text).replace(/\[redacted:[a-z0-9-]+\]/gi, "").replace(/\s+/g, " ").trim();
  return { head: plain2.slice(0, HEAD_CHARS), whole: clipped ? null : plain2 };
}
var CLIP_MARK = /…\[annals: [\d,]+ characters left out\]…/;
var HEAD_CHARS = 1e3;
function joinHooks(hooks, groups) {
  const rest = [];
  for (const telling of hooks) {
    const same = telling.promptId && groups.find((group) => group.some((other) => other.promptId === telling.promptId));
    if (same) same.push(telling);
    else rest.push(telling);
  }
  const alone = [];
  const left = matched(
    rest,
    groups,
    (telling, group) => has(group, "hook") || !mayBeOne(telling, group) ? null : within2(SAME_PROMPT_MS, apart(telling, group))
  );
  for (const telling of left) {
    const twice = [...groups, ...alone].find(
      (group) => group.some(
        (other) => other.via === "hook" && mayBeOne(telling, [other]) && apart(telling, [other]) <= TWICE_FIRED_MS
      )
    );
    const sameId = telling.promptId && alone.find((group) => group.some((other) => other.promptId === telling.promptId));
    if (sameId) sameId.push(telling);
    else if (twice) twice.push(telling);
    else alone.push([telling]);
  }
  groups.push(...alone);
}
function join(tellings, groups, distance) {
  const left = matched(tellings, groups, distance);
  groups.push(...left.map((telling) => [telling]));
}
function matched(tellings, groups, distance) {
  const pairs = [];
  tellings.forEach((telling, t) => {
    groups.forEach((group, g) => {
      const d = distance(telling, group);
      if (d !== null) pairs.push({ telling: t, group: g, distance: d });
    });
  });
  pairs.sort((a, b) => a.distance - b.distance || a.telling - b.telling || a.group - b.group);
  const usedTellings = /* @__PURE__ */ new Set();
  const usedGroups = /* @__PURE__ */ new Set();
  for (const pair of pairs) {
    if (usedTellings.has(pair.telling) || usedGroups.has(pair.group)) continue;
    usedTellings.add(pair.telling);
    usedGroups.add(pair.group);
    groups[pair.group].push(tellings[pair.telling]);
  }
  return tellings.filter((_, t) => !usedTellings.has(t));
}
function queueDistance(telling, group, askedAt) {
  const said2 = telling.at;
  const delivered = group[0].at;
  if (said2 === void 0 || delivered === void 0) return null;
  const waited = delivered - said2;
  if (waited < -NOISE_MS || waited > QUEUE_WAIT_MS) return null;
  if (waited <= SAME_PROMPT_MS) return Math.abs(waited);
  const askedBetween = askedAt.some((at) => at > said2 && at < delivered);
  return askedBetween ? null : waited;
}
function has(group, via) {
  return group.some((telling) => telling.via === via);
}
function mayBeOne(telling, group) {
  const promptId = group.find((other) => other.promptId)?.promptId;
  if (telling.promptId && promptId) return telling.promptId === promptId;
  return group.some((other) => sameWords(telling, other));
}
function sameWords(a, b) {
  if (a.text === void 0 || b.text === void 0) return a.private === b.private && a.text === b.text;
  const one = words3(a);
  const two = words3(b);
  if (one.whole !== null && two.whole !== null) return one.whole === two.whole;
  return one.head === two.head;
}
var known = /* @__PURE__ */ new WeakMap();
function words3(telling) {
  let found = known.get(telling);
  if (found === void 0) {
    found = wordsOf3(telling.text ?? "");
    known.set(telling, found);
  }
  return found;
}
function apart(telling, group) {
  if (telling.at === void 0) return Number.POSITIVE_INFINITY;
  return Math.min(
    ...group.map(
      (other) => other.at === void 0 ? Number.POSITIVE_INFINITY : Math.abs(other.at - telling.at)
    )
  );
}
function within2(limit, distance) {
  return distance <= limit ? distance : null;
}
function inOrder3(a, b) {
  return (a.offset ?? 0) - (b.offset ?? 0) || (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1);
}

// projections/turns/session.ts
function emptyTellings(agent, session) {
  return { agent, session, milestones: [], prompts: [], tools: [], replies: [], stops: [] };
}
function itemsOf(told) {
  const { agent, session } = told;
  const prompts = promptItems(told);
  const items = [
    ...prompts,
    ...byFact(told.tools).map(
      (group) => makeItem("tool", itemId("u", agent, session, group[0].fact), group)
    ),
    ...byFact(told.replies).map(
      (group) => makeItem("reply", itemId("a", agent, session, group[0].fact), group)
    ),
    ...byFact(told.stops).map(
      (group) => makeItem("stop", itemId("s", agent, session, group[0].fact), group)
    )
  ];
  const orders = orderItems(items);
  for (const one of items) one.order = orders.get(one.id);
  assignTurns(items, prompts, itemId("t", agent, session, null), (prompt) => `t${prompt.id.slice(1)}`);
  return items;
}
function promptItems({ agent, session, prompts }) {
  const groups = groupPrompts(prompts);
  const taken = /* @__PURE__ */ new Set();
  return groups.map((group) => {
    const name = promptName(group, taken);
    taken.add(name);
    return makeItem("prompt", itemId("p", agent, session, name), group);
  });
}
function promptName(group, taken) {
  const promptId = group.find((telling) => telling.promptId)?.promptId;
  if (promptId !== void 0 && !taken.has(promptId)) return promptId;
  for (const via of ["line", "attachment", "queue", "hook"]) {
    const telling = group.filter((one) => one.via === via).sort((a, b) => a.fact < b.fact ? -1 : 1)[0];
    if (telling !== void 0) return `${via}:${telling.fact}`;
  }
  throw new Error("A group of prompts is never empty.");
}
function byFact(tellings) {
  const groups = /* @__PURE__ */ new Map();
  for (const telling of tellings) {
    const group = groups.get(telling.fact);
    if (group === void 0) groups.set(telling.fact, [telling]);
    else group.push(telling);
  }
  return [...groups.values()];
}

// projections/turns/usage.ts
var NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
function usageByTurn(items, isHome) {
  const messages = /* @__PURE__ */ new Map();
  for (const item of items) {
    if (item.kind !== "reply" && item.kind !== "tool" || !isHome(item)) continue;
    for (const telling of item.tellings) {
      if (telling.usage === void 0) continue;
      const name = telling.messageId ?? item.id;
      const known2 = messages.get(name);
      const first2 = known2 === void 0 || item.order < known2.order ? item : known2;
      const usage = known2 === void 0 || isMore(telling.usage, known2.usage) ? telling.usage : known2.usage;
      messages.set(name, { turn: first2.turn, order: first2.order, usage });
    }
  }
  const turns = /* @__PURE__ */ new Map();
  for (const { turn, usage } of messages.values())
    turns.set(turn, addUsage(turns.get(turn) ?? NO_USAGE, usage));
  return turns;
}
function addUsage(a, b) {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation
  };
}
function isMore(a, b) {
  if (a.output !== b.output) return a.output > b.output;
  return a.input + a.cacheRead + a.cacheCreation > b.input + b.cacheRead + b.cacheCreation;
}
function countItems(items, isHome) {
  const counts = { prompts: 0, commands: 0, toolUses: 0, failed: 0, replies: 0 };
  for (const item of items) {
    if (!isHome(item)) continue;
    if (item.kind === "prompt") {
      if (item.merged.kind === "command") counts.commands++;
      else counts.prompts++;
    } else if (item.kind === "tool") {
      counts.toolUses++;
      if (item.merged.outcome === "failed") counts.failed++;
    } else if (item.kind === "reply" && item.merged.text !== void 0) counts.replies++;
  }
  return counts;
}
function addCounts(a, b) {
  return {
    prompts: a.prompts + b.prompts,
    commands: a.commands + b.commands,
    toolUses: a.toolUses + b.toolUses,
    failed: a.failed + b.failed,
    replies: a.replies + b.replies
  };
}

// projections/turns/session-row.ts
var NO_COUNTS = { prompts: 0, commands: 0, toolUses: 0, failed: 0, replies: 0 };
var TITLE_RANK = { custom: 2, ai: 1, summary: 0 };
function placeOf(told) {
  const starts = told.milestones.filter((telling) => telling.type === "started" && telling.cwd !== void 0);
  const line = starts.filter((telling) => telling.offset !== void 0).sort(byOffset)[0];
  if (line !== void 0) return line.cwd;
  const withCwd = [...starts, ...told.prompts, ...told.tools, ...told.replies, ...told.stops].filter(
    (telling) => telling.cwd !== void 0
  );
  return withCwd.sort(byTime)[0]?.cwd ?? NOWHERE;
}
function sessionRow(told, items, turns, copies) {
  const tellings = [...told.milestones].sort((a, b) => a.event < b.event ? -1 : 1);
  const ended = tellings.filter((telling) => telling.type === "ended").sort(byTime).at(-1);
  const times = [...tellings, ...items].map((one) => one.at).filter((at) => at !== void 0 && at !== null);
  const started = tellings.filter((telling) => telling.type === "started");
  const branch = [...items].sort((a, b) => a.order < b.order ? 1 : -1).find((item) => item.merged.branch !== void 0);
  return {
    agent: told.agent,
    session: told.session,
    place: placeOf(told),
    title: titleOf3(tellings),
    startedAt: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
    endedAt: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    starts: countStarts(started, (one) => one.word !== "compact") + countStarts(started, (one) => one.word === "compact"),
    endReason: ended?.word ?? null,
    branch: branch?.merged.branch ?? tellings.find((telling) => telling.branch !== void 0)?.branch ?? null,
    continuedIn: [
      ...new Set(tellings.filter((one) => one.type === "continued").map((one) => one.word))
    ].sort(),
    turns: turns.filter((turn) => !turn.inherited).length,
    counts: turns.reduce((sum, turn) => addCounts(sum, turn.counts), NO_COUNTS),
    copies,
    usage: turns.reduce((sum, turn) => addUsage(sum, turn.usage), NO_USAGE),
    tellings
  };
}
function countStarts(started, of) {
  const seen = /* @__PURE__ */ new Map();
  for (const telling of started)
    if (of(telling)) seen.set(telling.witness, (seen.get(telling.witness) ?? 0) + 1);
  return Math.max(0, ...seen.values());
}
function titleOf3(tellings) {
  const titled = tellings.filter((telling) => telling.type === "titled");
  const rank2 = (telling) => TITLE_RANK[telling.word ?? ""] ?? -1;
  titled.sort(
    (a, b) => rank2(b) - rank2(a) || (b.offset ?? 0) - (a.offset ?? 0) || (a.event < b.event ? -1 : 1)
  );
  return titled[0]?.title ?? null;
}
function byOffset(a, b) {
  return a.offset - b.offset || (a.event < b.event ? -1 : 1);
}
function byTime(a, b) {
  return (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY) || (a.event < b.event ? -1 : 1);
}

// projections/turns/result-tail.ts
var TAIL_CHARS_MAX = 600;
var SHELLS2 = /* @__PURE__ */ new Set(["Bash", "PowerShell", "shell", "run_shell_command", "exec"]);
var SAYS_HOW_IT_WENT = /\b(?:tests?|spec|check|verify|jest|vitest|mocha|ava|pytest|py\.test|tox|rspec|phpunit|ctest|unittest|build|compile|lint|clippy|vet|tsc|mypy|make|commit|cherry-pick|merge|rebase)\b/;
function resultTail({ name, input, result }) {
  if (result === null || !SHELLS2.has(name)) return void 0;
  const command = typeof input === "object" && input !== null && "command" in input ? input.command : null;
  if (typeof command !== "string" || !SAYS_HOW_IT_WENT.test(command)) return void 0;
  const text = result.trimEnd();
  if (text === "") return void 0;
  return text.slice(-TAIL_CHARS_MAX).toWellFormed();
}

// projections/turns/tellings.ts
var INPUT_FIELD_CHARS_MAX = 2e3;
var INPUT_FIELDS_MAX = 24;
var ERROR_CHARS_MAX2 = 4e3;
var CONTENT_FIELDS = /* @__PURE__ */ new Set(["content", "new_string", "old_string", "edits", "new_source", "file_text"]);
function promptTelling(fact) {
  const { body } = fact;
  return {
    ...base4(fact, body),
    via: body.via,
    kind: body.kind,
    text: body.text ?? void 0,
    private: body.private || void 0,
    permissionMode: body.permissionMode ?? void 0,
    images: body.images || void 0
  };
}
function toolTelling(fact) {
  const { body } = fact;
  const used = fact.type === "tool.used" ? fact.body : void 0;
  return {
    ...base4(fact, body),
    agentId: body.agentId ?? void 0,
    sidechain: body.sidechain || void 0,
    name: body.name,
    input: shortInput(body.input),
    outcome: used?.outcome,
    error: used?.error ? cutMiddle(used.error, ERROR_CHARS_MAX2) : void 0,
    resultTail: used === void 0 ? void 0 : resultTail(used),
    durationMs: used?.durationMs ?? void 0,
    endedAt: used?.endedAt ?? void 0,
    messageId: body.messageId ?? void 0,
    usage: body.usage ?? void 0,
    model: body.model ?? void 0,
    launchedAgentId: used?.launchedAgentId ?? void 0
  };
}
function replyTelling(fact) {
  const { body } = fact;
  return {
    ...base4(fact, body),
    agentId: body.agentId ?? void 0,
    sidechain: body.sidechain || void 0,
    text: body.text ?? void 0,
    messageId: body.messageId ?? void 0,
    block: body.block ?? void 0,
    usage: body.usage ?? void 0,
    model: body.model ?? void 0,
    compaction: body.compaction || void 0
  };
}
function stopTelling(fact) {
  const { body } = fact;
  return {
    ...base4(fact, body),
    agentId: body.agentId ?? void 0,
    sidechain: body.sidechain || void 0,
    reason: body.reason,
    error: body.error ?? void 0,
    text: body.text ?? void 0,
    durationMs: body.durationMs ?? void 0
  };
}
function sessionTelling(fact) {
  const head = {
    event: fact.id,
    witness: fact.witness,
    at: fact.occurredAt ?? void 0,
    offset: fact.body.offset ?? void 0
  };
  switch (fact.type) {
    case "session.started": {
      const { source, cwd, branch, model, agentVersion } = fact.body;
      return {
        ...head,
        type: "started",
        word: source ?? void 0,
        cwd: cwd ?? void 0,
        branch: branch ?? void 0,
        model: model ?? void 0,
        agentVersion: agentVersion ?? void 0
      };
    }
    case "session.ended": {
      const { reason, cwd, branch } = fact.body;
      return {
        ...head,
        type: "ended",
        word: reason ?? void 0,
        cwd: cwd ?? void 0,
        branch: branch ?? void 0
      };
    }
    case "session.continued":
      return { ...head, type: "continued", word: fact.body.into };
    case "session.titled":
      return { ...head, type: "titled", word: fact.body.source, title: fact.body.title };
  }
}
function base4(fact, body) {
  return {
    event: fact.id,
    witness: fact.witness,
    fact: fact.fact,
    at: fact.occurredAt ?? void 0,
    uuid: body.uuid ?? void 0,
    offset: body.offset ?? void 0,
    promptId: body.promptId ?? void 0,
    promptUuid: body.promptUuid ?? void 0,
    branch: body.branch ?? void 0,
    cwd: fact.witness === "transcript" ? void 0 : body.cwd ?? void 0
  };
}
function shortInput(input) {
  const short2 = {};
  if (typeof input !== "object" || input === null || Array.isArray(input)) return short2;
  let fields = 0;
  for (const name in input) {
    const value = input[name];
    if (CONTENT_FIELDS.has(name) || fields >= INPUT_FIELDS_MAX) continue;
    if (typeof value === "string") short2[name] = cutMiddle(value, INPUT_FIELD_CHARS_MAX);
    else if (typeof value === "number" || typeof value === "boolean") short2[name] = value;
    else continue;
    fields++;
  }
  return short2;
}
function cutMiddle(text, charsMax) {
  if (text.length <= charsMax) return text;
  const half = charsMax >> 1;
  return `${text.slice(0, half).toWellFormed()} \u2026 ${text.slice(-half).toWellFormed()}`;
}

// projections/turns/projector.ts
var turnsProjector = defineProjector({
  name: "turns",
  version: 2,
  follows: "log",
  feed: "keys",
  fold: fold3
});
var TOLD_OF_SESSIONS = /* @__PURE__ */ new Set([
  "session.started",
  "session.ended",
  "session.continued",
  "session.titled",
  "prompt.submitted",
  "tool.used",
  "tool.unanswered",
  "agent.replied",
  "agent.stopped"
]);
async function fold3(facts, view) {
  for (const fact of facts) {
    if (fact.type !== "memory.saved") continue;
    const row = savedRow(fact);
    view.put(rowKeys.saved(fact.agent, fact.session, row.id), row);
  }
  for (const [agent, sessions] of byAgent(facts)) {
    const works = /* @__PURE__ */ new Map();
    for (const [session, told] of sessions) {
      const work = await load(agent, session, view);
      if (told.filter((fact) => tell(work, fact)).length === 0) continue;
      work.items = itemsOf(work.told);
      works.set(session, work);
    }
    const { homes, touched } = await writeLines(agent, [...works].map(linesOf), view);
    for (const session of touched) {
      const work = await load(agent, session, view);
      work.items = itemsOf(work.told);
      works.set(session, work);
    }
    for (const work of works.values()) {
      await readHomes(agent, work.items, homes, view);
      write2(work, homes, view);
    }
  }
}
function byAgent(facts) {
  const agents = /* @__PURE__ */ new Map();
  for (const fact of facts) {
    if (fact.session === null || !TOLD_OF_SESSIONS.has(fact.type)) continue;
    const sessions = agents.get(fact.agent) ?? /* @__PURE__ */ new Map();
    agents.set(fact.agent, sessions);
    const told = sessions.get(fact.session);
    if (told === void 0) sessions.set(fact.session, [fact]);
    else told.push(fact);
  }
  return agents;
}
async function load(agent, session, view) {
  const told = emptyTellings(agent, session);
  const rows = /* @__PURE__ */ new Map();
  const known2 = /* @__PURE__ */ new Set();
  const linesBefore = new LineTimes();
  const row = await view.get(rowKeys.session(agent, session));
  if (row !== void 0) {
    rows.set(rowKeys.session(agent, session), row);
    told.milestones.push(...row.tellings);
    for (const telling of row.tellings) known2.add(telling.event);
    for (const [key2, item] of await view.range(rowKeys.turns(agent, session))) {
      rows.set(key2, item);
      if (!isItem(item)) continue;
      tellingsOf(told, item.kind).push(...item.tellings);
      for (const telling of item.tellings) known2.add(telling.event);
      linesBefore.note(lineKeys(item), item.at);
    }
  }
  return { told, known: known2, rows, linesBefore, items: [] };
}
function linesOf([session, { linesBefore, items }]) {
  const after = new LineTimes();
  for (const item of items) after.note(item.lines, item.at);
  return { session, before: linesBefore, after };
}
function tellingsOf(told, kind) {
  return { prompt: told.prompts, tool: told.tools, reply: told.replies, stop: told.stops }[kind];
}
function tell({ told, known: known2 }, fact) {
  if (known2.has(fact.id)) return false;
  known2.add(fact.id);
  switch (fact.type) {
    case "session.started":
    case "session.ended":
    case "session.continued":
    case "session.titled":
      told.milestones.push(sessionTelling(fact));
      return true;
    case "prompt.submitted":
      told.prompts.push(promptTelling(fact));
      return true;
    case "tool.used":
    case "tool.unanswered":
      told.tools.push(toolTelling(fact));
      return true;
    case "agent.replied":
      told.replies.push(replyTelling(fact));
      return true;
    case "agent.stopped":
      told.stops.push(stopTelling(fact));
      return true;
    default:
      return false;
  }
}
function write2({ told, rows, items }, homes, view) {
  const { agent, session } = told;
  const homeById = new Map(items.map((item) => [item.id, homeOf(item, session, homes)]));
  const isHome = (item) => homeById.get(item.id) === null;
  const below2 = rowKeys.turns(agent, session);
  const next = /* @__PURE__ */ new Map();
  for (const item of items) {
    const { id, kind, turn, order, at, tellings } = item;
    next.set(`${below2}${turn}/${id}`, {
      id,
      kind,
      turn,
      order,
      at,
      home: homeById.get(id) ?? null,
      tellings
    });
  }
  const turns = turnRows(told, items, isHome);
  for (const turn of turns) next.set(`${below2}${turn.id}`, turn);
  const copies = items.filter((item) => !isHome(item)).length;
  next.set(rowKeys.session(agent, session), sessionRow(told, items, turns, copies));
  for (const key2 of rows.keys()) if (!next.has(key2)) view.del(key2);
  for (const [key2, row] of next) view.put(key2, row);
}
function turnRows(told, items, isHome) {
  const place = placeOf(told);
  const usage = usageByTurn(items, isHome);
  const byTurn = /* @__PURE__ */ new Map();
  for (const item of items) {
    const members = byTurn.get(item.turn);
    if (members === void 0) byTurn.set(item.turn, [item]);
    else members.push(item);
  }
  return [...byTurn].map(([id, members]) => {
    const prompt = members.find((item) => item.kind === "prompt");
    const times = members.map((item) => item.at).filter((at) => at !== null);
    return {
      id,
      agent: told.agent,
      session: told.session,
      place,
      prompt: prompt?.id ?? null,
      order: members.map((item) => item.order).sort()[0],
      startedAt: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
      endedAt: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
      private: prompt?.kind === "prompt" && prompt.merged.private === true,
      items: members.length,
      inherited: !members.some(isHome),
      counts: countItems(members, isHome),
      usage: usage.get(id) ?? NO_USAGE
    };
  });
}

export {
  key,
  keyParts,
  CONTEXT_KINDS,
  contextProjector,
  newestRows,
  rowsBetween,
  lastingRows,
  sessionRows,
  rowsById,
  mostFrequent,
  newestFirst,
  canonicalJson,
  directoryShelf,
  rowKeys,
  isItem,
  readPrompt,
  readTool,
  readReply,
  readStop,
  memoryProjector,
  memoryKeys,
  identityOf,
  projectsProjector,
  resolveProject,
  placesOf,
  listProjects,
  openRunner,
  termsOf,
  termsOfWord,
  wordsOf2 as wordsOf,
  TextView,
  itemIdentity,
  savedId,
  turnsProjector
};
//# sourceMappingURL=chunk-3Q575QWH.js.map
