// What this home shares: `share/shared.json`, beside the keys of the team. The address of the server is with the keys,
// because an invitation brings both.
import { join } from 'node:path';
import { AnnalsError, EVENT_JSON_LIMITS, parseJson } from '../../log/index.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { remove } from '../platform/disk-files.ts';
import { readTeamFile } from './keys/team-store.ts';
import type { SharedLogAddress } from './log/shared-log.ts';
import type { SharedProject } from './sync/placement.ts';

export type ServerAddress = Pick<SharedLogAddress, 'url' | 'credentials' | 'ca' | 'replicas'>;

/** As text, which an invitation carries. */
export function serverText({ url, credentials, ca, replicas }: ServerAddress): string {
  return JSON.stringify({ url, credentials, ca, replicas });
}

/** @throws AnnalsError INPUT_INVALID */
export function serverOf(text: string): ServerAddress {
  const parsed = parseJson(text, EVENT_JSON_LIMITS);
  const value = 'value' in parsed ? (parsed.value as Partial<ServerAddress> | null) : null;
  const fields = [value?.credentials, value?.ca];
  if (
    typeof value?.url !== 'string' ||
    !fields.every((field) => field === undefined || typeof field === 'string') ||
    !(value.replicas === undefined || Number.isSafeInteger(value.replicas))
  )
    throw new AnnalsError('INPUT_INVALID', 'The address of the shared log cannot be read.', {
      hint: 'Leave the team and join it again.',
    });
  return { url: value.url, credentials: value.credentials, ca: value.ca, replicas: value.replicas };
}

const FILE = 'shared.json';

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export function sharedProjects(folder: string): readonly SharedProject[] {
  const text = readTeamFile(join(folder, FILE));
  if (text === null) return [];
  const parsed = parseJson(text, EVENT_JSON_LIMITS);
  const list = 'value' in parsed ? (parsed.value as { projects?: unknown } | null)?.projects : null;
  if (Array.isArray(list) && list.every(isProject)) return list;
  throw new AnnalsError('INPUT_INVALID', `${join(folder, FILE)} cannot be read, so nothing is shared.`, {
    hint: 'Remove it, stop the worker with `annals worker stop`, and share your projects again.',
  });
}

export function writeSharedProjects(folder: string, projects: readonly SharedProject[]): Promise<void> {
  return writeAtomically(join(folder, FILE), `${JSON.stringify({ projects }, null, 2)}\n`);
}

export function removeSharedProjects(folder: string): Promise<void> {
  return remove(join(folder, FILE));
}

function isProject(value: unknown): value is SharedProject {
  const { key, name, since } = (value ?? {}) as Partial<SharedProject>;
  return typeof key === 'string' && typeof name === 'string' && Number.isSafeInteger(since);
}
