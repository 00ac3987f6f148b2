import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  problemsOf,
  projectCounts
} from "./chunk-MQGUQBYT.js";
import "./chunk-3Q575QWH.js";
import {
  captureCommand,
  claudeFolder,
  ourCommands,
  readSettings,
  scriptPath,
  settingsPath,
  shellQuote
} from "./chunk-WA5ZKCLD.js";
import "./chunk-UUIGHUSM.js";
import "./chunk-JGLDXPJ5.js";
import "./chunk-MP3YNJYS.js";
import {
  spoolFiles,
  spoolFolders
} from "./chunk-2OYYQARY.js";
import "./chunk-4WN6EROU.js";
import {
  isAnnalsError
} from "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// src/capture/spool/health.ts
var SPOOL_BYTES_MAX = 256 * 1024 * 1024;
var FILE_AGE_MAX_MS = 24 * 60 * 6e4;
async function spoolHealth(files, folders, now) {
  const [fresh, aside, bad] = await Promise.all([
    files.list(folders.new),
    files.list(folders.tmp),
    files.list(folders.bad)
  ]);
  const waiting = [...fresh.files, ...aside.files];
  const bytes = [...waiting, ...bad.files].reduce((sum, file) => sum + file.bytes, 0);
  const old = fresh.files.filter((file) => now - ms(file) > FILE_AGE_MAX_MS).length;
  const foreign = fresh.foreign + aside.foreign;
  const problems = [fresh, aside, bad].flatMap(({ problem }) => problem ?? []);
  const sentences = [
    ...problems.map((problem) => `The spool: ${problem}.`),
    bytes > SPOOL_BYTES_MAX && `The spool holds ${Math.round(bytes / 2 ** 20)} MiB (${waiting.length} files waiting); nothing of it is dropped.`,
    old > 0 && `${old} of the files in the spool are older than a day.`,
    foreign > 0 && `${foreign} entries of the spool are links, folders or another user's files; they are left alone.`
  ];
  return {
    new: fresh.files.length + fresh.foreign,
    bad: bad.files.length + bad.foreign,
    problems: sentences.filter((sentence) => sentence !== false)
  };
}
function ms({ modifiedNs }) {
  return Number(modifiedNs / 1000000n);
}

// src/install/standing.ts
import { constants } from "node:fs";
import { access } from "node:fs/promises";
var AGAIN = "`annals install claude-code` mends it.";
async function hookProblems(home, folder = claudeFolder()) {
  const path = settingsPath(folder);
  try {
    const { text } = await readSettings(path);
    const commands = ourCommands(text, path);
    if (!commands.some(
      (command) => command.includes(shellQuote(home)) || command === captureCommand(home, "claude-code")
    ))
      return [];
    const problems = [];
    if (commands.includes(captureCommand(home, "claude-code")) && !await mayRun(scriptPath(home)))
      problems.push(
        `The capture script ${scriptPath(home)} is missing or may not be run, so hooks record nothing; ${AGAIN}`
      );
    for (const node of new Set(commands.map((command) => /^\[ -x '(.+?)' \] && '/.exec(command)?.[1])))
      if (node !== void 0 && !await mayRun(node.replaceAll("'\\''", "'")))
        problems.push(`Node is no longer at ${node}, so nothing is read when a session starts; ${AGAIN}`);
    return problems;
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return error.code === "INPUT_INVALID" ? [`${path} cannot be read, so its hooks do not run: ${error.message}`] : [];
  }
}
async function mayRun(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false
  );
}

// src/operations/status.ts
async function statusOf(opened) {
  const { paths, log, runner, views, drained, now } = opened;
  await runner.catchUp();
  const head = log.head().position;
  const states = runner.states();
  const spool = await spoolHealth(spoolFiles, spoolFolders(paths.home), now());
  return {
    home: paths.home,
    log: { events: head, head, bytes: await log.bytes() },
    views: states.map(({ name, version, position, lag }) => ({ name, version, position, lag })),
    spool: { new: spool.new, bad: spool.bad },
    worker: null,
    projects: await projectCounts(views),
    degraded: [
      ...problemsOf(opened),
      .../* @__PURE__ */ new Set([...spool.problems, ...drained.problems]),
      ...await hookProblems(paths.home),
      ...states.filter(({ deadLetters }) => deadLetters > 0).map(
        ({ name, deadLetters }) => `${deadLetters} events could not be folded into the ${name} view; \`annals rebuild ${name}\` tries them again.`
      )
    ]
  };
}
export {
  statusOf
};
//# sourceMappingURL=status-XXINNX7L.js.map
