// An embedding service over real HTTP with the API of OpenAI; tests can make it fail. A text's vector
// counts its words, so texts with common words are close to each other.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface EmbeddingRequest {
  readonly input: readonly string[];
  readonly model: string;
  readonly input_type?: string;
}

/** Answers one request differently; returns true when it did. */
export type Misbehaviour = (request: EmbeddingRequest, response: ServerResponse) => boolean;

export interface EmbeddingService {
  readonly url: string;
  readonly requests: EmbeddingRequest[];
  readonly keys: (string | undefined)[];
  dim: number;
  misbehave: Misbehaviour;
}

export async function embeddingService(): Promise<EmbeddingService> {
  const service = {
    url: '',
    requests: [] as EmbeddingRequest[],
    keys: [] as (string | undefined)[],
    dim: 32,
    misbehave: (() => false) as Misbehaviour,
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request = JSON.parse(Buffer.concat(parts).toString()) as EmbeddingRequest;
    service.requests.push(request);
    service.keys.push(incoming.headers.authorization);
    if (service.misbehave(request, response)) return;
    // In reverse order: `index` says which vector belongs to which text.
    const data = request.input.map((text, index) => ({ index, embedding: wordCounts(text, service.dim) }));
    reply(response, { data: data.reverse(), usage: { total_tokens: 7 } });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return service;
}

export function reply(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

export function status(
  response: ServerResponse,
  code: number,
  headers: Readonly<Record<string, string>> = {},
): true {
  response.writeHead(code, headers);
  response.end('{"error":"no"}');
  return true;
}

export function wordCounts(text: string, dim: number): number[] {
  const counts = new Array<number>(dim).fill(0.01);
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    let number = 0;
    for (const letter of word) number = (number * 31 + letter.charCodeAt(0)) >>> 0;
    counts[number % dim]! += 1;
  }
  return counts;
}
