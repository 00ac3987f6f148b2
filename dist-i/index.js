import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  search
} from "./chunks/chunk-YSE6253P.js";
import {
  now
} from "./chunks/chunk-2KWEB5KP.js";
import {
  partitionsOf,
  problemsOf,
  projectPartitions
} from "./chunks/chunk-MQGUQBYT.js";
import {
  TextView,
  contextProjector,
  directoryShelf,
  memoryProjector,
  openRunner,
  projectsProjector,
  resolveProject,
  rowKeys,
  turnsProjector
} from "./chunks/chunk-3Q575QWH.js";
import {
  openHome
} from "./chunks/chunk-XCJCHAAL.js";
import {
  homePath,
  homePaths
} from "./chunks/chunk-AMKOORB4.js";
import {
  randomBytes
} from "./chunks/chunk-MP3YNJYS.js";
import {
  folderBytes,
  list,
  makeFolder,
  readInPlace,
  readText,
  remove,
  spoolFiles,
  spoolFolders,
  writeAtomically
} from "./chunks/chunk-2OYYQARY.js";
import {
  EVENT_TYPES,
  openLog
} from "./chunks/chunk-4WN6EROU.js";
import {
  AnnalsError,
  ERROR_CODES,
  isAnnalsError
} from "./chunks/chunk-U2URHJCI.js";
import "./chunks/chunk-BELT5PH7.js";

// src/annals.ts
import { homedir } from "node:os";
import { join } from "node:path";

// src/config/read-settings.ts
var DEFAULTS = { exclude: [] };
async function readSettings(text, environment) {
  if (text === null && environment.ANNALS_EXCLUDE === void 0) return { settings: DEFAULTS, degraded: [] };
  const { parseSettings } = await import("./chunks/settings-VZC6X6AI.js");
  return parseSettings(text, environment);
}

// src/lock.ts
var FIRST_WAIT_MS = 20;
var LONGEST_WAIT_MS = 250;
var SAY_SO_AFTER_MS = 1e3;
async function whenFree(open, { timeoutMs, now: now2, onWait }) {
  const began = now2();
  let said = false;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await open();
    } catch (error) {
      if (!isAnnalsError(error) || error.code !== "HOME_LOCKED") throw error;
      const waited = now2() - began;
      if (waited + wait > timeoutMs) {
        throw new AnnalsError(
          "HOME_LOCKED",
          `The log is held by another annals process; waited ${(waited / 1e3).toFixed(1)} s for it.`,
          {
            hint: "Wait for the other command to end, then try again.",
            cause: error
          }
        );
      }
      if (!said && waited >= SAY_SO_AFTER_MS) {
        said = true;
        onWait?.();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

// src/operations/drain.ts
async function drain(log, paths, { now: now2, excluded }) {
  try {
    const folders = spoolFolders(paths.home);
    const waiting = await Promise.all([folders.new, folders.tmp].map(spoolFiles.list));
    if (waiting.every(({ files, problem }) => files.length === 0 && problem === null))
      return { problems: [], cwds: [] };
    const { drainSpool } = await import("./chunks/drain-XWQAQUDA.js");
    const report = await drainSpool({ log, files: spoolFiles, folders, now: now2, excluded });
    return { problems: report.problems.map((problem) => `The spool: ${problem}.`), cwds: report.cwds };
  } catch (error) {
    return { problems: [`What hooks left could not be taken into the log: ${messageOf(error)}`], cwds: [] };
  }
}
async function tellDrainedPlaces(opened) {
  const { cwds, problems } = opened.drained;
  if (cwds.length === 0) return;
  try {
    const { tellPlaces } = await import("./chunks/places-KBSJHFDJ.js");
    await tellPlaces(cwds, opened);
  } catch (error) {
    problems.push(`The folders that hooks named could not be looked at: ${messageOf(error)}`);
  }
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// src/operations/events.ts
var KINDS = {
  session: ["session.started", "session.ended", "session.continued", "session.titled"],
  prompt: ["prompt.submitted"],
  tool: ["tool.used", "tool.unanswered"],
  answer: ["agent.replied", "agent.stopped"],
  place: ["place.seen", "project.linked"],
  memory: ["memory.saved"]
};
async function* readEvents(options, opened) {
  const types = typesOf(options);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const events = options.session === void 0 ? pages(opened.log, options.after ?? 0) : sessionPages(options, opened);
  for await (const event of events) {
    if (left <= 0) return;
    if (types !== null && !types.has(event.type)) continue;
    left--;
    yield event;
  }
}
function typesOf({ kind, type }) {
  if (type !== void 0 && !EVENT_TYPES.includes(type)) {
    throw new AnnalsError("USAGE", `There is no event type \u201C${type}\u201D.`, {
      hint: `One of: ${EVENT_TYPES.join(", ")}.`
    });
  }
  if (kind !== void 0 && KINDS[kind] === void 0 && !EVENT_TYPES.includes(kind)) {
    throw new AnnalsError("USAGE", `There is no kind of event \u201C${kind}\u201D.`, {
      hint: `One of: ${Object.keys(KINDS).join(", ")}, or an event type.`
    });
  }
  if (type !== void 0) return /* @__PURE__ */ new Set([type]);
  return kind === void 0 ? null : new Set(KINDS[kind] ?? [kind]);
}
async function* pages(log, after) {
  for (let position = after; ; ) {
    const page = await log.page({ after: position });
    if (page.events.length === 0) return;
    for (const event of page.events) if (event.type !== "unknown") yield event;
    position = page.end.position;
  }
}
async function* sessionPages(options, { log, runner, views }) {
  await runner.catchUp();
  for (const agent of await agentsOf(options.session, views.turns)) {
    for (let after = options.after ?? 0; ; ) {
      const page = await log.pageBySession({ agent, session: options.session, after });
      if (page.events.length === 0) break;
      for (const event of page.events) if (event.type !== "unknown") yield event;
      after = page.events.at(-1).position;
    }
  }
}
async function agentsOf(session, turns) {
  const rows = await turns.range(rowKeys.sessions());
  return /* @__PURE__ */ new Set([
    ...rows.filter(([, row]) => row.session === session).map(([, row]) => row.agent),
    "annals"
  ]);
}

// src/operations/replay.ts
async function replay({ from, onProgress }, { runner, now: now2 }) {
  const began = now2();
  const progress = onProgress === void 0 ? {} : { onProgress };
  await runner.catchUp(progress);
  const rebuilt = from === 0 ? await runner.verifyRebuilt(progress) : null;
  const ms = now2() - began;
  const reports = runner.states().map(async ({ name, position }) => {
    const compared = rebuilt?.find((one) => one.name === name);
    const digest = compared?.live ?? await runner.digest(name);
    return { name, events: position, ms, digest, changed: compared?.equal === false };
  });
  return { views: await Promise.all(reports) };
}

// src/operations/search.ts
async function searchMemory(query, options, opened) {
  const { runner, text, now: now2 } = opened;
  const began = now2();
  const { project, ...filters } = options;
  const projects = await searchedProjects(project, opened);
  __m("projects");
  const answer = await runner.whileSteady(
    (upstream) => search({ ...text.at(upstream(text.follows)), now: now2 }, projects, query, filters)
  );
  __m("searched");
  return { ...answer, degraded: [...problemsOf(opened), ...answer.degraded], ms: now2() - began };
}
async function searchedProjects(project, { views }) {
  const all = await projectPartitions(views);
  if (project === void 0) return all;
  const chosen = await partitionsOf(project, all, views.projects);
  if (chosen.length > 0) return chosen;
  const known = all.map(({ name }) => name).sort();
  throw new AnnalsError("NOT_FOUND", `No project is called \u201C${project}\u201D.`, {
    hint: known.length === 0 ? "Nothing is here yet: try annals import ~/.claude/projects." : `Known: ${known.slice(0, 8).join(", ")}${known.length > 8 ? ", \u2026" : ""}.`
  });
}

// src/operations/verify.ts
async function verifyAll(options, { log, runner }) {
  const { onProgress } = options;
  const report = await log.verify(onProgress === void 0 ? {} : { onProgress });
  const problems = [...report.problems];
  for (const { view, anchor } of runner.anchors()) {
    const standing = await log.standing(anchor);
    if (standing === "held") continue;
    const message = standing === "ahead" ? `log lost its tail: ${log.head().position} of ${anchor.position}, says the ${view} view` : `the log's event ${anchor.position} is not the one that the ${view} view was made from`;
    problems.push({ kind: "anchor", position: anchor.position, message });
  }
  if (options.rebuilt !== true || problems.length > 0)
    return { ok: problems.length === 0, events: report.events, problems };
  const views = await runner.verifyRebuilt(onProgress === void 0 ? {} : { onProgress });
  const differing = views.filter(({ equal }) => !equal);
  problems.push(
    ...differing.map(({ name }) => ({
      kind: "view",
      position: null,
      message: `the ${name} view differs from a rebuild; \`annals rebuild ${name}\` mends it`
    }))
  );
  return { ok: problems.length === 0, events: report.events, problems, views };
}

// src/annals.ts
var LOCK_TIMEOUT_MS = 5e3;
async function openAnnals(options = {}) {
  __m("annalsLoaded");
  const paths = homePaths(await openHome(options.home ?? homePath()));
  const { settings, degraded } = await readSettings(await readText(paths.config) ?? null, process.env);
  const excluded = await exclusionOf(settings.exclude);
  const world = { now, randomBytes };
  __m("home");
  const log = await whenFree(
    () => openLog({
      directory: paths.log,
      headFile: paths.head,
      world,
      files: { readText, writeAtomically, folderBytes }
    }),
    { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, now, onWait: options.onWait }
  );
  __m("logOpen");
  const drained = await drain(log, paths, { now, excluded });
  __m("drained");
  const text = new TextView({
    files: snapshotFiles(paths.text),
    partitions: () => projectPartitions(views)
  });
  const runner = await openRunner({
    ...world,
    log,
    shelf: directoryShelf(paths.views, { readText, writeAtomically, list, makeFolder, remove }),
    projectors: [turnsProjector, projectsProjector, memoryProjector, contextProjector],
    indexes: [text]
  }).catch(async (error) => {
    await log.close();
    throw error;
  });
  const views = {
    turns: runner.view("turns"),
    memory: runner.view("memory"),
    projects: runner.view("projects"),
    context: runner.view("context")
  };
  const opened = {
    paths,
    log,
    runner,
    text,
    views,
    excluded,
    settingsDegraded: degraded,
    drained,
    now
  };
  __m("viewsOpen");
  await tellDrainedPlaces(opened);
  const sources = { log, ...views };
  const projectName = async (place) => (await resolveProject(place, views.projects)).name;
  const loading = /* @__PURE__ */ new Set();
  const part = (load) => {
    loading.add(load);
    const done = () => loading.delete(load);
    load.then(done, done);
    return load;
  };
  return {
    home: paths.home,
    async append(tellings, appendOptions) {
      const { cleanTelling } = await part(import("./chunks/append-567QWDAE.js"));
      return log.append(tellings.map(cleanTelling), appendOptions);
    },
    save: (async (memories) => {
      const { save } = await part(import("./chunks/save-RWBOMTEJ.js"));
      return save(memories, opened, randomBytes);
    }),
    async import(files, importOptions) {
      const { importPaths } = await part(import("./chunks/import-BNP26CP3.js"));
      return importPaths(files, importOptions ?? {}, opened);
    },
    async search(query, searchOptions) {
      await runner.catchUp();
      __m("caughtUp");
      return searchMemory(query, searchOptions ?? {}, opened);
    },
    async get(id) {
      const { find } = await part(import("./chunks/find-5MSUNVAI.js"));
      const { itemOf } = await part(import("./chunks/item-LJ456XQG.js"));
      await runner.catchUp();
      return itemOf(await find(id, sources), sources, projectName);
    },
    async why(id) {
      const { find } = await part(import("./chunks/find-5MSUNVAI.js"));
      const { whyOf } = await part(import("./chunks/why-2DOIXI6L.js"));
      await runner.catchUp();
      return whyOf(await find(id, sources), sources);
    },
    async context(contextOptions = {}) {
      const { contextOf } = await part(import("./chunks/context-XAVMUDV3.js"));
      await runner.catchUp();
      return contextOf(contextOptions, opened);
    },
    async timeline(timelineOptions = {}) {
      const { timelineOf } = await part(import("./chunks/timeline-GTEK5XMT.js"));
      await runner.catchUp();
      return timelineOf(timelineOptions, opened);
    },
    log: (logOptions = {}) => readEvents(logOptions, opened),
    replay: (replayOptions = {}) => replay(replayOptions, opened),
    async rebuild(names, { onProgress } = {}) {
      return { views: await runner.rebuild(names, onProgress === void 0 ? {} : { onProgress }) };
    },
    verify: (verifyOptions) => verifyAll(verifyOptions ?? {}, opened),
    async status() {
      const { statusOf } = await part(import("./chunks/status-XXINNX7L.js"));
      return statusOf(opened);
    },
    async close() {
      await Promise.allSettled(loading);
      await runner.close();
      await log.close();
    }
  };
}
async function exclusionOf(patterns) {
  if (patterns.length === 0) return () => false;
  const { isExcluded } = await import("./chunks/exclude-BIUI2IHL.js");
  return (cwd) => isExcluded(cwd, patterns, homedir());
}
function snapshotFiles(folder) {
  return {
    read: async (name) => readInPlace(join(folder, name)),
    write: (name, content) => writeAtomically(join(folder, name), content),
    names: () => list(folder),
    remove: (name) => remove(join(folder, name))
  };
}
export {
  AnnalsError,
  ERROR_CODES,
  isAnnalsError,
  openAnnals
};
//# sourceMappingURL=index.js.map
