// Where the code compiled ahead lies, for this machine's kind and this Node. src/cli/main.ts looks for it there.
import { join } from 'node:path';
import { root } from './run.mjs';

const { platform, arch, versions } = process;

export const compiledCode = join(root, 'dist', `command-${platform}-${arch}-${versions.v8}.code`);
