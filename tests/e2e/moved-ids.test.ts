// Ids that were shown keep resolving. When an original is imported after its fork, it becomes the owner of the fork's
// copied lines; the ids under which the fork showed them must still work.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { fork } from '../helpers/forks.ts';
import { Script } from '../helpers/transcripts.ts';
import { sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('moved-ids');
const ORIGINAL = '88888888-0000-4000-8000-000000000000';
const FORK = '11111111-0000-4000-8000-000000000000';

function original(): Buffer {
  const script = new Script({ session: ORIGINAL, start: Date.UTC(2026, 4, 4) });
  script.prompt('Why does the feeder jam at night?', { promptId: 'first' });
  script.use('toolu_1', 'Edit', { file_path: '/home/u/app/chute.ts', old_string: '5', new_string: '9' });
  script.result('toolu_1', 'The file has been updated.');
  script.use('toolu_2', 'Bash', { command: 'npm test' });
  script.result('toolu_2', 'Tests  12 passed (12)');
  script.reply(
    'The chute was too narrow because frost builds up in it. I widened it from 5 to 9 centimetres.',
  );
  return script.bytes();
}

type Details = Readonly<Record<'turns' | 'items', readonly { readonly id: string }[]>>;

/** Every id in the answers, with the title of its item. */
async function shown(annals: Annals): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { rows } = await annals.timeline({ limit: 1_000 });
  const ids = new Set(rows.map(({ id }) => id));
  const listed = async (id: string, field: 'turns' | 'items') =>
    ((await annals.get(id)).details as unknown as Details)[field].map((one) => one.id);
  for (const session of new Set(rows.flatMap((row) => row.session ?? [])))
    for (const turn of await listed(session, 'turns'))
      for (const id of [turn, ...(await listed(turn, 'items'))]) ids.add(id);
  for (const id of ids) {
    const { kind, title } = await annals.get(id);
    found.set(id, `${kind}: ${title}`);
  }
  return found;
}

test('every id of a fork still resolves after its original was imported', async () => {
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, `${FORK}.jsonl`), fork(original(), FORK, { promptId: 'fork' }).bytes);
  await withHome(join(folder, 'home'), async (annals) => {
    await annals.import([files]);
    const before = await shown(annals);
    const kinds = new Set([...before.values()].map((text) => text.split(':')[0]));
    expect([...kinds].sort()).toEqual(['answer', 'observation', 'prompt', 'summary', 'tool', 'turn']);
    writeFileSync(join(files, `${ORIGINAL}.jsonl`), original());
    await annals.import([files]);
    const own = new Set((await shown(annals)).keys());
    let moved = 0;
    for (const [id, text] of before) {
      const item = await annals.get(id);
      expect(`${item.kind}: ${item.title}`, id).toBe(text);
      if (item.kind !== 'turn') expect((await annals.get(id.slice(0, -2))).id, id).toBe(item.id);
      if (item.session === ORIGINAL) moved += 1;
      else expect(own.has(id), id).toBe(true);
    }
    expect(moved).toBe(6);
    await expect(annals.get('p-000000000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
