#!/usr/bin/env node
// The command `annals`.
import { join } from 'node:path';
import { loadProgram } from '../platform/load-program.ts';
import type { main } from './command-line.ts';
import { version } from './package.ts';

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V'))
  process.stdout.write(`${version()}\n`);
else void loadProgram<{ main: typeof main }>(join(import.meta.dirname, 'command.cjs')).main(words);
