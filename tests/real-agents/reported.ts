// Whether the recording hooks received something since a run began.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Told } from './plan.ts';

export type WasReported = (what: Told) => boolean;

/** Payloads of other runs do not count. A payload that is still being written has a name with a dot. */
export function listenTo(payloads: string): WasReported {
  const earlier = new Set(readdirSync(payloads));
  return ({ hook, holding }) => {
    const inside = JSON.stringify(holding).slice(1, -1);
    return readdirSync(payloads)
      .filter((name) => !name.startsWith('.') && !earlier.has(name))
      .some((name) => {
        const payload = readFileSync(join(payloads, name), 'utf8');
        return payload.includes(`"hook_event_name":"${hook}"`) && payload.includes(inside);
      });
  };
}
