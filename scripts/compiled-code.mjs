// The programs that have a code cache (scripts/compile-ahead.mjs), and their files.
import { join } from 'node:path';
import { root } from './run.mjs';

const { platform, arch, versions } = process;

export const PROGRAMS = ['command', 'command-rest', 'session-start', 'worker', 'home-thread', 'mcp'];

export const programPath = (name) => join(root, 'dist', `${name}.cjs`);
/** For this machine type and this V8; src/platform/load-program.ts loads it from there. */
export const compiledCode = (name) => join(root, 'dist', `${name}-${platform}-${arch}-${versions.v8}.code`);
