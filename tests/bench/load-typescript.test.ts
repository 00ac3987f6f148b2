// `npm run bench` loads one file after another in one process, and two of them may have the same name.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../../bench/harness/process.ts';

it('Two benches with the same name in different folders both run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'annals-benches-'));
  try {
    const paths = ['one', 'other'].map((name) => {
      mkdirSync(join(folder, name));
      const path = join(folder, name, 'same.bench.ts');
      writeFileSync(path, `console.log('${name}' as string);\n`);
      return relative(REPOSITORY, path);
    });
    const program = `import { loadTypescript } from './scripts/load-typescript.mjs';
      for (const path of ${JSON.stringify(paths)}) await loadTypescript(path);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    expect(printed).toBe('one\nother\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
