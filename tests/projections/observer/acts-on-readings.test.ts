// A person's edit of what rules made stays when a model's prose takes its place.
import { expect, test } from 'vitest';
import type { MemoryDocument, TurnRow } from '../../../projections/index.ts';
import { actEvent, actedItem } from '../../helpers/new-events.ts';
import { viewsOf } from '../../helpers/projected.ts';
import { EVENTS, FROST, replied, SESSION } from './replies.ts';

test('an edit stays when a model’s prose takes the place of the rules’', async () => {
  const rules = await viewsOf([EVENTS]);
  const [[, turn]] = (await rules.view('turns').range<TurnRow>(`turn/claude-code/${SESSION}/`)) as [
    [string, TurnRow],
  ];
  const documents = async (runner: typeof rules) =>
    (await runner.view('memory').range<MemoryDocument>('document/o-')).map(([, row]) => row);
  const [document] = (await documents(rules)) as [MemoryDocument];
  const { agent, session, workdir, title, body: text } = document;
  const more = { agent, session, workdir, turn: turn.id, title, text };
  const item = actedItem('observation', document.events, more);
  const edit = actEvent('memory.edited', { item, title: 'Mine', text: 'My words.' });
  for (const pieces of [
    [EVENTS, [edit], [replied(turn.id, FROST)]],
    [EVENTS, [replied(turn.id, FROST)], [edit]],
  ]) {
    const runner = await viewsOf(pieces as never);
    const marked = (await documents(runner)).filter(({ marks }) => marks !== undefined);
    expect((await documents(runner)).length).toBe(2);
    expect(marked.map(({ title, body }) => [title, body])).toEqual([['Mine', 'My words.']]);
    for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
  }
});
