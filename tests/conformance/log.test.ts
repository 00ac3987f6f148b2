import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { levelStore } from '../../log/store.ts';
import { chance } from '../helpers/chance.ts';
import { memoryStore } from '../helpers/logs.ts';
import { Faults } from '../simulation/faults.ts';
import { Life, Trace } from '../simulation/life.ts';
import { scratchFolder } from '../simulation/scratch.ts';
import { SimulatedDisk } from '../simulation/simulated-disk.ts';
import { logConformance } from './log.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let inMemory = memoryStore();
logConformance({
  name: 'A log in memory',
  makeStore: async () => {
    inMemory = memoryStore();
    return inMemory;
  },
  sameStore: async () => inMemory,
});

let folders = 0;
logConformance({
  name: 'A log on LevelDB',
  makeStore: async () => levelStore(join(folder, `log-${++folders}`)),
  sameStore: async () => levelStore(join(folder, `log-${folders}`)),
});

let disk = new SimulatedDisk();
const luck = chance(1);
const life = new Life(new Faults('nothing wrong', 0, luck, false), luck, new Trace());
logConformance({
  name: "A log on the simulation's disk",
  makeStore: async () => {
    disk = new SimulatedDisk();
    return disk.logFolders(life).makeStore!('log');
  },
  sameStore: async () => disk.logFolders(life).makeStore!('log'),
});
