import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { ourCommands } from '../../src/install/hook-settings.ts';
import { unmarked } from '../../src/install/settings-part.ts';
import { claudeForm, claudeHooks, withHooks, withoutHooks } from '../helpers/installed-hooks.ts';

const wanted = claudeHooks('/home/u/.annals');
const FORM = claudeForm('/home/u/.claude/settings.json');
const install = (text: string) => withHooks(text, wanted, FORM);
const uninstall = (text: string) => withoutHooks(text, FORM) ?? '';
const older = claudeHooks("/old/o'dd home");

const withComments = `// my settings
{
  // the model I like
  "model": "opus", /* really */
  "env": { "A": "1" },
  "hooks": {
    // lint after edits
    "PostToolUse": [
      { "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "lint.sh" }] } // keep
    ]
  }
}
`;
const tabs = '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": ["Bash(ls:*)"]\n\t}\n}\n';
const otherHooks = JSON.stringify(
  {
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
      SessionStart: [{ matcher: 'startup', hooks: [{ type: 'command', command: 'hello' }] }],
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }],
    },
    theme: 'dark',
  },
  null,
  2,
);
const oursElsewhere = JSON.stringify(
  {
    theme: 'dark',
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }, older[0]!.handler] }],
      Stop: [{ hooks: [older[0]!.handler] }, { hooks: [{ type: 'command', command: 'say done' }] }],
      SessionStart: [{ hooks: [older[1]!.handler] }],
    },
  },
  null,
  4,
);

const files: readonly (readonly [name: string, text: string])[] = [
  ['missing or empty', ''],
  ['an empty object', '{}\n'],
  ['on one line', '{"model":"opus"}'],
  ['with comments', withComments],
  ['with Windows line ends', withComments.replaceAll('\n', '\r\n')],
  ['indented with tabs', tabs],
  ['with other hooks', otherHooks],
  ['with trailing commas', '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [],\n  },\n}\n'],
  ['with a byte order mark', `\uFEFF${tabs}`],
  ['with our hooks of an older home in other places', oursElsewhere],
];

/** What the text holds, without our hooks and without empty lists and objects. */
function rest(text: string): unknown {
  const settings = (parse(text.replace('\uFEFF', ''), [], { allowTrailingComma: true }) ?? {}) as {
    hooks?: Record<string, { hooks: { command: string }[] }[]>;
  };
  const hooks = Object.entries(settings.hooks ?? {}).map(([event, groups]) => [
    event,
    groups
      .map((group) => ({
        ...group,
        hooks: group.hooks.filter(({ command }) => !/bin\/capture|session-start/.test(command)),
      }))
      .filter((group) => group.hooks.length > 0),
  ]);
  return { ...settings, hooks: Object.fromEntries(hooks.filter(([, groups]) => groups?.length)) };
}

describe.each(files)('A settings file %s', (_, text) => {
  test('gets each of our hooks once and keeps everything else', () => {
    const installed = install(text);
    expect(ourCommands(unmarked(installed).plain, FORM)).toEqual(
      wanted.map(() => ({ script: '/home/u/.annals/bin/capture', home: null, agent: 'claude-code' })),
    );
    expect(rest(installed)).toEqual(rest(text));
    for (const comment of [
      '// my settings',
      '// the model I like',
      '/* really */',
      '// lint after edits',
      '// keep',
    ])
      expect(installed.includes(comment)).toBe(text.includes(comment));
  });

  test('is the same after a second install', () => {
    const once = install(text);
    expect(install(once)).toBe(once);
  });

  test('keeps one kind of line ends and indentation', () => {
    const installed = install(text);
    if (text.includes('\r\n')) expect(installed.replaceAll('\r\n', '')).not.toContain('\n');
    else expect(installed).not.toContain('\r');
    if (text.includes('\t')) expect(installed).not.toMatch(/^ +"/m);
  });

  test('has none of our hooks after uninstall, and everything else', () => {
    const back = uninstall(install(text));
    expect(ourCommands(unmarked(back).plain, FORM)).toEqual([]);
    expect(rest(back)).toEqual(rest(text));
    expect(uninstall(back)).toBe(back);
  });
});

describe('Install and uninstall', () => {
  test.each(
    files.filter(([name]) =>
      [
        'with comments',
        'with Windows line ends',
        'indented with tabs',
        'with other hooks',
        'with a byte order mark',
      ].includes(name),
    ),
  )('give back a file %s byte for byte', (_, text) => {
    expect(uninstall(install(text))).toBe(text);
  });

  test('change only lines that are ours', () => {
    const installed = install(withComments).split('\n');
    for (const line of withComments.split('\n').slice(0, 6)) expect(installed).toContain(line);
  });

  test('replace hooks of another home', () => {
    expect(install(oursElsewhere)).not.toContain('/old/');
  });
});

describe('A settings file is refused', () => {
  test.each([
    ['{"model": }', 'line 1 cannot be parsed'],
    ['{\n"a": 1\n"b": 2}', 'line 3 cannot be parsed'],
    ['[]', 'does not hold an object'],
    ['{"hooks": []}', '"hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', '"hooks" → "Stop" is not a list'],
  ])('%j', (text, reason) => {
    expect(() => install(text)).toThrow(reason);
  });
});
