import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/api.ts
var CONTEXT_OCCASIONS = ["startup", "resume", "clear", "compact", "fork"];

export {
  CONTEXT_OCCASIONS
};
//# sourceMappingURL=chunk-IWVMYO6Y.js.map
