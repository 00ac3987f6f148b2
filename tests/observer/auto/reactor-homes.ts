// Homes with a scripted model, in which turns end now.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { annalsOf } from '../../../src/annals.ts';
import type { Home } from '../../../src/home/home.ts';
import type { Annals } from '../../../src/index.ts';
import { ObserverReactor, type ReactorOptions } from '../../../src/observer/auto/observer-reactor.ts';
import { modelOf } from '../../../src/observer/observe-home.ts';
import { openParts } from '../../../src/open-parts.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';
import { type ModelServer, modelServer, SERVER_KEY } from '../model-server.ts';

export const VARIABLE = 'ANNALS_TEST_KEY';
const MINUTE = 60_000;

export interface AutoHome {
  readonly annals: Annals;
  readonly home: Home;
  readonly server: ModelServer;
  /** A reactor that waits for nothing; closed with the test. */
  start(options?: ReactorOptions): Promise<ObserverReactor>;
  /** Resolves when this holds. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  types(): Promise<readonly string[]>;
  switched(action: 'pause' | 'resume' | 'retry'): Promise<void>;
}

export async function autoHome(
  folder: string,
  settings: Readonly<Record<string, unknown>> = {},
  given?: ModelServer,
): Promise<AutoHome> {
  const server = given ?? (await modelServer());
  process.env[VARIABLE] = SERVER_KEY;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const all = {
    'observer.url': server.url,
    'observer.keyVariable': VARIABLE,
    'observer.auto': 'on',
    ...settings,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(all));
  const home = await openParts({ home: folder });
  const annals = await annalsOf(home, {});
  onTestFinished(async () => {
    await annals.close();
    delete process.env[VARIABLE];
  });
  let switches = 0;
  const types = async () => {
    const found: string[] = [];
    for await (const { type } of annals.log()) if (type.startsWith('observer.')) found.push(type.slice(9));
    return found;
  };
  return {
    ...{ annals, home, server, types },
    async start(options = {}) {
      const model = await modelOf(home);
      if ('why' in model) throw new Error(model.why);
      const reactor = new ObserverReactor(model, home, { quietMs: 0, ...options });
      onTestFinished(() => reactor.close());
      return reactor;
    },
    until: (holds) =>
      vi.waitFor(
        async () => {
          await home.runner.catchUp();
          if (!(await holds())) throw new Error(`It never held. Events: ${await types()}`);
        },
        { timeout: 200_000, interval: 10 },
      ),
    async switched(action) {
      await annals.append([
        {
          ...{ type: 'observer.switched', agent: 'annals', session: null, channel: 'cli' },
          ...{ occurredAt: Date.now() + ++switches, dedupeKey: `${action} ${switches}` },
          body: { on: action !== 'pause', retry: action === 'retry' },
        },
      ]);
      await home.runner.catchUp();
    },
  };
}

/** A turn of a session of its own that ended so long ago, ms. Without an end, the agent still works. */
export function turn(
  number: number,
  { ago = MINUTE, hasEnded = true }: { readonly ago?: number; readonly hasEnded?: boolean } = {},
): readonly NewEvent[] {
  const session = `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const start = Date.now() - ago - 10 * MINUTE;
  const script = new Script({ session, cwd: '/home/u/feeder', start, firstUuid: number * 100 });
  script.prompt(`Why does feeder ${number} jam?`, { promptId: `prompt-${number}` });
  const use = `toolu_${number}`;
  script.use(use, 'Edit', { file_path: `/home/u/feeder/${number}.ts`, old_string: '5', new_string: '9' });
  script.result(use, 'The file has been updated.');
  if (hasEnded) script.reply(`I widened chute ${number}.`);
  const events = readWhole(script.bytes()).newEvents;
  if (!hasEnded) return events;
  return [
    ...events,
    {
      ...{ type: 'agent.stopped', agent: 'claude-code', session, channel: 'hook' },
      ...{ occurredAt: events.at(-1)!.occurredAt! + 1, dedupeKey: `stop ${number}` },
      body: { reason: 'stop', text: `I widened chute ${number}.` },
    },
  ];
}
