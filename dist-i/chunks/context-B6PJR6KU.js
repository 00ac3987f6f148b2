import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  CONTEXT_OCCASIONS
} from "./chunk-IWVMYO6Y.js";
import "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
import {
  oneLine
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/context.ts
import { resolve } from "node:path";
var command = defineCommand({
  description: "Shows what the next session of a project is told: where the last one stopped, what is open, which decisions stand, how things are run here. --agent prints the very text that an agent gets, at most 9,000 characters.",
  shape: (command2) => command2.option("--project <name>", "this project (default: the one of --cwd)").option("--cwd <folder>", "the project of this folder (default: where you are)").option(
    "--kind <kind>",
    `how the session begins: ${CONTEXT_OCCASIONS.join(", ")} (default: startup)`,
    occasion
  ).option("--session <id>", "the session that goes on, for resume, compact and fork").option("--agent", "as an agent reads it"),
  examples: [
    ["context", "what a session started here is told"],
    ["context --project birdfeeder --agent", "the text itself"],
    ["context --kind compact --session 6f1d2c1e-77aa --agent", "what a compacted session is told"],
    ["context --json", "for a script: the text an agent gets, and its tokens"]
  ],
  async run({ annals, json, terminal, name, world }, { project, cwd, kind, session, agent }) {
    const answer = await (await annals()).context({
      ...project === void 0 ? { cwd: resolve(world.folder, cwd ?? "") } : { project },
      ...kind === void 0 ? {} : { kind },
      ...session === void 0 ? {} : { session },
      form: agent === true || json ? "agent" : "person",
      now: world.now(),
      width: terminal.width,
      color: terminal.color
    });
    if (json) return terminal.json(answer);
    if (answer.text === "") terminal.note(`Nothing is known of ${oneLine(answer.project)} yet.`);
    else await terminal.line(answer.text);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(oneLine(sentence)));
    if (agent !== true) terminal.tip(terminal.style.dim(`${name} show <id> opens a line`));
  }
});
function occasion(word) {
  const known = CONTEXT_OCCASIONS.find((kind) => kind === word);
  if (known === void 0)
    throw new AnnalsError("USAGE", `A session does not begin by "${word}".`, {
      hint: `Kinds are ${CONTEXT_OCCASIONS.join(", ")}.`
    });
  return known;
}
export {
  command
};
//# sourceMappingURL=context-B6PJR6KU.js.map
