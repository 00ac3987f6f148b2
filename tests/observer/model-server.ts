// A model service over real HTTP, with scripted replies: Anthropic's Messages API with batches, and the chat API of OpenAI.
// It refuses what the real services refuse, caches prefixes as they do, and records every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Batches } from './model-server-batches.ts';
import { CHAT, MESSAGES } from './model-server-protocols.ts';
import type { ModelRequestSeen, Protocol, ScriptedAnswer } from './model-server-types.ts';

export type { ModelRequestSeen, ScriptedAnswer };

export interface ModelServer {
  /** Without `/v1`. */
  readonly url: string;
  readonly requests: ModelRequestSeen[];
  /** Used up first, in order. */
  readonly answers: ScriptedAnswer[];
  /** Answers when `answers` is empty. */
  answer: (request: ModelRequestSeen) => ScriptedAnswer;
  /** Null: no key is needed. */
  key: string | null;
  /** The clock of the prompt cache, Unix ms. */
  now: () => number;
  /** Batches stay in progress until then. */
  endBatches(how: Parameters<Batches['end']>[0]): void;
  /** Called when a request has arrived, before it is answered. */
  onRequest: (request: ModelRequestSeen) => void;
  close(): Promise<void>;
}

export const SERVER_KEY = 'key-of-the-scripted-model-0123456789';

/** Ends with the test. */
export async function modelServer(answers: readonly ScriptedAnswer[] = []): Promise<ModelServer> {
  const server = await startModelServer(answers);
  onTestFinished(() => server.close());
  return server;
}

export async function startModelServer(answers: readonly ScriptedAnswer[] = []): Promise<ModelServer> {
  const state = { protocols: [MESSAGES(() => server.now()), CHAT()], batches: new Batches() };
  const http = createServer((incoming, response) => {
    handle(server, state, incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: ModelServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    answers: [...answers],
    answer: () => ({ text: '<skip_summary reason="nothing scripted"/>' }),
    key: SERVER_KEY,
    now: Date.now,
    endBatches: (how) => state.batches.end(how),
    onRequest: () => {},
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

interface State {
  readonly protocols: readonly Protocol[];
  readonly batches: Batches;
}

async function handle(
  server: ModelServer,
  { protocols, batches }: State,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const seen = await read(incoming);
  server.requests.push(seen);
  server.onRequest(seen);
  const batch = batches.handles(seen.path);
  const protocol = protocols.find((one) => one.handles(seen.path)) ?? protocols[0]!;
  const refusal = protocol.refusalOf(seen, server.key, batch);
  if (refusal !== null) return send(response, protocol, seen, refusal);
  if (!batch && !protocol.handles(seen.path))
    return send(response, protocol, seen, { status: 404, type: 'not_found_error', message: 'Not found' });
  const next = (request: ModelRequestSeen) => server.answers.shift() ?? server.answer(request);
  if (!batch) return send(response, protocol, seen, next(seen));
  const scripted =
    seen.method === 'POST' && server.answers[0]?.status !== undefined && seen.path.endsWith('/batches');
  if (scripted) return send(response, protocol, seen, server.answers.shift()!);
  const { status, text } = batches.answer(seen, server.url, (body) => {
    const answer = next({ ...seen, body, text: JSON.stringify(body) });
    if (answer.batch !== undefined) return answer.batch === 'missing' ? null : { type: answer.batch };
    const reply = JSON.parse(protocol.body(answer, body));
    return answer.status === undefined
      ? { type: 'succeeded', message: reply }
      : { type: 'errored', error: reply };
  });
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

async function read(incoming: IncomingMessage): Promise<ModelRequestSeen> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const { method = '', url = '/', headers } = incoming;
  return { method, path: url, headers, text, body: text === '' ? null : JSON.parse(text) };
}

async function send(
  response: ServerResponse,
  protocol: Protocol,
  { body }: ModelRequestSeen,
  answer: ScriptedAnswer,
): Promise<void> {
  const { status = 200, headers = {}, delayMs = 0, after, cut, hangs } = answer;
  await after;
  if (delayMs > 0) await sleep(delayMs);
  if (hangs === 'before') return;
  if (cut === 'before') return void response.destroy();
  const isStreamed = body?.stream === true && answer.status === undefined && answer.raw === undefined;
  const whole = answer.raw ?? protocol.body(answer, body);
  const text = isStreamed ? protocol.events(whole).join('') : whole;
  response.writeHead(status, {
    'content-type': isStreamed ? 'text/event-stream' : 'application/json',
    'request-id': 'req_scripted',
    ...headers,
  });
  if (cut === undefined && hangs === undefined) return void response.end(text);
  response.write(text.slice(0, text.length / 2));
  if (cut === 'within') setImmediate(() => response.destroy());
}
