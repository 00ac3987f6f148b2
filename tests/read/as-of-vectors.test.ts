// Only the search itself makes the vectors of an earlier state, so it makes all of them, even for a large project.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder, withHome } from '../e2e/homes.ts';

const folder = sharedFolder('as-of-vectors');
const DOCUMENTS = 1_050;

test('the first search of an earlier state ranks a project of more than 1,000 documents as the current state does', async () => {
  await withHome(join(folder, 'home'), async (annals) => {
    const memories = Array.from({ length: DOCUMENTS }, (_, number) => ({
      title: `Note ${number}`,
      text: `The ${['gate', 'door', 'lamp', 'pump', 'valve'][number % 5]} of house ${number} is closed at night`,
      cwd: '/srv/work',
    }));
    await annals.save(memories);
    const { head } = (await annals.status()).log;
    await annals.rebuild(['vectors']);
    const present = await annals.search('entrance locked in the evening', { limit: 20 });
    const past = await annals.search('entrance locked in the evening', { limit: 20, asOf: head });
    expect(past.degraded).toEqual(present.degraded);
    expect(past.degraded).toEqual([]);
    expect(past.results).toEqual(present.results);
  });
});
