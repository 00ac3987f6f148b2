import { expect, test } from 'vitest';
import { Embedding, incomplete } from '../../src/embed/embedders/embedding.ts';
import { MemoryView } from '../helpers/memory-view.ts';

test('a problem is reported once, however many searches look for it at the same time', async () => {
  const open = () => {
    throw incomplete('A remote embedder needs an address.', 'Set one.');
  };
  const log = { cursor: async () => undefined, append: async () => [] };
  const embedding = new Embedding('remote', open, log);
  const view = new MemoryView();
  await embedding.refresh(view);
  const alone = [...embedding.problems()];
  expect(alone).toHaveLength(1);
  const refreshed = Promise.all([embedding.refresh(view), embedding.refresh(view), embedding.refresh(view)]);
  // An answer that is given meanwhile reports it too.
  expect(embedding.problems()).toEqual(alone);
  await refreshed;
  expect(embedding.problems()).toEqual(alone);
});
