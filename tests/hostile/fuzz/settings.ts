// Settings files, ours and the agent's. If ours may have lost an excluded folder, nothing may be recorded.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAnnalsError } from '../../../log/index.ts';
import { settingsAt } from '../../../src/config/read-settings.ts';
import { ourCommands } from '../../../src/install/hook-settings.ts';
import { readSettingsFile } from '../../../src/install/settings-file.ts';
import { claudeForm, withHooks, withoutHooks } from '../../helpers/installed-hooks.ts';
import type { MakeCase } from './found.ts';
import { type Chance, hostileBytes, oneIn, pick, spoiled } from './hostile-json.ts';

const HONEST = [
  { exclude: ['/clients/**', 'secret'], embedder: 'none' },
  { exclude: ['/clients/**'], indexMemory: 64, 'embedder.url': null },
  { embedder: 'static' },
];
const CLAUDE = {
  model: 'opus',
  permissions: { allow: ['Bash(ls)'] },
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }], PostToolUse: [] },
};

const FILES = 10;

export const settingsCase: MakeCase = async (luck, folder) => {
  const fates = { taken: 0, refused: 0 };
  const wrong: string[] = [];
  for (let file = 0; file < FILES; file++) {
    const path = join(folder, `config-${file}.json`);
    const found = oneIn(3, luck) ? await agentSettings(luck, path) : await ownSettings(luck, path);
    fates.taken += found.fates.taken ?? 0;
    fates.refused += found.fates.refused ?? 0;
    wrong.push(...found.wrong);
  }
  return { fates, wrong };
};

async function ownSettings(luck: Chance, path: string): ReturnType<MakeCase> {
  const honest = pick(HONEST, luck);
  const isEntry = oneIn(25, luck);
  const bytes = oneIn(4, luck) ? punctuated(honest, luck) : hostileBytes(honest, luck);
  if (isEntry) pick(ENTRIES, luck)(path);
  else writeFileSync(path, bytes);
  const { settings, degraded, pausedBecause } = await settingsAt(path, {});
  if (pausedBecause !== null)
    return {
      fates: { refused: 1 },
      wrong:
        degraded[0]?.includes(pausedBecause) === true && pausedBecause.length > 5
          ? []
          : ['it is paused without a reason'],
    };
  if (isEntry) return { fates: { taken: 1 }, wrong: ['what is no file was taken'] };
  // Another parser must read the same folders.
  let plain: unknown;
  try {
    plain = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return {
      fates: { taken: 1 },
      wrong:
        bytes.toString('utf8').trim() === '' || isWithComments(bytes) ? [] : ['what is no JSON was taken'],
    };
  }
  const wanted = JSON.stringify((plain as { exclude?: unknown }).exclude ?? []);
  return {
    fates: { taken: 1 },
    wrong:
      JSON.stringify(settings.exclude) === wanted
        ? []
        : [`${wanted} became ${JSON.stringify(settings.exclude)}`],
  };
}

/** A comment or a trailing comma is allowed, but is not JSON. */
function isWithComments(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  return /\/[/*]|,\s*[}\]]/.test(text);
}

async function agentSettings(luck: Chance, path: string): ReturnType<MakeCase> {
  writeFileSync(path, oneIn(3, luck) ? punctuated(CLAUDE, luck) : hostileBytes(CLAUDE, luck));
  const handler = {
    type: 'command',
    command: "[ -x '/h/bin/capture' ] && exec '/h/bin/capture' claude-code; exit 0",
  };
  try {
    const { text } = await readSettingsFile(path);
    const form = claudeForm();
    const edited = withHooks(text, [{ event: 'Stop', matcher: null, handler }], form);
    const wrong = ourCommands(edited, form).length === 1 ? [] : ['our hook is not there once'];
    if (ourCommands(withoutHooks(edited, form) ?? '', form).length > 0) wrong.push('our hook stays');
    return { fates: { taken: 1 }, wrong };
  } catch (error) {
    if (!isAnnalsError(error) || error.code !== 'INPUT_INVALID') throw error;
    return { fates: { refused: 1 }, wrong: [] };
  }
}

/** Indented text with one character added or removed. */
function punctuated(value: object, luck: Chance): Buffer {
  const text = JSON.stringify(value, null, 2);
  const at = luck.below(text.length);
  const sign = pick(
    [',', ':', '"', '{', '[', ']', '}', '// x\n', '/* x */', '/*', "'", '\\', '\u0000'],
    luck,
  );
  return spoiled(text.slice(0, at) + sign + text.slice(at + (oneIn(2, luck) ? 1 : 0)), luck);
}

const ENTRIES: readonly ((path: string) => void)[] = [
  (path) => symlinkSync('/dev/zero', path),
  (path) => symlinkSync('/nowhere', path),
  (path) => symlinkSync(path, path),
  (path) => mkdirSync(path),
  (path) => execFileSync('mkfifo', [path]),
  (path) => writeFileSync(path, Buffer.alloc(2 * 2 ** 20, ' ')),
];
