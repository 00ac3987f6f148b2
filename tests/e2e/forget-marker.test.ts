// A unique marker is planted wherever text can be stored, found in each place by an independent search, and forgotten
// with the command. After that no byte below the home contains it, also when it is reported again.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { END_MARK } from '../../src/capture/spool/end-mark.ts';
import { fork, sdkFork } from '../helpers/forks.ts';
import { asked, leave, leaveUnfinished, used, waiting } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { type Sight, searchBytes } from './byte-search.ts';
import { annalsHere } from './command.ts';
import { sharedFolder } from './homes.ts';

const MARKER = 'vqkzjxwmpfhtgb';
const KEPT = 'hgfwqpzkvxjtyd';
const SESSION = '11111111-2222-4333-8444-555555555555';
const folder = sharedFolder('marker');
const home = join(folder, 'home');

const HOOKED = asked(`hooked: ${MARKER}`, {
  session_id: '99999999-0000-4000-8000-000000000009',
  prompt_id: 'hook-1',
});

function transcript(): Buffer {
  const script = new Script({ session: SESSION, cwd: '/srv/app' });
  script.prompt(`Rename the helper to ${KEPT}, please. ${halves(KEPT)}`);
  script.reply(`Renamed it to ${KEPT} because the old name output nothing.`);
  script.prompt(`prompted: the cellar opens with ${MARKER}, fix the lock`);
  script.use('toolu_marker_0001', 'Bash', { command: 'cat cellar.md' });
  script.result('toolu_marker_0001', `printed: ${MARKER}\n${halves(MARKER)}\n${encoded(MARKER)}`);
  script.use('toolu_marker_0002', 'Edit', {
    file_path: '/srv/app/lock.ts',
    old_string: 'a',
    new_string: 'b',
  });
  script.result('toolu_marker_0002', 'The file was updated.');
  script.reply(`Fixed the lock: it opens with ${MARKER} now, because the old key was lost.`);
  script.prompt('Now run the tests again');
  script.reply('All tests pass now.');
  return script.bytes();
}

/** A word after its two halves is compressed as copies of them, so its bytes are not in the file as they are. */
function halves(word: string): string {
  const [one, other] = [word.slice(0, 7), word.slice(7)];
  return `${one}. ${other}. `.repeat(8) + word;
}

/** Base64 texts in which the word begins at each possible bit offset. */
function encoded(word: string): string {
  return ['', 'a', 'ab']
    .map((before) => Buffer.from(`${before}${word} and more`).toString('base64'))
    .join('\n');
}

function tell(name: string, bytes: Buffer): string {
  const path = join(folder, 'transcripts', name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

/** Four spool files: one ready to drain, one waiting for its turn, one unusable, and one without its end. */
function leaveInSpool(now: number): void {
  leave(home, 'taken.json', HOOKED, now);
  leave(home, 'waits.json', used('toolu_hook_0001', `of no turn: ${MARKER}`, { prompt_id: 'unknown' }), now);
  const torn = Buffer.concat([
    Buffer.from(`{"session_id":"x-1","prompt":"torn: ${MARKER} `),
    Buffer.from(`${MARKER} little `, 'utf16le'),
    Buffer.from(`${MARKER} big `, 'utf16le').swap16(),
  ]);
  writeFileSync(leave(home, 'torn.json', '', now), Buffer.concat([torn, Buffer.from(END_MARK)]));
  leaveUnfinished(home, 'begun.json', `{"session_id":"x-2","prompt":"begun: ${MARKER}`, now);
}

async function command(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await annalsHere(words, { home });
  expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' });
  return stdout;
}

/** A pattern for a place where the marker is found: each field equal to the text or matching the expression. */
type Where = { readonly [field in keyof Sight]?: string | RegExp };

function isAt(sight: Sight, where: Where): boolean {
  return Object.entries(where).every(([field, wanted]) => {
    const value = sight[field as keyof Sight];
    return typeof wanted === 'string' ? value === wanted : wanted.test(value);
  });
}

const inPackedLog = (before: RegExp): Where => ({ file: /^log\/\d+\.ldb$/, as: 'unpacked', before });

test('a forgotten marker in a prompt, tool output, observation, snapshot and spool is in no byte on disk', async () => {
  const path = tell(`${SESSION}.jsonl`, transcript());
  await command('import', path);
  const { results } = JSON.parse(await command('search', MARKER, '--kind', 'observation', '--json')) as {
    results: readonly { readonly id: string }[];
  };
  expect(results.length).toBeGreaterThan(0);
  // LevelDB writes the records of its write-ahead file into a table at the next opening.
  await command('search', 'tests');
  const now = Date.now();
  leaveInSpool(now);

  const seen = searchBytes(home, MARKER);
  for (const workdir of [
    inPackedLog(/ompted: the cellar/),
    inPackedLog(/printed: $/),
    { file: /^views\/rows-.*ldb$/, as: 'unpacked', key: /^r\/memory\/observation\/o-/ },
    { file: /^views\/text\/.*\.text$/, as: 'raw' },
    { file: /^spool\/new\/taken\.json$/, as: 'raw' },
    { file: /^spool\/new\/waits\.json$/, as: 'raw' },
    { file: /^spool\/new\/torn\.json$/, as: 'raw' },
    { file: /^spool\/new\/begun\.json$/, as: 'raw' },
    { form: 'UTF-16 LE' },
    { form: 'UTF-16 BE' },
    { form: 'base64, bit 0' },
    { form: 'base64, bit 2' },
    { form: 'base64, bit 4' },
  ] as readonly Where[])
    expect(
      seen.filter((sight) => isAt(sight, workdir)).length,
      String(Object.values(workdir)),
    ).toBeGreaterThan(0);
  // After its halves it is in no raw byte of the file: only a search that decompresses finds it.
  expect(seen.some((sight) => sight.as === 'raw' && /printed: $/.test(sight.before))).toBe(false);

  const output = await command('forget', '--query', MARKER, '--with-copies', '--yes');
  expect(output).toMatch(/found 0 times/);
  expect(searchBytes(home, MARKER)).toEqual([]);
  expect(searchBytes(home, KEPT).some((sight) => isAt(sight, inPackedLog(/rename the helper to $/)))).toBe(
    true,
  );
  expect(waiting(home)).toEqual([]);

  await command('import', path);
  await command('import', tell(`backup/${SESSION}.jsonl`, transcript()));
  for (const copy of [
    fork(transcript(), 'aaaaaaaa-0000-4000-8000-000000000001'),
    sdkFork(transcript(), 'bbbbbbbb-0000-4000-8000-000000000002'),
  ])
    await command('import', tell(`forks/${copy.fileName}`, copy.bytes));
  leave(home, 'again.json', HOOKED, now);
  await command('search', 'tests');
  expect(waiting(home)).toEqual([]);
  expect(searchBytes(home, MARKER)).toEqual([]);
  expect(searchBytes(home, KEPT).length).toBeGreaterThan(0);
  expect(await command('verify', '--rebuilt')).toMatch(/All is well/);
});
