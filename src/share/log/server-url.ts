// The address of a shared log, in parts.
import { AnnalsError } from '../../../log/index.ts';

/** For the connection, and how long a server may be silent when it is asked, ms. */
export const TIMEOUT_MS = 10_000;

export interface ServerUrl {
  readonly protocol: string;
  /** Without the brackets of IPv6. */
  readonly hostname: string;
  /** Empty: the usual one. */
  readonly port: string;
  readonly user: string;
  readonly password: string;
  /** Of PostgreSQL; empty: the usual one. */
  readonly database: string;
  /** Everywhere but on this machine itself. */
  readonly isEncrypted: boolean;
}

const PROTOCOLS = ['nats:', 'tls:', 'postgres:', 'postgresql:'];

/** @throws AnnalsError USAGE */
export function serverUrl(text: string): ServerUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !PROTOCOLS.includes(url.protocol) || url.hostname === '')
    throw new AnnalsError('USAGE', 'This is not the address of a shared log.', {
      hint: 'Use nats://host:4222, tls://host:4222 or postgres://user@host/database.',
    });
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return {
    ...{ protocol: url.protocol, hostname, port: url.port },
    user: decoded(url.username),
    password: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
    isEncrypted: url.protocol === 'tls:' || !isLoopback(hostname),
  };
}

/** The address without user and password, for people. @throws AnnalsError USAGE */
export function shownAddress(text: string): string {
  const { protocol } = serverUrl(text);
  const { host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The error quotes nothing: it may be the password. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AnnalsError('USAGE', 'The address of the shared log has a % that encodes no character.', {
      hint: 'Write %25 for a % in the user, the password or the database.',
    });
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
