// What others may use of the projects view.
export type { PlaceRow, ProjectRow } from './derive.ts';
export { identityOf } from './identity.ts';
export { nameOfPath, UNKNOWN_PROJECT } from './paths.ts';
export { projectsProjector } from './projector.ts';
export { listProjects, placesOf, type ResolvedProject, resolveProject, resolveProjects } from './read.ts';
