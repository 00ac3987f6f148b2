// A hook and a transcript report the same prompt and the same end of a turn. A prompt is private if one channel says
// so, and the end is shown once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asked, leave, payload, SESSION, stopped } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const folder = sharedFolder('reported-twice');
const start = Date.UTC(2026, 9, 1, 12);

/** Writes hook files into a home, imports its transcript, and returns what `show` prints for each turn. */
async function shownTurns(name: string, script: Script, hooks: (home: string) => void) {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  hooks(home);
  const source = join(folder, `${name}-source`);
  mkdirSync(source);
  const path = join(source, `${SESSION}.jsonl`);
  writeFileSync(path, script.bytes());
  const turns = await withHome(home, async (annals) => {
    await annals.import([path]);
    const { details } = await annals.get(SESSION);
    const ids = (details as { turns: readonly { id: string }[] }).turns.map(({ id }) => id);
    return await Promise.all(ids.map(async (id) => await annals.get(id)));
  });
  return { home, turns };
}

const typed = { promptId: 'p-1', promptSource: 'typed' };

test('a prompt is private when one of its two channels says so', async () => {
  const script = new Script({ session: SESSION, start, version: '2.1.330' });
  // The transcript's text differs from what the person typed, as with a pasted text.
  script.prompt('[Pasted text #1] about the axolotl', typed);
  script.reply('the axolotl is noted');
  const { home, turns } = await shownTurns('either', script, (home) =>
    leave(home, 'c-1', asked('<private>about the axolotl</private>'), start),
  );
  expect(JSON.stringify(turns)).not.toContain('axolotl');
  expect(await scanHome(home, ['axolotl'])).toEqual([]);
});

test('the final answer of a turn is shown once', async () => {
  const script = new Script({ session: SESSION, start, version: '2.1.330' });
  script.prompt('go', typed);
  script.reply('All **done**, and well.');
  const { turns } = await shownTurns('answer', script, (home) => {
    leave(home, 'c-1', asked('go'), start);
    leave(home, 'c-2', stopped('All **done**, and well.'), start + 2_000);
  });
  expect(turns.map(({ text }) => text.split('and well').length - 1)).toEqual([1]);
});

test('an error that ends a turn is shown once', async () => {
  const script = new Script({ session: SESSION, start, version: '2.1.330' });
  script.prompt('go', typed);
  script.reply('API Error: 500', { isApiErrorMessage: true, error: 'unknown' });
  const { turns } = await shownTurns('error', script, (home) => {
    leave(home, 'c-1', asked('go'), start);
    leave(
      home,
      'c-2',
      payload('StopFailure', { error: 'unknown', last_assistant_message: 'API Error: 500' }),
      start + 2_000,
    );
  });
  expect(turns.map(({ text }) => text.split('error: unknown').length - 1)).toEqual([1]);
});
