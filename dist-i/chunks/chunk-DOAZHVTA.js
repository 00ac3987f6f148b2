import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  isItem,
  memoryKeys,
  rowKeys
} from "./chunk-3Q575QWH.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";

// src/operations/find.ts
var PREFIX_CHARS_MIN = 4;
var CANDIDATES_MAX = 5;
async function find(id, sources) {
  const wanted = id.trim();
  const session = await findSession(wanted, sources.turns);
  if (session.length === 1) return { kind: "session", session: session[0] };
  if (wanted.length < PREFIX_CHARS_MIN) {
    throw new AnnalsError(
      "USAGE",
      `\u201C${wanted}\u201D is too short for an id: give at least ${PREFIX_CHARS_MIN} characters.`
    );
  }
  const found = [
    ...session.map((row) => ({ kind: "session", session: row })),
    ...await findDocuments(wanted, sources.memory),
    ...await findTurns(wanted, sources.turns),
    ...await findEvents(wanted, sources.log)
  ];
  if (found.length === 1) return found[0];
  if (found.length === 0) {
    throw new AnnalsError("NOT_FOUND", `Nothing has the id \u201C${wanted}\u201D.`, {
      hint: "Ids stand in the answers of `annals search` and `annals log`."
    });
  }
  throw new AnnalsError(
    "AMBIGUOUS_ID",
    `\u201C${wanted}\u201D fits ${found.length} things or more: ${found.slice(0, CANDIDATES_MAX).map(nameOf).join(", ")}.`,
    {
      hint: "Give more of the id."
    }
  );
}
function nameOf(found) {
  switch (found.kind) {
    case "document":
      return found.document.id;
    case "turn":
      return found.turn.id;
    case "session":
      return found.session.session;
    case "event":
      return found.event.id;
  }
}
async function findDocuments(id, memory) {
  if (!/^[a-z]-[0-9a-z]+$/.test(id)) return [];
  const rows = await memory.range(memoryKeys.document(id), { limit: CANDIDATES_MAX });
  const documents = rows.map(([, row]) => row);
  const exact = documents.find((document) => document.id === id);
  return (exact === void 0 ? documents : [exact]).map((document) => ({ kind: "document", document }));
}
async function findTurns(id, turns) {
  if (!id.startsWith("t-")) return [];
  const found = [];
  for (const [, session] of await turns.range(rowKeys.sessions())) {
    const rows = await turns.range(rowKeys.turn(session.agent, session.session, id));
    for (const [, turn] of rows) {
      if (isItem(turn)) continue;
      const items = await turns.range(rowKeys.itemsOfTurn(turn.agent, turn.session, turn.id));
      found.push({
        kind: "turn",
        turn,
        items: items.map(([, item]) => item).sort((a, b) => a.order < b.order ? -1 : 1)
      });
    }
  }
  return found;
}
async function findSession(id, turns) {
  const rows = (await turns.range(rowKeys.sessions())).map(([, row]) => row);
  const exact = rows.filter((row) => row.session === id);
  if (exact.length > 0) return exact;
  return id.length < PREFIX_CHARS_MIN ? [] : rows.filter((row) => row.session.startsWith(id)).slice(0, CANDIDATES_MAX);
}
async function findEvents(id, log) {
  if (!/^[0-9a-f]{4,32}$/.test(id)) return [];
  const ids = id.length === 32 ? [id] : await log.idsByPrefix(id, CANDIDATES_MAX);
  const events = await log.getMany(ids);
  return events.filter((event) => event !== void 0).map((event) => ({ kind: "event", event }));
}

export {
  find,
  nameOf
};
//# sourceMappingURL=chunk-DOAZHVTA.js.map
