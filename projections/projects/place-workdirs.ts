// Which project each workdir belongs to. The views ask this with what all machines know, sharing with what this machine saw
// itself. It runs over all workdirs at once, because a name may be that of another project; the result does not depend on
// the order of events. There are hundreds of workdirs, not millions.
import { NAMED_PROJECT } from '../ids/named-projects.ts';
import { type Identity, identityOf, namedIdentity, type Seen } from './project-identity.ts';
import { foldedKey, foldedName, pathBelow, withSlashes } from './project-paths.ts';

export interface Known {
  /** Every folder and every `project:<name>` in any event. */
  readonly workdirs: readonly string[];
  /** The newest `workdir.seen` of each folder, oldest first. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** The newest link of a folder: a project's name or key. */
  readonly links: ReadonlyMap<string, string>;
}

export interface Placed {
  readonly identity: Identity;
  /** link: by the user's link. name: saved under a project's name. seen: by its identity. */
  readonly by: 'link' | 'name' | 'seen';
}

/** @param others further projects that links and names may mean @returns every known workdir, sorted */
export function placeWorkdirs(known: Known, others: readonly Identity[] = []): ReadonlyMap<string, Placed> {
  const workdirs = [...new Set(known.workdirs)].sort();
  const roots = newestByRoot(known.seen);
  const links = new Map([...known.links].map(([folder, project]) => [withSlashes(folder), project]));
  const superproject = (root: string): Identity | null => {
    const seen = roots.get(withSlashes(root));
    return seen === undefined ? null : identityOf(root, { ...seen, superproject: null }, () => null);
  };
  const placed = new Map<string, Placed>();
  const linked = new Map<string, string>();
  for (const folder of workdirs.filter((workdir) => !isNamed(workdir))) {
    const seen = known.seen.get(folder) ?? null;
    const link = linkOf(folder, seen?.root ?? null, links);
    if (link !== null) linked.set(folder, link);
    else placed.set(folder, { identity: identityOf(folder, seen, superproject), by: 'seen' });
  }
  const place = (names: ReadonlyMap<string, string>, by: Placed['by']): void => {
    const byName = indexByName([...others, ...[...placed.values()].map(({ identity }) => identity)]);
    for (const [workdir, name] of names)
      placed.set(workdir, { identity: byName(name) ?? namedIdentity(name), by });
  };
  // Links and saved names are resolved against the folders without a link: a link never leads to another link.
  place(linked, 'link');
  const named = workdirs.filter(isNamed);
  place(new Map(named.map((workdir) => [workdir, workdir.slice(NAMED_PROJECT.length)])), 'name');
  return new Map(workdirs.map((workdir) => [workdir, placed.get(workdir)!]));
}

/** The project of a workdir in no event: its own. */
export function unknownIdentity(workdir: string): Identity {
  return isNamed(workdir)
    ? namedIdentity(workdir.slice(NAMED_PROJECT.length))
    : identityOf(workdir, null, () => null);
}

function isNamed(workdir: string): boolean {
  return workdir.startsWith(NAMED_PROJECT);
}

/** The newest `workdir.seen` of each root, from any folder below it. */
function newestByRoot(seen: ReadonlyMap<string, Seen>): Map<string, Seen> {
  const roots = new Map<string, Seen>();
  for (const look of seen.values()) if (look.root !== null) roots.set(withSlashes(look.root), look);
  return roots;
}

/**
 * A folder's own link, else the link of the nearest folder above it in the same work tree.
 * @param root of that work tree @param links by folders with slashes
 */
function linkOf(folder: string, root: string | null, links: ReadonlyMap<string, string>): string | null {
  const own = links.get(withSlashes(folder));
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
    for (const name of new Set(identity.names.map(foldedName)))
      names.set(name, names.has(name) ? null : identity);
  };
  for (const identity of identities) for (const one of [identity, ...identity.parents]) add(one);
  return (name) => keys.get(foldedKey(name.trim())) ?? names.get(foldedName(name)) ?? null;
}
