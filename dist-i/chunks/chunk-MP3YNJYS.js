import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/platform/random.ts
import { randomBytes as nodeRandomBytes } from "node:crypto";
function randomBytes(size) {
  return nodeRandomBytes(size);
}

export {
  randomBytes
};
//# sourceMappingURL=chunk-MP3YNJYS.js.map
