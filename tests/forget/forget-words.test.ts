import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../src/forget/fold-case.ts';
import { openAnnals } from '../../src/index.ts';
import { toolEvent } from '../helpers/new-events.ts';
import { asked, leave, waiting } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

const PAIRS: readonly (readonly [string, string])[] = [
  ['ärgernis', 'ÄRGERNIS'],
  ['ärgernis'.normalize('NFD'), 'Ärgernis'],
  ['STRASSENFEST', 'Straßenfest'],
  ['straßenfest', 'STRASSENFEST'],
  ['STRAẞENFEST', 'straßenfest'],
  ['istanbul', 'İSTANBUL'],
  ['ISTANBUL', 'ıstanbul'],
  ['οδυσσευς', 'ΟΔΥΣΣΕΎΣ'.normalize('NFC').replace('Ύ', 'Υ')],
  ['ПРИВЕТ', 'привет'],
  ['file list', 'ﬁle list'],
  ['cafe\u0301 table', 'CAFÉ table'],
  ['kelvin', '\u212Aelvin'],
];

describe('Forgetting by words', () => {
  it.each(PAIRS)('matches %s with %s', (asked, said) => {
    expect(foldCase(said)).toBe(foldCase(asked));
  });

  it('finds words in the log and in the spool, in any case and with any encoding of accents', async () => {
    const home = join(await testFolder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    const annals = await openAnnals({ home });
    for (const [, said] of PAIRS) await annals.save({ title: 'Note', text: `There was ${said} here.` });
    await annals.save({ title: 'Note', text: 'The heron stays.' });
    for (const [index, [, said]] of PAIRS.entries())
      leave(home, `c-${index}`, asked(`Is ${said} there?`, { prompt_id: `p-${index}` }));
    const escaped = JSON.stringify(asked('Is ÄRGERNIS there?')).replace('Ä', '\\u00c4');
    leave(home, 'c-escaped', escaped);
    const once = PAIRS.filter(
      ([words], index) => PAIRS.findIndex(([other]) => foldCase(other) === foldCase(words)) === index,
    );
    for (const [words] of once) {
      const report = await annals.forget({ query: words });
      expect([words, report.outcome]).not.toEqual([words, 'nothing']);
    }
    const left = [];
    for await (const event of annals.log()) if (event.type === 'memory.saved') left.push(event.body.text);
    await annals.close();
    expect(left).toEqual(['The heron stays.']);
    expect(waiting(home)).toEqual([]);
  });
});

describe('Forgetting a session', () => {
  it('forgets memories saved in it, and none saved elsewhere', async () => {
    const folder = await testFolder();
    const script = new Script({});
    script.prompt('Look at the walrus');
    script.reply('It sleeps.');
    writeFileSync(join(folder, 'session.jsonl'), script.bytes());
    const annals = await openAnnals({ home: join(folder, 'home') });
    await annals.import([join(folder, 'session.jsonl')]);
    await annals.append([toolEvent(1, 'another-session')]);
    await annals.save([
      { title: 'Walrus', text: 'The walrus sleeps at noon.', session: script.session },
      { title: 'Heron', text: 'The heron stays.', session: 'another-session' },
    ]);
    await annals.forget({ session: script.session });
    const left = [];
    for await (const event of annals.log()) left.push(JSON.stringify(event.body ?? null));
    await annals.close();
    expect(left.filter((body) => body.includes('walrus'))).toEqual([]);
    expect(left.filter((body) => body.includes('The heron stays.'))).toHaveLength(1);
  });

  it('keeps the copies of its lines in a fork, which may still be reported through another channel', async () => {
    const annals = await openAnnals({ home: join(await testFolder(), 'home') });
    const original = { ...toolEvent(1, 'original'), dedupeKey: 'toolu_of_the_copied_line' };
    const fork = { ...original, session: 'fork' };
    await annals.append([original, fork]);
    await annals.forget({ session: 'original' });
    const outcomes = await annals.append([
      { ...original, channel: 'hook' },
      { ...fork, channel: 'hook' },
    ]);
    const left = [];
    for await (const event of annals.log({ type: 'tool.used' })) left.push([event.session, event.channel]);
    await annals.close();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['forgotten', 'appended']);
    expect(left).toEqual([
      ['fork', 'transcript'],
      ['fork', 'hook'],
    ]);
  });
});
