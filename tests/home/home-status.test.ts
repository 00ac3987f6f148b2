import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Runner } from '../../projections/engine/runner.ts';
import { openAnnals } from '../../src/index.ts';
import { testFolder } from '../helpers/views.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('status names each view that could not fold an event, from the first such event on', async () => {
  const annals = await openAnnals({ home: join(await testFolder(), 'home') });
  expect((await annals.status()).degraded).toEqual([]);
  const states = Runner.prototype.states;
  vi.spyOn(Runner.prototype, 'states').mockImplementation(function (this: Runner) {
    return states.call(this).map((state) => ({ ...state, deadLetters: state.name === 'turns' ? 1 : 0 }));
  });
  const { degraded } = await annals.status();
  await annals.close();
  expect(degraded).toEqual(['The turns view could not fold 1 event; `annals rebuild` tries them again.']);
});
