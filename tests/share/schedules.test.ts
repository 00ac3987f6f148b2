// Seeded schedules on a cluster of three real NATS servers with TLS: three machines, whose clocks differ by a day, capture and
// exchange while connections are cut, machines start again, the leader is killed, messages come twice and late, and the stream
// is deleted. After each schedule all machines hold the same events. ANNALS_TEST_SCHEDULES says how many, ANNALS_TEST_SEED which;
// without it none run: each takes some seconds, because a cluster elects its leaders.
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAnnalsError } from '../../log/index.ts';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import type { Message, SharedLog } from '../../src/share/log/shared-log.ts';
import { type Chance, chance } from '../helpers/chance.ts';
import { startCluster, type TestCluster } from './cluster.ts';
import { contents, cutAfter, type Machine, machine, PROJECT, REMOTE, reply, seen } from './machines.ts';
import { natsProgram } from './servers.ts';
import { everything } from './shared-log-suite.ts';

const SCHEDULES = Number(process.env.ANNALS_TEST_SCHEDULES ?? 0);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
const STEPS = 20;
const TRIES_MAX = 60;
const DAY_MS = 86_400_000;

type Step = (run: Run) => Promise<void>;

interface Run {
  readonly chance: Chance;
  readonly machines: readonly Machine[];
  readonly team: string;
  number: number;
}

describe.skipIf(natsProgram === null || SCHEDULES === 0)(
  'schedules on a cluster (skipped unless asked for)',
  () => {
    let cluster: TestCluster;
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster?.end());
    let urls = 0;
    const open = (team: string): Promise<SharedLog> => {
      const alive = cluster.urls();
      const url = alive[urls++ % alive.length]!;
      return openSharedLog({ url, ca: cluster.ca, team, create: true, replicas: 3 });
    };

    /** What fails because servers are away is what this is about. */
    let lastProblem = '';
    const attempt = async (work: () => Promise<void>): Promise<boolean> => {
      try {
        await work();
        return true;
      } catch (error) {
        if (isAnnalsError(error) && error.code.startsWith('SHARED_LOG_')) {
          lastProblem = error.message;
          return false;
        }
        throw error;
      }
    };

    const connected = (team: string, use: (log: SharedLog) => Promise<unknown>): Promise<boolean> =>
      attempt(async () => {
        const log = await open(team);
        try {
          await use(log);
        } finally {
          await log.close();
        }
      });

    /** False if nobody leads, or there is no stream yet. */
    const managed = async (work: (manager: JetStreamManager) => Promise<void>): Promise<boolean> => {
      const connection = await connect({ servers: [cluster.urls()[0]!.slice(6)], tls: { ca: cluster.ca } });
      try {
        await work(await jetstreamManager(connection));
        return true;
      } catch (error) {
        lastProblem = (error as Error).message;
        return false;
      } finally {
        await connection.close();
      }
    };

    /** A stream that is gone was deleted before, by a request whose answer came too late. */
    const deleted = (team: string): Promise<boolean> =>
      managed(async ({ streams }) => {
        await streams.delete(`ANNALS_${team}`).catch((error) => {
          if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound))
            throw error;
        });
      });

    const someMachine = ({ chance: { below }, machines }: Run): Machine => machines[below(machines.length)]!;

    const STEPS_OF: readonly (readonly [weight: number, step: Step])[] = [
      [
        6,
        async (run) => {
          const who = run.chance.below(run.machines.length);
          for (let count = 1 + run.chance.below(6); count > 0; count--) {
            const event = reply(`s-${run.chance.below(3)}`, ++run.number, `/${who}/app`);
            await run.machines[who]!.capture(event, reply(`private-${who}`, run.number, `/${who}/private`));
          }
        },
      ],
      [
        2,
        async (run) => {
          const event = reply('same', ++run.number, '/any/app');
          for (const one of run.machines) await one.capture(event);
        },
      ],
      [6, async (run) => void (await connected(run.team, (log) => someMachine(run).sync(log)))],
      [
        4,
        async (run) => {
          const calls = run.chance.below(5);
          await connected(run.team, (log) => someMachine(run).sync(cutAfter(log, calls)));
        },
      ],
      [2, async (run) => someMachine(run).restart()],
      [1, async (run) => someMachine(run).team.rotate(`key${++run.number}`)],
      [
        1,
        // Later than the server recognises: under other ids of their own.
        async (run) => {
          await connected(run.team, async (log) => {
            const some = run.chance.shuffled(await everything(log)).slice(0, 20);
            await log.append(some.map((message) => ({ ...message, origin: `late${++run.number}` })));
          });
        },
      ],
      [1, async ({ team }) => void (await deleted(team))],
      [
        1,
        async ({ team }) => {
          let leader: string | undefined;
          await managed(async (manager) => {
            leader = (await manager.streams.info(`ANNALS_${team}`)).cluster?.leader;
          });
          if (leader !== undefined && cluster.urls().length === 3) await cluster.kill(leader);
        },
      ],
      [1, async () => cluster.startAll()],
    ];
    const bag = STEPS_OF.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

    test('a server that was away while the log was made again gives nobody the messages of the log before', async () => {
      const team = `away${process.pid}`;
      const stored = (word: string): Message => ({
        ...{ id: word, kind: 'event', project: 'p', origin: 'o', bytes: new TextEncoder().encode(word) },
      });
      await cluster.startAll();
      await untilDone(() => connected(team, (log) => log.append(['old1', 'old2', 'old3'].map(stored))));
      await untilDone(() => managed((manager) => holdAll(manager, team)));
      await cluster.kill('n3');
      await untilDone(() => deleted(team));
      await untilDone(() => connected(team, (log) => log.append([stored('new1')])));
      await cluster.startAll();
      // While it catches up, reading may fail or end too early: it says of its copy what the leader should say of the log.
      for (let read = 0; read < 20; read++)
        await untilDone(async () => {
          let ids: readonly string[] = [];
          const isRead = await connected(team, async (log) => {
            ids = (await everything(log)).map(({ id }) => id);
          });
          expect(['', 'new1']).toContain(ids.join());
          return isRead && ids.length > 0;
        });
      await untilDone(() => deleted(team));
    });

    /** Tries again until nothing fails. */
    async function untilDone(work: () => Promise<boolean>): Promise<void> {
      for (let tries = 0; !(await work()); tries++) {
        if (tries === TRIES_MAX) throw new Error(`The cluster did not come back. ${lastProblem}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }

    test(`${SCHEDULES} schedules leave equal sets`, { timeout: SCHEDULES * 120_000 }, async () => {
      for (let schedule = 0; schedule < SCHEDULES; schedule++) {
        const seed = SEED * 100_000 + schedule;
        const run: Run = {
          chance: chance(seed),
          machines: await Promise.all(
            ['one', 'two', 'three'].map((name, index) =>
              machine(`${name}${seed}`, [PROJECT], Date.UTC(2026, 0, 1) + (index - 1) * DAY_MS),
            ),
          ),
          team: `schedule${seed}x${process.pid}`,
          number: 0,
        };
        for (const [who, one] of run.machines.entries())
          await one.capture(
            ...[seen(`/${who}/app`, REMOTE), seen('/any/app', REMOTE)],
            seen(`/${who}/private`, 'github.com/me/diary'),
          );
        for (let step = 0; step < STEPS; step++) await bag[run.chance.below(bag.length)]!(run);
        await cluster.startAll();
        await settle(run);
        const [first, ...others] = await Promise.all(run.machines.map(sharedOf));
        for (const other of others) expect(other, `seed ${seed}`).toEqual(first);
        for (const [who, one] of run.machines.entries()) {
          const text = [...(await contents(one.log)).values()].join();
          for (const [index] of run.machines.entries())
            if (index !== who) expect(text, `seed ${seed}`).not.toContain(`of private-${index}`);
        }
        await deleted(run.team);
      }
    });

    /** Fails until all three servers hold the whole stream. */
    async function holdAll(manager: JetStreamManager, team: string): Promise<void> {
      const replicas = (await manager.streams.info(`ANNALS_${team}`)).cluster?.replicas ?? [];
      if (replicas.length !== 2 || replicas.some(({ current }) => !current)) throw new Error('Not yet.');
    }

    /** Everybody exchanges until nothing fails and nobody has anything more to send or to say. */
    async function settle({ machines, team }: Run): Promise<void> {
      let head = -1;
      for (let tries = 0; ; tries++) {
        if (tries === TRIES_MAX) throw new Error(`${team} did not come to rest at ${head}. ${lastProblem}`);
        let isWhole = true;
        const before = head;
        for (const one of machines)
          isWhole =
            (await connected(team, async (log) => {
              await one.sync(log);
              ({ head } = await log.state());
            })) && isWhole;
        if (isWhole && head === before) return;
        if (!isWhole) await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  },
);

/** Without the events that this machine keeps for itself. */
async function sharedOf({ log }: Machine): Promise<readonly (readonly [string, string])[]> {
  const found = [...(await contents(log))].filter(([, json]) => !/private|diary/.test(json));
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}
