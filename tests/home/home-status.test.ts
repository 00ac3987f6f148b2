import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { Runner } from '../../projections/engine/runner.ts';
import { parseSettings } from '../../src/config/settings.ts';
import { recallProblems } from '../../src/home/home-status.ts';
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

it('status reports that recall is on and curl is missing', async () => {
  const folder = await testFolder();
  const machine = { environment: { PATH: folder }, userHome: folder, windows: false };
  const { settings } = parseSettings('{"recall.prompt": true, "recall.edit": true}');
  expect(recallProblems(parseSettings(null).settings, machine)).toEqual([]);
  expect(recallProblems(settings, machine)).toEqual([
    'Nothing is recalled, though recall.prompt, recall.edit are on: the hooks ask with curl, which is not on the PATH.',
  ]);
  expect(recallProblems(settings, { ...machine, windows: true })).toEqual([
    'Nothing is recalled on Windows, though recall.prompt, recall.edit are on.',
  ]);
  writeFileSync(join(folder, 'curl'), '');
  chmodSync(join(folder, 'curl'), 0o755);
  expect(recallProblems(settings, machine)).toEqual([]);
});
