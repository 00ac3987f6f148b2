// A model with scripted answers: an HTTP server on loopback that speaks a given protocol.
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Asked, Body, Protocol, Schema } from './anthropic.ts';
import type { Script, Step } from './plan.ts';

export interface ScriptedModel {
  readonly address: string;
  close(): void;
}

interface Options {
  readonly script: Script;
  readonly protocol: Protocol;
  /** One JSON line per request. */
  readonly record: string;
  /** Resolves when the gate is open. */
  readonly pass: (gate: string) => Promise<void>;
}

export async function startModel(options: Options): Promise<ScriptedModel> {
  const next = stepper(options.script);
  const server = createServer((request, response) => {
    answer(request, response, options, next).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { protocol, record, pass }: Options,
  next: (asked: Asked) => Step,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Body;
  const method = request.method ?? '';
  const path = new URL(request.url ?? '/', 'http://model').pathname;
  appendFileSync(record, `${JSON.stringify({ method, path, body })}\n`);
  if (method !== 'POST' || !protocol.isQuestion(path)) {
    const other = protocol.other(method, path);
    return send(response, other === null ? 404 : 200, other ?? protocol.refusal(404));
  }
  const asked = protocol.read(body);
  const step = next(asked);
  if (step.error !== undefined) return send(response, step.error, protocol.refusal(step.error));
  if (!asked.stream) {
    if (step.hold !== undefined) await pass(step.hold);
    return send(response, 200, protocol.complete(step, body));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = protocol.events(step, body);
  for (const [at, { event, data }] of events.entries()) {
    if (step.hold !== undefined && at === Math.floor(events.length / 2)) await pass(step.hold);
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The step that answers a request. Each step is used once in its conversation. */
function stepper(script: Script): (asked: Asked) => Step {
  const main = { steps: [...script.steps], final: script.final };
  const lanes = (script.lanes ?? []).map((lane) => ({ ...lane, steps: [...lane.steps] }));
  return (asked) => {
    const side = script.side ?? 'A short title';
    if (asked.schema !== null) return { say: JSON.stringify(smallest(asked.schema, side)) };
    const lane = lanes.find(
      ({ first, last }) =>
        (first !== undefined && new RegExp(first).test(asked.firstText)) ||
        (last !== undefined && new RegExp(last).test(asked.lastText)),
    );
    if (lane === undefined && !asked.hasTools) return { say: side };
    const { steps, final } = lane ?? main;
    return (steps[0]?.error === undefined ? steps.shift() : steps[0]) ?? { say: final };
  };
}

/** The smallest JSON of a schema, for an agent's side questions. */
function smallest(schema: Schema, words: string): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? 'object');
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, one]) => [key, smallest(one, words)]),
    );
  const values: Record<string, unknown> = { array: [], number: 1, integer: 1, boolean: false, null: null };
  return type in values ? values[type] : words;
}
