// The brief of a new session lists twelve sessions, and up to forty if they are short.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { testFolder } from '../helpers/views.ts';
import { Session } from '../projections/extract/observed.ts';

const THINGS = ['lamp', 'hatch', 'clock', 'roof', 'spring', 'bell', 'ladder', 'fence', 'pump'];
const DOINGS = ['Paint', 'Grease', 'Measure', 'Replace', 'Insulate'];

it('The brief lists more than twelve short sessions, and at most forty', async () => {
  const folder = await testFolder();
  const source = join(folder, 'transcripts');
  await mkdir(source);
  const names = THINGS.flatMap((thing) => DOINGS.map((doing) => ({ thing, doing })));
  for (const [index, { thing, doing }] of names.entries()) {
    const id = `5e551011-0000-4000-8000-0000000000${index + 10}`;
    const session = new Session({ session: id, firstUuid: 1_000 * (index + 1) });
    session.prompt(`${doing} the ${thing} of the feeder`);
    session.edited(`/home/u/app/src/${thing}-${doing.toLowerCase()}.ts`);
    session.reply(`The ${thing} is in order again: ${doing.toLowerCase()} took one hour.`);
    await writeFile(join(source, `${id}.jsonl`), session.bytes());
  }
  const annals = await openAnnals({ home: join(folder, 'home') });
  onTestFinished(() => annals.close());
  await annals.import([source]);
  const { text } = await annals.context({ cwd: '/home/u/app' });
  const [, work = ''] = text.split('\n## Work by session');
  const lines = work.split('\n## ')[0]!.match(/^ *- .*\bone hour\b.*\(o-/gm) ?? [];
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.length).toBeLessThanOrEqual(40);
});
