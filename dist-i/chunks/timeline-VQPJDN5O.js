import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  wholeNumber
} from "./chunk-33OXRW3Y.js";
import {
  day
} from "./chunk-D3BEVKT5.js";
import {
  counted
} from "./chunk-AGD3NGDP.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import {
  cut,
  oneLine,
  toCells,
  width
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/timeline.ts
var LIMIT_MAX = 1e3;
var KIND_WIDTH = 9;
var ID_WIDTH = 14;
var command = defineCommand({
  description: "Prompts, observations, summaries and saved memories in the order in which they happened: the newest, or, with an id, what stands before and after that thing in its project.",
  shape: (command2) => command2.argument("[id]", "what stands in the middle: any id, or the beginning of one").option("--project <name>", "only this project").option("--session <id>", "only this session").option("--since <when>", "not older: a date, or 7d, 12h, 30m for that long ago").option("--until <when>", "not newer: a date, or 7d, 12h, 30m for that long ago").option(
    "--limit <number>",
    "at most this many rows (default: 20)",
    wholeNumber("--limit", 1, LIMIT_MAX)
  ),
  examples: [
    ["timeline", "the last 20 things, in all projects"],
    ["timeline o-q4m2x7c3n5pa --limit 10", "what happened around this observation"],
    ["timeline --project birdfeeder --since 7d", "a week of one project"],
    ["timeline --session 6f1d2c1e --json", "for a script"]
  ],
  async run(session, options, [id]) {
    const { terminal } = session;
    const answer = await (await session.annals()).timeline(asked(options, id));
    if (session.json) return terminal.json(answer);
    if (answer.rows.length === 0) terminal.note("Nothing stands in this span.");
    else await printRows(session, answer.rows, id);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(oneLine(sentence)));
    terminal.tip(
      terminal.style.dim(`${counted(answer.rows.length, "row")} \xB7 ${session.name} show <id> opens one`)
    );
  }
});
async function printRows({ terminal, world }, rows, middle) {
  const { style } = terminal;
  const now = world.now();
  let heading = "";
  for (const row of rows) {
    const time = row.at === null ? null : Date.parse(row.at);
    const above = `${time === null ? "time unknown" : day(time, now)} \xB7 ${oneLine(row.project)}`;
    if (above !== heading) await terminal.line(style.bold(cut(above, terminal.width)));
    heading = above;
    const clock = time === null ? "     " : clockOf(time);
    const kind = row.kind === "observation" ? row.type ?? row.kind : row.kind;
    const id = toCells(row.id, Math.max(ID_WIDTH, width(row.id)));
    const room = Math.max(16, terminal.width - ID_WIDTH - KIND_WIDTH - 12);
    const title = cut(oneLine(row.title), room);
    const isMiddle = middle !== void 0 && row.id.startsWith(middle);
    await terminal.line(
      `${isMiddle ? ">" : " "} ${style.dim(clock)}  ${style.dim(id)}  ${style.green(toCells(oneLine(kind), KIND_WIDTH))} ` + `${isMiddle ? style.bold(title) : title}`.trimEnd()
    );
  }
}
function clockOf(at) {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}
function asked({ project, session, since, until, limit }, around) {
  const given = { around, project, session, since, until, limit };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== void 0));
}
export {
  command
};
//# sourceMappingURL=timeline-VQPJDN5O.js.map
