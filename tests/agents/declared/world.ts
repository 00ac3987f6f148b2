// Descriptions for tests, and the examples that come with Annals.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonProblem } from '../../../src/agents/common/json-problems.ts';
import { type DeclaredAgent, parseDescription } from '../../../src/agents/declared/declared-agent.ts';
import { AGENTS } from '../../../src/agents/index.ts';
import { REPOSITORY } from '../../helpers/program.ts';

export const WORLD = {
  machine: { environment: {}, userHome: '/home/u', windows: false },
  others: AGENTS,
};

/** A description that is right. */
export const HERON = {
  name: 'heron',
  title: 'Heron',
  folders: ['~/.heron'],
  rules: [{ record: 'prompt', when: { type: 'user' }, text: 'text' }],
};

export function described(description: object): DeclaredAgent {
  const read = parseDescription(JSON.stringify(description), WORLD);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read;
}

export function problemsOf(description: unknown): readonly JsonProblem[] {
  const text = typeof description === 'string' ? description : JSON.stringify(description);
  const read = parseDescription(text, WORLD);
  return 'problems' in read ? read.problems : [];
}

export function example(name: 'droid' | 'pi' | 'kiro'): DeclaredAgent {
  return described(JSON.parse(readFileSync(join(REPOSITORY, 'examples/agents', `${name}.json`), 'utf8')));
}

export const bytesOf = (lines: readonly object[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
