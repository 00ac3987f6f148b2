// Which project a tool reads: the one that its caller names, else that of the client's folder.
import * as z from 'zod';
import { shortLine } from './past-text.ts';
import type { Call } from './tool.ts';

const ALL = '*';

export const projectInput = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe(`A project by name; "${ALL}" for all. Default: the project of the folder you work in.`);

export interface Scope {
  /** Shown to the model; null: all projects. */
  readonly name: string | null;
  /** The library's option. */
  readonly option: { readonly project?: string };
  /** Set if nothing is recorded of the folder's project: then there is nothing to ask for. */
  readonly unknown: string | null;
}

export async function scopeOf(project: string | undefined, call: Call): Promise<Scope> {
  if (project === ALL) return { name: null, option: {}, unknown: null };
  if (project !== undefined) return { name: shortLine(project), option: { project }, unknown: null };
  const folder = await call.folder();
  if (folder === null)
    return {
      name: null,
      option: {},
      unknown: `The client names no folder. Name a project, or "${ALL}" for all.`,
    };
  const found = await call.ask((annals) => annals.project(folder));
  const [name, key] = [shortLine(found.name), found.key];
  if (key !== null) return { name, option: { project: key }, unknown: null };
  const unknown = `Nothing is recorded of this folder's project yet. Call again with project "${ALL}" for all projects.`;
  return { name, option: {}, unknown };
}
