// The public surface of the projects view.
export { linkOf, type ProjectRow, type WorkdirRow } from './derive-projects.ts';
export { identityOf } from './project-identity.ts';
export { NO_FOLDER, nameOfPath } from './project-paths.ts';
export { projectsProjector } from './projects-projector.ts';
export {
  listProjects,
  newestSeen,
  projectsSharingName,
  type ResolvedProject,
  resolveAmong,
  resolveProject,
  resolveProjects,
  workdirsAmong,
} from './read-projects.ts';
