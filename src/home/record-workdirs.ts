// Records in the log what surrounds a folder on this machine: only if the folder exists, and only if it differs from the
// last record. The events of a transcript never depend on it.
import { join } from 'node:path';
import { type BodyInput, type BodyOf, loadCatalog } from '../../log/index.ts';
import { canonicalJson, newestSeen } from '../../projections/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import type { Home } from './home.ts';

/** @param again record only what is as the last record says: for others, who do not have that one */
export async function recordWorkdirs(
  cwds: readonly string[],
  { log, runner, views, now }: Home,
  { again = false }: { readonly again?: boolean } = {},
): Promise<void> {
  const looks = [...new Set(cwds)]
    .map((cwd) => describeWorkdir(cwd, repositoryFiles))
    .filter((look) => look !== null);
  if (looks.length === 0) return;
  await runner.catchUp();
  for (const look of looks) {
    const { body, isRecorded } = await compareWithRecord(look, views);
    if (isRecorded !== again) continue;
    await log.append([
      {
        type: 'workdir.seen',
        agent: 'annals',
        session: null,
        // Random: a digest of the folder would outlive the event's body when it is forgotten, and could confirm a guess.
        dedupeKey: Buffer.from(randomBytes(16)).toString('hex'),
        channel: 'cli',
        occurredAt: now(),
        body,
      },
    ]);
  }
}

/**
 * Git's config of the repository around a folder, as the log knows it; empty outside of repositories. Null when the folder
 * is not as the log says: another repository, or one that no session has reported yet.
 */
export async function recordedGitConfig(
  folder: string,
  { views }: Pick<Home, 'views'>,
): Promise<string | null> {
  const look = describeWorkdir(folder, repositoryFiles);
  if (look === null) return (await newestSeen(folder, views.projects)) === undefined ? '' : null;
  const { body, isRecorded } = await compareWithRecord(look, views);
  if (!isRecorded) return null;
  return body.commonDir === null ? '' : join(body.commonDir, 'config');
}

async function compareWithRecord(
  look: BodyInput<'workdir.seen'>,
  views: Home['views'],
): Promise<{ readonly body: BodyOf<'workdir.seen'>; readonly isRecorded: boolean }> {
  const body = (await loadCatalog())['workdir.seen'].body.parse(look);
  const last = await newestSeen(body.cwd, views.projects);
  return { body, isRecorded: last !== undefined && canonicalJson(last.body) === canonicalJson(body) };
}
