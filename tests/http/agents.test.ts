// Installing and uninstalling over HTTP: what was shown is what is done.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Served, served } from './served.ts';

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';

/** With Claude Code on the machine. */
async function withAgent(): Promise<Served & { readonly settings: string }> {
  const server = await served();
  const settings = join(server.home, '../user/.claude/settings.json');
  mkdirSync(join(settings, '..'), { recursive: true });
  writeFileSync(settings, SETTINGS);
  return { ...server, settings };
}

const planOf = async ({ call }: Served, installs: boolean) =>
  (await call('POST', '/api/agents/plan', { body: { agents: ['claude-code'], installs } })).json;
const confirmed = ({ call }: Served, token: string) =>
  call('POST', '/api/agents/confirm', { body: { token } });
const stateOf = async ({ call }: Served) =>
  (await call('GET', '/api/agents')).json.agents.find(({ name }: { name: string }) => name === 'claude-code');

test('an agent is installed as its plan showed, and uninstalled to the same bytes', async () => {
  const server = await withAgent();
  expect(await stateOf(server)).toMatchObject({ present: true, installed: false, mcp: 'missing' });
  const { files, token } = await planOf(server, true);
  expect(files[0]).toMatchObject({ agent: 'claude-code', changed: true, isNew: false, error: null });
  expect(files[0].diff.join('\n')).toContain('bin/capture');
  expect(readFileSync(server.settings, 'utf8')).toBe(SETTINGS);
  const { json } = await confirmed(server, token);
  expect(readFileSync(json.files[0].backup, 'utf8')).toBe(SETTINGS);
  expect(await stateOf(server)).toMatchObject({ installed: true, current: true, mcp: 'registered' });
  expect((await confirmed(server, token)).status).toBe(404);
  await confirmed(server, (await planOf(server, false)).token);
  expect(readFileSync(server.settings, 'utf8')).toBe(SETTINGS);
  expect(await stateOf(server)).toMatchObject({ installed: false, mcp: 'missing' });
});

test('nothing is installed if a file changed since the plan, or the agent is unknown', async () => {
  const server = await withAgent();
  const { token } = await planOf(server, true);
  writeFileSync(server.settings, '{ "model": "haiku" }');
  const { status, json } = await confirmed(server, token);
  expect([status, json.error.code]).toEqual([409, 'PLAN_CHANGED']);
  expect(readFileSync(server.settings, 'utf8')).toBe('{ "model": "haiku" }');
  const body = { agents: ['../../etc'], installs: true };
  expect((await server.call('POST', '/api/agents/plan', { body })).status).toBe(400);
});

test('a plan shows no key that is in the settings, and other memories are named', async () => {
  const server = await withAgent();
  const key = `sk-ant-api03-${'a'.repeat(93)}AA`;
  const plugins = { 'claude-mem@somewhere': true };
  writeFileSync(server.settings, JSON.stringify({ env: { KEY: key }, enabledPlugins: plugins }, null, 2));
  const { text } = await server.call('POST', '/api/agents/plan', {
    body: { agents: ['claude-code'], installs: true },
  });
  expect(text).not.toContain(key);
  expect((await server.call('GET', '/api/agents')).json.otherMemories).toEqual(['claude-mem']);
});
