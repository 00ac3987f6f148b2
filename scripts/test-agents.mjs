// `npm run test:agents`: the suite of real agents; further arguments go to vitest. docs/real-agents.md lists what it needs.
import './node-version.mjs';
import { install } from './install.mjs';
import { tool } from './run.mjs';

process.exitCode =
  install() ||
  tool('vitest', 'vitest', ['run', '--config', 'vitest.agents.config.ts', ...process.argv.slice(2)]);
