// Answers the capture script while an agent waits: what earlier sessions know about a prompt, in the agent's own form,
// or nothing. One socket for each occasion that is switched on: where there is no socket, the script asks nobody.
// The payload itself is in the spool already; nothing here records it.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Mutex } from '../../log/index.ts';
import { hooksOf } from '../agents/hooks.ts';
import { RECALL_OCCASIONS, type RecallAnswer, type RecallOccasion } from '../api/recall.ts';
import type { Annals } from '../api.ts';
import { RECALL_SOCKET } from '../capture/spool/capture-script.ts';
import type { Settings } from '../config/settings.ts';
import { type HttpServer, type IncomingMessage, listenHttpSocket } from '../platform/local-http-server.ts';
import { answerInForm, askedIn, type RecallRequest } from './recall-request.ts';
import { RecalledItems } from './recalled-items.ts';
import { SOCKET_PATH_BYTES_MAX } from './worker-files.ts';

export interface RecallSocketsOptions {
  readonly home: string;
  readonly annals: Pick<Annals, 'recall' | 'recordInjection'>;
  /** An answer that took longer, in ms, comes too late. */
  readonly answerMs?: number;
  onProblem(text: string, error?: unknown): void;
}

/** A larger payload is not read: its error is cut anyway. */
const BODY_BYTES_MAX = 1024 * 1024;
/** The script waits 50 ms in all. */
const ANSWER_MS = 45;

export class RecallSockets {
  readonly #options: RecallSocketsOptions;
  readonly #servers = new Map<RecallOccasion, Pick<HttpServer, 'close'>>();
  readonly #recalled = new RecalledItems();
  readonly #searches = new Mutex();
  readonly #warmed = new Set<string>();

  constructor(options: RecallSocketsOptions) {
    this.#options = options;
  }

  /** Listens for what the settings switch on, and for nothing else. Never rejects. */
  async apply(settings: Pick<Settings, `recall.${RecallOccasion}`>): Promise<void> {
    this.#warmed.clear();
    for (const occasion of RECALL_OCCASIONS) {
      const isOn = settings[`recall.${occasion}`];
      if (isOn && !this.#servers.has(occasion)) await this.#listen(occasion);
      else if (!isOn) await this.#close(occasion);
    }
  }

  /** Loads the indexes of these folders' projects, so that the first prompt there does not wait for that. */
  warm(folders: readonly string[]): void {
    if (!this.#servers.has('prompt')) return;
    for (const cwd of folders) {
      if (this.#warmed.has(cwd)) continue;
      this.#warmed.add(cwd);
      void this.#options.annals.recall({ occasion: 'prompt', text: 'index', cwd }).catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await Promise.all(RECALL_OCCASIONS.map((occasion) => this.#close(occasion)));
  }

  async #listen(occasion: RecallOccasion): Promise<void> {
    const path = this.#path(occasion);
    try {
      // Windows runs no capture script.
      if (process.platform === 'win32') return;
      // That of a worker that was killed.
      this.#remove(occasion);
      if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) throw new Error(`The path ${path} is too long.`);
      const server = await listenHttpSocket(path, {
        onRequest: (request, response) => {
          const began = performance.now();
          const { answerMs = ANSWER_MS } = this.#options;
          const isAwaited = () => !response.destroyed && performance.now() - began <= answerMs;
          this.#answer(occasion, request, isAwaited)
            .then(({ output, onSent }) => {
              if (output !== '' && isAwaited()) {
                response.once('finish', onSent);
                response.end(output);
              } else response.end();
            })
            .catch(() => response.destroy());
        },
      });
      chmodSync(path, 0o600);
      this.#servers.set(occasion, server);
    } catch (error) {
      this.#options.onProblem(`Nothing can be recalled for a ${occasion}`, error);
    }
  }

  async #answer(
    occasion: RecallOccasion,
    request: IncomingMessage,
    isAwaited: () => boolean,
  ): Promise<Answered> {
    const agent = (request.url ?? '').slice(1);
    const hooks = await hooksOf(agent);
    const body = hooks === null ? null : await bodyOf(request);
    const asked = body === null ? null : await askedIn(agent, hooks!, occasion, body);
    if (asked === null) return NOTHING;
    const { annals, home } = this.#options;
    const began = performance.now();
    // One after another: what nobody waits for any more must not delay those behind it.
    const answer = await this.#searches.run(async () =>
      isAwaited() ? annals.recall(this.#recalled.without(asked, agent, home)) : null,
    );
    if (answer === null) return NOTHING;
    const output = answer.text === '' ? '' : answerInForm(hooks!, occasion, answer.text);
    return {
      output,
      onSent: () => this.#noteSent(agent, asked, answer, Math.round(performance.now() - began)),
    };
  }

  /** The one place where what was recalled is recorded. */
  #noteSent(agent: string, asked: RecallRequest, answer: RecallAnswer, durationMs: number): void {
    const { session, options } = asked;
    this.#recalled.note(asked, answer);
    this.#options.annals
      .recordInjection({
        ...{ agent, session, occasion: options.occasion, cwd: options.cwd, durationMs },
        ...{ text: answer.text, items: answer.items },
      })
      .catch((error: unknown) => this.#options.onProblem('An injection was not recorded', error));
  }

  async #close(occasion: RecallOccasion): Promise<void> {
    const server = this.#servers.get(occasion);
    this.#servers.delete(occasion);
    this.#remove(occasion);
    await server?.close();
  }

  #path(occasion: RecallOccasion): string {
    return join(this.#options.home, `${RECALL_SOCKET}${occasion}`);
  }

  #remove(occasion: RecallOccasion): void {
    rmSync(this.#path(occasion), { force: true });
  }
}

interface Answered {
  readonly output: string;
  readonly onSent: () => void;
}

const NOTHING: Answered = { output: '', onSent: () => undefined };

/** Null when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
