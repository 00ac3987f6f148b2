// The folder that a client works in: its first root, else the folder in which it started the server. Clients of the
// newer protocol have no roots.
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/server';
import { wait } from '../platform/clock.ts';

/** A client that does not answer must not hold a search up. What it answers later counts for the next call. */
const ROOTS_MS = 1_000;

export class ClientFolder {
  readonly #server: Pick<McpServer, 'server'>;
  readonly #startedIn: string | null;
  readonly #waitMs: number;
  #folder: Promise<string | null> | null = null;

  constructor(server: Pick<McpServer, 'server'>, startedIn: string | null, waitMs = ROOTS_MS) {
    this.#server = server;
    this.#startedIn = startedIn;
    this.#waitMs = waitMs;
    server.server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#folder = null;
    });
  }

  async get(): Promise<string | null> {
    this.#folder ??= this.#firstRoot();
    const answered = new AbortController();
    const late = wait(this.#waitMs, answered.signal).then(() => this.#startedIn);
    try {
      return await Promise.race([this.#folder, late]);
    } finally {
      answered.abort();
    }
  }

  async #firstRoot(): Promise<string | null> {
    const { server } = this.#server;
    if (server.getClientCapabilities()?.roots === undefined) return this.#startedIn;
    try {
      const { roots } = await server.listRoots();
      const local = roots.find(({ uri }) => uri.startsWith('file://'));
      return local === undefined ? this.#startedIn : fileURLToPath(local.uri);
    } catch {
      return this.#startedIn;
    }
  }
}
