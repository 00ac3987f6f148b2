import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/platform/clock.ts
function now() {
  return Date.now();
}

export {
  now
};
//# sourceMappingURL=chunk-2KWEB5KP.js.map
