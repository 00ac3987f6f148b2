// The programs that have a code cache (scripts/compile-ahead.mjs), and their files.
import { join } from 'node:path';
import { root } from './run.mjs';

const { platform, arch, versions } = process;

/** Programs in two files (scripts/build-in-two.mjs): the entry, and what it loads soon. */
export const IN_TWO = {
  command: [
    'src/cli/command-line.ts',
    'src/cli/run-command.ts',
    'src/cli/process-world.ts',
    'src/cli/commands/search.ts',
    'src/index.ts',
  ],
  worker: ['src/cli/run-worker.ts', 'src/http/serve-http.ts'],
  'home-thread': ['src/home-thread.ts', 'src/brief/ready-files.ts'],
};

export const PROGRAMS = [
  ...Object.keys(IN_TWO).flatMap((name) => [name, `${name}-rest`]),
  'session-start',
  'mcp',
];

export const programPath = (name) => join(root, 'dist', `${name}.cjs`);
/** For this machine type and this V8; src/platform/load-program.ts loads it from there. */
export const compiledCode = (name) => join(root, 'dist', `${name}-${platform}-${arch}-${versions.v8}.code`);
