// A client made from the OpenAPI document calls every route with its example and checks every answer, errors too, with
// the schema that the document gives for its status.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { CAPTURE_TOKEN, type Served, served, TOKEN } from './served.ts';

interface Operation {
  readonly summary: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly schema: object;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { schema: object; example: unknown } };
  };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { schema: object }>> }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly components: { readonly schemas: { readonly Error: object } };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const callsOf = (document: Document): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

async function documentOf({ call }: Served): Promise<Document> {
  return (await call('GET', '/api/openapi.json')).json as Document;
}

/** The schema of an answer; a reference is replaced by what it names. */
function schemaOf(document: Document, { operation }: Call, status: number): z.ZodType {
  const content = Object.values(operation.responses[status]?.content ?? {})[0];
  if (content === undefined) throw new Error(`${operation.summary} documents no answer ${status}`);
  const { schema } = content;
  const named = '$ref' in schema ? document.components.schemas.Error : schema;
  return z.fromJSONSchema(named as never);
}

/** Path and body of the example; `{item}` and `{plan}` are replaced. */
function exampleOf({ path, operation }: Call, given: Readonly<Record<string, string>>) {
  const filled = (value: string) =>
    value.replace(/\{(\w+)\}/g, (whole, name: string) => given[name] ?? whole);
  const query = new URLSearchParams();
  let target = path;
  for (const parameter of operation.parameters) {
    if (parameter.example === undefined) {
      expect(parameter.required, `${path}: ${parameter.name} is required and has no example`).toBe(false);
      continue;
    }
    if (parameter.in === 'query') query.set(parameter.name, filled(parameter.example));
    else target = target.replace(`{${parameter.name}}`, encodeURIComponent(filled(parameter.example)));
  }
  const text = query.toString();
  const body = operation.requestBody?.content['application/json'].example;
  return {
    target: text === '' ? target : `${target}?${text}`,
    body: body === undefined ? undefined : filled(JSON.stringify(body)),
  };
}

const streams = ({ operation }: Call) => 'text/event-stream' in (operation.responses[200]?.content ?? {});

describe('the OpenAPI document', () => {
  test('describes every route, with a summary, answers and examples of what is required', async () => {
    const document = await documentOf(await served());
    expect(document.openapi).toBe('3.1.0');
    expect(
      callsOf(document)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual([
      'GET /api/context',
      'GET /api/health',
      'GET /api/items/{id}',
      'GET /api/items/{id}/why',
      'GET /api/logs',
      'GET /api/memories',
      'GET /api/observations',
      'GET /api/openapi.json',
      'GET /api/projects',
      'GET /api/prompts',
      'GET /api/search',
      'GET /api/session/start',
      'GET /api/sessions',
      'GET /api/settings',
      'GET /api/stats',
      'GET /api/status',
      'GET /api/stream',
      'GET /api/summaries',
      'GET /api/timeline',
      'GET /api/turns',
      'POST /api/forget/confirm',
      'POST /api/forget/plan',
      'POST /api/rebuild',
      'POST /api/restart',
      'POST /api/save',
      'POST /api/session/end',
      'POST /api/session/observation',
      'POST /api/session/prompt',
      'POST /api/stop',
      'POST /api/verify',
      'POST /hooks/{agent}',
      'PUT /api/settings',
    ]);
    for (const { operation, path } of callsOf(document)) {
      expect(operation.summary, path).toMatch(/\.$/);
      if (operation.requestBody !== undefined)
        expect(operation.requestBody.content['application/json'].example, path).toBeDefined();
    }
  });

  test('every example gets the answer that the document describes', async () => {
    const server = await served({ filled: true });
    const document = await documentOf(server);
    const { items } = (await server.call('GET', '/api/observations')).json;
    const given: Record<string, string> = { item: items[0].id };
    const done: string[] = [];
    for (const call of callsOf(document)) {
      if (streams(call)) continue;
      if (call.path === '/api/forget/confirm')
        given.plan = (
          await server.call('POST', '/api/forget/plan', { body: { selection: { query: 'no such text' } } })
        ).json.token;
      const { target, body } = exampleOf(call, given);
      const answer = await server.call(call.method, target, { ...(body === undefined ? {} : { body }) });
      const status = Number(Object.keys(call.operation.responses).find((one) => one.startsWith('2')));
      expect(answer.status, `${call.method} ${target}: ${answer.text}`).toBe(status);
      const checked = schemaOf(document, call, status).safeParse(answer.json);
      expect(checked.error?.issues ?? [], `${call.method} ${target}: ${answer.text.slice(0, 500)}`).toEqual(
        [],
      );
      done.push(call.path);
    }
    expect(done.length).toBe(callsOf(document).length - 1);
    expect(server.errors).toEqual([]);
  });

  test('every kind of item that can be shown fits the schema', async () => {
    const server = await served({ filled: true });
    const document = await documentOf(server);
    const show = callsOf(document).find(({ path }) => path === '/api/items/{id}')!;
    const ids = new Set<string>();
    for (const list of ['sessions', 'turns', 'observations', 'summaries', 'prompts', 'memories'])
      for (const { id } of (await server.call('GET', `/api/${list}?limit=100`)).json.items) ids.add(id);
    for (const { id, events } of (
      await Promise.all([...ids].map((id) => server.call('GET', `/api/items/${id}`)))
    ).map(({ json }) => json)) {
      expect(id).toBeDefined();
      ids.add(events[0]);
    }
    expect(ids.size).toBeGreaterThan(12);
    for (const id of ids) {
      const { json } = await server.call('GET', `/api/items/${id}`);
      expect(schemaOf(document, show, 200).safeParse(json).error?.issues ?? [], id).toEqual([]);
    }
  });

  test('every failure has the form that the document describes', async () => {
    const server = await served({ filled: true });
    const document = await documentOf(server);
    for (const call of callsOf(document)) {
      const { target, body } = exampleOf(call, { item: 'p-000000000000', plan: 'unknown' });
      const separator = target.includes('?') ? '&' : '?';
      const sent = body === undefined ? {} : { body };
      const isOpen = call.operation.security.length === 0;
      const readsOnly = !call.operation.security.some((one) => 'captureToken' in one);
      const failures: [string, () => ReturnType<Served['call']>, number[]][] = [
        ['no token', () => server.call(call.method, target, { ...sent, token: null }), [401]],
        ['wrong token', () => server.call(call.method, target, { ...sent, token: `${TOKEN}x` }), [401]],
        [
          'foreign origin',
          () => server.call(call.method, target, { ...sent, headers: { origin: 'https://evil.example' } }),
          [403],
        ],
        ['unknown parameter', () => server.call(call.method, `${target}${separator}nothing=1`, sent), [400]],
      ];
      if (readsOnly && !isOpen)
        failures.push([
          'capture token',
          () => server.call(call.method, target, { ...sent, token: CAPTURE_TOKEN }),
          [403],
        ]);
      if (body !== undefined && !call.path.startsWith('/hooks'))
        failures.push(
          ['broken JSON', () => server.call(call.method, target, { body: '{"a":' }), [400]],
          ['no object', () => server.call(call.method, target, { body: '[]' }), [400]],
          ['unknown field', () => server.call(call.method, target, { body: { nothing: 1 } }), [400]],
          [
            'no JSON',
            () =>
              server.call(call.method, target, { body: 'text', headers: { 'content-type': 'text/plain' } }),
            [415],
          ],
          [
            'too large',
            () => server.call(call.method, target, { body: JSON.stringify({ text: 'x'.repeat(6_000_000) }) }),
            [413],
          ],
        );
      if (call.path.includes('{id}'))
        failures.push(['unknown id', () => server.call(call.method, target, sent), [404]]);
      for (const [what, act, statuses] of failures) {
        if (isOpen && (what === 'no token' || what === 'wrong token')) continue;
        const answer = await act();
        expect(statuses, `${call.method} ${target}, ${what}: ${answer.status} ${answer.text}`).toContain(
          answer.status,
        );
        const checked = schemaOf(document, call, answer.status).safeParse(answer.json);
        expect(checked.error?.issues ?? [], `${call.path}, ${what}: ${answer.text}`).toEqual([]);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
    expect(server.asked).toEqual([]);
  });
});
