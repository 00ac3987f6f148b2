import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  exclusionPatterns
} from "./chunk-F6IYDGGW.js";
import {
  array,
  object,
  string
} from "./chunk-YLAJVCKN.js";
import "./chunk-BELT5PH7.js";

// src/config/settings.ts
var SETTINGS = object({
  exclude: array(string()).default([]).describe(
    'Folders whose sessions are never kept, as globs: "~/clients/**". A pattern without a slash means a folder of that name.'
  )
});
function parseSettings(text, environment = {}) {
  const { settings, degraded } = parseFile(text);
  const exclude = environment.ANNALS_EXCLUDE;
  if (exclude === void 0) return { settings, degraded };
  return { settings: { ...settings, exclude: exclusionPatterns(exclude) }, degraded };
}
function parseFile(text) {
  const defaults = SETTINGS.parse({});
  if (text === null || text.trim() === "") return { settings: defaults, degraded: [] };
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { settings: defaults, degraded: ["config.json is no JSON; every setting has its default."] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { settings: defaults, degraded: ["config.json holds no object; every setting has its default."] };
  }
  const settings = { ...defaults };
  const degraded = [];
  for (const [name, given] of Object.entries(value)) {
    const schema = SETTINGS.shape[name];
    if (schema === void 0) {
      degraded.push(`config.json has a setting that is not known: ${JSON.stringify(name.slice(0, 60))}.`);
      continue;
    }
    const parsed = schema.safeParse(given);
    if (parsed.success) settings[name] = parsed.data;
    else degraded.push(`The setting ${name} in config.json has not the right form; it has its default.`);
  }
  return { settings, degraded };
}
export {
  SETTINGS,
  parseSettings
};
//# sourceMappingURL=settings-VZC6X6AI.js.map
