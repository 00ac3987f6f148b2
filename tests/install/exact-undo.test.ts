// Installs and uninstalls on generated settings files and compares the bytes. Other programs' hooks stay.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { install, planInstall, planUninstall, uninstall } from '../../src/install/installation.ts';
import {
  CLAUDE,
  claudeForm,
  claudeRequest,
  hooksTarget,
  withHooks,
  withoutHooks,
} from '../helpers/installed-hooks.ts';

const root = mkdtempSync(join(tmpdir(), 'annals-undo-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function world(text: string) {
  const folder = join(root, String(++count));
  const claudeFolder = join(folder, 'claude');
  mkdirSync(claudeFolder, { recursive: true });
  const path = join(claudeFolder, 'settings.json');
  writeFileSync(path, text);
  const request = claudeRequest(join(folder, 'home'), claudeFolder);
  return {
    path,
    read: () => readFileSync(path, 'utf8'),
    install: async (now = 1_000) =>
      install(request, await planInstall(hooksTarget(CLAUDE, request), request), now),
    uninstall: async (now = 2_000) =>
      uninstall(request, await planUninstall(hooksTarget(CLAUDE, request), request), now),
  };
}

const other = { type: 'command', command: 'lint.sh' };
const group = fc.constantFrom<object>(
  { hooks: [other] },
  { matcher: 'Bash', hooks: [other, other] },
  { hooks: [] },
);
const hooks = fc.dictionary(
  fc.constantFrom('Stop', 'SessionStart', 'PreToolUse', 'SessionEnd'),
  fc.array(group, { maxLength: 2 }),
);
const settings = fc.record(
  {
    model: fc.constant('opus'),
    hooks,
    env: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    list: fc.array(fc.integer()),
  },
  { requiredKeys: [] },
);
const text = fc
  .tuple(settings, fc.constantFrom(0, 2, 4, '\t'), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([value, indent, windows, mark, ends, trailing]) => {
    const body = JSON.stringify(value, null, indent);
    const withComma = trailing ? body.replace(/([\w"\]}])(\s*\}\s*)$/, '$1,$2') : body;
    const text = `${mark ? '\uFEFF' : ''}${withComma}${ends ? '\n' : ''}`;
    return windows ? text.replaceAll('\n', '\r\n') : text;
  });

describe('Install, then uninstall', () => {
  test('keeps the empty lists that the file had before the last installation, not before an earlier one', async () => {
    const { path, read, install: add, uninstall: takeOut } = world('{\n  "model": "opus"\n}\n');
    await add(1_000);
    await takeOut(2_000);
    const own = '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n';
    writeFileSync(path, own);
    await add(3_000);
    writeFileSync(path, read().replace('opus', 'sonnet'));
    await takeOut(4_000);
    expect(JSON.parse(read())).toEqual({ model: 'sonnet', hooks: { Stop: [] } });
  });

  test('restores the same bytes of any file', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (before) => {
        const { read, install, uninstall } = world(before);
        await install();
        await uninstall();
        expect(read()).toBe(before);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    '',
    '{}',
    '{}\n',
    '{"hooks": {}}',
    '{\n  "hooks": {\n    "Stop": [],\n  },\n}\n',
    '{"model":"opus"}',
    '{ "a": [ 1 ] }',
  ])('restores %j, also after two installs', async (before) => {
    const { read, install, uninstall } = world(before);
    await install(1_000);
    await install(2_000);
    await uninstall(3_000);
    expect(read()).toBe(before);
  });

  test('keeps empty lists and a trailing comma of the user in a file that was edited in between', async () => {
    const { path, read, install, uninstall } = world(
      '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  },\n}\n',
    );
    await install();
    writeFileSync(path, read().replace('"opus"', '"sonnet"'));
    await uninstall();
    expect(JSON.parse(read().replace(/,\s*\}\s*$/, '}'))).toEqual({ model: 'sonnet', hooks: { Stop: [] } });
    expect(read()).toMatch(/,\n\}\n$/);
  });

  test('leaves a read-only file as it is, and says so', async () => {
    const { path, read, install } = world('{"model":"opus"}');
    chmodSync(path, 0o444);
    await expect(install()).rejects.toThrow('read-only');
    expect(read()).toBe('{"model":"opus"}');
  });

  test('keeps a file of one line in one line', async () => {
    const { read, install } = world('{"model":"opus"}\n');
    await install();
    expect(read().trim()).not.toContain('\n');
  });
});

describe('Backups', () => {
  const OWN = '{\n  "model": "opus"\n}\n';
  const backupsOf = (path: string) =>
    readdirSync(dirname(path))
      .filter((name) => name.includes('.before-annals-'))
      .sort()
      .map((name) => join(dirname(path), name));
  const texts = (path: string) => backupsOf(path).map((backup) => readFileSync(backup, 'utf8'));

  test('one stays while ours is installed, and none after an uninstall that restores the file', async () => {
    const { path, read, install: add, uninstall: takeOut } = world(OWN);
    for (const start of [1_000, 3_000, 5_000]) {
      expect(await add(start)).toBe(backupsOf(path)[0]);
      expect(texts(path)).toEqual([OWN]);
      expect(await takeOut(start + 1_000)).toBeNull();
      expect(texts(path)).toEqual([]);
    }
    expect(read()).toBe(OWN);
  });

  test('the file without ours stays the backup when the hooks of another home are replaced', async () => {
    const { path, read, install: add } = world(OWN);
    await add(1_000);
    writeFileSync(path, read().replaceAll('/home/bin/', '/other/bin/'));
    await add(2_000);
    expect(read()).not.toContain('/other/bin/');
    expect(texts(path)).toEqual([OWN]);
  });

  test('of a file that was changed since, the newest state stays', async () => {
    const { path, read, install: add, uninstall: takeOut } = world(OWN);
    await add(1_000);
    const changed = read().replace('opus', 'sonnet');
    writeFileSync(path, changed);
    expect(await takeOut(2_000)).toBe(backupsOf(path)[0]);
    expect(texts(path)).toEqual([changed]);
    const before = read();
    await add(3_000);
    expect(texts(path)).toEqual([before]);
  });

  test('the file without ours stays beside the newest state when ours is replaced in a changed file', async () => {
    const { path, read, install: add, uninstall: takeOut } = world('{}\n');
    await add(1_000);
    const changed = read().replaceAll('/home/bin/', '/other/bin/').replace('{', '{ "model": "opus",');
    writeFileSync(path, changed);
    expect(await add(2_000)).toBe(backupsOf(path)[1]);
    expect(texts(path)).toEqual(['{}\n', changed]);
    writeFileSync(path, read().replace('"model": "opus",', ''));
    await takeOut(3_000);
    // It was the user's before.
    expect(JSON.parse(read())).toEqual({});
  });

  test('a file of the user with nearly the name of a backup is none', async () => {
    const { path, install: add, uninstall: takeOut } = world(OWN);
    const own = `${path}.before-annals-came`;
    writeFileSync(own, OWN);
    await add();
    await takeOut();
    expect(backupsOf(path)).toEqual([own]);
  });
});

describe("Somebody else's hook", () => {
  test.each([
    'my-wrapper --home /x hook claude-code',
    "node '/opt/other/cli.cjs' --home /x hook claude-code session-start",
    'log --home && other-tool hook claude-code 2>/dev/null; exit 0',
    "[ -x '/a/bin/capture' ] && exec '/b/bin/capture' claude-code; exit 0",
    "[ -x '/a/bin/capture' ] && set -- claude-code && command . '/b/bin/capture'; exit 0",
    "[ -x '/a/bin/capture' ] && set -- claude-code; exit 0",
    "[ -x '/a' ] && rm '/x/bin/capture' ] && exec '/x/bin/capture' claude-code; exit 0",
  ])('%s stays', (command) => {
    const before = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }, null, 2);
    expect(withoutHooks(before, claudeForm())).toBe(before);
    expect(withHooks(before, [], claudeForm())).toBe(before);
  });
});
