import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  printViews
} from "./chunk-FSP377PJ.js";
import {
  createProgress,
  percent
} from "./chunk-FPUP7VSA.js";
import "./chunk-D3BEVKT5.js";
import "./chunk-AGD3NGDP.js";
import "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/rebuild.ts
var command = defineCommand({
  description: "Makes views again from the log alone: each is filled aside from the first event on and then takes the place of the old one. Nothing is lost by it; equal digests before and after show that nothing changed.",
  shape: (command2) => command2.argument("[view...]", "names of views (default: all)"),
  examples: [
    ["rebuild", "all views"],
    ["rebuild text", "only the full-text index"],
    ["rebuild --json", "with whole digests"]
  ],
  async run(session, _options, names) {
    const annals = await session.annals();
    const progress = createProgress(session.terminal, session.world.now);
    const { views } = await annals.rebuild(names.length === 0 ? void 0 : names, {
      onProgress: (done, total) => progress.report(() => `Rebuilding: ${percent(done, total)}`)
    }).finally(() => progress.end());
    if (session.json) return session.terminal.json({ views });
    await printViews(session, views);
  }
});
export {
  command
};
//# sourceMappingURL=rebuild-CGX66VGI.js.map
