import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  claudeFolder,
  install,
  planInstall
} from "./chunk-WA5ZKCLD.js";
import {
  openHome
} from "./chunk-XCJCHAAL.js";
import {
  homePath
} from "./chunk-AMKOORB4.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
import {
  packageRoot
} from "./chunk-GQYTMT3U.js";
import {
  plain
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";

// src/cli/commands/install.ts
import { join, resolve } from "node:path";

// src/install/diff.ts
var AROUND = 3;
function lineDiff(before, after) {
  const marked = compare(linesOf(before), linesOf(after));
  const near = marked.map(
    (_, at) => marked.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(" "))
  );
  return marked.flatMap((line, at) => near[at] ? [line] : near[at - 1] ? ["\u2026"] : []);
}
function compare(before, after) {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i2 = before.length - 1; i2 >= 0; i2--)
    for (let j2 = after.length - 1; j2 >= 0; j2--)
      common[i2 * width + j2] = before[i2] === after[j2] ? common[(i2 + 1) * width + j2 + 1] + 1 : Math.max(common[(i2 + 1) * width + j2], common[i2 * width + j2 + 1]);
  const marked = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      marked.push(`  ${before[i++]}`);
      j += 1;
    } else if (j === after.length || i < before.length && common[(i + 1) * width + j] >= common[i * width + j + 1])
      marked.push(`- ${before[i++]}`);
    else marked.push(`+ ${after[j++]}`);
  }
  return marked;
}
function linesOf(text) {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

// src/cli/commands/install.ts
var command = defineCommand({
  description: "Puts our hooks into Claude Code's settings.json, so that every session is recorded as it happens. Shows what would change and asks first; makes a backup; leaves all else in the file as it is. Doing it twice is the same as once. CLAUDE_CONFIG_DIR is heeded.",
  shape: (command2) => command2.argument("<agent>", "claude-code").option("--dry-run", "show what would change, and change nothing").option("--yes", "do not ask"),
  examples: [
    ["install claude-code --dry-run", "look first"],
    ["install claude-code", "asks, then installs"]
  ],
  async run(session, options, [agent]) {
    expectClaudeCode(agent);
    const request = requestOf(session, options);
    const plan = await planInstall(request);
    if (!await agreed(session, options, plan, "installed")) return;
    await openHome(request.home);
    const backup = await install(request, plan, session.world.now());
    await report(
      session,
      plan,
      { installed: true, backup },
      `Hooks of Claude Code write to ${request.home}.`
    );
  }
});
function requestOf({ world }, { home }) {
  return {
    home: home === void 0 ? homePath(world.environment, world.userHome) : resolve(world.folder, home),
    claudeFolder: claudeFolder(world.environment, world.userHome),
    program: { node: process.execPath, cli: join(packageRoot(), "dist", "cli.js") },
    windows: process.platform === "win32"
  };
}
function expectClaudeCode(agent) {
  if (agent !== "claude-code")
    throw new AnnalsError("USAGE", `There are no hooks for an agent named "${agent ?? ""}".`, {
      hint: "Known: claude-code."
    });
}
async function agreed(session, { dryRun, yes }, { settings, text }, done) {
  const { terminal, world, json } = session;
  const { style } = terminal;
  const changed = settings.text !== text;
  const diff = lineDiff(settings.text, text);
  if (settings.target !== settings.path && settings.isLink)
    terminal.note(`${settings.path} is a link; what is edited is ${settings.target}.`);
  if (dryRun === true) {
    if (json) await terminal.json({ settings: settings.path, target: settings.target, changed, diff });
    else if (!changed) await terminal.line(`${settings.path} needs no change.`);
    else await printDiff(session, settings.target, diff);
    return false;
  }
  if (!changed || yes === true) return true;
  if (!world.stdin.isTerminal)
    throw new AnnalsError("USAGE", "Nothing was changed: there is no terminal to ask.", {
      hint: "Add --yes, or look first with --dry-run."
    });
  await printDiff(session, settings.target, diff);
  terminal.note(style.bold("Change this file? [y/N]"));
  if (/^y(es)?$/i.test((await world.stdin.readLine()).trim())) return true;
  terminal.note(`Nothing was ${done}.`);
  return false;
}
async function report({ terminal, json }, { settings, text }, { installed, backup }, sentence) {
  const changed = settings.text !== text;
  const { path, target } = settings;
  if (json) return terminal.json({ settings: path, target, installed, changed, backup });
  await terminal.line(
    changed ? `${target} was changed. ${sentence}` : `${target} needed no change. ${sentence}`
  );
  if (backup !== null) await terminal.line(`The file as it was: ${backup}`);
}
async function printDiff({ terminal }, path, diff) {
  const { style } = terminal;
  await terminal.line(style.bold(path));
  for (const line of diff) {
    const shown = plain(line);
    await terminal.line(
      line.startsWith("+") ? style.green(shown) : line.startsWith("-") ? style.red(shown) : shown
    );
  }
}

export {
  command,
  requestOf,
  expectClaudeCode,
  agreed,
  report
};
//# sourceMappingURL=chunk-SKMRBN7A.js.map
