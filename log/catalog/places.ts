// Where work happens: a folder and the repository around it, as seen on this machine at that time.
// No session. Fact key: digest of the body. Written only when what is seen changes.
import * as z from 'zod';
import { flag, text } from './fields.ts';

export const placeSeen = z.looseObject({
  cwd: z.string(),
  /** Root of the work tree. */
  root: text,
  /** The repository's common directory (of a worktree: the main repository's). */
  commonDir: text,
  /** A linked work tree: `root` is not the main work tree of `commonDir`. */
  worktree: flag,
  /** Root of the repository that this one is a submodule of. */
  superproject: text,
  /** Name and URL, without user and password. */
  remotes: z.array(z.looseObject({ name: z.string(), url: z.string() })).default([]),
  /** What `.annals.json` at the root proposes inside its own identity: a display name, sub-project folders. */
  proposal: z
    .looseObject({
      name: text,
      subprojects: z.array(z.looseObject({ path: z.string(), name: text })).default([]),
    })
    .nullable()
    .default(null),
});
