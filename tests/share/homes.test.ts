// Whole homes that share: views, digests and forgetting.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { annalsOf, openParts } from '../../src/annals.ts';
import type { Annals } from '../../src/index.ts';
import type { SharedLog } from '../../src/share/log/shared-log.ts';
import { type SyncReport, syncOnce } from '../../src/share/sync/sync.ts';
import { Rows } from '../../src/share/sync/sync-rows.ts';
import { digestsOf, eventsOf, lasting, sharedFolder } from '../e2e/homes.ts';
import { Script } from '../helpers/transcripts.ts';
import { PROJECT, seen, TeamDouble } from './machines.ts';
import { MemoryServer } from './memory-shared-log.ts';

const folder = sharedFolder('sharing-homes');

interface SharingHome {
  readonly annals: Annals;
  readonly path: string;
  sync(shared: SharedLog): Promise<SyncReport>;
  close(): Promise<void>;
}

async function sharingHome(name: string): Promise<SharingHome> {
  const path = join(folder, name);
  const home = await openParts({ home: path });
  const annals = await annalsOf(home, {});
  const rows = await Rows.load(home.log);
  const team = new TeamDouble(name);
  return {
    annals,
    path,
    sync: async (shared) => {
      const report = await syncOnce({ home, rows, team, shared, projects: [PROJECT], lookAt: () => null });
      await home.runner.catchUp();
      return report;
    },
    close: () => annals.close(),
  };
}

function transcript(session: string, cwd: string, word: string): string {
  const script = new Script({ session, version: '2.1.210', cwd });
  script.prompt(`Why does the ${word} test fail?`, { promptId: `${session}-first` });
  script.use(`toolu_${session}`, 'Bash', { command: `npm test ${word}` });
  script.result(`toolu_${session}`, 'Exit code 1\nExpected 2, got 3', {}, { is_error: true });
  script.reply(`Because of the ${word} clock.`);
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(file, script.bytes());
  return file;
}

describe('homes that share', () => {
  test('have equal views, and what one forgets is gone from both and from the engine', async () => {
    const server = new MemoryServer();
    const [one, other] = [await sharingHome('one'), await sharingHome('other')];
    try {
      const [first, second, both] = [
        transcript('11111111-0000-4000-8000-000000000000', '/one/app', 'zebrafish'),
        transcript('22222222-0000-4000-8000-000000000000', '/other/app', 'quagga'),
        transcript('33333333-0000-4000-8000-000000000000', '/any/app', 'okapi'),
      ];
      await one.annals.append([
        seen('/one/app', 'github.com/acme/app'),
        seen('/any/app', 'github.com/acme/app'),
      ]);
      await other.annals.append([
        seen('/other/app', 'github.com/acme/app'),
        seen('/any/app', 'github.com/acme/app'),
      ]);
      await one.annals.import([first!, both!]);
      await other.annals.import([second!, both!]);
      for (const home of [one, other, one, other]) await home.sync(server.connect());
      expect(lasting(await eventsOf(other.annals))).toEqual(lasting(await eventsOf(one.annals)));
      expect(await digestsOf(other.annals)).toEqual(await digestsOf(one.annals));
      expect((await other.annals.search('zebrafish')).results.length).toBeGreaterThan(0);

      await other.annals.forget({ session: '11111111-0000-4000-8000-000000000000' }, {});
      const forgetting = await other.sync(server.connect());
      expect(forgetting.events).toBe(1);
      await one.sync(server.connect());
      expect((await one.annals.search('zebrafish')).results).toEqual([]);
      expect(filesWith('zebrafish', one.path)).toEqual([]);
      expect(filesWith('zebrafish', other.path)).toEqual([]);
      const stored = server.messages.map(({ bytes }) => Buffer.from(bytes).toString()).join();
      expect(stored).not.toContain('zebrafish');
      expect(stored).toContain('quagga');
      expect(await digestsOf(other.annals)).toEqual(await digestsOf(one.annals));
      expect((await one.annals.verify()).ok).toBe(true);
    } finally {
      await one.close();
      await other.close();
    }
  });

  test('a machine that comes late, after an engine was filled again, takes in nothing that was forgotten', async () => {
    const server = new MemoryServer();
    const [one, late] = [await sharingHome('keeper'), await sharingHome('late')];
    try {
      const gone = transcript('44444444-0000-4000-8000-000000000000', '/one/app', 'thylacine');
      await one.annals.append([seen('/one/app', 'github.com/acme/app')]);
      await one.annals.import([gone]);
      await one.sync(server.connect());
      const before = [...server.messages];
      await one.annals.forget({ session: '44444444-0000-4000-8000-000000000000' }, {});
      await one.sync(server.connect());
      // An engine may bring back what it was asked to remove.
      for (const message of before) server.storeAgain(message);
      await late.sync(server.connect());
      expect(filesWith('thylacine', late.path)).toEqual([]);
      expect(await digestsOf(late.annals)).toEqual(await digestsOf(one.annals));
      server.wipe();
      await one.sync(server.connect());
      expect(server.messages.map(({ bytes }) => Buffer.from(bytes).toString()).join()).not.toContain(
        'thylacine',
      );
    } finally {
      await one.close();
      await late.close();
    }
  });
});

/** Files of a home with a word, however LevelDB stores it uncompressed. */
function filesWith(word: string, path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(word));
}
