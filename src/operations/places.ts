// Tells the log what stands around a folder on this machine: only when it is there, and only when what is seen
// differs from the last look. The events of a transcript never depend on it.
import { createHash } from 'node:crypto';
import { loadCatalog } from '../../log/index.ts';
import { canonicalJson, key } from '../../projections/index.ts';
import { seePlace } from '../places/index.ts';
import { placeFiles } from '../platform/place-files.ts';
import type { Opened } from './opened.ts';

interface Look {
  readonly id: string;
  readonly body: unknown;
}

export async function tellPlaces(
  cwds: readonly string[],
  { log, runner, views, now }: Opened,
): Promise<void> {
  const looks = [...new Set(cwds)].map((cwd) => seePlace(cwd, placeFiles)).filter((look) => look !== null);
  if (looks.length === 0) return;
  await runner.catchUp();
  const { body: schema } = (await loadCatalog())['place.seen'];
  for (const look of looks) {
    const body = schema.parse(look);
    const last = await views.projects.get<Look>(key('seen', body.cwd));
    const seen = canonicalJson(body);
    if (last !== undefined && canonicalJson(last.body) === seen) continue;
    // The last look is part of the key: a place that goes back to what it was is told again.
    const fact = createHash('sha256')
      .update(`${last?.id ?? ''}\n${seen}`)
      .digest('hex')
      .slice(0, 32);
    await log.append([
      { type: 'place.seen', agent: 'annals', session: null, fact, witness: 'cli', occurredAt: now(), body },
    ]);
  }
}
