// The public surface of the projects view.
export type { ProjectRow, WorkdirRow } from './derive-projects.ts';
export { isOlder, namedWorkdir } from './named-workdir.ts';
export { type Known, placeWorkdirs, unknownIdentity } from './place-workdirs.ts';
export { type Identity, identityOf, keysInRepository, type Seen } from './project-identity.ts';
export { foldedKey, NO_FOLDER, nameOfPath, pathBelow } from './project-paths.ts';
export { projectsProjector } from './projects-projector.ts';
export {
  isLinked,
  listProjects,
  newestSeen,
  projectsSharingName,
  type ResolvedProject,
  resolveAmong,
  resolveProject,
  resolveProjects,
  workdirsAmong,
} from './read-projects.ts';
