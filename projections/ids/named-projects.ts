/** A memory saved for a named project has the workdir `project:<name>`; the projects view resolves it to a project. */
export const NAMED_PROJECT = 'project:';

/** The workdir of a memory that names a folder, a project or both; null for neither. A folder is more exact than a name. */
export function importedWorkdir({
  cwd,
  project,
}: {
  readonly cwd: string | null;
  readonly project: string | null;
}): string | null {
  return cwd ?? (project === null ? null : `${NAMED_PROJECT}${project}`);
}

/** The workdir of a memory that a person or an agent saved; null for neither. A name is what they said themselves. */
export function savedWorkdir({
  cwd,
  project,
}: {
  readonly cwd: string | null;
  readonly project: string | null;
}): string | null {
  return project === null ? cwd : `${NAMED_PROJECT}${project}`;
}
