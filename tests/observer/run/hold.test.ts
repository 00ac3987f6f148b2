import { expect, test } from 'vitest';
import type { Home } from '../../../src/home/home.ts';
import { codeMode } from '../../../src/observer/mode/code-mode.ts';
import { ModelQuestions, type ObserverModel } from '../../../src/observer/run/ask-model.ts';
import { MemoryView } from '../../helpers/memory-view.ts';
import { answered, asked, LOG, put, START } from './request-events.ts';

const DAY_MS = 24 * 3_600_000;

/** @param settings of the model now; that of the events is `s` */
async function holdAfter(days: number, view: MemoryView, settings = 's') {
  const provider = { name: 'p', model: 'm', place: 'host' };
  const home = {
    ...{ log: LOG, runner: { catchUp: async () => {} }, views: { turns: view } },
    now: () => START + days * DAY_MS,
  };
  const model = { provider, mode: codeMode, settings } as unknown as ObserverModel;
  return (await new ModelQuestions(model, home as unknown as Home).hold())?.because ?? null;
}

test('A refused key is not sent again however long ago it was refused, until something changes', async () => {
  const view = new MemoryView();
  await put(
    view,
    asked(1),
    answered(1, 'replied'),
    asked(2),
    answered(2, 'failed', { class: 'auth' }),
    asked(3),
  );
  for (const days of [0.5, 2, 400]) expect(await holdAfter(days, view)).toBe('auth');
  expect(await holdAfter(2, view, 'other')).toBe(null);
  await put(view, {
    ...{ id: 'f'.repeat(32), agent: 'annals', session: null, type: 'observer.switched' },
    ...{ occurredAt: START + DAY_MS, body: { on: true, retry: true } },
  });
  expect(await holdAfter(2, view)).toBe(null);
});

test('Another failure is over after a day, and so is one before a reply', async () => {
  const view = new MemoryView();
  await put(view, asked(1), answered(1, 'failed', { class: 'rate-limit' }));
  expect(await holdAfter(2, view)).toBe(null);
  await put(view, asked(2), answered(2, 'failed', { class: 'quota' }), asked(3), answered(3, 'replied'));
  expect(await holdAfter(2, view)).toBe(null);
});
