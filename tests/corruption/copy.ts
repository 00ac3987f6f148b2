// The copy of a home that is damaged. It consists of hard links; LevelDB and our own writers create new files instead of
// changing these, so the original stays intact.
import { createHash } from 'node:crypto';
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Damage } from './damages.ts';
import { filesOf } from './regions.ts';

export interface Workdirs {
  readonly home: string;
  readonly older: string;
  readonly copy: string;
}

/** Makes a fresh copy, with the damage if one is given. */
export function freshCopy({ home, older, copy }: Workdirs, damage: Damage | null): void {
  rmSync(copy, { recursive: true, force: true });
  link(home, copy);
  if (damage !== null) harm(join(copy, damage.name), join(older, damage.name), damage);
}

/**
 * The contents of a folder of the copy, by file name. Two LevelDB folders with equal contents read the same, so the
 * second need not be read.
 */
export function fingerprint({ home, copy }: Workdirs, folder: string): string {
  const digest = createHash('sha256');
  for (const name of filesOf(join(copy, folder))) {
    digest.update(`${name}\n`);
    const path = join(copy, folder, name);
    if (isSameFile(path, join(home, folder, name))) digest.update('as it was\n');
    else digest.update(readFileSync(path)).update('\n');
  }
  return digest.digest('hex');
}

function isSameFile(path: string, other: string): boolean {
  return statSync(other, { throwIfNoEntry: false })?.ino === statSync(path).ino;
}

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    // A lock on a link would lock every copy.
    else if (!/^LO(CK|G|G\.old)$/.test(entry.name)) linkSync(source, target);
  }
}

function harm(path: string, older: string, damage: Damage): void {
  const bytes = damage.act === 'flip' || damage.act === 'cut' ? readFileSync(path) : Buffer.alloc(0);
  rmSync(path, { recursive: true });
  if (damage.act === 'flip') bytes[damage.offset]! ^= 1 << damage.bit;
  if (damage.act === 'flip') writeFileSync(path, bytes);
  if (damage.act === 'cut') writeFileSync(path, bytes.subarray(0, damage.size));
  if (damage.act === 'older') cpSync(older, path, { recursive: true });
}
