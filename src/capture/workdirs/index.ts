// The public API of workdirs.

export { describeWorkdir } from './describe-workdir.ts';
export { normalizeRemoteUrl } from './remote-url.ts';
export type { RepositoryFiles } from './repository-files.ts';
