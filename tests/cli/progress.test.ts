import { expect, test } from 'vitest';
import { createTerminal } from '../../src/cli/command/terminal.ts';
import type { World } from '../../src/cli/command/world.ts';
import { createProgress } from '../../src/cli/output/progress-line.ts';

function watched(isTerminal: boolean) {
  let time = 0;
  const written: string[] = [];
  const output = {
    isTerminal,
    columns: isTerminal ? 60 : null,
    write: async (text: string) => void written.push(text),
  };
  const world = { stdout: output, stderr: output, environment: {} } as unknown as World;
  const progress = createProgress(createTerminal(world, { color: true, json: false }), () => time);
  const at = (ms: number, text: string) => {
    time = ms;
    progress.report(() => text);
  };
  return { written, at, progress };
}

test('an operation shorter than a second prints no progress', () => {
  const { written, at, progress } = watched(true);
  at(10, 'a');
  at(990, 'b');
  progress.end();
  expect(written).toEqual([]);
});

test('on a terminal one line is rewritten, and cleared at the end', () => {
  const { written, at, progress } = watched(true);
  at(1_100, 'a');
  at(1_150, 'too soon');
  at(1_300, 'b'.repeat(100));
  progress.end();
  expect(written).toEqual(['\r\u001b[Ka', `\r\u001b[K${'b'.repeat(58)}…`, '\r\u001b[K']);
});

test('in a file a line is printed every few seconds', () => {
  const { written, at, progress } = watched(false);
  at(1_100, 'a');
  at(3_000, 'too soon');
  at(6_200, 'b');
  progress.end('done');
  expect(written).toEqual(['a\n', 'b\n', 'done\n']);
});

test.each([[true], [false]])(
  'without a line before it the last one is not printed: terminal %s',
  (isTerminal) => {
    const { written, at, progress } = watched(isTerminal);
    at(10, 'a');
    progress.end('done');
    expect(written).toEqual([]);
  },
);
