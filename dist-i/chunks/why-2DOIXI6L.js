import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  nameOf
} from "./chunk-DOAZHVTA.js";
import "./chunk-3Q575QWH.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// src/operations/why.ts
async function whyOf(found, { log }) {
  const events = (await log.getMany(eventsOf(found))).filter((event) => event !== void 0);
  events.sort((a, b) => a.position - b.position);
  return {
    id: nameOf(found),
    title: titleOf(found),
    kind: found.kind === "document" ? found.document.kind : found.kind,
    steps: steps(found, events),
    events
  };
}
function eventsOf(found) {
  switch (found.kind) {
    case "document":
      return found.document.events;
    case "turn":
      return found.items.flatMap((item) => item.tellings.map((telling) => telling.event));
    case "session":
      return found.session.tellings.map((telling) => telling.event);
    case "event":
      return [found.event.id];
  }
}
function titleOf(found) {
  switch (found.kind) {
    case "document":
      return found.document.title;
    case "turn":
      return `Turn of session ${found.turn.session}`;
    case "session":
      return found.session.title ?? found.session.session;
    case "event":
      return found.event.type;
  }
}
function steps(found, events) {
  const path = [];
  if (found.kind === "document") {
    const { id, kind, turn, session, place } = found.document;
    path.push(
      `${kind} ${id} was made by the memory view from ${events.length} event${events.length === 1 ? "" : "s"}`
    );
    if (turn !== null) path.push(`it belongs to turn ${turn} of session ${session}`);
    else if (session !== null) path.push(`it was saved in session ${session}`);
    if (place !== "") path.push(`that session began in ${place}`);
  }
  return path;
}
export {
  whyOf
};
//# sourceMappingURL=why-2DOIXI6L.js.map
