import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { Script } from '../helpers/transcripts.ts';

const failing = (file: string) => `Exit code 1\nError: week 53 is missing from the table in ${file}:12`;

/** A turn in which a command fails, `between` happens, and it passes or fails with another error. */
function turn(
  command: string,
  error: string,
  between: (script: Script) => void,
  last: string | null,
): Buffer {
  const script = new Script({
    session: `aaaaaaaa-0000-4000-8000-${String(command.length).padStart(12, '0')}`,
  });
  const run = (id: string, failed: string | null) => {
    script.use(id, 'Bash', { command });
    script.result(id, failed ?? 'done', {}, failed === null ? {} : { is_error: true });
  };
  script.prompt('Check the table');
  run(`${command}-1`, error);
  between(script);
  run(`${command}-2`, last);
  script.reply('The table had no week 53, because long years have one more week.');
  return script.bytes();
}

const edit = (script: Script) => {
  script.use('edit', 'Edit', { file_path: '/home/u/app/src/weeks.ts', old_string: '52', new_string: '53' });
  script.result('edit', 'ok');
};
const nothing = () => undefined;

describe('Recall after an error', () => {
  let folder: string;
  let annals: Annals;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-recall-'));
    const files = {
      fixed: turn('npm run check', failing('/a/b/weeks.ts'), edit, null),
      untouched: turn('npm run table', failing('weeks.ts'), nothing, null),
      otherwise: turn(
        'npm run weekly',
        failing('weeks.ts'),
        edit,
        'Exit code 1\nError: the year 2020 is missing',
      ),
    };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, `${name}.jsonl`), bytes);
    annals = await openAnnals({ home: join(folder, 'home') });
    await annals.import(Object.keys(files).map((name) => join(folder, `${name}.jsonl`)));
    await annals.search('week');
  });
  afterAll(async () => {
    await annals.close();
    await rm(folder, { recursive: true, force: true });
  });

  const recall = async (command: string, error: string) =>
    (await annals.recall({ occasion: 'error', command, error, project: '/home/u/app' })).text;

  it('tells what was changed before the same command passed, and what the agent said of it', async () => {
    const text = await recall('npm run check', failing('/c/weeks.ts').replace(':12', ':99'));
    expect(text).toContain('`npm run check` failed: Error: week 53 is missing');
    expect(text).toContain('→ passed after edits to /home/u/app/src/weeks.ts');
    expect(text).toContain('The table had no week 53, because long years have one more week.');
  });

  it.each([
    ['another command', 'npm run build', failing('weeks.ts')],
    [
      'another error',
      'npm run check',
      'Exit code 1\nError: the feeder is missing from the table in weeks.ts:12',
    ],
    ['an error that went away by itself', 'npm run table', failing('weeks.ts')],
    ['an error that another one followed', 'npm run weekly', failing('weeks.ts')],
    ['an error without a line', 'npm run check', 'Exit code 1'],
    ['a command that only looks', 'cat weeks.ts', failing('weeks.ts')],
  ])('says nothing for %s', async (_, command, error) => {
    expect(await recall(command, error)).toBe('');
  });
});
