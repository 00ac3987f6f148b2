/**
 * A saved memory with a project stands at the pseudo-place `project:<name>`; the projects view knows which project
 * that is.
 */
export const NAMED_PROJECT = 'project:';
