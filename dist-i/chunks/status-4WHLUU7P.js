import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  bytes,
  count,
  counted
} from "./chunk-AGD3NGDP.js";
import {
  oneLine,
  toCells
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/status.ts
var PROJECTS_SHOWN = 8;
var LABEL_WIDTH = 10;
var command = defineCommand({
  description: "One screen: where the log is, how much it holds, whether the views are up to date, which projects.",
  shape: (command2) => command2,
  examples: [
    ["status", "for a person"],
    ["status --json", "for a script"]
  ],
  async run(session) {
    const status = await (await session.annals()).status();
    if (session.json) return session.terminal.json(status);
    await printStatus(session, status);
  }
});
async function printStatus({ terminal, name, world }, status) {
  const { style } = terminal;
  const row = (label, value) => terminal.line(`${style.bold(toCells(label, LABEL_WIDTH))}${value}`);
  const { log, views, spool, worker, projects } = status;
  await row("Home", shortHome(status.home, world.userHome));
  await row("Log", `${counted(log.events, "event")}, ${bytes(log.bytes)}`);
  await row("Views", viewsText(views, style));
  for (const view of views.filter(({ lag }) => lag > 0))
    await row("", `${view.name} is ${counted(view.lag, "event")} behind`);
  if (spool.new + spool.bad > 0)
    await row("Spool", `${count(spool.new)} waiting, ${count(spool.bad)} unusable`);
  if (worker !== null) await row("Worker", `process ${worker.pid}`);
  if (projects.length > 0) await terminal.line();
  const shown = [...projects].sort((a, b) => b.sessions - a.sessions).slice(0, PROJECTS_SHOWN);
  const names = Math.max(0, ...shown.map((project) => oneLine(project.name).length));
  for (const [index, project] of shown.entries()) {
    const sessions = counted(project.sessions, "session").padStart(12);
    const observed = project.observations > 0 ? `  ${counted(project.observations, "observation").padStart(19)}` : "";
    await row(
      index === 0 ? "Projects" : "",
      `${style.cyan(toCells(oneLine(project.name), names))}  ${sessions}${observed}`
    );
  }
  if (projects.length > shown.length) await row("", style.dim(`and ${projects.length - shown.length} more`));
  for (const sentence of status.degraded) terminal.note(style.yellow(oneLine(sentence)));
  if (log.events === 0) terminal.note(`Nothing here yet. Try: ${name} import ~/.claude/projects`);
}
function viewsText(views, style) {
  if (views.length === 0) return "none yet";
  const behind = views.filter(({ lag }) => lag > 0).length;
  const names = views.map(({ name }) => name).join(", ");
  return behind === 0 ? `${names}: up to date` : style.yellow(`${names}: ${behind} of ${views.length} behind`);
}
function shortHome(home, userHome) {
  return home.startsWith(`${userHome}/`) ? `~${home.slice(userHome.length)}` : home;
}
export {
  command
};
//# sourceMappingURL=status-4WHLUU7P.js.map
