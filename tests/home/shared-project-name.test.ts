// A name that two projects have in common means neither: every call that takes a project refuses it and tells the whole names.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';

const folder = sharedFolder('shared-project-name');

const CALLS: Readonly<Record<string, (annals: Annals, project: string) => Promise<unknown>>> = {
  context: (annals, project) => annals.context({ project }),
  timeline: (annals, project) => annals.timeline({ project }),
  list: (annals, project) => annals.list('memory', { project }),
  search: (annals, project) => annals.search('gate', { project }),
  'project: in a query': (annals, project) => annals.search(`gate project:${project}`),
  receipts: (annals, project) => annals.receipts({ project }),
  notes: (annals, project) => annals.notes({ project }),
  'a note': (annals, project) => annals.act({ act: 'note', text: 'Oil the gate.', project }),
  save: (annals, project) => annals.save({ title: 'Hinge', text: 'Of the gate.', project }),
  forget: (annals, project) => annals.forget({ project }, { dryRun: true }),
};

describe('A name that two projects have in common', () => {
  beforeAll(() =>
    withHome(folder, async (annals) => {
      for (const cwd of ['/srv/one/api', '/srv/two/api'])
        await annals.save({ title: 'Gate', text: `The gate of ${cwd}.`, cwd });
    }),
  );

  test.each(Object.entries(CALLS))('is refused, and the whole name is not: %s', (_, call) =>
    withHome(folder, async (annals) => {
      const before = (await annals.status()).log.head;
      await expect(call(annals, 'api')).rejects.toMatchObject({
        code: 'AMBIGUOUS_ID',
        message: '“api” is the name of 2 projects: one/api, two/api.',
      });
      expect((await annals.status()).log.head).toBe(before);
      await call(annals, 'one/api');
    }),
  );

  test('what is saved with the whole name is in that project', () =>
    withHome(folder, async (annals) => {
      await annals.save({ title: 'Lamp', text: 'Beside the gate.', project: 'two/api' });
      const { results } = await annals.search('lamp', { project: '/srv/two/api' });
      expect(results.map(({ title, project }) => [title, project])).toEqual([['Lamp', 'two/api']]);
    }));

  test('a folder above both means both', () =>
    withHome(folder, async (annals) => {
      const { results } = await annals.search('gate', { project: '/srv' });
      expect(new Set(results.map(({ project }) => project))).toEqual(new Set(['one/api', 'two/api']));
    }));
});
