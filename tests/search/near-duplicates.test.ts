// Near-duplicate results are folded into one.
import { describe, expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { search } from '../../src/search/index.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';

const PROJECTS = [
  { id: 'p1', name: 'birdfeeder', workdirs: ['/home/u/one'] },
  { id: 'p2', name: 'clockwork', workdirs: ['/home/u/two'] },
];
const ASKED = 'Why does the walrus server refuse connections after the certificate was renewed last night?';

/** Each result as its id and the ids folded into it. */
async function found(documents: readonly MemoryDocument[], limit = 10): Promise<string[][]> {
  const world = searchWorld(new DocumentsInMemory(documents));
  const { results } = await search(world, PROJECTS, 'walrus', { limit });
  return results.map(({ id, nearDuplicates }) => [id, ...nearDuplicates].sort()).sort();
}

const prompt = (id: string, body: string, fields: Partial<MemoryDocument> = {}) =>
  document({ id, body, tokens: 20, session: id, ...fields });
const run = (id: string, body: string, outcome: MemoryDocument['outcome']) =>
  prompt(id, body, { kind: 'tool', type: 'Bash', outcome });

describe('Near-duplicate results', () => {
  it('are one result that lists the others', async () => {
    const documents = [prompt('p-1', ASKED), prompt('p-2', ASKED), prompt('p-3', 'Feed the walrus.')];
    expect(await found(documents)).toEqual([['p-1', 'p-2'], ['p-3']]);
  });

  it('leave room for other results within the limit', async () => {
    const documents = [prompt('p-1', 'walrus'), prompt('p-2', 'walrus'), prompt('p-3', 'a walrus on ice')];
    expect(await found(documents, 2)).toEqual([['p-1', 'p-2'], ['p-3']]);
  });

  it('may differ in one word of many, but not in one of few or in length', async () => {
    const documents = [
      prompt(
        'p-1',
        `${ASKED} Please look into the journal, the kernel messages, the proxy, the firewall, the clock, the disk, its cables and the quota.`,
      ),
      prompt(
        'p-2',
        `${ASKED} Please look into the journal, the kernel messages, the proxy, the firewall, the clock, the disk, its cables and the swap.`,
      ),
      prompt('p-3', 'walrus awake'),
      prompt('p-4', 'walrus asleep'),
      prompt('p-5', 'walrus asleep walrus asleep'),
    ];
    expect(await found(documents)).toEqual([['p-1', 'p-2'], ['p-3'], ['p-4'], ['p-5']]);
  });

  it('include an answer and the summary that repeats it', async () => {
    const documents = [
      prompt('a-1', ASKED.replace('?', '.'), { kind: 'answer' }),
      prompt('s-1', ASKED, { kind: 'summary' }),
    ];
    expect(await found(documents)).toEqual([['a-1', 's-1']]);
  });

  it('exclude a failed and a successful run of a command, and a run with another argument', async () => {
    const documents = [
      run('u-1', 'walrus --feed one', 'ok'),
      run('u-2', 'walrus --feed one', 'ok'),
      run('u-3', 'walrus --feed one', 'failed'),
      run('u-4', 'walrus --feed two', 'ok'),
      run('u-5', 'walrus one --feed', 'ok'),
    ];
    expect(await found(documents)).toEqual([['u-1', 'u-2'], ['u-3'], ['u-4'], ['u-5']]);
  });

  it('are not folded across projects', async () => {
    const documents = [prompt('p-1', ASKED), prompt('p-2', ASKED, { workdir: '/home/u/two' })];
    expect(await found(documents)).toEqual([['p-1'], ['p-2']]);
  });
});
