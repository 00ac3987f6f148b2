import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  wholeNumber
} from "./chunk-33OXRW3Y.js";
import {
  ago,
  day,
  duration
} from "./chunk-D3BEVKT5.js";
import {
  counted
} from "./chunk-AGD3NGDP.js";
import "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
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

// src/cli/emphasis.ts
var WORD = /[\p{L}\p{N}_$@#]+/gu;
function emphasise(text, query, style) {
  const asked = wordsOf(query);
  return text.replace(
    WORD,
    (word) => asked.some((term) => matches(word.toLowerCase(), term)) ? style.bold(style.yellow(word)) : word
  );
}
function windowOn(text, query, cells) {
  if (width(text) <= cells) return text;
  const asked = wordsOf(query);
  const first = [...text.matchAll(WORD)].find(
    ([word]) => asked.some((term) => matches(word.toLowerCase(), term))
  );
  const start = first?.index ?? 0;
  if (width(text.slice(0, start)) < cells / 2) return cut(text, cells);
  const lead = text.lastIndexOf(" ", Math.max(0, start - Math.floor(cells / 4)));
  const rest = text.slice(lead + 1);
  return cut(rest === text ? text : `\u2026${rest}`, cells);
}
function wordsOf(query) {
  return (query.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 1);
}
function matches(word, term) {
  if (word === term) return true;
  if (term.length < 4) return false;
  if (word.includes(term)) return true;
  const stem = term.slice(0, Math.max(4, term.length - 3));
  return word.startsWith(stem) && Math.abs(word.length - term.length) <= 4;
}

// src/cli/results.ts
var KIND_WIDTH = 8;
var PROJECT_WIDTH_MAX = 24;
var NARROW = 76;
async function printResults({ terminal, world }, query, results) {
  const { style } = terminal;
  const now = world.now();
  const numbers = String(results.length).length;
  const left = Math.max(...results.flatMap((result) => [width(when(result, now)), width(result.id)]));
  const projects = results.map(({ project }) => cut(oneLine(project), PROJECT_WIDTH_MAX));
  const projectWidth = terminal.width < NARROW ? 0 : Math.max(...projects.map(width));
  const middle = terminal.width - numbers - left - KIND_WIDTH - 5;
  for (const [index, result] of results.entries()) {
    const number = String(index + 1).padStart(numbers);
    const titleWidth = projectWidth === 0 ? middle : middle - projectWidth - 2;
    const title = oneLine(result.title) || "(no title)";
    const project = projectWidth === 0 ? "" : `  ${style.cyan(projects[index] ?? "")}`;
    await terminal.line(
      `${style.dim(number)}  ${toCells(when(result, now), left)}  ${style.green(toCells(kindOf(result), KIND_WIDTH))} ` + `${style.bold(projectWidth === 0 ? cut(title, titleWidth) : toCells(title, titleWidth))}${project}`.trimEnd()
    );
    const tokens = `${result.tokens} tok`;
    const said = oneLine(result.snippet);
    const snippet = said === title && width(title) <= titleWidth ? "" : windowOn(said, query, middle);
    await terminal.line(
      `${" ".repeat(numbers)}  ${style.dim(toCells(result.id, left))}  ${style.dim(toCells(tokens, KIND_WIDTH))} ` + emphasise(snippet, query, style)
    );
  }
  terminal.tip("");
}
function when({ at }, now) {
  if (at === null) return "time unknown";
  const time = Date.parse(at);
  return `${ago(time, now).padEnd(10)} ${day(time, now)}`;
}
function kindOf({ kind, type }) {
  return kind === "prompt" || kind === "answer" || type === null ? kind : oneLine(type);
}

// src/cli/commands/search.ts
var KINDS = ["prompt", "answer", "tool", "memory", "observation", "summary"];
var LIMIT_MAX = 1e3;
var command = defineCommand({
  description: "Finds prompts, answers, tool uses and saved memories that hold these words, the best first. Words are matched by their stem; an identifier is found whole and by its parts; a word that occurs nowhere is tried as a beginning and with small errors. More matching words rank higher; none is required.",
  shape: (command2) => command2.argument("<query...>", "words, an error text, a file name, an identifier").option("--project <name>", "only this project").option("--kind <kind>", `only ${KINDS.slice(0, -1).join(", ")} or ${KINDS.at(-1)}`, documentKind).option("--type <type>", "only this type: a tool's name, or what a memory was saved as").option("--file <path>", "only what touched this file: a path or the end of one").option("--session <id>", "only this session").option("--since <when>", "not older: a date, or 7d, 12h, 30m for that long ago").option("--until <when>", "not newer: a date, or 7d, 12h, 30m for that long ago").option(
    "--limit <number>",
    "at most this many results (default: 10)",
    wholeNumber("--limit", 1, LIMIT_MAX)
  ),
  examples: [
    ["search flaky feeding test", "everything about it, in all projects"],
    ['search "ECONNREFUSED 5432" --kind tool --since 30d', "a command that failed last month"],
    [
      "search why did we --file src/clock.ts --project birdfeeder",
      "what was said where this file was touched"
    ],
    ["search deploy --json --limit 3", "for a script"]
  ],
  async run(session, options, words) {
    const query = words.join(" ").trim();
    if (query === "") throw new AnnalsError("USAGE", "There is nothing to search for.");
    const annals = await session.annals();
    const answer = await annals.search(query, searchOptions(options));
    if (session.json) return session.terminal.json(answer);
    if (answer.results.length === 0) return sayWhyNothing(session, query, options);
    await printResults(session, query, answer.results);
    for (const sentence of answer.degraded) session.terminal.note(session.terminal.style.yellow(sentence));
    const found = counted(answer.results.length, "result");
    session.terminal.tip(
      session.terminal.style.dim(`${found} in ${duration(answer.ms)} \xB7 ${session.name} show <id> opens one`)
    );
  }
});
function searchOptions({ project, kind, type, file, session, since, until, limit }) {
  const given = { project, kind, type, file, session, since, until, limit };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== void 0));
}
async function sayWhyNothing(session, query, options) {
  const { terminal, name } = session;
  const { log } = await (await session.annals()).status();
  if (log.events === 0) {
    terminal.note(`Nothing here yet. Try: ${name} import ~/.claude/projects`);
    return;
  }
  const filtered = Object.keys(searchOptions(options)).some((key) => key !== "limit");
  terminal.note(`Nothing matches "${query}"${filtered ? " within these limits" : ""}.`);
  terminal.note(
    filtered ? `Leave an option out, or see what there is: ${name} status` : `Try a file name, an error text or other words; ${name} status shows what there is.`
  );
}
function documentKind(word) {
  const kind = KINDS.find((known) => known === word || `${known}s` === word);
  if (kind === void 0)
    throw new AnnalsError("USAGE", `There is no kind "${word}".`, { hint: `Kinds are ${KINDS.join(", ")}.` });
  return kind;
}
export {
  command
};
//# sourceMappingURL=search-4MMSMF25.js.map
