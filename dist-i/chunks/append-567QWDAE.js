import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  TRANSCRIPT_CLIP_BYTES,
  sanitizeValue
} from "./chunk-JGLDXPJ5.js";
import "./chunk-BELT5PH7.js";

// src/operations/append.ts
function cleanTelling(telling) {
  const author = telling.type === "prompt.submitted" || telling.type === "memory.saved" ? "person" : "tool";
  return {
    ...telling,
    body: sanitizeValue(telling.body, { author, clipBytes: TRANSCRIPT_CLIP_BYTES })
  };
}
export {
  cleanTelling
};
//# sourceMappingURL=append-567QWDAE.js.map
