// Records in the log what surrounds a folder on this machine: only if the folder exists, and only if it differs from the
// last record. The events of a transcript never depend on it.
import { loadCatalog } from '../../log/index.ts';
import { canonicalJson, newestSeen } from '../../projections/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { randomBytes } from '../platform/random-bytes.ts';
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
    if (last !== undefined && canonicalJson(last.body) === canonicalJson(body)) continue;
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
