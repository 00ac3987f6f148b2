// Forgotten data stays forgotten in transfers between homes: in an export, in a restored home, and in a home that
// merges an export and has the same thing from the same or another channel.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Annals, type NewEvent, restoreAnnals } from '../../src/index.ts';
import { digestsOf, eventsOf, lasting, SOUND, sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const folder = sharedFolder('transfer-forgotten');
const named = (name: string) => join(folder, name);
const WORD = 'qzxvkjwpmbtrnl';
const at = Date.UTC(2026, 4, 4, 10);

function prompt(dedupeKey: string, text: string, channel: 'transcript' | 'hook', seconds: number): NewEvent {
  const line =
    channel === 'transcript'
      ? { uuid: dedupeKey, offset: seconds, via: 'line' as const }
      : { via: 'hook' as const };
  return {
    type: 'prompt.submitted',
    agent: 'claude-code',
    session: 'session-of-birds',
    dedupeKey,
    channel,
    occurredAt: at + seconds * 1_000,
    body: { text, promptId: `prompt-${seconds}`, cwd: '/srv/birds', ...line },
  };
}

/** Two prompts of one session, as one channel reports them. */
async function tell(home: string, channel: 'transcript' | 'hook'): Promise<void> {
  await withHome(home, (annals) =>
    annals.append([
      prompt(`${channel}-1`, 'How do sparrows sleep?', channel, 1),
      prompt(`${channel}-2`, `Where is ${WORD} buried?`, channel, 60),
    ]),
  );
}

const forgetWord = (home: string) =>
  withHome(home, async (annals) =>
    expect((await annals.forget({ query: WORD })).proof).toMatchObject({ ok: true }),
  );

/** Events without machine-specific fields. Blanked events are compared by digests and by number. */
const contents = (home: string) =>
  withHome(home, async (annals) => ({
    head: (await annals.status()).log.head,
    events: lasting(await eventsOf(annals)),
    digests: await digestsOf(annals),
  }));

async function expectClean(home: string): Promise<void> {
  await withHome(home, async (annals) => {
    expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
    expect((await annals.search(WORD)).results).toEqual([]);
    expect((await annals.search('sparrows')).results).not.toEqual([]);
  });
  expect(await scanHome(home, [WORD])).toEqual([]);
}

const textOf = (backup: string) =>
  readdirSync(backup)
    .map((name) => readFileSync(join(backup, name), 'utf8'))
    .join('');

async function give(from: string, to: string, backup: string) {
  await withHome(from, (annals: Annals) => annals.export(backup));
  return withHome(to, (annals) => annals.import([backup]));
}

describe('forgotten data', () => {
  test('is not in an export, and a home restored from it reports it as forgotten', async () => {
    const [home, backup, again] = [named('restored'), named('restored-export'), named('restored-again')];
    await tell(home, 'transcript');
    await forgetWord(home);
    const exported = await withHome(home, (annals) => annals.export(backup));
    expect(exported).toMatchObject({ blanked: 1 });
    expect(textOf(backup)).not.toContain(WORD);
    expect(await restoreAnnals(backup, { home: again })).toMatchObject({ blanked: 1, chain: exported.chain });
    expect(await contents(again)).toEqual(await contents(home));
    await tell(again, 'transcript');
    await tell(again, 'hook');
    await expectClean(again);
  });

  test('is removed from an earlier export when that is continued', async () => {
    const [home, backup, again] = [named('continued'), named('continued-export'), named('continued-again')];
    await tell(home, 'transcript');
    await withHome(home, (annals) => annals.export(backup));
    expect(textOf(backup)).toContain(WORD);
    await forgetWord(home);
    await withHome(home, (annals) => annals.export(backup));
    expect(textOf(backup)).not.toContain(WORD);
    await restoreAnnals(backup, { home: again });
    expect(await contents(again)).toEqual(await contents(home));
  });

  for (const channel of ['transcript', 'hook'] as const) {
    test(`in one home is removed from another that has it from a ${channel}, from every byte`, async () => {
      const [one, other] = [named(`to-${channel}-a`), named(`to-${channel}-b`)];
      await tell(one, 'transcript');
      await tell(other, channel);
      await forgetWord(one);
      const report = await give(one, other, named(`to-${channel}-there`));
      expect(report.exports).toMatchObject([{ forgotten: 1 }]);
      await expectClean(other);
      await give(other, one, named(`to-${channel}-back`));
      await expectClean(one);
      expect(await contents(one)).toEqual(await contents(other));
    });

    test(`does not come back with an export that has it from a ${channel}`, async () => {
      const [one, other] = [named(`from-${channel}-a`), named(`from-${channel}-b`)];
      await tell(one, 'transcript');
      await tell(other, channel);
      await forgetWord(one);
      const report = await give(other, one, named(`from-${channel}-there`));
      expect(report.exports).toMatchObject([{ forgotten: 0 }]);
      await expectClean(one);
      await give(one, other, named(`from-${channel}-back`));
      await expectClean(other);
      expect(await contents(one)).toEqual(await contents(other));
    });
  }
});
