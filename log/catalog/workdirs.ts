// Where work happens: a folder and the repository around it, as seen on this machine at that time.
// No session. Dedupe key: digest of the body. Written only when what is seen changes.
import * as z from 'zod';
import { flag, nullableText } from './body-fields.ts';

export const workdirSeen = z.looseObject({
  cwd: z.string(),
  /** Root of the work tree. */
  root: nullableText,
  /** The repository's common directory (of a worktree: the main repository's). */
  commonDir: nullableText,
  /** A linked work tree: `root` is not the main work tree of `commonDir`. */
  worktree: flag,
  /** Root of the repository that this one is a submodule of. */
  superproject: nullableText,
  /** Name and URL, without user and password. */
  remotes: z.array(z.looseObject({ name: z.string(), url: z.string() })).default([]),
  /** What `.annals.json` at the root proposes inside its own identity: a display name, sub-project folders. */
  proposal: z
    .looseObject({
      name: nullableText,
      subprojects: z.array(z.looseObject({ path: z.string(), name: nullableText })).default([]),
    })
    .nullable()
    .default(null),
});
