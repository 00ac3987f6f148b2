import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { PLANTED_SECRETS } from '../helpers/secrets.ts';
import { testFolder } from '../helpers/views.ts';

it('What a program appends passes the same gate as what is captured', async () => {
  const annals = await openAnnals({ home: join(await testFolder(), 'home') });
  const { text, needle } = PLANTED_SECRETS[2]!;
  const body = { text: `Use ${text} and <private>my salary</private> for it`, via: 'hook' as const };
  await annals.append([
    {
      type: 'prompt.submitted',
      agent: 'own',
      session: 'one',
      fact: 'p1',
      witness: 'api',
      occurredAt: 1,
      body,
    },
  ]);
  const events = [];
  for await (const event of annals.log()) events.push(event);
  await annals.close();
  expect(events).toHaveLength(1);
  expect(JSON.stringify(events)).toContain('[redacted:');
  expect(JSON.stringify(events)).not.toContain(needle);
  expect(JSON.stringify(events)).not.toContain('salary');
});
