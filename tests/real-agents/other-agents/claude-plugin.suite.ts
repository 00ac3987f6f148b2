// The real Claude Code loads the plugin: part of `npm run test:agents`. Its skills are listed, and a slash command
// reaches the model as the skill's text. Skipped where the shared data or Claude Code are missing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../helpers/views.ts';
import { root } from '../../repository/source-files.ts';
import { missingForAgents } from '../machine.ts';
import { agentsFolder, installedVersion, kitFolder } from './kit.ts';

const canRun = kitFolder !== null && missingForAgents() === null && installedVersion('claude-code') !== null;

test.skipIf(!canRun)('the real Claude Code lists the skills of the plugin and runs one', async () => {
  const folder = await testFolder();
  const [project, script, out] = ['app', 'script.json', 'out'].map((name) => join(folder, name));
  mkdirSync(project!);
  writeFileSync(script!, JSON.stringify({ steps: [], final: 'Nothing was found.' }));
  const plugin = ['--plugin-dir', join(root, 'plugins/annals')];
  execFileSync(
    join(kitFolder!, 'run-agent.sh'),
    ['claude-code', project!, '/annals:search owls', script!, ...plugin],
    {
      stdio: 'pipe',
      timeout: 120_000,
      env: {
        PATH: process.env.PATH,
        KIT_AGENTS: agentsFolder,
        KIT_HOME: join(folder, 'home'),
        KIT_OUT: out,
        KIT_HOOKS: 'none',
        KIT_TIMEOUT: '90',
        KIT_ENV: 'ANNALS_WORKER=off',
      },
    },
  );
  const lines = readFileSync(join(out!, 'stdout.log'), 'utf8').trim().split('\n');
  const start = lines.map((line) => JSON.parse(line)).find(({ subtype }) => subtype === 'init');
  expect(start.skills).toEqual(
    expect.arrayContaining(['forget', 'last-session', 'remember', 'search'].map((name) => `annals:${name}`)),
  );
  expect(readFileSync(join(out!, 'requests.jsonl'), 'utf8')).toContain('Look for: owls');
});
