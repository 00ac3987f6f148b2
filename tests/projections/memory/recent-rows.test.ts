// The newest-first rows: they also list a workdir's documents, page by page, for indexes that are built.
import { expect, test } from 'vitest';
import {
  documentIdsAt,
  newestDocuments,
  recentKey,
  recentRow,
} from '../../../projections/memory/recent-rows.ts';
import { MemoryView } from '../../helpers/memory-view.ts';
import { document } from '../text/documents-in-memory.ts';

test('every document of a workdir is listed once, however many there are and whatever their kind and time', async () => {
  const view = new MemoryView();
  const kinds = ['prompt', 'answer', 'tool'] as const;
  const documents = Array.from({ length: 1_203 }, (_, number) =>
    document({
      id: `d-${number}`,
      kind: kinds[number % 3]!,
      type: number % 3 === 2 ? 'Bash' : null,
      at: number % 7 === 0 ? null : number % 40,
    }),
  );
  const elsewhere = document({ id: 'elsewhere', workdir: '/home/u/one/sub' });
  for (const one of [...documents, elsewhere]) view.put(recentKey(one), recentRow(one));
  const listed: string[] = [];
  for await (const ids of documentIdsAt(view, '/home/u/one')) listed.push(...ids);
  expect(listed).toHaveLength(documents.length);
  expect(new Set(listed)).toEqual(new Set(documents.map(({ id }) => id)));
});

test('a row says that its document holds decisions, and does not repeat them', async () => {
  const view = new MemoryView();
  const decided = document({
    id: 'decided',
    kind: 'observation',
    type: 'feature',
    decisions: ['Keep the lid.'],
  });
  const other = document({ id: 'other', kind: 'observation', type: 'feature' });
  for (const one of [decided, other]) view.put(recentKey(one), recentRow(one));
  expect(JSON.stringify(recentRow(decided))).not.toContain('lid');
  const rows = [];
  for await (const page of newestDocuments(view, [decided.workdir])) rows.push(...page);
  expect(rows.map(({ id, hasDecisions }) => [id, hasDecisions])).toEqual([
    ['decided', true],
    ['other', undefined],
  ]);
});
