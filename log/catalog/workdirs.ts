// A workdir: a folder and the repository around it, as found on this machine at that time.
// No session. Dedupe key: random. Written only when something changed.
import * as z from 'zod';
import { flag, nullableText } from './body-fields.ts';

export const workdirSeen = z.looseObject({
  cwd: z.string(),
  /** Root of the working tree. */
  root: nullableText,
  /** The repository's common directory (of a worktree: the main repository's). */
  commonDir: nullableText,
  /** A linked working tree: `root` is not the main working tree of `commonDir`. */
  worktree: flag,
  /** Root of the repository that this one is a submodule of. */
  superproject: nullableText,
  /** Name and URL, without user and password. */
  remotes: z.array(z.looseObject({ name: z.string(), url: z.string() })).default([]),
  /** What `.annals.json` at the root proposes for its own project: a display name, sub-project folders. */
  proposal: z
    .looseObject({
      name: nullableText,
      subprojects: z.array(z.looseObject({ path: z.string(), name: nullableText })).default([]),
    })
    .nullable()
    .default(null),
});
