import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  createProgress,
  percent
} from "./chunk-FPUP7VSA.js";
import {
  duration
} from "./chunk-D3BEVKT5.js";
import {
  bytes,
  count,
  counted
} from "./chunk-AGD3NGDP.js";
import {
  oneLine
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";

// src/cli/commands/import.ts
var INTERRUPTED = 130;
var LOCK_TIMEOUT_MS = 6e4;
var SHOWN_PROBLEMS = 5;
var command = defineCommand({
  description: "Reads transcripts of Claude Code into the log: files, or folders with all files below. The transcripts are only read. What is there already is not taken again, so a second import is quick and changes nothing; an import that was stopped goes on where it was. Secrets and <private> text are taken out before anything is stored.",
  shape: (command2) => command2.argument("<path...>", "transcript files (*.jsonl) or folders that hold some"),
  examples: [
    ["import ~/.claude/projects", "everything Claude Code still has"],
    ["import session.jsonl --json", "one file, counts as JSON"]
  ],
  async run(session, _options, paths) {
    const outcome = await importPaths(session, paths);
    if (session.json) {
      if (outcome.report !== null) await session.terminal.json(outcome.report);
    } else if (outcome.report !== null) await printReport(session, outcome.report);
    if (outcome.interrupted) {
      session.terminal.note(
        `Stopped. What was read is kept; \`${session.name} import\` with the same paths goes on from here.`
      );
      return INTERRUPTED;
    }
    return outcome.report !== null && outcome.report.unreadable.length > 0 ? 1 : 0;
  }
});
async function importPaths(session, paths) {
  const { terminal, world } = session;
  const annals = await session.annals({ lockTimeoutMs: LOCK_TIMEOUT_MS });
  const controller = new AbortController();
  const progress = createProgress(terminal, world.now);
  const stopListening = world.onInterrupt(() => {
    progress.end();
    terminal.note("Stopping after this page; once more to leave at once.");
    controller.abort();
  });
  try {
    const report = await annals.import(paths, {
      signal: controller.signal,
      onProgress: (state) => progress.report(() => progressText(state))
    });
    return { report, interrupted: controller.signal.aborted };
  } catch (error) {
    if (controller.signal.aborted) return { report: null, interrupted: true };
    throw error;
  } finally {
    progress.end();
    stopListening();
  }
}
function progressText({ filesDone, filesTotal, bytesDone, bytesTotal, file }) {
  const share = percent(bytesDone, bytesTotal);
  const files = `${count(filesDone)} of ${counted(filesTotal, "file")}`;
  return `Importing: ${share}, ${files}, ${bytes(bytesDone)} of ${bytes(bytesTotal)}  ${oneLine(nameOf(file))}`;
}
function nameOf(path) {
  return path.split(/[\\/]/).slice(-2).join("/");
}
async function printReport({ terminal, name }, report) {
  const { style } = terminal;
  if (report.files === 0 && report.unreadable.length === 0) {
    terminal.note("No transcripts there: nothing below these paths ends in .jsonl.");
    return;
  }
  const what = [
    counted(report.sessions, "session"),
    counted(report.prompts, "prompt"),
    counted(report.toolUses, "tool use")
  ].join(", ");
  await terminal.line(
    `${style.bold(`Read ${counted(report.files, "file")}`)} in ${duration(report.ms)}: ${what}.`
  );
  const old = report.duplicates > 0 ? `; ${counted(report.duplicates, "event")} were there already` : "";
  await terminal.line(`${counted(report.appended, "new event")}${old}.`);
  await printProblems(terminal, report);
  if (report.appended > 0) terminal.tip(`Try: ${name} search "what you remember of it"`);
}
async function printProblems(terminal, report) {
  for (const { path, reason } of report.unreadable)
    terminal.note(`${terminal.style.yellow("not read:")} ${oneLine(path)}: ${oneLine(reason)}`);
  if (report.parked === 0) return;
  terminal.note(`${counted(report.parked, "line")} could not be used:`);
  for (const { file, offset, length, reason } of report.parkedLines.slice(0, SHOWN_PROBLEMS))
    terminal.note(`  ${oneLine(file)} at byte ${count(offset)}, ${bytes(length)}: ${oneLine(reason)}`);
  const more = report.parked - Math.min(report.parkedLines.length, SHOWN_PROBLEMS);
  if (more > 0) terminal.note(`  and ${count(more)} more (--json lists them)`);
}

export {
  command,
  importPaths
};
//# sourceMappingURL=chunk-SQI5ZWMB.js.map
