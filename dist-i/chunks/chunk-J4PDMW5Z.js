import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/render/plain.ts
import { stripVTControlCharacters } from "node:util";
var NARROW = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f]*$/;
var segmenter = null;
var CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
var WIDE = new RegExp("[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}]|\\p{Emoji_Presentation}|\\ufe0f", "u");
function plain(text) {
  return stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(CONTROL, "").replaceAll("	", "  ").replace(/[\u2028\u2029]/g, "\n");
}
function oneLine(text) {
  return plain(text).replace(/\s+/g, " ").trim();
}
function width(text) {
  if (NARROW.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of segmentsOf(text)) cells += cellsOf(segment);
  return cells;
}
function cut(text, cells) {
  if (width(text) <= cells) return text;
  if (NARROW.test(text)) return `${text.slice(0, cells - 1).trimEnd()}\u2026`;
  let taken = "";
  let used = 0;
  for (const { segment } of segmentsOf(text)) {
    const next = cellsOf(segment);
    if (used + next > cells - 1) break;
    taken += segment;
    used += next;
  }
  return `${taken.trimEnd()}\u2026`;
}
function toCells(text, cells) {
  const short = cut(text, cells);
  return short + " ".repeat(Math.max(0, cells - width(short)));
}
function wrap(text, cells) {
  return text.split("\n").flatMap((paragraph) => {
    if (width(paragraph) <= cells) return [paragraph];
    const indent = /^\s*/.exec(paragraph)?.[0] ?? "";
    const lines = [];
    let line = indent;
    for (const word of paragraph.trim().split(" ")) {
      const longer = line === indent ? indent + word : `${line} ${word}`;
      if (line !== indent && width(longer) > cells) {
        lines.push(line);
        line = indent + word;
      } else line = longer;
    }
    return [...lines, line];
  });
}
function segmentsOf(text) {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
function cellsOf(segment) {
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}

export {
  plain,
  oneLine,
  width,
  cut,
  toCells,
  wrap
};
//# sourceMappingURL=chunk-J4PDMW5Z.js.map
