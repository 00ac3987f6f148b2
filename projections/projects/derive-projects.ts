// Derives which project each workdir belongs to and what each project is called. It runs over all workdirs at once,
// because a name depends on the other names; the result does not depend on the order of events. There are hundreds of
// workdirs, not millions.
//
// A repository's own file never joins two workdirs. The names it claims are only displayed, and only when no other
// project has that name by its identity.
import { NAMED_PROJECT } from '../ids/named-projects.ts';
import { type Identity, identityOf, namedIdentity, type Seen } from './project-identity.ts';
import { pathBelow, withSlashes } from './project-paths.ts';

/** Rows `workdir/<workdir>`. */
export interface WorkdirRow {
  readonly workdir: string;
  /** Key of its project. */
  readonly key: string;
  /** link: by the user's link. name: saved under a project's name. seen: by its identity. */
  readonly by: 'link' | 'name' | 'seen';
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

export interface Known {
  /** Every folder and every `project:<name>` in any event. */
  readonly workdirs: readonly string[];
  /** The newest `workdir.seen` of each folder, oldest first. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** The newest link of a folder: a project's name or key. */
  readonly links: ReadonlyMap<string, string>;
}

export function deriveRows(known: Known): { workdirs: WorkdirRow[]; projects: ProjectRow[] } {
  const workdirs = [...new Set(known.workdirs)].sort();
  const folders = workdirs.filter((workdir) => !workdir.startsWith(NAMED_PROJECT));
  const roots = newestByRoot(known.seen);
  const superproject = (root: string): Identity | null => {
    const seen = roots.get(withSlashes(root));
    return seen === undefined ? null : identityOf(root, { ...seen, superproject: null }, () => null);
  };
  const identities = new Map<string, Identity>();
  const linked = new Map<string, string>();
  for (const folder of folders) {
    const seen = known.seen.get(folder) ?? null;
    const link = linkOf(folder, seen?.root ?? null, known.links);
    if (link === null) identities.set(folder, identityOf(folder, seen, superproject));
    else linked.set(folder, link);
  }
  // Links and saved names are resolved against the folders without a link: a link never leads to another link.
  const byName = indexByName([...identities.values()]);
  const rows: WorkdirRow[] = folders.map((workdir) => {
    const link = linked.get(workdir);
    if (link === undefined) return { workdir, key: identities.get(workdir)!.key, by: 'seen' };
    identities.set(workdir, byName(link) ?? namedIdentity(link));
    return { workdir, key: identities.get(workdir)!.key, by: 'link' };
  });
  const byNameOrLink = indexByName([...identities.values()]);
  for (const workdir of workdirs.filter((one) => one.startsWith(NAMED_PROJECT))) {
    const name = workdir.slice(NAMED_PROJECT.length);
    identities.set(workdir, byNameOrLink(name) ?? namedIdentity(name));
    rows.push({ workdir, key: identities.get(workdir)!.key, by: 'name' });
  }
  rows.sort((one, other) => (one.workdir < other.workdir ? -1 : 1));
  return { workdirs: rows, projects: projectRows(rows, identities, known.seen) };
}

/** The newest `workdir.seen` of each root, from any folder below it. */
function newestByRoot(seen: ReadonlyMap<string, Seen>): Map<string, Seen> {
  const roots = new Map<string, Seen>();
  for (const look of seen.values()) if (look.root !== null) roots.set(withSlashes(look.root), look);
  return roots;
}

/** A folder's own link, else the link of the nearest folder above it in the same work tree. @param root of that work tree */
export function linkOf(
  folder: string,
  root: string | null,
  links: ReadonlyMap<string, string>,
): string | null {
  const own = links.get(folder);
  if (own !== undefined || root === null) return own ?? null;
  let nearest: string | null = null;
  for (const linked of links.keys()) {
    if (pathBelow(linked, folder) === null || pathBelow(root, linked) === null) continue;
    if (nearest === null || linked.length > nearest.length) nearest = linked;
  }
  return nearest === null ? null : links.get(nearest)!;
}

/** Finds the project with a key or a name. Claims do not count; an ambiguous name finds none. */
function indexByName(identities: readonly Identity[]): (name: string) => Identity | null {
  const keys = new Map<string, Identity>();
  const names = new Map<string, Identity | null>();
  const add = (identity: Identity): void => {
    if (keys.has(identity.key)) return;
    keys.set(identity.key, identity);
    for (const name of new Set(identity.names.map(folded)))
      names.set(name, names.has(name) ? null : identity);
  };
  for (const identity of identities) for (const one of [identity, ...identity.parents]) add(one);
  return (name) => keys.get(name.trim()) ?? names.get(folded(name)) ?? null;
}

function projectRows(
  rows: readonly WorkdirRow[],
  identities: ReadonlyMap<string, Identity>,
  seen: ReadonlyMap<string, Seen>,
): ProjectRow[] {
  const projects = new Map<string, { identity: Identity; claims: Set<string>; workdirs: string[] }>();
  const add = (identity: Identity) => {
    const project = projects.get(identity.key) ?? { identity, claims: new Set<string>(), workdirs: [] };
    projects.set(identity.key, project);
    return project;
  };
  for (const { workdir, by } of rows) {
    const identity = identities.get(workdir)!;
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
    projects.flatMap(({ identity }) => [...new Set([...identity.names, identity.key].map(folded))]),
  );
  const claimants = count(projects.flatMap(({ claims }) => [...new Set(claims.map(folded))]));
  const names = new Map<string, string>();
  for (const { identity, claims } of projects) {
    const own = new Set([...identity.names, identity.key].map(folded));
    const free = claims.find(
      (claim) =>
        claimants.get(folded(claim)) === 1 &&
        (own.has(folded(claim)) ? holders.get(folded(claim)) === 1 : !holders.has(folded(claim))),
    );
    const short = identity.names.find((name) => holders.get(folded(name)) === 1);
    names.set(identity.key, free ?? short ?? identity.key);
  }
  return names;
}

function count(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Names are compared without case: people type them. */
function folded(name: string): string {
  return name.trim().toLowerCase();
}
