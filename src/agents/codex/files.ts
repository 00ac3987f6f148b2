// Where Codex keeps its settings and rollouts, and how a rollout is recognised.
import { isAbsolute, join, resolve } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';
import { objectOf, stringOf } from '../common/json-fields.ts';

export function codexFolder({ environment, userHome }: Machine): string {
  const home = environment.CODEX_HOME;
  return home === undefined || home === '' ? join(userHome, '.codex') : resolve(home);
}

/** Archiving moves a rollout from one to the other. */
export function rolloutFolders(machine: Machine): readonly string[] {
  return ['sessions', 'archived_sessions'].map((folder) => join(codexFolder(machine), folder));
}

export function isRollout(path: string): boolean {
  return isAbsolute(path) && ROLLOUT.test(path);
}

const ROLLOUT = /[\\/]rollout-[^\\/]+\.jsonl(?:\.zst)?$/;

/** Rollouts that nobody used for a week may be compressed in place. */
export function isCompressed({ path }: Pick<FileStart, 'path'>): boolean {
  return path.endsWith('.jsonl.zst');
}

export function recognises(file: FileStart): boolean {
  if (isCompressed(file)) return ROLLOUT.test(file.path);
  const first = file.lines[0];
  if (first === undefined) return false;
  if (first.type === 'session_meta') return stringOf(objectOf(first.payload)?.id) !== null;
  return isUnwrappedStart(first);
}

/** The first line until September 2025: the session's own fields, without an envelope. */
export function isUnwrappedStart(line: FileStart['lines'][number]): boolean {
  return (
    stringOf(line.id) !== null &&
    stringOf(line.timestamp) !== null &&
    line.type === undefined &&
    'instructions' in line
  );
}
