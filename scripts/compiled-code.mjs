// Where the code compiled ahead lies, for this machine's kind and this Node. src/cli/main.ts looks for it there.
import { join } from 'node:path';
import { root } from './run.mjs';

const { platform, arch, versions } = process;

const path = (what) => join(root, 'dist', `${what}-${platform}-${arch}-${versions.v8}.code`);

/** What the start of a session runs, and what the other commands do that people wait for. */
export const compiledCode = { start: path('start'), command: path('command') };
