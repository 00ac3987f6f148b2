// The only source of chance: ids of logs and generations, salts. Handed in like the clock.
import { randomBytes as nodeRandomBytes } from 'node:crypto';

export function randomBytes(size: number): Uint8Array {
  return nodeRandomBytes(size);
}
