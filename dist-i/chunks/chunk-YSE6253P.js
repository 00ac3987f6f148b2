import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  termsOf,
  termsOfWord,
  wordsOf
} from "./chunk-3Q575QWH.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";

// src/search/time.ts
var UNITS = {
  s: 1e3,
  m: 6e4,
  h: 36e5,
  d: 864e5,
  w: 7 * 864e5
};
function parseTime(value, now, edge) {
  const time = typeof value === "number" ? value : parseText(value.trim().toLowerCase(), now, edge);
  if (time === null || !Number.isFinite(time))
    throw new AnnalsError("USAGE", `--${edge} is not a time.`, {
      hint: "Write 7d, 12h, yesterday, 2026-03-25 or 2026-03-25T14:00."
    });
  return time;
}
function parseText(text, now, edge) {
  if (/^\d{9,}$/.test(text)) return Number(text);
  if (text === "now") return now;
  if (text === "today") return day(new Date(now), 0, edge);
  if (text === "yesterday") return day(new Date(now), -1, edge);
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])(?:\s+ago)?$/.exec(text);
  if (ago) return now - Math.round(Number(ago[1]) * UNITS[ago[2]]);
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (date) {
    const [year, month, dayOfMonth] = date.slice(1).map(Number);
    const local = new Date(year, month - 1, dayOfMonth);
    return local.getMonth() === month - 1 && local.getDate() === dayOfMonth ? day(local, 0, edge) : null;
  }
  return /\d{4}/.test(text) ? Date.parse(text.toUpperCase()) : null;
}
function day(of, offset, edge) {
  const start = (days) => new Date(of.getFullYear(), of.getMonth(), of.getDate() + days).getTime();
  return edge === "since" ? start(offset) : start(offset + 1) - 1;
}

// src/search/query.ts
var LENGTH_MAX = 4e3;
function parseQuery(input) {
  const text = input.normalize("NFC").trim();
  if (text === "")
    throw new AnnalsError("USAGE", "There is nothing to search for.", {
      hint: 'Give some words: annals search "import cycle".'
    });
  if (text.length <= LENGTH_MAX) return { text, degraded: [] };
  return {
    text: text.slice(0, LENGTH_MAX),
    degraded: [`The query was cut to its first ${LENGTH_MAX.toLocaleString("en")} characters.`]
  };
}

// src/search/filter.ts
function filterOf(options, now) {
  const { kind, session } = options;
  const type = options.type?.toLowerCase();
  const file = options.file === void 0 ? void 0 : segments(options.file);
  const since = options.since === void 0 ? void 0 : parseTime(options.since, now, "since");
  const until = options.until === void 0 ? void 0 : parseTime(options.until, now, "until");
  return (document) => (kind === void 0 || document.kind === kind) && (type === void 0 || document.type?.toLowerCase() === type) && (session === void 0 || (document.session?.startsWith(session) ?? false)) && (file === void 0 || document.files.some((path) => segments(path).includes(file))) && (since === void 0 || document.at !== null && document.at >= since) && (until === void 0 || document.at !== null && document.at <= until);
}
function segments(path) {
  return `/${path.toLowerCase().replaceAll("\\", "/").replace(/^\.?\/+|\/+$/g, "")}/`;
}

// src/search/snippet.ts
var SNIPPET_LENGTH_MAX = 240;
var CUT = "\u2026";
function snippet(document, query) {
  const terms = new Set(termsOf(query));
  const body = oneLine(document.body);
  const matches = matchesIn(body, terms);
  const text = matches.length > 0 || body !== "" ? body : oneLine(document.title);
  return windowOf(text, matches);
}
function oneLine(text) {
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g, " ").replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}
function matchesIn(text, terms) {
  return wordsOf(text).flatMap(({ word, start }) => {
    const found = termsOfWord(word).filter((term) => terms.has(term));
    return found.length === 0 ? [] : [{ start, end: start + word.length, terms: found }];
  });
}
function windowOf(text, matches) {
  if (text.length <= SNIPPET_LENGTH_MAX) return text;
  const room = SNIPPET_LENGTH_MAX - 2 * CUT.length;
  const { start, end } = bestStretch(matches, room);
  const lead = Math.max(0, Math.floor((room - (end - start)) / 2));
  const from = Math.min(Math.max(0, start - lead), text.length - room);
  const begin = from === 0 ? 0 : wordStart(text, from, start);
  const stop = Math.min(text.length, begin + room);
  const finish = stop === text.length ? stop : wordEnd(text, stop, Math.min(end, stop));
  const shown = text.slice(begin, finish).trim();
  return `${begin > 0 ? CUT : ""}${shown}${finish < text.length ? CUT : ""}`;
}
function bestStretch(matches, room) {
  let best = { start: 0, end: 0, different: 0, all: 0 };
  for (const [index, first] of matches.entries()) {
    const different = /* @__PURE__ */ new Set();
    let all = 0;
    let end = first.end;
    for (let next = index; next < matches.length && matches[next].end - first.start <= room; next += 1) {
      for (const term of matches[next].terms) different.add(term);
      all += 1;
      end = matches[next].end;
    }
    if (different.size > best.different || different.size === best.different && all > best.all)
      best = { start: first.start, end, different: different.size, all };
  }
  return best;
}
function wordStart(text, from, needed) {
  const space = text.indexOf(" ", from - 1);
  if (space >= 0 && space + 1 <= needed) return space + 1;
  return isLowSurrogate(text, from) ? from + 1 : from;
}
function wordEnd(text, to, needed) {
  const space = text.lastIndexOf(" ", to);
  if (space >= needed && space > 0) return space;
  return isLowSurrogate(text, to) ? to - 1 : to;
}
function isLowSurrogate(text, at) {
  const code = text.charCodeAt(at);
  return code >= 56320 && code <= 57343;
}

// src/search/search.ts
var LIMIT_DEFAULT = 10;
var LIMIT_MAX = 1e3;
var FIRST_PAGE = 32;
async function search(world, projects, input, options = {}) {
  const query = parseQuery(input);
  const passes = filterOf(options, world.now());
  const limit = Math.min(Math.max(1, Math.floor(options.limit ?? LIMIT_DEFAULT)), LIMIT_MAX);
  const { hits, terms, degraded } = await world.index.search(projects, query.text);
  globalThis.__m?.("hits");
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const results = [];
  let page = Math.max(FIRST_PAGE, limit);
  for (let from = 0; from < hits.length && results.length < limit; from += page, page *= 2) {
    const ranked = hits.slice(from, from + page);
    const documents = await world.documents.getMany(ranked.map(({ id }) => id));
    for (const [index, hit] of ranked.entries()) {
      const document = documents[index];
      if (document === void 0 || !passes(document)) continue;
      results.push(resultOf(document, hit, names.get(hit.partition) ?? "", query.text));
      if (results.length === limit) break;
    }
  }
  const empty = terms.length === 0 ? ["The query holds only words that are too common to search for."] : [];
  return { results, degraded: [...query.degraded, ...degraded, ...empty] };
}
function resultOf(document, hit, project, query) {
  return {
    id: document.id,
    kind: document.kind,
    type: document.type,
    title: oneLine(document.title),
    project,
    session: document.session,
    at: isoTime(document.at),
    score: hit.score,
    snippet: snippet(document, query),
    tokens: document.tokens
  };
}
function isoTime(at) {
  return at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
}

export {
  parseTime,
  search
};
//# sourceMappingURL=chunk-YSE6253P.js.map
