// Whole homes that share through a server in memory.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ExportedEvent, type Log, packEvent } from '../../../log/index.ts';
import { annalsOf } from '../../../src/annals.ts';
import type { Annals } from '../../../src/index.ts';
import { openParts } from '../../../src/open-parts.ts';
import type { SharedLog } from '../../../src/share/log/shared-log.ts';
import { Rows } from '../../../src/share/rows/sync-rows.ts';
import type { LookAtFolder, SharedProject } from '../../../src/share/sync/placement.ts';
import { type SyncReport, syncOnce } from '../../../src/share/sync/sync.ts';
import { WireNames } from '../../../src/share/sync/team.ts';
import { Script } from '../../helpers/transcripts.ts';
import { PROJECT, TeamDouble } from '../machines.ts';
import type { MemoryServer } from '../memory-shared-log.ts';

export interface SharingHome {
  readonly rows: Rows;
  readonly team: TeamDouble;
  readonly annals: Annals;
  readonly log: Log;
  readonly path: string;
  readonly origin: string;
  sync(shared: SharedLog): Promise<SyncReport>;
}

/** Closed when the test ends. The member has the name of the folder. */
export async function sharingHome(
  path: string,
  projects: readonly SharedProject[] = [PROJECT],
  member = basename(path),
  lookAt: LookAtFolder = () => null,
): Promise<SharingHome> {
  const home = await openParts({ home: path });
  const annals = await annalsOf(home, {});
  onTestFinished(() => annals.close());
  const rows = await Rows.load(home.log);
  const team = new TeamDouble(member);
  return {
    rows,
    team,
    annals,
    log: home.log,
    path,
    origin: home.log.origin,
    sync: async (shared) => {
      const report = await syncOnce({ home, rows, team, shared, projects, lookAt });
      await home.runner.catchUp();
      return report;
    },
  };
}

/** The file of a session that ends with an answer about the word. */
export function transcript(folder: string, session: string, cwd: string, word: string): string {
  const script = new Script({ session, version: '2.1.210', cwd });
  script.prompt(`Why does the ${word} test fail?`, { promptId: `${session}-first` });
  script.use(`toolu_${session}`, 'Bash', { command: `npm test ${word}` });
  script.result(`toolu_${session}`, 'Exit code 1\nExpected 2, got 3', {}, { is_error: true });
  script.reply(`Because of the ${word} clock.`);
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(file, script.bytes());
  return file;
}

/** As another member seals and sends it. */
export async function send(
  event: ExportedEvent,
  server: MemoryServer,
  team = new TeamDouble('mallory'),
  { key } = PROJECT,
): Promise<void> {
  const [bytes] = await team.seal([{ project: key, plain: packEvent(event) }]);
  const wire = new WireNames(team);
  server.store({
    ...{ id: wire.event(key, event.header.id), kind: 'event', origin: wire.origin('mallory') },
    ...{ project: wire.project(key), bytes: bytes! },
  });
}
