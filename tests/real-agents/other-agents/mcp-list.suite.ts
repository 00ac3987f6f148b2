// Whether the real agents see the MCP server in the settings that `annals install` writes: part of `npm run test:agents`.
// Each agent is asked for its servers, without a network and without a model. Skipped where an agent is missing.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { buildCommand, COMMAND } from '../../e2e/command.ts';
import { testFolder } from '../../helpers/views.ts';
import { missingForAgents } from '../machine.ts';
import { callAgent, installedVersion } from './kit.ts';

const AGENTS = ['claude-code', 'codex', 'copilot', 'gemini-cli', 'opencode', 'qwen-code'];
const runnable = AGENTS.filter((name) => missingForAgents() === null && installedVersion(name) !== null);

/** As a word: the folder of the test has this name in its own. */
const SERVER = /(?:^|\s)annals[:\s]/m;

test.skipIf(runnable.length === 0).each(runnable)(
  'The real %s lists the MCP server after an installation, and no longer after it is undone',
  async (agent) => {
    buildCommand();
    const home = await testFolder();
    const annals = (command: string) =>
      execFileSync(process.execPath, [COMMAND, command, agent, '--yes'], {
        env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home },
        stdio: 'pipe',
      });
    annals('install');
    expect(callAgent(agent, home, ['mcp', 'list'])).toMatch(SERVER);
    annals('uninstall');
    expect(callAgent(agent, home, ['mcp', 'list'])).not.toMatch(SERVER);
  },
);
