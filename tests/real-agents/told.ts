// Whether the recording hooks were told something.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Told } from './plan.ts';

/** A payload that is still being written has a name with a dot, and does not count yet. */
export function wasTold(payloads: string, { hook, holding }: Told): boolean {
  const inside = JSON.stringify(holding).slice(1, -1);
  return readdirSync(payloads)
    .filter((name) => !name.startsWith('.'))
    .some((name) => {
      const payload = readFileSync(join(payloads, name), 'utf8');
      return payload.includes(`"hook_event_name":"${hook}"`) && payload.includes(inside);
    });
}
