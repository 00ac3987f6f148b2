import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import { openAnnals, restoreAnnals } from '../../src/index.ts';
import { PLANTED_SECRETS } from '../helpers/secrets.ts';
import { testFolder } from '../helpers/views.ts';

it('Events that a program appends are redacted like captured ones', async () => {
  const annals = await openAnnals({ home: join(await testFolder(), 'home') });
  const { text, needle } = PLANTED_SECRETS[2]!;
  const body = { text: `Use ${text} and <private>my salary</private> for it`, via: 'hook' as const };
  await annals.append([
    {
      type: 'prompt.submitted',
      agent: 'own',
      session: 'one',
      dedupeKey: 'p1',
      channel: 'api',
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

it.each(['agent', 'session', 'dedupeKey', 'causation'] as const)(
  'An event with a secret in its %s is refused, and the message does not repeat it',
  async (name) => {
    const annals = await openAnnals({ home: join(await testFolder(), 'home') });
    const { text, needle } = PLANTED_SECRETS[2]!;
    const newEvent = { ...PROMPT, [name]: `of ${text}` };
    const refusal = annals.append([PROMPT, newEvent]);
    await expect(refusal).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(name),
    });
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining(needle) });
    expect((await annals.status()).log.events).toBe(0);
    await annals.close();
  },
);

it('Names as agents make them do not count as secrets', async () => {
  const annals = await openAnnals({ home: join(await testFolder(), 'home') });
  const facts = [
    '5f0c7d1e-0000-4000-8000-000000000001',
    'toolu_01ABCDefghIJKLmnopQRSTuv',
    '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    'rollout-2026-01-01T10-00-00-0197d5a0-aaaa-7bbb-8ccc-123456789abc',
    'someone@example.org/chat#42',
  ];
  const outcomes = await annals.append(
    facts.map((dedupeKey) => ({ ...PROMPT, dedupeKey, session: dedupeKey })),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(facts.map(() => 'appended'));
  await annals.close();
});

it.each([null, undefined, 'a word', { type: 'prompt.submitted' }])(
  'Appending %j instead of a list is a usage error, not a crash',
  async (given) => {
    const annals = await openAnnals({ home: join(await testFolder(), 'home') });
    await expect(annals.append(given as never)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(annals.append([given] as never)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await annals.close();
  },
);

it('An empty path is a usage error, never the current folder', async () => {
  const folder = await testFolder();
  await expect(openAnnals({ home: '' })).rejects.toMatchObject({ code: 'USAGE' });
  await expect(restoreAnnals('', { home: join(folder, 'restored') })).rejects.toMatchObject({
    code: 'USAGE',
  });
  const annals = await openAnnals({ home: join(folder, 'home') });
  for (const call of [
    () => annals.import(['']),
    () => annals.importFrom('markdown', ['']),
    () => annals.export(''),
    () => annals.context({ cwd: '' }),
    () => annals.project(''),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'USAGE', message: 'A path must not be empty.' });
  await annals.close();
});

it('A memory that is too long is refused with the limit', async () => {
  const annals = await openAnnals({ home: join(await testFolder(), 'home') });
  await expect(annals.save({ title: 'x'.repeat(501), text: 'T' })).rejects.toMatchObject({
    message: 'The memory was not saved: title has more than 500 characters.',
    hint: 'Shorten it; the text may be longer.',
  });
  await annals.close();
});

const PROMPT: NewEvent<'prompt.submitted'> = {
  type: 'prompt.submitted',
  agent: 'own',
  session: 'one',
  dedupeKey: 'p1',
  channel: 'api',
  occurredAt: 1,
  body: { text: 'What goes where?', via: 'hook' },
};
