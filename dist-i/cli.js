#!/usr/bin/env node
import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  version
} from "./chunks/chunk-GQYTMT3U.js";
import "./chunks/chunk-BELT5PH7.js";

// src/cli/main.ts
globalThis.__t = [];
globalThis.__m = (n) => __t.push([n, performance.now()]);
process.on("exit", () => {
  __m("exit");
  process.stderr.write(__t.map(([n, t]) => n + " " + t.toFixed(0)).join(" | ") + "\n");
});
__m("main");
var words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${version()}
`);
} else {
  const [{ run }, { processWorld }] = await Promise.all([import("./chunks/run-OCQQKTAG.js"), import("./chunks/process-world-6YX3LGG4.js")]);
  __m("runLoaded");
  process.exitCode = await run(words, processWorld());
}
//# sourceMappingURL=cli.js.map
