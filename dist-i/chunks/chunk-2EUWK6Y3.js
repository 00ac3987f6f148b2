import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  oneLine
} from "./chunk-J4PDMW5Z.js";

// src/cli/gist.ts
var TELLING_FIELDS = ["command", "file_path", "pattern", "path", "url", "query", "description", "prompt"];
function gist(event) {
  const body = { ...event.body };
  if (body.private === true) return "(private)";
  if (typeof body.toolUseId === "string") return toolGist(body);
  const said = [body.title, body.text, body.reason, body.source, body.into, body.cwd].find(
    (value) => typeof value === "string" && value.trim() !== ""
  );
  return oneLine(typeof said === "string" ? said : "");
}
function toolGist(body) {
  const input = typeof body.input === "object" && body.input !== null ? body.input : {};
  const fields = { ...input };
  const telling = TELLING_FIELDS.map((field) => fields[field]).find((value) => typeof value === "string");
  const outcome = body.outcome === void 0 || body.outcome === "ok" ? "" : ` ${body.outcome}`;
  return oneLine(`${body.name}${outcome}${telling === void 0 ? "" : `: ${telling}`}`);
}

export {
  gist
};
//# sourceMappingURL=chunk-2EUWK6Y3.js.map
