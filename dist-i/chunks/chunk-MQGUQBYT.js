import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  keyParts,
  listProjects,
  memoryKeys,
  placesOf,
  resolveProject,
  rowKeys
} from "./chunk-3Q575QWH.js";

// src/operations/projects.ts
async function projectPartitions({
  projects,
  memory
}) {
  const partitions = /* @__PURE__ */ new Map();
  for (const [rowKey] of await memory.range(memoryKeys.places())) {
    const place = keyParts(rowKey)[1];
    const { key, name } = await resolveProject(place, projects);
    const partition = partitions.get(key) ?? { id: key, name, places: [] };
    partitions.set(key, partition);
    partition.places.push(place);
  }
  return [...partitions.values()];
}
async function partitionsOf(query, partitions, projects) {
  const places = new Set(await placesOf(query, projects));
  return partitions.filter(
    (partition) => partition.name === query || partition.id === query || partition.places.some((place) => places.has(place))
  );
}
async function projectCounts(views) {
  const counts = /* @__PURE__ */ new Map();
  const count = async (place) => {
    const { key, name } = await resolveProject(place, views.projects);
    const project = counts.get(key) ?? { name, sessions: 0, observations: 0 };
    counts.set(key, project);
    return project;
  };
  for (const { places } of await listProjects(views.projects))
    if (places[0] !== void 0) await count(places[0]);
  for (const [, session] of await views.turns.range(rowKeys.sessions()))
    (await count(session.place)).sessions++;
  for (const [rowKey, row] of await views.memory.range(memoryKeys.places()))
    (await count(keyParts(rowKey)[1])).observations += row.observation + row.memory;
  return [...counts.values()].sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1));
}

// src/operations/problems.ts
function problemsOf({
  log,
  runner,
  settingsDegraded
}) {
  return [
    ...settingsDegraded,
    ...log.damage.map(({ message }) => message),
    ...runner.problems.map(({ message }) => message)
  ];
}

export {
  projectPartitions,
  partitionsOf,
  projectCounts,
  problemsOf
};
//# sourceMappingURL=chunk-MQGUQBYT.js.map
