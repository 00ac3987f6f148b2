import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  duration
} from "./chunk-D3BEVKT5.js";
import {
  count
} from "./chunk-AGD3NGDP.js";
import {
  toCells
} from "./chunk-J4PDMW5Z.js";

// src/cli/views.ts
var DIGEST_SHOWN = 16;
async function printViews({ terminal }, views) {
  const { style } = terminal;
  const names = Math.max(4, ...views.map(({ name }) => name.length));
  await terminal.line(
    style.dim(`${toCells("view", names)}  ${"events".padStart(9)}  ${"time".padStart(9)}  digest`)
  );
  for (const { name, events, ms, digest } of views)
    await terminal.line(
      `${toCells(name, names)}  ${count(events).padStart(9)}  ${duration(ms).padStart(9)}  ${digest.slice(0, DIGEST_SHOWN)}`
    );
}

export {
  printViews
};
//# sourceMappingURL=chunk-FSP377PJ.js.map
