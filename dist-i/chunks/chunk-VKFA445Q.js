import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  listOf,
  objectOf,
  stringOf
} from "./chunk-UUIGHUSM.js";
import {
  isPrivatePrompt,
  isTaskNotification,
  sanitizeValue
} from "./chunk-JGLDXPJ5.js";

// src/capture/claude-code/sanitize.ts
function sanitizerOf(clipBytes) {
  return {
    value: (value, author) => sanitizeValue(value, { author, clipBytes }),
    isPrivate: isPrivatePrompt,
    isTaskNotification
  };
}
function sanitizeText(sanitizer, text, author) {
  const clean = sanitizer.value(text, author);
  return typeof clean === "string" ? clean : "";
}

// src/capture/claude-code/tool-result.ts
function resultText(block) {
  const { content } = block;
  if (content === void 0 || content === null) return null;
  if (typeof content === "string") return content;
  const pieces = listOf(content).map((piece) => {
    const part = objectOf(piece);
    if (part?.type === "text") return stringOf(part.text) ?? "";
    if (part?.type === "tool_reference") return `[tool ${stringOf(part.tool_name) ?? ""}]`;
    return `[${stringOf(part?.type) ?? "unknown"}]`;
  });
  return pieces.join("\n");
}
var WHOLE = /* @__PURE__ */ new Set([
  "originalFile",
  "originalFileContents",
  "structuredPatch",
  "gitDiff",
  "base64",
  "prompt"
]);
var REPEATED_LENGTH_MIN = 24;
function detailOf(structured, input, shown) {
  if (typeof structured === "string") return null;
  const said = /* @__PURE__ */ new Set();
  collectStrings(input, said);
  const words = (shown ?? "").trim();
  const isSaid = (text) => {
    if (said.has(text)) return true;
    const trimmed = text.trim();
    return trimmed.length < REPEATED_LENGTH_MIN ? trimmed === words : words.includes(trimmed);
  };
  return lessen(structured, isSaid) ?? null;
}
function lessen(value, isSaid, key = null) {
  if (key !== null && WHOLE.has(key)) return void 0;
  if (typeof value === "string")
    return value === "" || key !== "filePath" && isSaid(value) ? void 0 : value;
  if (Array.isArray(value)) {
    const kept2 = value.flatMap((one) => lessen(one, isSaid) ?? []);
    return kept2.length === 0 ? void 0 : kept2;
  }
  const object = objectOf(value);
  if (object === null) return value;
  if (object.type === "text" && typeof object.text === "string" && isSaid(object.text)) return void 0;
  if (object.type === "image" && key === null && object.source !== void 0) return void 0;
  const kept = {};
  for (const [name, one] of Object.entries(object)) {
    if (key === "file" && name === "content") continue;
    const less = lessen(one, isSaid, name);
    if (less !== void 0) kept[name] = less;
  }
  return Object.keys(kept).length === 0 ? void 0 : kept;
}
function collectStrings(value, into) {
  if (typeof value === "string") into.add(value);
  else if (value !== null && typeof value === "object")
    for (const one of Object.values(value)) collectStrings(one, into);
}

export {
  sanitizerOf,
  sanitizeText,
  resultText,
  detailOf
};
//# sourceMappingURL=chunk-VKFA445Q.js.map
