/** A memory saved for a named project has the workdir `project:<name>`; the projects view resolves it to a project. */
export const NAMED_PROJECT = 'project:';
