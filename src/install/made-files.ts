// What `install` made on this machine: folders, and files of our own. `uninstall` removes exactly that. The record is
// beside the capture script: bin/installed.json of the home.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, objectOf, parseTranscriptLine, stringOf } from '../agents/common/json-fields.ts';
import { readText, writeAtomically } from '../platform/atomic-file.ts';

/** What was made for one settings file. */
export interface Made {
  /** The topmost folder that had to be made. */
  readonly folder: string | null;
  /** SHA-256 of a file of our own, as it was written. Null for a file that is shared. */
  readonly sha256: string | null;
}

const NOTHING: Made = { folder: null, sha256: null };

export async function madeFor(home: string, path: string): Promise<Made> {
  const made = objectOf((await readRecord(home))[path]);
  return made === null ? NOTHING : { folder: stringOf(made.folder), sha256: stringOf(made.sha256) };
}

/** `made` null: what was made is gone. */
export async function noteMade(home: string, path: string, made: Made | null): Promise<void> {
  const { [path]: _, ...others } = await readRecord(home);
  const isWorthNoting = made !== null && (made.folder !== null || made.sha256 !== null);
  const record = isWorthNoting ? { ...others, [path]: { ...made } } : others;
  if (Object.keys(record).length > 0)
    await writeAtomically(recordPath(home), `${JSON.stringify(record, null, 2)}\n`);
  else await rm(recordPath(home), { force: true });
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function recordPath(home: string): string {
  return join(home, 'bin', 'installed.json');
}

/** A record that is missing or damaged is empty: then what it named stays. */
async function readRecord(home: string): Promise<JsonObject> {
  return parseTranscriptLine(Buffer.from((await readText(recordPath(home))) ?? '')) ?? {};
}
