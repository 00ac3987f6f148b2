// The skills of the Claude Code plugin name only commands of the command line, and tools of the MCP server, that exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { TOOLS } from '../../../src/mcp/server.ts';

const FOLDER = join(import.meta.dirname, '../../../plugins/annals/skills');
const TOOL_PREFIX = 'mcp__plugin_annals_annals__';
const LINES_MAX = 25;

const skills = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(join(FOLDER, name, 'SKILL.md'), 'utf8');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/) as [string, string]));
  return { name, text, fields, body };
});
const toolNames = TOOLS.map(({ name }) => name);

test('there is one for each thing that a person asks of the memory', () => {
  expect(skills.map(({ name }) => name)).toEqual(['forget', 'last-session', 'remember', 'search']);
});

describe.each(skills)('the skill $name', ({ name, text, fields, body }) => {
  test('is short and has its name, a description and the tools that it may use', () => {
    expect(fields.name).toBe(name);
    expect(fields.description).toMatch(/^[A-Z].*\.$/);
    expect(text.split('\n').length).toBeLessThan(LINES_MAX);
    const allowed = fields['allowed-tools']!.split(', ').map((tool) => tool.replace(TOOL_PREFIX, ''));
    expect(allowed.filter((tool) => !toolNames.includes(tool))).toEqual([]);
    expect(allowed.filter((tool) => !body.includes(`\`${tool}\``))).toEqual([]);
  });

  test('names only commands, tools and arguments that exist', () => {
    const quoted = [...body.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);
    const commands = quoted.filter((words) => words.startsWith('annals '));
    const known = COMMANDS.map((command) => `annals ${command.name}`);
    expect(commands.filter((words) => !known.includes(words.split(' ').slice(0, 2).join(' ')))).toEqual([]);
    const inputs = TOOLS.flatMap(({ input }) => Object.keys(input.shape));
    const others = quoted.filter((words) => !commands.includes(words)).map((words) => words.split(':')[0]!);
    expect(others.filter((word) => !toolNames.includes(word) && !inputs.includes(word))).toEqual([]);
  });

  test('runs by itself only if it changes nothing', () => {
    const changes = /`(save|forget)`/.test(body);
    expect(fields['disable-model-invocation'] === 'true').toBe(changes);
  });
});
