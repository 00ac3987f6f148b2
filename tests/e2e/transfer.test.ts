// A log leaves a home and comes back: export, wipe, restore. And two homes that are given each other's exports.
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { restoreAnnals } from '../../src/index.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { claudeCodeTranscripts } from '../helpers/shared-data.ts';
import { digestsOf, eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('transfer');
const examples = join(REPOSITORY, 'examples/birdfeeder');
const memory = { title: 'Seeds', text: 'Sunflower seeds are bought on Mondays.', at: Date.UTC(2026, 4, 4) };

/** What a log holds, as far as nothing may change on the way. */
const whole = (home: string) => withHome(home, async (annals) => ({ events: await eventsOf(annals), digests: await digestsOf(annals) }));

describe('a home that is exported, wiped and restored', () => {
  const sources: readonly (readonly [string, string | null])[] = [
    ['written transcripts', examples],
    ['real transcripts', claudeCodeTranscripts],
  ];
  for (const [what, source] of sources)
    test.skipIf(source === null)(`of ${what} has the same events and the same views`, async () => {
      const home = join(folder, `home-${what.split(' ')[0]}`);
      const backup = join(folder, `backup-${what.split(' ')[0]}`);
      const exported = await withHome(home, async (annals) => {
        await annals.import([source!]);
        await annals.save(memory);
        return annals.export(backup);
      });
      const before = await whole(home);
      expect(exported).toMatchObject({ after: 0, head: before.events.length, written: before.events.length });
      rmSync(home, { recursive: true });
      const restored = await restoreAnnals(backup, { home });
      console.log(exported.ms, exported.events, exported.bytes, restored.ms);
      expect(restored).toMatchObject({ events: exported.events, chain: exported.chain, logId: exported.logId });
      const after = await whole(home);
      expect(after.events).toEqual(before.events);
      expect(after.digests).toEqual(before.digests);
      await withHome(home, async (annals) => expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND));
    });
});
