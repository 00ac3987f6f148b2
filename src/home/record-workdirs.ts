// Records in the log what surrounds a folder on this machine: only if the folder exists, and only if it differs from the
// last record. The events of a transcript never depend on it.
import { createHash } from 'node:crypto';
import { loadCatalog } from '../../log/index.ts';
import { canonicalJson, newestSeen } from '../../projections/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import type { Home } from './home.ts';

export async function recordWorkdirs(
  cwds: readonly string[],
  { log, runner, views, now }: Home,
): Promise<void> {
  const looks = [...new Set(cwds)]
    .map((cwd) => describeWorkdir(cwd, repositoryFiles))
    .filter((look) => look !== null);
  if (looks.length === 0) return;
  await runner.catchUp();
  const { body: schema } = (await loadCatalog())['workdir.seen'];
  for (const look of looks) {
    const body = schema.parse(look);
    const last = await newestSeen(body.cwd, views.projects);
    const seen = canonicalJson(body);
    if (last !== undefined && canonicalJson(last.body) === seen) continue;
    // The last record is part of the key, so that a workdir that returns to an earlier state is recorded again.
    const dedupeKey = createHash('sha256')
      .update(`${last?.id ?? ''}\n${seen}`)
      .digest('hex')
      .slice(0, 32);
    await log.append([
      {
        type: 'workdir.seen',
        agent: 'annals',
        session: null,
        dedupeKey,
        channel: 'cli',
        occurredAt: now(),
        body,
      },
    ]);
  }
}
