import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  isItem,
  memoryKeys,
  readPrompt,
  readReply,
  readStop,
  readTool,
  rowKeys
} from "./chunk-3Q575QWH.js";

// src/operations/item.ts
var SAID_OF_ALL = /* @__PURE__ */ new Set(["id", "type", "title", "agent", "session", "place", "at", "order", "events"]);
async function itemOf(found, sources, projectName) {
  switch (found.kind) {
    case "document":
      return documentItem(found.document, sources, projectName);
    case "turn":
      return turnItem(found.turn, found.items, projectName);
    case "session":
      return sessionItem(found.session, sources, projectName);
    case "event":
      return eventItem(found.event);
  }
}
function isoTime(at) {
  return at === null ? null : new Date(at).toISOString();
}
async function documentItem(document, { log, memory }, projectName) {
  if (document.kind === "observation" || document.kind === "summary")
    return observedItem(document, memory, projectName);
  const events = (await log.getMany(document.events)).filter((event) => event !== void 0);
  const used = events.find((event) => event.type === "tool.used");
  const { id, kind, type, title, session, agent, at, files } = document;
  return {
    id,
    kind,
    type,
    title,
    text: used === void 0 ? wordsOf(events) ?? document.body : toolText(used),
    project: await projectName(document.place),
    session,
    agent,
    at: isoTime(at),
    files,
    events: document.events,
    details: {
      turn: document.turn,
      agentId: document.agentId,
      tokens: document.tokens,
      ...toolDetails(used)
    }
  };
}
async function observedItem(document, memory, projectName) {
  const { id, kind, type, title, body, session, agent, at, files, events, tokens } = document;
  const rowKey = kind === "observation" ? memoryKeys.observation(id) : memoryKeys.summary(id);
  const row = await memory.get(rowKey) ?? {};
  const details = Object.fromEntries(Object.entries(row).filter(([field]) => !SAID_OF_ALL.has(field)));
  return {
    id,
    kind,
    type,
    title,
    text: body,
    project: await projectName(document.place),
    session,
    agent,
    at: isoTime(at),
    files,
    events,
    details: { ...details, tokens }
  };
}
function wordsOf(events) {
  const texts = events.map((event) => "text" in event.body ? event.body.text : null).filter((text) => text !== null);
  return texts.sort((a, b) => b.length - a.length)[0] ?? null;
}
function toolText({ body }) {
  return body.result ?? body.error ?? "";
}
function toolDetails(event) {
  if (event === void 0) return {};
  const { name, outcome, error, durationMs, input, detail } = event.body;
  return { tool: name, outcome, error, durationMs, input, detail };
}
async function turnItem(turn, items, projectName) {
  const lines = items.map(lineOf);
  const prompt = items.find((item) => item.id === turn.prompt);
  return {
    id: turn.id,
    kind: "turn",
    type: null,
    title: prompt === void 0 ? "Before the first prompt" : lineOf(prompt).said,
    text: lines.map((line) => `${line.kind.padEnd(7)} ${line.said}`).join("\n"),
    project: await projectName(turn.place),
    session: turn.session,
    agent: turn.agent,
    at: isoTime(turn.startedAt),
    files: [],
    events: items.flatMap((item) => item.tellings.map((telling) => telling.event)),
    details: {
      private: turn.private,
      inherited: turn.inherited,
      endedAt: isoTime(turn.endedAt),
      counts: { ...turn.counts },
      usage: { ...turn.usage },
      items: lines.map(({ id, kind, said, at }) => ({ id, kind, said, at }))
    }
  };
}
function lineOf(item) {
  return { id: item.id, kind: item.kind, said: oneLine(saidBy(item)), at: isoTime(item.at) };
}
function saidBy(item) {
  switch (item.kind) {
    case "prompt":
      return readPrompt(item).text ?? "[private]";
    case "reply":
      return readReply(item).text ?? "[thinking]";
    case "stop": {
      const { reason, error, text } = readStop(item);
      return text ?? `${reason}${error === void 0 ? "" : `: ${error}`}`;
    }
    case "tool": {
      const { name, input, outcome, error } = readTool(item);
      const what = Object.values(input).find((value) => typeof value === "string") ?? "";
      return `${name} ${what} \u2192 ${outcome ?? "unanswered"}${error === void 0 ? "" : `: ${error}`}`;
    }
  }
}
function oneLine(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 160 ? line : `${line.slice(0, 159).toWellFormed()}\u2026`;
}
async function sessionItem(session, { turns }, projectName) {
  const found = await turns.range(rowKeys.turns(session.agent, session.session));
  const rows = found.flatMap(([, row]) => isItem(row) ? [] : [row]);
  rows.sort((a, b) => a.order < b.order ? -1 : 1);
  const titled = await Promise.all(
    rows.map(async (row) => {
      const prompt = row.prompt === null ? void 0 : await turns.get(rowKeys.item(row.agent, row.session, row.id, row.prompt));
      return {
        id: row.id,
        title: prompt === void 0 ? "Before the first prompt" : oneLine(saidBy(prompt)),
        at: isoTime(row.startedAt),
        toolUses: row.counts.toolUses
      };
    })
  );
  return {
    id: session.session,
    kind: "session",
    type: null,
    title: session.title ?? titled.find((turn) => turn.title !== "")?.title ?? session.session,
    text: titled.map((turn) => `${turn.id}  ${turn.title}`).join("\n"),
    project: await projectName(session.place),
    session: session.session,
    agent: session.agent,
    at: isoTime(session.startedAt),
    files: [],
    events: session.tellings.map((telling) => telling.event),
    details: {
      place: session.place,
      branch: session.branch,
      endedAt: isoTime(session.endedAt),
      endReason: session.endReason,
      starts: session.starts,
      continuedIn: session.continuedIn,
      counts: { ...session.counts },
      copies: session.copies,
      usage: { ...session.usage },
      turns: titled
    }
  };
}
function eventItem(event) {
  return {
    id: event.id,
    kind: "event",
    type: event.type,
    title: `${event.type} told by ${event.witness}`,
    text: wordsOf([event]) ?? "",
    project: null,
    session: event.session,
    agent: event.agent,
    at: isoTime(event.occurredAt),
    files: [],
    events: [event.id],
    details: {
      position: event.position,
      fact: event.fact,
      recordedAt: isoTime(event.recordedAt),
      body: event.body
    }
  };
}

export {
  itemOf,
  isoTime
};
//# sourceMappingURL=chunk-244UEZ4Z.js.map
