import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  placeFiles,
  seePlace
} from "./chunk-OPKWVCNO.js";
import {
  partitionsOf,
  projectPartitions
} from "./chunk-MQGUQBYT.js";
import {
  identityOf,
  key,
  resolveProject
} from "./chunk-3Q575QWH.js";
import {
  loadCatalog
} from "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";

// src/operations/folder-project.ts
import { resolve } from "node:path";
async function projectByName(query, { views }) {
  const all = await projectPartitions(views);
  const found = await partitionsOf(query, all, views.projects);
  if (found.length > 0)
    return {
      name: found.find(({ name }) => name.toLowerCase() === query.toLowerCase())?.name ?? found[0].name,
      places: found.flatMap(({ places }) => places)
    };
  const known = all.map(({ name }) => name).sort();
  throw new AnnalsError("NOT_FOUND", `No project is called \u201C${query}\u201D.`, {
    hint: known.length === 0 ? "Nothing is here yet: try annals import ~/.claude/projects." : `Known: ${known.slice(0, 8).join(", ")}${known.length > 8 ? ", \u2026" : ""}.`
  });
}
async function projectOfFolder(cwd, { views }) {
  const project = await resolveFolder(resolve(cwd), { views });
  const all = await projectPartitions(views);
  for (const one of [project.key, ...project.parents]) {
    const found = await partitionsOf(one, all, views.projects);
    if (found.length > 0) return { name: project.name, places: found.flatMap(({ places }) => places) };
  }
  return { name: project.name, places: [] };
}
async function resolveFolder(folder, { views }) {
  const isKnown = async (place) => await views.projects.get(key("place", place)) !== void 0;
  if (await isKnown(folder)) return resolveProject(folder, views.projects);
  const look = seePlace(folder, placeFiles);
  if (look === null) return resolveProject(folder, views.projects);
  const seen = (await loadCatalog())["place.seen"].body.parse(look);
  if (seen.root !== null && await isKnown(seen.root)) return resolveProject(seen.root, views.projects);
  const identity = identityOf(folder, seen, () => null);
  const row = await views.projects.get(key("project", identity.key));
  return {
    key: identity.key,
    name: row?.name ?? identity.names[0],
    parents: identity.parents.map((parent) => parent.key)
  };
}

export {
  projectByName,
  projectOfFolder
};
//# sourceMappingURL=chunk-OYHI3OMN.js.map
