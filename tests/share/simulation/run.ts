// One seed: many machines with the real outbox, inbox and placement capture and exchange events over a server with faults.
// At the end all that was captured in shared projects must be on all machines, once, and nothing else.
import type { MessageKind } from '../../../src/share/log/shared-log.ts';
import { chance } from '../../helpers/chance.ts';
import { Cut, type Machine, machine, reply, seen } from '../machines.ts';
import { type Faults, FaultyServer } from './faulty-server.ts';

export interface Simulated {
  readonly machines: number;
  /** Different events of shared projects. */
  readonly events: number;
  /** Events that a machine took in. */
  readonly received: number;
  readonly exchanges: number;
  readonly faults: Faults;
  /** That the server has seen, and how many there may be. */
  readonly subjects: number;
  readonly subjectsMax: number;
  /** Messages that the server stored, by kind, and bytes to it and from it. */
  readonly stored: Readonly<Record<MessageKind, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Copies of events that a machine should have and has not, that it has twice, and that it should not have. */
  readonly lost: number;
  readonly doubled: number;
  readonly foreign: number;
}

interface Plan {
  readonly seed: number;
  readonly machines: number;
  /** Is told how far it is, after each part. */
  readonly onProgress?: (what: string) => void;
  /** Times that some machine captures or exchanges, for each machine. Default 8. */
  readonly steps?: number;
}

const PROJECTS = 12;
const PROJECTS_EACH = 3;
/** Machines of all that say what they hold whenever they exchange. */
const SPEAKING = 5;
const DAY_MS = 86_400_000;
const ROUNDS_MAX = 20;

export async function simulate({
  seed,
  machines: count,
  steps = 8,
  onProgress = () => undefined,
}: Plan): Promise<Simulated> {
  const source = chance(seed);
  const server = new FaultyServer(chance(seed + 1));
  const all = await Promise.all(Array.from({ length: count }, (_, number) => newMachine(number, seed)));
  const expected = new Set<string>();
  const capture = async (one: Simulator, shared: boolean, number: number) => {
    const project = one.projects[source.below(one.projects.length)]!;
    const cwd = shared ? `/${project}` : '/diary';
    const before = one.machine.log.head().position;
    await one.machine.capture(reply(`${one.number}-${source.below(3)}${cwd}`, number, cwd));
    if (!shared) return;
    for (const { header } of (await one.machine.log.exportPage({ after: before })).events)
      expected.add(header.id);
  };
  for (const one of all) {
    await one.machine.capture(
      seen('/diary', 'github.com/me/diary'),
      ...one.projects.map((project) => seen(`/${project}`, `github.com/acme/${project}`)),
    );
    for (const { header, body } of (await one.machine.log.exportPage({ after: 0 })).events)
      if (body.salt !== null && !body.json.includes('diary')) expected.add(header.id);
  }

  let [exchanges, received] = [0, 0];
  const exchange = async (one: Simulator, { calls, speaks = false }: How = {}): Promise<boolean> => {
    exchanges += 1;
    try {
      const shared = server.connect(calls);
      const before = server.stored.statement;
      const report = await (speaks ? one.machine.sync(shared) : one.machine.exchange(shared));
      received += report.received;
      return report.received + report.events + server.stored.statement - before > 0;
    } catch (error) {
      if (error instanceof Cut) return true;
      throw error;
    }
  };
  /** Another machine exchanges meanwhile. */
  const atOnce = async (one: Simulator, work: () => Promise<unknown>): Promise<void> => {
    const other = all[source.below(count)]!;
    await Promise.all([work(), other === one ? null : exchange(other)]);
  };
  for (let step = 0; step < steps * count; step++) {
    const one = all[source.below(count)]!;
    const dice = source.below(100);
    if (dice < 35) await capture(one, true, step);
    else if (dice < 45) await capture(one, false, step);
    else if (dice < 70) await atOnce(one, () => exchange(one, { speaks: source.below(count) < SPEAKING }));
    else if (dice < 90) await atOnce(one, () => exchange(one, { calls: source.below(6) }));
    else if (dice < 95) await one.machine.restart();
    else if (dice < 96) one.machine.team.rotate(`key${step}`);
    else if (dice < 97) server.forgetIds();
    else if (dice < 98) server.lose(1 + source.below(5));
    else server.repeat(1 + source.below(5));
    if (source.below(steps * count) === 0) server.wipe();
  }
  // First everything goes out and comes in. When it is quiet, machines say what they hold.
  for (const speaks of [false, true])
    for (let round = 0, isBusy = true; isBusy; round++) {
      if (round === ROUNDS_MAX) throw new Error(`seed ${seed}: the machines never agree`);
      onProgress(`round ${round}, ${speaks ? 'saying what they hold' : 'exchanging'}`);
      isBusy = false;
      for (const one of source.shuffled(all)) isBusy = (await exchange(one, { speaks })) || isBusy;
    }

  onProgress('comparing');
  let [lost, doubled, foreign] = [0, 0, 0];
  for (const {
    machine: { log },
  } of all) {
    const ids = await idsOf(log);
    const different = new Set(ids.map(({ id }) => id));
    doubled += ids.length - different.size;
    for (const id of expected) if (!different.has(id)) lost += 1;
    for (const { id, origin } of ids) if (origin !== log.origin && !expected.has(id)) foreign += 1;
  }
  return {
    ...{ machines: count, events: expected.size, received, exchanges, faults: server.faults },
    ...{ subjects: server.subjects.size, subjectsMax: count * (1 + PROJECTS_EACH + PROJECTS) },
    ...{ stored: server.stored, bytesIn: server.bytesIn, bytesOut: server.bytesOut, lost, doubled, foreign },
  };
}

interface How {
  /** After so many the connection is cut. */
  readonly calls?: number;
  /** Whether the machine says what it holds. */
  readonly speaks?: boolean;
}

interface Simulator {
  readonly number: number;
  readonly machine: Machine;
  /** That it shares. */
  readonly projects: readonly string[];
}

async function newMachine(number: number, seed: number): Promise<Simulator> {
  const projects = Array.from(
    { length: PROJECTS_EACH },
    (_, index) => `app${(number + 5 * index) % PROJECTS}`,
  );
  const shared = projects.map((name) => ({ key: `repo:github.com/acme/${name}`, name, since: 0 }));
  // Clocks differ by days.
  const clock = Date.UTC(2026, 0, 1) + ((number % 5) - 2) * DAY_MS;
  return { number, projects, machine: await machine(`m${seed}-${number}`, shared, clock) };
}

async function idsOf(log: Machine['log']): Promise<{ readonly id: string; readonly origin: string }[]> {
  const ids: { id: string; origin: string }[] = [];
  for (let after = 0; ; ) {
    const { events, end } = await log.exportPage({ after });
    if (events.length === 0) return ids;
    ids.push(...events.map(({ header: { id, origin } }) => ({ id, origin })));
    after = end.position;
  }
}
