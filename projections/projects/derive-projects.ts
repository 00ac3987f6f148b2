// Derives the rows of the projects view, and what each project is called.
//
// A repository's own file never joins two workdirs. The names it claims are only displayed, and only when no other
// project has that name by its identity.
import { type Known, type Placed, placeWorkdirs } from './place-workdirs.ts';
import type { Identity, Seen } from './project-identity.ts';
import { foldedName } from './project-paths.ts';

/** Rows `workdir/<workdir>`. */
export interface WorkdirRow {
  readonly workdir: string;
  /** Key of its project. */
  readonly key: string;
  readonly by: Placed['by'];
}

/** Rows `project/<key>`. */
export interface ProjectRow {
  readonly key: string;
  /** Unique among all projects. */
  readonly name: string;
  /** Other names from its identity, and its key. */
  readonly aliases: readonly string[];
  /** Names that its own file claims. A query is compared with them last. */
  readonly claims: readonly string[];
  /** Keys of the projects it is part of. */
  readonly parents: readonly string[];
  /** Its own workdirs, sorted, without those of its child projects. */
  readonly workdirs: readonly string[];
}

export function deriveRows(known: Known): { workdirs: WorkdirRow[]; projects: ProjectRow[] } {
  const placed = placeWorkdirs(known);
  return {
    workdirs: [...placed].map(([workdir, { identity, by }]) => ({ workdir, key: identity.key, by })),
    projects: projectRows(placed, known.seen),
  };
}

function projectRows(placed: ReadonlyMap<string, Placed>, seen: ReadonlyMap<string, Seen>): ProjectRow[] {
  const projects = new Map<string, { identity: Identity; claims: Set<string>; workdirs: string[] }>();
  const add = (identity: Identity) => {
    const project = projects.get(identity.key) ?? { identity, claims: new Set<string>(), workdirs: [] };
    projects.set(identity.key, project);
    return project;
  };
  for (const [workdir, { identity, by }] of placed) {
    add(identity).workdirs.push(workdir);
    for (const parent of identity.parents) add(parent);
    // The claim of a linked folder's own file does not apply to the project it is linked to.
    if (by !== 'seen' || !seen.has(workdir)) continue;
    for (const one of [identity, ...identity.parents.slice(0, 1)])
      for (const claim of one.claims) add(one).claims.add(claim);
  }
  const all = [...projects.values()].sort((one, other) => (one.identity.key < other.identity.key ? -1 : 1));
  const names = settleNames(all.map(({ identity, claims }) => ({ identity, claims: [...claims].sort() })));
  return all.map(({ identity, claims, workdirs }) => {
    const name = names.get(identity.key)!;
    return {
      key: identity.key,
      name,
      aliases: identity.names.filter((alias) => alias !== name),
      claims: [...claims].sort(),
      parents: [...new Set(identity.parents.map((parent) => parent.key))],
      workdirs,
    };
  });
}

/** One name for each project: a unique claim, else its shortest unique name, else its key. */
function settleNames(
  projects: readonly { readonly identity: Identity; readonly claims: readonly string[] }[],
): Map<string, string> {
  const holders = count(
    projects.flatMap(({ identity }) => [...new Set([...identity.names, identity.key].map(foldedName))]),
  );
  const claimants = count(projects.flatMap(({ claims }) => [...new Set(claims.map(foldedName))]));
  const names = new Map<string, string>();
  for (const { identity, claims } of projects) {
    const own = new Set([...identity.names, identity.key].map(foldedName));
    const free = claims.find(
      (claim) =>
        claimants.get(foldedName(claim)) === 1 &&
        (own.has(foldedName(claim)) ? holders.get(foldedName(claim)) === 1 : !holders.has(foldedName(claim))),
    );
    const short = identity.names.find((name) => holders.get(foldedName(name)) === 1);
    names.set(identity.key, free ?? short ?? identity.key);
  }
  return names;
}

function count(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
