import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  cut
} from "./chunk-J4PDMW5Z.js";

// src/cli/progress.ts
var QUIET_MS = 1e3;
var REWRITE_MS = 100;
var LINE_MS = 5e3;
function createProgress(terminal, now) {
  const started = now();
  let shownAt = null;
  return {
    report(text) {
      const time = now();
      if (time - started < QUIET_MS) return;
      const pause = terminal.interactive ? REWRITE_MS : LINE_MS;
      if (shownAt !== null && time - shownAt < pause) return;
      shownAt = time;
      if (terminal.interactive) terminal.rewrite(cut(text(), terminal.width - 1));
      else terminal.note(text());
    },
    end() {
      if (terminal.interactive && shownAt !== null) terminal.rewrite(null);
    }
  };
}
function percent(done, total) {
  return `${total === 0 ? 100 : Math.min(100, Math.floor(done / total * 100))} %`;
}

export {
  createProgress,
  percent
};
//# sourceMappingURL=chunk-FPUP7VSA.js.map
