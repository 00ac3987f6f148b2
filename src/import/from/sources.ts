// What `annals import --from` can read.
import type { MemorySource } from '../../api.ts';
import { readClaudeMem } from './claude-mem.ts';
import type { ReadMemories } from './found-memory.ts';

const READERS: Readonly<Record<MemorySource, ReadMemories>> = {
  'claude-mem': readClaudeMem,
};

export function readerOf(from: MemorySource): ReadMemories {
  return READERS[from];
}
