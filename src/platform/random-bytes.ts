// The only source of randomness: ids of logs and generations, salts. Injected like the clock.
import { randomBytes as nodeRandomBytes } from 'node:crypto';

export function randomBytes(size: number): Uint8Array {
  return nodeRandomBytes(size);
}
