// Paths of the code cache files for this machine type and this V8. src/cli/main.ts loads them from there.
import { join } from 'node:path';
import { root } from './run.mjs';

const { platform, arch, versions } = process;

const path = (what) => join(root, 'dist', `${what}-${platform}-${arch}-${versions.v8}.code`);

/** `start` for the start of a session, `command` for the other commands that users wait for. */
export const compiledCode = { start: path('start'), command: path('command') };
