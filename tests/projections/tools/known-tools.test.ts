// What a tool does is known from its name, whichever agent ran it. Inputs are shaped as the agents write them.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../log/index.ts';
import { commandIn } from '../../../projections/extract/shell/commands.ts';
import {
  lastChangeOf,
  touchedFilesOf,
  writtenFilesOf,
} from '../../../projections/extract/transcript/touched-files.ts';
import type { ToolUse } from '../../../projections/extract/transcript/turn-transcript.ts';
import { inputFiles, toolTitle } from '../../../projections/memory/tool-titles.ts';
import { inputExcerpt, resultTail } from '../../../projections/sessions/tool-excerpts.ts';
import { commandLine, patchedFiles, toolKind } from '../../../projections/tools/known-tools.ts';

const WORKDIR = '/home/u/app';
const PATCH = `*** Begin Patch
*** Update File: src/parse.ts
*** Move to: src/parser.ts
@@
-const a = 1;
+const a = 2;
*** Add File: src/new.ts
+export {};
*** End Patch`;

let order = 0;

/** A tool use as a view reads it back: with the excerpt of its input. */
function used(name: string, input: Json, outcome: ToolUse['outcome'] = 'ok'): ToolUse {
  const excerpt = inputExcerpt({ name, input });
  order += 1;
  return {
    id: `t${order}`,
    at: order,
    order: String(order).padStart(4, '0'),
    events: [`e${order}`],
    name,
    input: excerpt,
    command: commandIn(name, excerpt, WORKDIR),
    outcome,
    error: '',
    tail: '',
    lines: 0,
    printedFailure: false,
    ofSubagent: false,
  };
}

test.each([
  ['Bash', 'shell'],
  ['run_shell_command', 'shell'],
  ['exec_command', 'shell'],
  ['read_file', 'read'],
  ['view', 'read'],
  ['write_file', 'create'],
  ['create', 'create'],
  ['MultiEdit', 'edit'],
  ['str_replace', 'edit'],
  ['apply_patch', 'edit'],
  ['Grep', 'search'],
  ['task', 'launch'],
  ['AskUserQuestion', 'question'],
  ['mcp__files__read', null],
  ['', null],
])('%s is %s', (name, kind) => {
  expect(toolKind(name)).toBe(kind);
});

test('a tool that is not known is titled by the text that it runs, not by its action', () => {
  const name = 'mcp__browser__javascript_tool';
  const input = { action: 'javascript_exec', tabId: 'one', text: 'document.title' };
  expect(toolTitle(name, inputExcerpt({ name, input }))).toBe(`${name}: document.title`);
});

test.each<[string, Json]>([
  ['Bash', { command: 'npm test' }],
  ['exec_command', { cmd: 'npm test', yield_time_ms: 1000 }],
  ['run_command', { command_line: 'npm test', cwd: WORKDIR }],
  ['shell', { command: ['bash', '-lc', 'npm test'] }],
  ['shell', { command: ['npm', 'test'] }],
])('%s runs the command of its input %j', (name, input) => {
  expect(commandLine(input)).toBe('npm test');
  expect(used(name, input).command?.purpose).toBe('test');
  expect(toolTitle(name, inputExcerpt({ name, input }))).toBe('npm test');
  expect(resultTail({ name, input, result: '3 passed' } as Parameters<typeof resultTail>[0])).toBe(
    '3 passed',
  );
});

test('a tool that is no shell has no command', () => {
  expect(used('todo', { command: 'npm test' }).command).toBeNull();
  expect([commandLine(null), commandLine('npm test'), commandLine({ command: [1, 2] })]).toEqual([
    null,
    null,
    null,
  ]);
});

describe('the files of a tool use', () => {
  test.each<[string, Json, 'read' | 'modified']>([
    ['Read', { file_path: `${WORKDIR}/src/a.ts` }, 'read'],
    ['view', { path: `${WORKDIR}/src/a.ts` }, 'read'],
    ['read', { filePath: `${WORKDIR}/src/a.ts` }, 'read'],
    ['write_file', { file_path: `${WORKDIR}/src/a.ts`, content: 'x' }, 'modified'],
    ['create', { path: `${WORKDIR}/src/a.ts`, file_text: 'x' }, 'modified'],
    ['edit', { filePath: `${WORKDIR}/src/a.ts`, oldString: 'a', newString: 'b' }, 'modified'],
    ['replace', { file_path: `${WORKDIR}/src/a.ts`, old_string: 'a', new_string: 'b' }, 'modified'],
  ])('%s %j', (name, input, kind) => {
    expect(touchedFilesOf([used(name, input)], WORKDIR)[kind]).toEqual(['src/a.ts']);
    const { changed_lines: _, ...kept } = inputExcerpt({ name, input });
    expect(Object.keys(kept)).toHaveLength(1);
  });

  test.each<[Json]>([[PATCH], [{ input: PATCH }], [{ patchText: PATCH }]])(
    'are all files of a patch, and its text is not kept: %j',
    (input) => {
      const use = used('apply_patch', input);
      const files = ['src/parse.ts', 'src/parser.ts', 'src/new.ts'];
      expect(touchedFilesOf([use], WORKDIR).modified).toEqual(files);
      expect(writtenFilesOf([use]).written).toEqual(['parse.ts', 'parser.ts', 'new.ts']);
      expect(lastChangeOf([use])).toBe(use.order);
      expect(toolTitle('apply_patch', use.input)).toBe(`apply_patch ${files.join(', ')}`);
      expect(inputFiles(use.input)).toEqual(files);
      expect(JSON.stringify(use.input)).not.toContain('const a');
    },
  );

  test('a new file that could not be written was refused', () => {
    const { refused } = writtenFilesOf([used('create', { path: 'src/a.ts', file_text: 'x' }, 'failed')]);
    expect(refused).toEqual(['a.ts']);
  });
});

test('text that is no patch names no file', () => {
  expect(patchedFiles('*** Update File: a.ts')).toEqual([]);
});
