// A proposal to forget over HTTP: it is confirmed with the plan that was shown, as a forgetting is.
import { expect, test } from 'vitest';
import type { ActInput } from '../../src/api.ts';
import { type Served, served } from './served.ts';

const propose = async ({ annals }: Served, selection: NonNullable<ActInput['selection']>): Promise<string> =>
  (await annals.act({ act: 'forget', selection, author: 'agent' })).proposal!;

test('confirming a proposal without its plan is refused, and forgets nothing', async () => {
  const server = await served({ filled: true });
  const id = await propose(server, { project: 'feeder' });
  const answer = await server.call('POST', `/api/proposals/${id}`, { body: { confirmed: true } });
  expect([answer.status, answer.json.error.code]).toEqual([400, 'USAGE']);
  expect(answer.json.error.hint).toContain('/api/forget/plan');
  expect(await server.annals.proposals()).toHaveLength(1);
  expect((await server.call('GET', '/api/sessions')).json.items).toHaveLength(2);
});

test('the plan of a proposal names what goes; confirming it forgets that, and answers the proposal', async () => {
  const server = await served({ filled: true });
  const saved = await server.annals.save([
    { title: 'The pump', text: 'Behind the barometerstand', project: 'shed' },
    { title: 'The oak', text: 'A barometerstand is of oak', project: 'shed' },
  ]);
  const ids = [saved[0]!.id];
  const id = await propose(server, { ids, withCopies: true });
  const planned = await server.call('POST', '/api/forget/plan', { body: { proposal: id } });
  expect(planned.json).toMatchObject({ selection: { ids }, plan: { events: 2, copies: { included: true } } });
  const body = { proposal: id, withCopies: false };
  const { plan, token } = (await server.call('POST', '/api/forget/plan', { body })).json;
  expect(plan).toMatchObject({ events: 1, copies: { included: false, events: 1 } });
  const done = await server.call('POST', '/api/forget/confirm', { body: { token } });
  expect(done.json).toMatchObject({ outcome: 'forgotten', proof: { ok: true } });
  const states = await Promise.all(saved.map((one) => server.call('GET', `/api/items/${one.id}`)));
  expect(states.map(({ status }) => status)).toEqual([410, 200]);
  expect(await server.annals.proposals()).toEqual([]);
  const { token: other } = planned.json;
  expect((await server.call('POST', '/api/forget/confirm', { body: { token: other } })).status).toBe(404);
});

test('what is not there cannot be proposed to be forgotten', async () => {
  const server = await served({ filled: true });
  const absent = [
    { ids: ['p-000000000000'] },
    { session: 'no-such-session' },
    { project: 'no-such-project' },
  ];
  for (const selection of absent) {
    const { status } = await server.call('POST', '/api/forget/propose', { body: { selection } });
    expect(status).toBe(404);
  }
  expect(await server.annals.proposals()).toEqual([]);
});

test('a plan is of a selection or of a proposal to forget that waits', async () => {
  const server = await served();
  const note = await server.annals.act({ act: 'note', text: 'x', project: 'shed', author: 'agent' });
  const selection = { query: 'barometerstand' };
  const statuses = [];
  for (const body of [
    {},
    { selection, proposal: 'x' },
    { proposal: 'ab'.repeat(16) },
    { proposal: note.proposal },
  ])
    statuses.push((await server.call('POST', '/api/forget/plan', { body })).status);
  expect(statuses).toEqual([400, 400, 404, 404]);
});
