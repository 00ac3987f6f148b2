// A temporary folder for files of a run: in memory where the system offers that, because transcripts belong to
// the world and are not subject to faults.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

export function scratchFolder(): string {
  return mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'annals-simulation-'));
}
