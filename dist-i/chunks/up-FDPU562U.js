import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  importPaths
} from "./chunk-SQI5ZWMB.js";
import "./chunk-FPUP7VSA.js";
import "./chunk-D3BEVKT5.js";
import {
  counted
} from "./chunk-AGD3NGDP.js";
import {
  packageRoot
} from "./chunk-GQYTMT3U.js";
import {
  cut,
  oneLine
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/up.ts
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

// src/cli/suggest.ts
var RECENT_EVENTS = 2e3;
var WORDS_ASKED = 4;
var COMMON = new Set(
  "about after again also been before could does doing from have into just like make more need only other please please should some than that their them then there these they this want were what when where which while will with would your".split(
    " "
  )
);
async function suggest(annals, status) {
  const suggestions = [];
  const prompt = await recentPrompt(annals, status.log.head);
  const query = prompt === null ? null : queryOf(prompt);
  const hit = query === null ? void 0 : (await annals.search(query, { limit: 1 })).results[0];
  if (query !== null && prompt !== null && hit !== void 0) {
    suggestions.push({
      line: `search ${query}`,
      what: `words of a recent prompt: \u201C${cut(oneLine(prompt), 46)}\u201D`
    });
    suggestions.push({ line: `why ${hit.id}`, what: "from its best answer to the events it came from" });
  }
  const project = [...status.projects].sort((a, b) => b.sessions - a.sessions)[0];
  if (project !== void 0) {
    const found = await annals.search("error failed", { project: project.name, limit: 1 });
    if (found.results.length > 0)
      suggestions.push({
        line: `search error failed --project ${shellWord(oneLine(project.name))}`,
        what: `what went wrong in ${oneLine(project.name)}`
      });
  }
  const always = [
    { line: "status", what: "how much is here, and is all well" },
    { line: "log", what: "the last events as they were told" },
    { line: "verify", what: "is the log what was written?" }
  ];
  return [...suggestions, ...always].slice(0, 3);
}
async function recentPrompt(annals, head) {
  let latest = null;
  for await (const event of annals.log({
    type: "prompt.submitted",
    after: Math.max(0, head - RECENT_EVENTS)
  })) {
    if (event.type !== "prompt.submitted") continue;
    const { text, kind } = event.body;
    const at = event.occurredAt ?? 0;
    if (text === null || kind !== "prompt" || queryOf(text) === null) continue;
    if (latest === null || at >= latest.at) latest = { text, at };
  }
  return latest?.text ?? null;
}
function queryOf(text) {
  const words = (oneLine(text).match(new RegExp("\\p{L}{4,20}|\\b[A-Z]{2,5}\\b", "gu")) ?? []).map((word) => word.toLowerCase());
  const asked = [...new Set(words)].filter((word) => !COMMON.has(word)).slice(0, WORDS_ASKED);
  return asked.length < 2 ? null : asked.join(" ");
}
function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// src/cli/commands/up.ts
var INTERRUPTED = 130;
var PROJECTS_SHOWN = 5;
var FOLDER_DEPTH = 4;
var command = defineCommand({
  description: "Imports the transcripts that Claude Code keeps on this machine, or, where there are none, the example session that comes with Annals; then says what it found and what can be asked. Asks nothing and only reads the transcripts. Transcripts are looked for in $CLAUDE_CONFIG_DIR/projects, else in ~/.claude/projects.",
  shape: (command2) => command2,
  examples: [
    ["up", "the first command to run"],
    ["up --home /tmp/annals", "to try it without leaving anything in ~/.annals"]
  ],
  async run(session) {
    const { terminal } = session;
    const own = transcriptsFolder(session.world);
    const source = own ?? join(packageRoot(), "examples");
    if (!session.json)
      terminal.note(
        own === null ? "No transcripts of Claude Code here: showing the example." : `Reading ${own}`
      );
    const { report, interrupted } = await importPaths(session, [source]);
    if (interrupted || report === null) {
      terminal.note(`Stopped. What was read is kept; \`${session.name} up\` goes on from here.`);
      return INTERRUPTED;
    }
    const annals = await session.annals();
    const status = await annals.status();
    const suggestions = await suggest(annals, status);
    if (session.json)
      await terminal.json({
        source,
        example: own === null,
        imported: report,
        projects: status.projects,
        suggestions
      });
    else await printFound(session, report, status, suggestions);
    return 0;
  }
});
function transcriptsFolder(world) {
  const folder = join(world.environment.CLAUDE_CONFIG_DIR || join(world.userHome, ".claude"), "projects");
  return existsSync(folder) && holdsTranscripts(folder, FOLDER_DEPTH) ? folder : null;
}
function holdsTranscripts(folder, depth) {
  let entries;
  try {
    entries = list(folder);
  } catch {
    return false;
  }
  if (entries.some((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))) return true;
  return depth > 1 && entries.some((entry) => entry.isDirectory() && holdsTranscripts(join(folder, entry.name), depth - 1));
}
function list(folder) {
  return readdirSync(folder, { withFileTypes: true });
}
async function printFound({ terminal, name }, report, status, suggestions) {
  const { style } = terminal;
  const what = [
    counted(report.sessions, "session"),
    counted(report.prompts, "prompt"),
    counted(report.toolUses, "tool use")
  ].join(", ");
  await terminal.line(`${style.bold(`Found ${counted(report.files, "file")}`)}: ${what}.`);
  const projects = [...status.projects].sort((a, b) => b.sessions - a.sessions).map(({ name: name2 }) => oneLine(name2));
  const more = projects.length > PROJECTS_SHOWN ? ` and ${projects.length - PROJECTS_SHOWN} more` : "";
  if (projects.length > 0)
    await terminal.line(
      cut(
        `${counted(projects.length, "project")}: ${projects.slice(0, PROJECTS_SHOWN).join(", ")}${more}`,
        terminal.width
      )
    );
  if (report.unreadable.length > 0)
    terminal.note(
      `${counted(report.unreadable.length, "file or folder", "files or folders")} could not be read.`
    );
  await terminal.line(`
${style.bold("Try")}`);
  for (const { line, what: reason } of suggestions) {
    await terminal.line(`  ${style.cyan(`${name} ${line}`)}`);
    await terminal.line(style.dim(`      ${reason}`));
  }
}
export {
  command
};
//# sourceMappingURL=up-FDPU562U.js.map
