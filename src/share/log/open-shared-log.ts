// Opens the shared log at an address. The client of an engine is loaded only when it is needed: most homes share nothing.
import { AnnalsError } from '../../../log/index.ts';
import type { SharedLog, SharedLogAddress } from './shared-log.ts';

/** @throws AnnalsError USAGE, INPUT_UNREADABLE, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
export async function openSharedLog(address: SharedLogAddress): Promise<SharedLog> {
  const { protocol } = parsedUrl(address.url);
  if (protocol === 'nats:' || protocol === 'tls:')
    return (await import('./nats-log.ts')).openNatsLog(address);
  return (await import('./postgres-log.ts')).openPostgresLog(address);
}

const PROTOCOLS = ['nats:', 'tls:', 'postgres:', 'postgresql:'];

/** The address without user and password, for people. @throws AnnalsError USAGE */
export function shownAddress(url: string): string {
  const { protocol, host, pathname } = parsedUrl(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

function parsedUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed !== null && PROTOCOLS.includes(parsed.protocol) && parsed.hostname !== '') return parsed;
  throw new AnnalsError('USAGE', 'This is not the address of a shared log.', {
    hint: 'Use nats://host:4222, tls://host:4222 or postgres://user@host/database.',
  });
}
