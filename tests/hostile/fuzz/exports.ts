// An export with a changed manifest or segment, or with something that is not a file in their place.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAnnalsError } from '../../../log/index.ts';
import { openAnnals } from '../../../src/index.ts';
import { checkExport, eventsOfExport, isExport, openExport } from '../../../src/transfer/export-folder.ts';
import type { MakeCase } from './found.ts';
import { type Chance, hostileBytes, oneIn, pick, spoiled } from './hostile-json.ts';

const CODES: ReadonlySet<string> = new Set([
  'INPUT_UNREADABLE',
  'EXPORT_DAMAGED',
  'LOG_TOO_NEW',
  'PASSPHRASE_WRONG',
]);

let made: Promise<string> | undefined;

/** A valid export, made once per process. */
function honestExport(): Promise<string> {
  made ??= (async () => {
    const folder = join(tmpdir(), `annals-fuzz-${process.pid}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const annals = await openAnnals({ home: join(folder, 'home') });
    await annals.save([
      { title: 'One', text: 'Herons fish alone.' },
      { title: 'Two', text: 'Ducks do not.' },
    ]);
    await annals.export(join(folder, 'export'));
    await annals.close();
    return join(folder, 'export');
  })();
  return made;
}

export const exportCase: MakeCase = async (luck, folder) => {
  const path = join(folder, 'export');
  cpSync(await honestExport(), path, { recursive: true });
  const names = readdirSync(path).sort();
  const name = pick(names, luck);
  const file = join(path, name);
  if (oneIn(6, luck)) {
    rmSync(file);
    pick(ENTRIES, luck)(file);
  } else writeFileSync(file, changed(readFileSync(file, 'utf8'), name, luck));
  try {
    if (!(await isExport(path))) return { fates: { 'left alone': 1 }, wrong: [] };
    const opened = await openExport(path, 'a passphrase');
    await checkExport(opened);
    for await (const page of eventsOfExport(opened))
      if (page.length > 2) return { fates: { taken: 1 }, wrong: ['it grew'] };
    return { fates: { taken: 1 }, wrong: [] };
  } catch (error) {
    if (!isAnnalsError(error) || !CODES.has(error.code)) throw error;
    return {
      fates: { refused: 1 },
      wrong: error.message.length > 20 ? [] : ['it is refused without a sentence'],
    };
  }
};

function changed(text: string, name: string, luck: Chance): Buffer {
  if (name === 'manifest.json') return hostileBytes(JSON.parse(text), luck);
  const lines = text.trimEnd().split('\n');
  const at = luck.below(lines.length);
  const line = oneIn(3, luck) ? spoiled(lines[at]!, luck) : hostileBytes(JSON.parse(lines[at]!), luck);
  return Buffer.concat(
    lines.map((one, index) => Buffer.concat([index === at ? line : Buffer.from(one), Buffer.from('\n')])),
  );
}

const ENTRIES: readonly ((path: string) => void)[] = [
  (path) => symlinkSync('/dev/zero', path),
  (path) => symlinkSync('/nowhere', path),
  (path) => mkdirSync(path),
  (path) => execFileSync('mkfifo', [path]),
];
