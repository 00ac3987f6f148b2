import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  gist
} from "./chunk-2EUWK6Y3.js";
import {
  moment
} from "./chunk-D3BEVKT5.js";
import {
  counted
} from "./chunk-AGD3NGDP.js";
import {
  cut,
  oneLine,
  wrap
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/why.ts
var command = defineCommand({
  description: "Goes from a thing to the exact events it came from: who told what, when, and which rules made this of it.",
  shape: (command2) => command2.argument("<id>", "an id, or the beginning of one"),
  examples: [
    ["why t-q4m2x7c3n5pa", "where this tool use is known from"],
    ["why t-q4m2x7c3n5pa --json", "the same with the whole events"]
  ],
  async run(session, _options, [id = ""]) {
    const answer = await (await session.annals()).why(id);
    if (session.json) return session.terminal.json(answer);
    await printPath(session, answer);
  }
});
async function printPath({ terminal }, why) {
  const { style, width } = terminal;
  await terminal.line(`${style.bold(cut(oneLine(why.title) || why.id, width))}`);
  await terminal.line(style.dim(`${oneLine(why.kind)} \xB7 ${why.id}`));
  for (const step of why.steps) {
    await terminal.line(style.dim("\u2502"));
    const [first = "", ...rest] = wrap(oneLine(step), width - 3);
    await terminal.line(`${style.dim("\u251C\u2500")} ${first}`);
    for (const line of rest) await terminal.line(`${style.dim("\u2502")}  ${line}`);
  }
  await terminal.line(style.dim("\u2502"));
  if (why.events.length === 0)
    return terminal.line(`${style.dim("\u2514\u2500")} no event: nothing in the log says this`);
  await terminal.line(`${style.dim("\u2514\u2500")} ${counted(why.events.length, "event")} in the log:`);
  for (const [index, event] of why.events.entries()) {
    const last = index === why.events.length - 1;
    const time = event.occurredAt === null ? "time unknown" : moment(event.occurredAt);
    await terminal.line(
      `   ${style.dim(last ? "\u2514\u2500" : "\u251C\u2500")} ${style.green(event.type)} told by ${event.witness}, ${time}`
    );
    const below = `   ${style.dim(last ? "  " : "\u2502 ")}   `;
    await terminal.line(below + cut(gist(event), width - 8));
    await terminal.line(below + style.dim(`#${event.position}  ${event.id}`));
  }
}
export {
  command
};
//# sourceMappingURL=why-AVOQ6RYV.js.map
