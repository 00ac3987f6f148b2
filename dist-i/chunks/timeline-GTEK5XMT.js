import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  isoTime
} from "./chunk-244UEZ4Z.js";
import {
  find
} from "./chunk-DOAZHVTA.js";
import {
  projectByName
} from "./chunk-OYHI3OMN.js";
import "./chunk-OPKWVCNO.js";
import {
  parseTime
} from "./chunk-YSE6253P.js";
import {
  partitionsOf,
  problemsOf,
  projectPartitions
} from "./chunk-MQGUQBYT.js";
import {
  CONTEXT_KINDS,
  newestFirst,
  resolveProject,
  rowsBetween,
  rowsById,
  sessionRows
} from "./chunk-3Q575QWH.js";
import "./chunk-JGLDXPJ5.js";
import "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// src/operations/timeline.ts
var LIMIT_DEFAULT = 20;
var LIMIT_MAX = 1e3;
var SESSION_ROWS_MAX = 5e3;
async function timelineOf(options, opened) {
  const { now } = opened;
  const limit = Math.min(Math.max(1, Math.floor(options.limit ?? LIMIT_DEFAULT)), LIMIT_MAX);
  const span = {
    since: options.since === void 0 ? void 0 : parseTime(options.since, now(), "since"),
    until: options.until === void 0 ? void 0 : parseTime(options.until, now(), "until")
  };
  const anchor = options.around === void 0 ? null : await anchorOf(options.around, opened);
  const rows = await chosenRows(options, span, anchor, limit, opened);
  const shown = newestFirst(rows).reverse();
  const names = /* @__PURE__ */ new Map();
  for (const { place } of [...shown, ...anchor === null ? [] : [anchor]])
    if (!names.has(place)) names.set(place, (await resolveProject(place, opened.views.projects)).name);
  const answered = shown.map((row) => ({ ...rowOf(row), project: names.get(row.place) }));
  const missing = anchor !== null && !answered.some(({ id }) => id === anchor.id);
  return {
    rows: missing ? placed(answered, { ...anchor.row, project: names.get(anchor.place) }) : answered,
    degraded: problemsOf(opened)
  };
}
async function chosenRows(options, span, anchor, limit, opened) {
  const view = opened.views.context;
  if (options.session !== void 0) {
    const session = await sessionId(options.session, opened);
    const rows = (await sessionRows(view, session, SESSION_ROWS_MAX)).filter((row) => isWithin(row, span));
    return anchor === null ? rows.slice(0, limit) : around(rows, anchor.at, limit);
  }
  const places = await chosenPlaces(options.project, anchor, opened);
  if (anchor === null) return rowsBetween(view, places, CONTEXT_KINDS, span, limit);
  const at = anchor.at ?? void 0;
  const before = await rowsBetween(view, places, CONTEXT_KINDS, { ...span, until: at }, limit);
  const after = await rowsBetween(view, places, CONTEXT_KINDS, { ...span, since: at }, limit, true);
  const both = new Map([...after, ...before].map((row) => [row.id, row]));
  return around(newestFirst([...both.values()]), anchor.at, limit);
}
async function chosenPlaces(project, anchor, opened) {
  if (project !== void 0) return (await projectByName(project, opened)).places;
  const all = await projectPartitions(opened.views);
  if (anchor === null) return all.flatMap(({ places }) => places);
  const { key } = await resolveProject(anchor.place, opened.views.projects);
  return (await partitionsOf(key, all, opened.views.projects)).flatMap(({ places }) => places);
}
function around(rows, at, limit) {
  const first = rows.findIndex((row) => (row.at ?? 0) <= (at ?? 0));
  const middle = first === -1 ? rows.length : first;
  const half = Math.floor(limit / 2);
  const start = Math.max(0, Math.min(middle - half, rows.length - limit));
  return rows.slice(start, start + limit);
}
async function anchorOf(id, opened) {
  const { views, log } = opened;
  const rows = await rowsById(views.context, id.trim(), 2);
  const exact = rows.find((row) => row.id === id.trim()) ?? (rows.length === 1 ? rows[0] : void 0);
  if (exact !== void 0) return { id: exact.id, place: exact.place, at: exact.at, row: rowOf(exact) };
  const found = await find(id, { log, turns: views.turns, memory: views.memory });
  switch (found.kind) {
    case "document": {
      const { id: id2, kind, type, title, session, place, at } = found.document;
      return { id: id2, place, at, row: { id: id2, kind, type, title, session, at: isoTime(at) } };
    }
    case "turn": {
      const { id: id2, session, place, startedAt } = found.turn;
      const row = { id: id2, kind: "turn", type: null, title: "A turn", session, at: isoTime(startedAt) };
      return { id: id2, place, at: startedAt, row };
    }
    case "session": {
      const { session, place, startedAt, title } = found.session;
      const at = isoTime(startedAt);
      const row = { id: session, kind: "session", type: null, title: title ?? session, session, at };
      return { id: session, place, at: startedAt, row };
    }
    case "event":
      throw new AnnalsError("NOT_FOUND", `\u201C${id}\u201D is an event; a timeline shows what was made of events.`, {
        hint: "Give the id of a prompt, a tool use, an observation, a turn or a session."
      });
  }
}
async function sessionId(given, { views, log }) {
  if ((await sessionRows(views.context, given, 1)).length > 0) return given;
  const found = await find(given, { log, turns: views.turns, memory: views.memory });
  if (found.kind === "session") return found.session.session;
  throw new AnnalsError("NOT_FOUND", `No session has the id \u201C${given}\u201D.`, {
    hint: "`annals log --kind session` lists sessions."
  });
}
function isWithin({ at }, { since, until }) {
  if (since === void 0 && until === void 0) return true;
  return at !== null && (since === void 0 || at >= since) && (until === void 0 || at <= until);
}
function rowOf(row) {
  const { id, title, session, at } = row;
  return {
    id,
    kind: row.kind === "saved" ? "memory" : row.kind,
    type: row.kind === "observation" || row.kind === "saved" ? row.type : null,
    title,
    session,
    at: isoTime(at)
  };
}
function placed(rows, one) {
  const index = rows.findIndex(({ at }) => at !== null && one.at !== null && at > one.at);
  return index === -1 ? [...rows, one] : [...rows.slice(0, index), one, ...rows.slice(index)];
}
export {
  timelineOf
};
//# sourceMappingURL=timeline-GTEK5XMT.js.map
