// The requests of a client that were read and are not answered yet.
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Message = Parameters<StdioServerTransport['send']>[0];

export class OpenRequests {
  readonly #ids = new Set<unknown>();
  #onAnswered = (): void => {};

  /** From now on. Call it when the library listens to the transport, and before anything is read. */
  watch(transport: StdioServerTransport): void {
    const { onmessage } = transport;
    const send = transport.send.bind(transport);
    transport.onmessage = (message) => {
      this.#read(message);
      onmessage?.(message);
    };
    transport.send = async (message) => {
      try {
        await send(message);
      } finally {
        if (!('method' in message)) this.#close(message.id);
      }
    };
  }

  /** Resolves when none is open. */
  async answered(): Promise<void> {
    if (this.#ids.size > 0) await new Promise<void>((resolve) => (this.#onAnswered = resolve));
  }

  #read(message: Message): void {
    if (!('method' in message)) return;
    // A subscription stays open until the client ends it.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#ids.add(message.id);
    // It is not answered.
    else if (message.method === 'notifications/cancelled') this.#close(message.params?.requestId);
  }

  #close(id: unknown): void {
    if (this.#ids.delete(id) && this.#ids.size === 0) this.#onAnswered();
  }
}
