// Drains hook calls generated from whole sessions, and compares the log with the events of the payloads.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventId } from '../../../log/index.ts';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { onEachCorpus } from '../../helpers/corpus/corpora.ts';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { type HookOptions, hookCalls } from '../../helpers/hooks/hook-generator.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { leave, waiting } from '../../helpers/spool.ts';
import { temporaryFolder } from '../../helpers/world.ts';

const HOUR = 3_600_000;

onEachCorpus('The hooks of sessions', ({ name: corpus, files }) => {
  const sessions = files.filter(({ name }) => !name.includes('agent-')).slice(0, 10);

  test.each<[string, HookOptions]>([
    ['with prompt ids', { promptId: true }],
    ['without', { promptId: false }],
    ['with every fifth lost', { promptId: true, loseEvery: 5 }],
  ])('%s, are all recorded after the idle time, each once', async (_, options) => {
    for (const session of sessions) {
      const folder = await temporaryFolder();
      const home = join(folder.path, 'home');
      mkdirSync(home, { mode: 0o700 });
      const log = await openTestLog(home);
      const calls = hookCalls(session.bytes(), options);
      for (const { payload, receipt } of calls) leave(home, receipt.spoolName, payload, receipt.receivedAt);
      const due = calls.flatMap(({ payload, receipt }) => hookEvents(payload, receipt).events.map(eventId));
      const now = Math.max(...calls.map(({ receipt }) => receipt.receivedAt)) + HOUR;
      const report = await drainSpool({
        log,
        files: spoolFiles,
        folders: spoolFolders(home),
        now: () => now,
      });
      expect(report, session.name).toMatchObject({ waiting: 0, bad: 0, problems: [] });
      // Files of a prompt whose hook was lost may be private: they are removed unread, and counted. Some real files
      // begin with tool uses of a prompt that is in another file.
      if (options.loseEvery === undefined && corpus === 'synthetic')
        expect(report.private, session.name).toBe(0);
      const logged = (await log.page({ after: 0, limit: 100_000, bytesMax: 1e9 })).events.map(({ id }) => id);
      const missing = new Set(due).size - logged.length;
      expect(missing, session.name).toBe(report.private);
      expect(waiting(home)).toEqual([]);
      await log.close();
      await folder.remove();
    }
  });
});
