// A clock that nobody can set: how long the system has run. It tells how old something is that happened since the system started.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

export interface BootTime {
  /** Names the start of the system. */
  readonly boot: string;
  /** Since then, ms; sleep counts. */
  readonly upMs: number;
}

const BOOT_CHARS = 8;
let known: string | null | undefined;

/** Null where the start of the system has no name: only Linux gives it one. */
export function bootTime(): BootTime | null {
  known ??= bootName();
  return known === null ? null : { boot: known, upMs: Math.floor(uptime() * 1_000) };
}

function bootName(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, BOOT_CHARS);
  } catch {
    return null;
  }
}
