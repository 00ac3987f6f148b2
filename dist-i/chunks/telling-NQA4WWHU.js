import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  CATALOG
} from "./chunk-TYXJTTDK.js";
import "./chunk-YLAJVCKN.js";
import {
  AnnalsError,
  WITNESSES,
  eventId
} from "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// log/telling.ts
function checkTellings(tellings) {
  return tellings.map(checkTelling);
}
function checkTelling(telling, index) {
  const wrong = wrongField(telling);
  if (wrong !== null) throw invalid(index, "unknown", [wrong]);
  const kind = CATALOG[telling.type];
  const body = kind.body.safeParse(telling.body);
  if (!body.success) throw invalid(index, telling.type, ["body", ...body.error.issues[0]?.path ?? []]);
  return {
    id: eventId(telling),
    version: kind.version,
    telling,
    json: toJson(body.data, index, telling.type)
  };
}
function wrongField(telling) {
  const { type, agent, session, fact, witness, occurredAt, causation } = telling;
  if (typeof type !== "string" || !Object.hasOwn(CATALOG, type)) return "type";
  if (typeof agent !== "string" || agent === "") return "agent";
  if (session !== null && typeof session !== "string") return "session";
  if (typeof fact !== "string" || fact === "") return "fact";
  if (!WITNESSES.includes(witness)) return "witness";
  if (occurredAt !== null && !Number.isSafeInteger(occurredAt)) return "occurredAt";
  if (causation !== null && causation !== void 0 && typeof causation !== "string") return "causation";
  return null;
}
function toJson(body, index, type) {
  try {
    return JSON.stringify(body);
  } catch {
    throw invalid(index, type, ["body"]);
  }
}
function invalid(index, type, path) {
  const field = path.map(String).join(".");
  return new AnnalsError(
    "INPUT_INVALID",
    `Telling ${index} (${type}) cannot be stored: ${field === "" ? "it" : field} does not have the documented form.`,
    { hint: "Nothing of this call was stored.", facts: { index, type, field } }
  );
}
export {
  checkTellings
};
//# sourceMappingURL=telling-NQA4WWHU.js.map
