import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  redactText
} from "./chunk-JGLDXPJ5.js";

// src/capture/claude-code/line.ts
function objectOf(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
}
function listOf(value) {
  return Array.isArray(value) ? value : [];
}
function stringOf(value) {
  return typeof value === "string" ? value : null;
}
function idOf(value) {
  return typeof value === "string" && value.length > 0 && value.length <= 256 ? value : null;
}
function wholeOf(value) {
  if (typeof value !== "number") return null;
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) ? rounded : null;
}
function timeOf(value) {
  return typeof value === "string" ? wholeOf(Date.parse(value)) : null;
}
function usageOf(value) {
  const usage = objectOf(value);
  if (usage === null) return null;
  return {
    input: wholeOf(usage.input_tokens) ?? 0,
    output: wholeOf(usage.output_tokens) ?? 0,
    cacheRead: wholeOf(usage.cache_read_input_tokens) ?? 0,
    cacheCreation: wholeOf(usage.cache_creation_input_tokens) ?? 0
  };
}
function blocksOf(message) {
  const content = message?.content;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).map(objectOf).filter((block) => block !== null);
}
function parseLine(bytes) {
  try {
    return objectOf(
      JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"))
    );
  } catch {
    return null;
  }
}
function nameOf(value) {
  if (typeof value !== "string" || !/^[a-z][a-z0-9_-]{0,47}$/i.test(value)) return "(unnamed)";
  return redactText(value) === value ? value : "(unnamed)";
}

export {
  objectOf,
  listOf,
  stringOf,
  idOf,
  wholeOf,
  timeOf,
  usageOf,
  blocksOf,
  parseLine,
  nameOf
};
//# sourceMappingURL=chunk-UUIGHUSM.js.map
