import { describe, expect, test } from 'vitest';
import { shellReport } from '../../../src/agents/common/gemini-parts.ts';

const LONG = (output: string, code: string, signal = '(none)') =>
  `Command: npm test\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: ${signal}\nBackground PIDs: (none)\nProcess Group PGID: 12`;

describe('What the shell tool reports', () => {
  test.each<[string, string, string | undefined, string, string]>([
    ['success', 'Output: two\nlines\nProcess Group PGID: 1', undefined, 'ok', 'two\nlines'],
    ['no output', 'Output: (empty)\nProcess Group PGID: 1', undefined, 'ok', ''],
    ['failure', 'Output: no\nExit Code: 2\nProcess Group PGID: 1', undefined, 'failed', 'Exit code 2\nno'],
    ['failure without output', 'Output: (empty)\nExit Code: 1', undefined, 'failed', 'Exit code 1'],
    [
      'a signal',
      'Output: half\nSignal: SIGTERM\nProcess Group PGID: 1',
      undefined,
      'failed',
      'Signal SIGTERM\nhalf',
    ],
    [
      'output that ends like a label',
      'Output: a\nExit Code: 1\nProcess Group PGID: 1',
      'a\nExit Code: 1',
      'ok',
      'a\nExit Code: 1',
    ],
    ['the long form', LONG('done', '0'), undefined, 'ok', 'done'],
    ['the long form of a failure', LONG('(empty)', '1'), undefined, 'failed', 'Exit code 1'],
    ['the long form of a killed command', LONG('half', '(none)', '9'), undefined, 'failed', 'Signal 9\nhalf'],
    [
      'a cancelled command',
      'Command was cancelled by user before it could complete. There was no …',
      undefined,
      'cancelled',
      'Command was cancelled by user before it could complete. There was no …',
    ],
    [
      'a time-out',
      'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
      undefined,
      'failed',
      'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
    ],
    [
      'a command in the background',
      'Command moved to background (PID: 7). Output hidden.',
      undefined,
      'ok',
      'Command moved to background (PID: 7). Output hidden.',
    ],
  ])('%s', (_case, text, shown, outcome, output) => {
    expect(shellReport(text, shown)).toEqual({ outcome, text: output });
  });

  test('is read in time proportional to its length', () => {
    const text = `Output: ${'Exit Code: 1\n'.repeat(400_000)}`;
    expect(shellReport(text, undefined).outcome).toBe('failed');
    expect(shellReport(`Command: ${'\nDirectory: '.repeat(400_000)}`, undefined).outcome).toBe('ok');
  });
});
