// The MCP server over the worker's HTTP API.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { mcpOverHttp } from '../../src/mcp/http-handler.ts';
import { CAPTURE_TOKEN, type Served, served, TOKEN } from '../http/served.ts';
import { afterwards, callTool, FEEDER } from './clients.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

function servedMcp(): Promise<Served> {
  return served({ filled: true, mcp: async () => ({ mcpOverHttp }) });
}

async function connect(
  { base }: Served,
  { modern = false, folder = FEEDER as string | null } = {},
): Promise<Client> {
  const address = new URL(`${base}/mcp`);
  if (folder !== null) address.searchParams.set('folder', folder);
  const client = new Client(
    { name: 'http-client', version: '1' },
    { versionNegotiation: { mode: modern ? { pin: '2026-07-28' } : 'legacy' } },
  );
  afterwards(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(address, {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    }),
  );
  return client;
}

test.each([
  ['2025-11-25', false],
  ['2026-07-28', true],
])('a client of revision %s lists and calls the tools', async (revision, modern) => {
  const home = await servedMcp();
  const client = await connect(home, { modern });
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect((await client.listTools()).tools).toHaveLength(6);
  const { answer } = await callTool(client, 'search', { query: 'frost' });
  expect(answer.project).toBe('feeder');
  expect(answer.results.length).toBeGreaterThan(0);
  const saved = await callTool(client, 'save', { title: 'Frost', text: 'The chute is 9 cm wide.' });
  expect(saved.answer.project).toBe('feeder');
  const item = await home.annals.get(saved.answer.id);
  expect(item.details).toMatchObject({ author: 'agent' });
  expect(home.errors).toEqual([]);
});

test('a client that names no folder has to name a project, and cannot save', async () => {
  const client = await connect(await servedMcp(), { folder: null });
  expect((await callTool(client, 'search', { query: 'frost' })).text).toContain('Name a project');
  const named = await callTool(client, 'search', { query: 'frost', project: 'feeder' });
  expect(named.answer.results.length).toBeGreaterThan(0);
  const saved = await callTool(client, 'save', { title: 'Frost', text: 'The chute is 9 cm wide.' });
  expect(saved).toMatchObject({ isError: true, text: expect.stringContaining('folder') });
});

test.each([
  ['without a token', { token: null }, 401],
  ['with the token that may only capture', { token: CAPTURE_TOKEN }, 403],
  ['from a foreign page', { headers: { ...ACCEPT, origin: 'http://evil.example' } }, 403],
])('a request %s is refused', async (_, options, status) => {
  const home = await servedMcp();
  const answered = await home.call('POST', '/mcp', { body: PING, headers: ACCEPT, ...options });
  expect(answered.status).toBe(status);
  expect(answered.text).not.toContain('search');
});

test('a server that could not be loaded is loaded at the next request', async () => {
  let loads = 0;
  const mcp = async () => {
    loads += 1;
    if (loads === 1) throw new Error('EMFILE');
    return { mcpOverHttp };
  };
  const home = await served({ mcp });
  const statusOf = async () => (await home.call('POST', '/mcp', { body: PING, headers: ACCEPT })).status;
  expect([await statusOf(), await statusOf()]).toEqual([500, 200]);
});

test('garbage is refused, and the next request is answered', async () => {
  const home = await servedMcp();
  for (const body of ['no JSON', '[]', '{"jsonrpc":"2.0"}']) {
    const { status } = await home.call('POST', '/mcp', { body, headers: ACCEPT });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  expect((await (await connect(home)).listTools()).tools).toHaveLength(6);
});
