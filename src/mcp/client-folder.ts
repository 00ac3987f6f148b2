// The folder that a client works in: its first root, else the folder in which it started the server. Clients of the
// newer protocol have no roots.
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/server';

/** A client that does not answer must not hold a search up. */
const ROOTS_MS = 1_000;

export class ClientFolder {
  readonly #server: McpServer;
  readonly #startedIn: string | null;
  #folder: Promise<string | null> | null = null;

  constructor(server: McpServer, startedIn: string | null) {
    this.#server = server;
    this.#startedIn = startedIn;
    server.server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#folder = null;
    });
  }

  get(): Promise<string | null> {
    this.#folder ??= this.#firstRoot();
    return this.#folder;
  }

  async #firstRoot(): Promise<string | null> {
    const { server } = this.#server;
    if (server.getClientCapabilities()?.roots === undefined) return this.#startedIn;
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
      const local = roots.find(({ uri }) => uri.startsWith('file://'));
      return local === undefined ? this.#startedIn : fileURLToPath(local.uri);
    } catch {
      return this.#startedIn;
    }
  }
}
