// Path of the code cache for this machine type and this V8. src/cli/main.ts loads it from there.
import { join } from 'node:path';
import { root } from './run.mjs';

const { platform, arch, versions } = process;

export const compiledCode = join(root, 'dist', `command-${platform}-${arch}-${versions.v8}.code`);
