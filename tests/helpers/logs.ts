// Opens logs for tests: on disk in a temporary folder, or in memory.
import { join } from 'node:path';
import { MemoryLevel } from 'memory-level';
import { type Log, type LogWorld, type OpenLogOptions, openLog } from '../../log/index.ts';
import { testFiles, testWorld } from './world.ts';

export function openTestLog(folder: string, options: Partial<OpenLogOptions> = {}): Promise<Log> {
  return openLog({
    directory: join(folder, 'log'),
    headFile: join(folder, 'head.json'),
    world: testWorld(),
    files: testFiles,
    ...options,
  });
}

export function memoryStore(): MemoryLevel<Buffer, Buffer> {
  return new MemoryLevel<Buffer, Buffer>({ keyEncoding: 'buffer', valueEncoding: 'buffer' });
}

export function openMemoryLog(store = memoryStore(), world: LogWorld = testWorld()): Promise<Log> {
  return openLog({ directory: '', headFile: null, world, files: testFiles, store });
}
