// What others may use of places.
export { normalizeRemoteUrl } from './remote-url.ts';
export type { PlaceFiles } from './repository-files.ts';
export { seePlace } from './see-place.ts';
