import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  agreed,
  expectClaudeCode,
  report,
  requestOf
} from "./chunk-SKMRBN7A.js";
import {
  planUninstall,
  uninstall
} from "./chunk-WA5ZKCLD.js";
import "./chunk-UUIGHUSM.js";
import "./chunk-JGLDXPJ5.js";
import "./chunk-XCJCHAAL.js";
import "./chunk-AMKOORB4.js";
import "./chunk-MP3YNJYS.js";
import "./chunk-2OYYQARY.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-GQYTMT3U.js";
import "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/uninstall.ts
var command = defineCommand({
  description: "Takes our hooks out of Claude Code's settings.json and removes the capture script. Other hooks, and everything recorded so far, stay.",
  shape: (command2) => command2.argument("<agent>", "claude-code").option("--dry-run", "show what would change, and change nothing").option("--yes", "do not ask"),
  examples: [
    ["uninstall claude-code --dry-run", "look first"],
    ["uninstall claude-code", "asks, then takes them out"]
  ],
  async run(session, options, [agent]) {
    expectClaudeCode(agent);
    const { home, claudeFolder } = requestOf(session, options);
    const plan = await planUninstall(claudeFolder);
    if (!await agreed(session, options, plan, "uninstalled")) return;
    const backup = await uninstall(home, plan, session.world.now());
    await report(session, plan, { installed: false, backup }, "What was recorded stays.");
  }
});
export {
  command
};
//# sourceMappingURL=uninstall-TL4YWLCH.js.map
