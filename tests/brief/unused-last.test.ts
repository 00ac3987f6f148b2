// What was shown often and never used loses its place in the brief to the others of its section, and to nothing else.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import { type Annals, openAnnals } from '../../src/index.ts';
import { testFolder } from '../helpers/views.ts';

const CWD = '/home/u/app';
const TREES = ['Alder', 'Birch', 'Cedar', 'Damson', 'Elder', 'Fir', 'Gorse', 'Hazel', 'Iris'];

async function opened(): Promise<Annals> {
  const folder = await testFolder();
  await mkdir(folder, { recursive: true });
  const annals = await openAnnals({ home: join(folder, 'home') });
  onTestFinished(() => annals.close());
  return annals;
}

const memory = (title: string, author: 'user' | 'agent' = 'user', at = 1_000) => ({
  ...{ title, text: `${title}.`, type: 'lesson', cwd: CWD, author, at },
});

/** Shows these items to as many sessions, none of which uses them. */
function shown(ids: readonly string[], times: number): NewEvent<'context.injected'>[] {
  return Array.from({ length: times }, (_, index) => ({
    ...{ type: 'context.injected', agent: 'claude-code', session: `s${index}`, dedupeKey: `${ids} ${index}` },
    ...{ channel: 'hook', occurredAt: 5_000 + index },
    body: { occasion: 'startup', cwd: CWD, items: ids.map((id) => ({ id })), tokens: 10 },
  }));
}

/** The titles of saved memories, in the order of the brief. */
async function titlesIn(annals: Annals): Promise<readonly string[]> {
  const { text } = await annals.context({ cwd: CWD });
  return [...text.matchAll(/lesson: (?:\[\w+\] )?(\w+)/g)].map(([, title]) => title!);
}

test('eight memories have a place: the ninth gets that of one that five sessions did not use', async () => {
  const annals = await opened();
  const saved = await annals.save(TREES.map((title, index) => memory(title, 'user', 1_000 + index)));
  const newestFirst = TREES.slice(1).reverse();
  expect(await titlesIn(annals)).toEqual(newestFirst);
  await annals.append(shown([saved[6]!.id], 4));
  expect(await titlesIn(annals)).toEqual(newestFirst);
  await annals.append(shown([saved[6]!.id], 5));
  const sunk = [...newestFirst.filter((title) => title !== 'Gorse'), 'Alder'];
  expect(await titlesIn(annals)).toEqual(sunk);
  await annals.rebuild();
  expect(await titlesIn(annals)).toEqual(sunk);
});

test('an agent’s memory does not come before a person’s that was never used', async () => {
  const annals = await opened();
  const { id } = await annals.save(memory('Heron'));
  await annals.save(memory('Crane', 'agent', 2_000));
  await annals.append(shown([id], 5));
  expect(await titlesIn(annals)).toEqual(['Heron', 'Crane']);
});
