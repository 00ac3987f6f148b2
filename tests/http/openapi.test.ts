// A client made from the OpenAPI document calls every route with its example and checks every answer, errors too, with
// the schema that the document gives for its status.
import { describe, expect, test } from 'vitest';
import { callExamples, callsOf, documentOf, exampleOf, schemaOf } from './document.ts';
import { CAPTURE_TOKEN, type Served, served, TOKEN } from './served.ts';

describe('the OpenAPI document', () => {
  test('describes every route, with a summary, answers and examples of what is required', async () => {
    const document = await documentOf((await served()).call);
    expect(document.openapi).toBe('3.1.0');
    expect(
      callsOf(document)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual([
      'GET /api/agents',
      'GET /api/context',
      'GET /api/doctor',
      'GET /api/growth',
      'GET /api/health',
      'GET /api/items/{id}',
      'GET /api/items/{id}/why',
      'GET /api/logs',
      'GET /api/memories',
      'GET /api/notes',
      'GET /api/observations',
      'GET /api/observer/cost',
      'GET /api/openapi.json',
      'GET /api/projects',
      'GET /api/prompts',
      'GET /api/proposals',
      'GET /api/receipts',
      'GET /api/recording',
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
      'POST /api/acts',
      'POST /api/agents/confirm',
      'POST /api/agents/plan',
      'POST /api/forget/confirm',
      'POST /api/forget/plan',
      'POST /api/forget/propose',
      'POST /api/proposals/{id}',
      'POST /api/rebuild',
      'POST /api/restart',
      'POST /api/save',
      'POST /api/session/end',
      'POST /api/session/observation',
      'POST /api/session/prompt',
      'POST /api/stop',
      'POST /api/verify',
      'POST /api/view/token',
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
    const { items } = (await server.call('GET', '/api/observations')).json;
    const done = await callExamples(server.call, { item: items[0].id, ticket: server.ticket() });
    expect(done.length).toBe(callsOf(await documentOf(server.call)).length - 1);
    expect(server.errors).toEqual([]);
  });

  test('a method that a path has not is refused with those that it has', async () => {
    const server = await served();
    const { status, headers } = await server.call('PATCH', '/api/settings');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT']);
  });

  test('every kind of item that can be shown fits the schema', async () => {
    const server = await served({ filled: true });
    const document = await documentOf(server.call);
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
    const document = await documentOf(server.call);
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
