// What single events say of workdirs.
import type { EventData } from '../../log/index.ts';
import { importedWorkdir, savedWorkdir } from '../ids/named-projects.ts';

/** The folder or `project:<name>` that an event makes known; null for none. */
export function namedWorkdir(event: EventData): string | null {
  switch (event.type) {
    case 'workdir.seen':
    case 'project.linked':
    case 'session.started':
      return event.body.cwd;
    case 'memory.saved':
      return savedWorkdir(event.body);
    case 'import.memory':
      return importedWorkdir(event.body);
    default:
      return null;
  }
}

interface Dated {
  /** Unix ms. */
  readonly at: number | null;
  /** Of the event. */
  readonly id: string;
}

/** Equal times by event id. What has no time is older than everything else. */
export function isOlder(one: Dated, other: Dated): boolean {
  const [at, otherAt] = [one.at ?? Number.NEGATIVE_INFINITY, other.at ?? Number.NEGATIVE_INFINITY];
  return at === otherAt ? one.id < other.id : at < otherAt;
}
