// Records what a session was given: which items, and what it cost. The text itself is not stored, so that no search finds it.
import { createHash } from 'node:crypto';
import type { NewEvent } from '../../log/index.ts';
import type { Injection } from '../api.ts';
import type { Home } from '../home/home.ts';
import { cleanEvents } from './clean-events.ts';

/** Resolves when it is on disk. Records nothing of an excluded folder, and nothing of an empty text. */
export async function recordInjection(
  injection: Injection,
  { log, excluded, now }: Pick<Home, 'log' | 'excluded' | 'now'>,
  randomBytes: (size: number) => Uint8Array,
): Promise<void> {
  const { agent, session, occasion, cwd, text, items, durationMs = null } = injection;
  if (text === '' || excluded(cwd)) return;
  const event: NewEvent<'context.injected'> = {
    type: 'context.injected',
    agent,
    session,
    dedupeKey: Buffer.from(randomBytes(12)).toString('hex'),
    channel: 'hook',
    occurredAt: now(),
    body: { occasion, cwd, items: items.map(copied), durationMs, ...measured(text) },
  };
  await log.append(cleanEvents([event]));
}

function copied({ id, events, files, commands }: Injection['items'][number]) {
  return { id, events: [...events], files: [...files], commands: [...commands] };
}

function measured(text: string): { readonly tokens: number; readonly hash: string } {
  return { tokens: Math.ceil(text.length / 4), hash: createHash('sha256').update(text).digest('hex') };
}
