// A folder for what a run must have as files: in memory where the system offers that, because transcripts are
// the world's and not ours to break.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

export function scratchFolder(): string {
  return mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'annals-simulation-'));
}
