// Watches the home of a worker: for changed settings, and for the end of the home or of the socket.
import { lstatSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { homePaths } from '../platform/home-paths.ts';

export interface HomeWatchOptions {
  readonly home: string;
  readonly socket: string;
  /** The settings file may have changed. */
  onSettings(): void;
  /** Without them the worker is of no use. */
  onGone(what: 'its home is gone' | 'its socket is gone'): void;
  onProblem(text: string, error: unknown): void;
}

/** The socket may be the first part of the home that somebody removes. What the worker wrote meanwhile would be in the way. */
const REMOVAL_MS = 1_000;
/** An editor writes a settings file in several steps. */
const SETTINGS_QUIET_MS = 200;

/** @returns ends it */
export function watchHome({ home, socket, onSettings, onGone, onProblem }: HomeWatchOptions): () => void {
  const before = identityOf(home);
  let later: NodeJS.Timeout | undefined;
  const isHomeGone = () => identityOf(home) !== before;
  const look = (name: string | null) => {
    if (isHomeGone()) onGone('its home is gone');
    else if (identityOf(socket) === null && process.platform !== 'win32') {
      clearTimeout(later);
      later = setTimeout(() => onGone(isHomeGone() ? 'its home is gone' : 'its socket is gone'), REMOVAL_MS);
    } else if (name === null || name === basename(homePaths(home).config)) {
      clearTimeout(later);
      later = setTimeout(onSettings, SETTINGS_QUIET_MS);
    }
  };
  const ends: (() => void)[] = [() => clearTimeout(later)];
  for (const folder of new Set([home, dirname(socket)])) {
    try {
      const watcher = watch(folder, (_event, name) => look(name));
      watcher.on('error', () => look(null));
      ends.push(() => watcher.close());
    } catch (error) {
      onProblem(`${folder} cannot be watched`, error);
    }
  }
  return () => {
    for (const end of ends) end();
  };
}

/** Null when it is gone. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
