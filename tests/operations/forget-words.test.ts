import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { folded } from '../../src/operations/forget/fold.ts';
import { asked, leave, waiting } from '../helpers/spool.ts';
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
  it.each(PAIRS)('takes %s for %s', (asked, said) => {
    expect(folded(said)).toBe(folded(asked));
  });

  it('finds them in the log and in the spool, whatever their case and however their accents are put together', async () => {
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
      ([words], index) => PAIRS.findIndex(([other]) => folded(other) === folded(words)) === index,
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
