// Opens the shared log at an address. The client of an engine is loaded only when it is needed: most homes share nothing.
import { serverUrl } from './server-url.ts';
import type { SharedLog, SharedLogAddress } from './shared-log.ts';

/** @throws AnnalsError USAGE, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
export async function openSharedLog(address: SharedLogAddress): Promise<SharedLog> {
  const { protocol } = serverUrl(address.url);
  if (protocol === 'nats:' || protocol === 'tls:')
    return (await import('./nats-log.ts')).openNatsLog(address);
  return (await import('./postgres-log.ts')).openPostgresLog(address);
}
