import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  printViews
} from "./chunk-FSP377PJ.js";
import {
  wholeNumber
} from "./chunk-33OXRW3Y.js";
import {
  createProgress,
  percent
} from "./chunk-FPUP7VSA.js";
import "./chunk-D3BEVKT5.js";
import {
  counted
} from "./chunk-AGD3NGDP.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/replay.ts
var command = defineCommand({
  description: "Catches every view up with the log from where it stands: what a start after a crash does. With --from 0 the whole log is run through again, aside, and compared: nothing may have changed. Exits 1 when something has.",
  shape: (command2) => command2.option(
    "--from <position>",
    "only 0: from the beginning, and compare",
    wholeNumber("--from", 0, 0)
  ),
  examples: [
    ["replay", "catch up"],
    ["replay --from 0", "show that the views are what the log says"]
  ],
  async run(session, { from }) {
    const annals = await session.annals();
    const progress = createProgress(session.terminal, session.world.now);
    const { views } = await annals.replay({
      ...from === void 0 ? {} : { from: 0 },
      onProgress: (done, total) => progress.report(() => `Replaying: ${percent(done, total)}`)
    }).finally(() => progress.end());
    const changed = views.filter((view) => view.changed);
    const failed = from === 0 && changed.length > 0;
    if (session.json) await session.terminal.json({ views });
    else {
      await printViews(session, views);
      if (from === 0 && !failed)
        await session.terminal.line("Nothing changed: the views are what the log says.");
      if (failed)
        session.terminal.note(
          `${counted(changed.length, "view")} differed: ${changed.map(({ name }) => name).join(", ")}. \`${session.name} rebuild\` makes them again.`
        );
    }
    return failed ? 1 : 0;
  }
});
export {
  command
};
//# sourceMappingURL=replay-D2CUX6PC.js.map
