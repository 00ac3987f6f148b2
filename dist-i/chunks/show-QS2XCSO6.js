import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  ago,
  moment
} from "./chunk-D3BEVKT5.js";
import {
  count,
  counted
} from "./chunk-AGD3NGDP.js";
import {
  cut,
  oneLine,
  plain,
  wrap
} from "./chunk-J4PDMW5Z.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/item.ts
var LINES_MAX = 40;
var DETAIL_LINES_MAX = 12;
var ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
async function printItem({ terminal, world, name }, item, full) {
  const { style } = terminal;
  const text = listOf(item) === null ? plain(item.text).trim() : "";
  const title = oneLine(item.title);
  if (title !== "" && title !== oneLine(text))
    for (const line of wrap(title, terminal.width)) await terminal.line(style.bold(line));
  await terminal.line(style.dim(wrap(metaLine(item, world.now()), terminal.width).join("\n")));
  if (text !== "") {
    await terminal.line();
    await printText(terminal, text, full ? Number.POSITIVE_INFINITY : LINES_MAX, "");
  }
  const list = listOf(item);
  if (list !== null) {
    await terminal.line();
    await printText(
      terminal,
      list.map(listEntry).join("\n"),
      full ? Number.POSITIVE_INFINITY : LINES_MAX,
      "",
      {
        inOneLine: true
      }
    );
  }
  if (item.files.length > 0) {
    await terminal.line(`
${style.bold("Files")}`);
    for (const file of item.files) await terminal.line(`  ${oneLine(file)}`);
  }
  const details = detailEntries(item, text, full);
  if (details.length > 0) {
    await terminal.line(`
${style.bold("Details")}`);
    for (const [label, value] of details)
      await printDetail(terminal, label, value, full ? Number.POSITIVE_INFINITY : DETAIL_LINES_MAX);
  }
  if (item.kind === "event") return;
  const from = `From ${counted(item.events.length, "event")}`;
  await terminal.line(`
${style.dim(full ? `${from}:
  ${item.events.join("\n  ")}` : from)}`);
  terminal.tip(style.dim(`${name} why ${item.id} shows them`));
}
function metaLine(item, now) {
  const time = item.at === null ? null : Date.parse(item.at);
  return [
    item.type === null ? item.kind : `${item.kind} (${oneLine(item.type)})`,
    item.project,
    time === null ? null : `${moment(time)}, ${ago(time, now)}`,
    item.agent,
    item.session === null || item.session === item.id ? null : `session ${item.session}`,
    item.id
  ].filter((part) => part !== null && part !== "").map((part) => oneLine(String(part))).join(" \xB7 ");
}
function listOf({ kind, details }) {
  if (details === null || typeof details !== "object" || Array.isArray(details)) return null;
  const { items, turns } = details;
  const list = kind === "turn" ? items : kind === "session" ? turns : null;
  return Array.isArray(list) ? list : null;
}
function detailEntries(item, text, full) {
  const { details } = item;
  if (details === null || typeof details !== "object" || Array.isArray(details)) return [];
  const list = listOf(item);
  return Object.entries(details).filter(
    ([name, value]) => value !== null && value !== "" && value !== false && value !== item.type && value !== list && (full || name !== "detail") && !(Array.isArray(value) && value.length === 0) && !(typeof value === "string" && plain(value).trim() === text)
  );
}
async function printDetail(terminal, label, value, linesMax) {
  const text = detailText(value);
  const heading = terminal.style.cyan(`  ${words(label)}:`);
  if (!text.includes("\n") && text.length + label.length + 6 <= terminal.width)
    return terminal.line(`${heading} ${text}`);
  await terminal.line(heading);
  await printText(terminal, text, linesMax, "    ");
}
function detailText(value) {
  if (typeof value === "string")
    return ISO_TIME.test(value) ? moment(Date.parse(value)) : plain(value).trim();
  if (typeof value === "number") return count(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.map(listEntry).join("\n");
  const entries = Object.entries(value).filter(
    ([, inner]) => inner !== null
  );
  if (entries.every(([, inner]) => typeof inner === "number"))
    return entries.map(([key, inner]) => `${words(key)} ${detailText(inner)}`).join(" \xB7 ");
  return entries.map(
    ([key, inner]) => `${words(key)}: ${typeof inner === "object" ? JSON.stringify(inner) : detailText(inner)}`
  ).map(plain).join("\n");
}
function listEntry(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return oneLine(detailText(value));
  const { id, kind, title, said } = value;
  if (typeof id !== "string") return oneLine(JSON.stringify(value));
  const name = typeof kind === "string" ? kind.padEnd(6) : null;
  return [id, name, title ?? said].filter((part) => typeof part === "string").map(plain).join("  ");
}
async function printText(terminal, text, linesMax, indent, { inOneLine = false } = {}) {
  const cells = terminal.width - indent.length;
  const lines = inOneLine ? text.split("\n").map((line) => cut(line, cells)) : wrap(text, cells);
  for (const line of lines.slice(0, linesMax)) await terminal.line(`${indent}${line}`.trimEnd());
  if (lines.length > linesMax)
    await terminal.line(
      terminal.style.dim(`${indent}\u2026 ${counted(lines.length - linesMax, "more line")} (--full shows them)`)
    );
}
function words(name) {
  return oneLine(name).replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
}

// src/cli/commands/show.ts
var command = defineCommand({
  description: "Opens things by id: what `search` lists, a session, a turn or an event. The beginning of an id is enough where it fits only one. Long texts are cut after 40 lines; --full shows them whole.",
  shape: (command2) => command2.argument("<id...>", "one or more ids").option("--full", "whole texts and all details"),
  examples: [
    ["show p-k3j5h2l6a7bc", "a prompt"],
    ["show t-q4m2 --full", "a tool use by the beginning of its id, with its whole result"],
    ["show p-k3j5h2l6a7bc t-q4m2 --json", 'several, as {"items":[\u2026]}']
  ],
  async run(session, { full = false }, ids) {
    const annals = await session.annals();
    const items = [];
    for (const id of ids) items.push(await annals.get(id));
    if (session.json) return session.terminal.json({ items });
    for (const [index, item] of items.entries()) {
      if (index > 0) await session.terminal.line();
      await printItem(session, item, full);
    }
  }
});
export {
  command
};
//# sourceMappingURL=show-QS2XCSO6.js.map
