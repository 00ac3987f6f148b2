// `annals mcp` under the command line of the MCP inspector, from npm: part of `npm run test:agents`. Skipped, with a
// message, where the inspector cannot be had.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildCommand, COMMAND } from '../../e2e/command.ts';
import { type FilledHome, filledHome, serverEnvironment, sessionId } from '../../mcp/clients.ts';
import { installAgent } from '../install-agent.ts';

/** The last one that runs on Node 20. */
const VERSION = '1.0.3';
const NAME = '@modelcontextprotocol/inspector';

const inspector = installAgent(NAME, VERSION);
if ('missing' in inspector) process.stdout.write(`The MCP inspector is skipped: ${inspector.missing}\n`);

describe.skipIf('missing' in inspector)('The MCP inspector', () => {
  let home: FilledHome;
  beforeAll(buildCommand);
  beforeEach(async () => {
    home = await filledHome();
  });

  test('lists what the server has', () => {
    const { tools } = inspect('tools/list');
    const names = tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['search', 'timeline', 'get', 'why', 'save', 'forget']);
    expect(inspect('prompts/list').prompts).toHaveLength(2);
    expect(inspect('resources/list').resources).toContainEqual(
      expect.objectContaining({ uri: 'annals://project/feeder', description: 'Project, 2 sessions' }),
    );
    const read = inspect('resources/read', '--uri', `annals://session/${sessionId(1)}`);
    expect(read.contents[0].text).toContain('Why does the feeder jam at night?');
  });

  test('calls every tool, page by page', () => {
    const first = call('search', { query: 'frost', project: 'feeder', limit: 1 });
    const { results, next } = first.structuredContent;
    const { id } = results[0];
    const second = call('search', { query: 'frost', project: 'feeder', limit: 1, cursor: `"${next}"` });
    expect(second.structuredContent.results[0].id).not.toBe(id);
    expect(call('timeline', { around: id }).content[0].text).toContain(id);
    expect(call('get', { ids: JSON.stringify([id]) }).content[0].text).toContain('frost');
    expect(call('why', { id }).structuredContent.events).not.toEqual([]);
    const note = { title: 'Width', text: 'The chute is 9 cm wide.', project: 'feeder' };
    expect(call('forget', { query: 'frost' }).structuredContent.outcome).toBe('proposed');
    // The inspector has no roots: the server’s folder has no project, and a note cannot name one.
    expect(call('save', note)).toMatchObject({ isError: true });
  });

  test.each([
    ['search', { quer: 'x' }, 'Unrecognized key'],
    ['search', { query: 'x', limit: -3 }, 'limit'],
    ['get', { ids: '"none"' }, 'ids'],
    ['why', { id: 'p-nothing' }, 'p-nothing'],
  ])('shows why a call of %s with %j fails', (tool, input, said) => {
    const { isError, content } = call(tool, input);
    expect(isError).toBe(true);
    expect(content[0].text).toContain(said);
  });

  function call(tool: string, input: Readonly<Record<string, unknown>>) {
    const words = Object.entries(input).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
    return inspect('tools/call', '--tool-name', tool, ...words);
  }

  /** The answer that the inspector printed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of many different answers.
  function inspect(method: string, ...words: readonly string[]): any {
    if ('missing' in inspector) throw new Error(inspector.missing);
    const program = join(inspector.folder, 'node_modules', NAME, 'cli/build/cli.js');
    const server = [process.execPath, COMMAND, 'mcp'];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [program, '--cli', ...server, '--method', method, ...words],
      { cwd: home.folder, env: serverEnvironment(home.home), encoding: 'utf8', timeout: 60_000 },
    );
    if (stdout === '') throw new Error(`The inspector printed nothing: ${stderr}`);
    return JSON.parse(stdout);
  }
});
