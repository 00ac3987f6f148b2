import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Annals, type NewEvent, openAnnals } from '../../src/index.ts';
import { workdirEvent } from '../helpers/new-events.ts';
import { Script } from '../helpers/transcripts.ts';
import { temporaryFolder } from '../helpers/world.ts';

const CWD = '/home/u/app';
const AT = 1_790_000_000_000;
const SESSION = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('Recall before a file is read or changed', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let annals: Annals;
  beforeAll(async () => {
    folder = await temporaryFolder();
    annals = await openAnnals({ home: join(folder.path, 'home') });
    const script = new Script({ session: SESSION });
    script.prompt('Count long years too');
    script.use('e', 'Edit', { file_path: `${CWD}/src/weeks.ts`, old_string: '52', new_string: '53' });
    script.result('e', 'ok');
    script.reply(
      'Done.\n\n- `src/weeks.ts` counts to 53 because long years have one more week.\n- `src/table.ts` is untouched because it has no weeks.',
    );
    await writeFile(join(folder.path, 'session.jsonl'), script.bytes());
    await annals.import([join(folder.path, 'session.jsonl')]);
    const memories = [
      'Never sort src/birds.ts: its order is the order of feeding.',
      'Look at index.ts first.',
    ];
    await annals.save(memories.map((text) => ({ title: text, text, cwd: CWD, at: AT })));
    await annals.search('weeks');
  });
  afterAll(async () => {
    await annals.close();
    await folder.remove();
  });

  const recall = async (path: string, changedAt = 0, more = {}) =>
    (await annals.recall({ occasion: 'edit', cwd: CWD, file: join(CWD, path), changedAt, ...more })).text;

  it('gives a memory that names the file', async () => {
    expect(await recall('src/birds.ts')).toContain('Never sort src/birds.ts');
  });

  it('gives the reason that the work which changed the file stated, and only what names it', async () => {
    const text = await recall('src/weeks.ts');
    expect(text).toContain('[agent]');
    expect(text).toContain('counts to 53 because long years have one more week');
    expect(await recall('src/table.ts')).toBe('');
  });

  it('says nothing once the file changed after that was recorded', async () => {
    expect(await recall('src/birds.ts', AT)).toContain('Never sort');
    expect(await recall('src/birds.ts', AT + 1)).toBe('');
  });

  it.each([
    ['a file that nothing names', 'src/seeds.ts'],
    ['a file of the same name in another folder', 'lib/birds.ts.txt'],
    ['a name that many folders have', 'src/index.ts'],
    ['a file outside of the project', '../other/src/birds.ts'],
    ['a name that ends with a backslash', 'src\\'],
  ])('says nothing of %s', async (_, path) => {
    expect(await recall(path)).toBe('');
  });

  it('tells the files of one name in the folders of a repository apart, in every checkout', async () => {
    const seen = (root: string, below: string): NewEvent<'workdir.seen'> => ({
      ...{ ...workdirEvent(`${root}${below}`), dedupeKey: root + below },
      body: {
        ...{ cwd: `${root}${below}`, root, commonDir: `${root}/.git` },
        remotes: [{ name: 'origin', url: 'h/mono' }],
      },
    });
    const [mono, copy] = ['/home/u/mono', '/srv/mono'];
    const [x, y] = ['/packages/x', '/packages/y'];
    const moved: NewEvent<'project.linked'> = {
      ...{ type: 'project.linked', agent: 'annals', session: null, dedupeKey: 'moved', channel: 'cli' },
      ...{ occurredAt: AT, body: { cwd: '/old/mono', project: 'mono' } },
    };
    await annals.append([seen(mono, x), seen(mono, y), seen(copy, ''), moved]);
    const text = 'src/parse.ts must stay ES5 because of the old feeder.';
    await annals.save([
      { title: text, text, cwd: mono + x, at: AT },
      ...[mono + y, copy].map((cwd) => ({ title: 'Birds', text: 'Birds', cwd, at: AT })),
      { title: 'Order', text: 'Never sort src/order.ts: it is fed so.', cwd: '/old/mono', at: AT },
    ]);
    await annals.search('birds');
    const asked = async (file: string) =>
      (await annals.recall({ occasion: 'edit', cwd: mono + x, file, changedAt: 0 })).text;
    for (const folder of [mono + x, copy + x])
      expect(await asked(`${folder}/src/parse.ts`)).toContain('must stay ES5');
    expect(await asked(`${mono + y}/src/parse.ts`)).toBe('');
    // A person linked the folder in which the repository was before.
    expect(await asked(`${copy}/src/order.ts`)).toContain('Never sort');
  });

  it('says nothing to the session that it is from, and nothing twice', async () => {
    expect(await recall('src/weeks.ts', 0, { session: SESSION })).toBe('');
    const { items } = await annals.recall({
      ...{ occasion: 'edit', cwd: CWD, file: join(CWD, 'src/birds.ts'), changedAt: 0 },
    });
    expect(await recall('src/birds.ts', 0, { without: items.map(({ id }) => id) })).toBe('');
  });
});
