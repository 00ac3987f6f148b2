// SIGKILL after every step of forgetting. Before the batch nothing has changed; after it the word is forgotten, and
// the next opening completes the rest: no leftover folder and no byte of the word.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../helpers/child.ts';
import { makeProgram } from '../helpers/program.ts';
import { leave } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const folder = sharedFolder('forget-kill');
const WORD = 'qzxvkjwpmbtrnl';
const KEPT = 'hgfwqpzkvxjtyd';
let program = '';
const prepared = join(folder, 'prepared');

beforeAll(async () => {
  program = await makeProgram('tests/e2e/programs/forget-until-killed.ts', join(folder, 'forget.mjs'));
  const script = new Script({ cwd: '/srv/app' });
  for (let turn = 0; turn < 14; turn++) {
    script.prompt(turn === 11 ? `Hide ${WORD} well` : `Turn ${turn} about ${KEPT}`);
    script.use(`toolu_${turn}_00000001`, 'Bash', { command: turn === 11 ? `echo ${WORD}` : 'npm test' });
    script.result(`toolu_${turn}_00000001`, turn === 11 ? `${WORD}\n`.repeat(50) : 'All tests passed');
    script.reply(turn === 11 ? `I hid ${WORD}, because you asked.` : 'Done.');
  }
  mkdirSync(join(folder, 'transcripts'));
  writeFileSync(join(folder, 'transcripts', 'a.jsonl'), script.bytes());
  await withHome(prepared, async (annals) => {
    await annals.import([join(folder, 'transcripts')]);
    await annals.save({ title: `Where ${WORD} is`, text: 'In the log.', cwd: '/srv/app' });
  });
});

async function killedAfter(step: string, home: string): Promise<void> {
  cpSync(prepared, home, { recursive: true });
  leave(home, 'torn.json', `{"session_id":"x-1","prompt":"${WORD} and then`, Date.now());
  const { code, stderr } = await run(process.execPath, [program, home, WORD, step], { env: process.env });
  if (code !== null) throw new Error(`The child was not killed after ${step}: ${stderr}`);
}

const STEPS = [
  'found',
  'spool',
  'forgotten',
  'projected',
  'scrubbed',
  'copied',
  'ready',
  'aside',
  'swapped',
  'opened',
  'cleared',
  'rewritten',
] as const;

describe('forgetting that was killed', () => {
  test.each(STEPS)('after the step "%s" leaves a home that opens and completes it', async (step) => {
    const home = join(folder, step);
    await killedAfter(step, home);
    const done = STEPS.indexOf(step) >= STEPS.indexOf('forgotten');
    await withHome(home, async (annals) => {
      expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
      expect((await annals.status()).degraded).toEqual([]);
      expect(JSON.stringify(await eventsOf(annals)).includes(WORD)).toBe(!done);
      expect(JSON.stringify((await annals.search(WORD)).results).includes(WORD)).toBe(!done);
    });
    const found = new Set((await scanHome(home, [WORD, KEPT])).map(({ word }) => word));
    expect(found).toEqual(new Set(done ? [KEPT] : [WORD, KEPT]));
    const logs = readdirSync(home).filter((name) => name.startsWith('log') && name !== 'logs');
    expect(logs).toEqual(['log']);
    const rows = readdirSync(join(home, 'views')).filter((name) => /^(rows-|CURRENT)/.test(name));
    expect(rows).toHaveLength(2);
    if (!done)
      await withHome(home, async (annals) => {
        expect(await annals.forget({ query: WORD })).toMatchObject({
          outcome: 'forgotten',
          proof: { ok: true },
        });
      });
    expect(new Set((await scanHome(home, [WORD, KEPT])).map(({ word }) => word))).toEqual(new Set([KEPT]));
  });
});
