// Which sentences of a text are shown in little room, and where one is cut.

import { describe, expect, it } from 'vitest';
import { clipSentence } from '../../src/brief/lines/brief-lines.ts';
import { fileNames, unnamed } from '../../src/brief/lines/file-names.ts';
import {
  antecedentsIn,
  beginningOf,
  mostInformative,
  pieceOf,
  sentencesIn,
  withLeadsOnce,
  withoutRepeats,
} from '../../src/brief/lines/informative-text.ts';
import { observation, summary } from '../projections/context/rows.ts';
import { textOf } from './material.ts';

describe('A sentence that depends on the one before it', () => {
  const sentences = ['The hatch is slow.', 'This is because of the clock in readClock().'];
  const pieces = (weight: number) => [
    pieceOf(sentences[0]!, weight),
    pieceOf(sentences[1]!, 3, antecedentsIn(sentences).get(sentences[1]!)),
  ];

  it('is shown with it', () => {
    expect(mostInformative('', pieces(1), 200)).toBe(sentences.join(' '));
  });

  it('is left out without it', () => {
    expect(mostInformative('', pieces(1).slice(1), 200)).toBe('');
    expect(mostInformative('', pieces(1), 50)).toBe(sentences[0]);
  });
});

it.each([
  ['Rewriting that out would lose the tags.', true],
  ['If any of them have a lamp, it must go.', true],
  ['I’ll delete them.', true],
  ['Worth fixing in a follow-up.', true],
  ['Should be fixed before winter.', true],
  ['Should existing feeders stay open?', false],
  ['To be safe, the hatch closes at ten.', false],
  ['Worth fixing since it misleads every reader of the plan: it counts from one.', true],
  ['Still open: the lamp of the hatch.', false],
  ['Keeping the plan would cost them a day.', false],
  ['I removed both `pre.sh` and `post.sh` because nothing calls `hooks()` any more.', false],
  ['We call it `feedTime` everywhere now.', false],
])('Depends on the sentence before it by a later word: %s %s', (one, depends) => {
  expect(antecedentsIn(['The hatch is slow.', one]).has(one)).toBe(depends);
});

describe('A list that is shown in part', () => {
  const lead = 'Findings of the audit of the feeder, with their hatch: ';
  const item = (name: string) => pieceOf(`${lead}the ${name} asks ${name}Clock() because of rain.`, 2);

  it('says so, after its last item', () => {
    const items = [item('lamp'), item('door'), item('bell'), pieceOf('The plan has a zone.', 3)];
    const text = mostInformative('', items, 160);
    expect(text).toContain('because of rain. […] The plan has a zone.');
    expect(text.length).toBeLessThanOrEqual(160);
    expect(mostInformative('', items, 900)).not.toContain('[…]');
  });

  it('is not taken for one item that is repeated', () => {
    expect(withoutRepeats([`${lead}the lamp`, `${lead}the door`], '')).toHaveLength(2);
  });

  it('names its sub-agent before its first item', () => {
    const made = (text: string) => `Sub-agent “Build the hatch”: Made: ${text}`;
    expect(withLeadsOnce([made('a lamp'), made('a door')])).toEqual([made('a lamp'), 'a door']);
  });
});

it('Sentences of other scripts have their own full stop', async () => {
  const narrative = '喂食器的舱门在黄昏前一小时打开。门上的灯在夜里一直亮着！';
  const rows = [observation(1, { narrative }), observation(3), summary(3)];
  expect(await textOf(...rows)).toContain('喂食器的舱门在黄昏前一小时打开。 门上的灯在夜里一直亮着！');
  expect(await textOf(...rows)).not.toMatch(/[。！]\./);
  expect(sentencesIn('门上写着「请敲门。」灯亮着。')).toEqual(['门上写着「请敲门。」', '灯亮着。']);
});

describe('What takes back the beginning of a sentence', () => {
  const said =
    'The hatch and the lamp of the feeder live outside the plan of the day, which is useful prior art but too new.';

  it('is not cut off: the sentence is left out', () => {
    const [first, more] = ['The plan has a zone of its own.', pieceOf(said, 2)];
    expect(mostInformative('', [pieceOf(first, 1), more], 100)).toBe(first);
    expect(clipSentence(`${first} ${said}`, 130)).toBe(first);
    expect(beginningOf(`${first} ${said}`, 130)).toBe(first);
  });

  it('is shown, or at least named, if there is nothing else', () => {
    expect(clipSentence(said, 100)).toMatch(/ plan of the day… but too new\.$/);
    const long = said.replace('too new', 'too new for all of the keepers of this farm and of the next one');
    expect(clipSentence(long, 100)).toMatch(/… but…$/);
    for (const one of [said, long, `${said} ${long}`])
      expect(clipSentence(one, 100).length).toBeLessThanOrEqual(100);
    expect(clipSentence(`${said} It rains, but not much.`, 100)).toMatch(/… but too new\.$/);
  });

  it('is begun if it is the next sentence', () => {
    const right = 'You are right that the lamp belongs to the door.';
    const however = 'However, the door then needs the clock of the lamp, and the lamp needs the door.';
    expect(clipSentence(`${right} ${however}`, 110)).toBe(
      `${right} However, the door then needs the clock of the lamp…`,
    );
    expect(clipSentence(`${right} ${however}`, 65)).toBe(`${right} However…`);
    expect(clipSentence(`It rains. ${right} ${however}`, 62)).toBe(
      'It rains. You are right that the lamp belongs… However…',
    );
    expect(clipSentence(`${right} But also the roof is of oak.`, 65)).toBe(right);
    expect(clipSentence(`${right} However many doors there are, it is bright.`, 65)).toBe(right);
    // The one that it takes back is cut, or it is itself taken back by what has no room.
    expect(clipSentence(`${right} The lock of the door is slow. ${however}`, 80)).toBe(
      `${right} The lock of the door… However…`,
    );
    expect(clipSentence(`${right} ${however.slice(0, -1)}, but that is mended by one line.`, 110)).toBe(
      `${right} However…`,
    );
  });

  it('is shown from the first clause that was cut', () => {
    const lock = 'but it lacks a lock, unless one worker runs.';
    const cache = 'The cache of the plan is shared by all feeders of the garden and of the yard behind';
    expect(clipSentence(`${cache}, ${lock}`, 110)).toMatch(
      /… but it lacks a lock, unless one worker runs\.$/,
    );
    expect(clipSentence(`${cache}, ${lock}`, 80)).toMatch(/… but…$/);
  });

  it.each([
    [
      'Die Klappe und die Lampe des Futterhauses liegen außerhalb des Plans für den Tag',
      ', aber',
      'das ist zu neu.',
    ],
    [
      'La trappe et la lampe de la mangeoire sont en dehors du plan de la journée',
      ', mais',
      'c’est trop récent.',
    ],
    ['La trampilla y la lámpara del comedero están fuera del plan del día', ', pero', 'es demasiado nuevo.'],
    [
      '喂食器的舱门和灯都不在当天的计划之内而且由另外一个时钟来控制它们的开关所以它们在夏天的早晨会打开得比较晚而在冬天的傍晚又会关得太早',
      '，但',
      '这还太新了。',
    ],
  ])('is shown in other languages: %s', (first, turn, rest) => {
    const text = `${first}${turn} ${rest}`;
    expect(clipSentence(text, Math.max(45, first.length - 2))).toMatch(
      new RegExp(`… ${turn.slice(1).trim()} ${rest}$`),
    );
  });
});

describe('Names in little room', () => {
  it('of files of one folder are grouped', () => {
    const files = ['src/feeder/clock.ts', 'src/feeder/plan.ts', 'README.md', 'src/lamp.ts'];
    expect(fileNames(files, 4)).toBe('src/feeder/{clock.ts, plan.ts}, README.md, src/lamp.ts');
    expect(fileNames(files, 1)).toBe('src/feeder/clock.ts and 3 more');
    expect(unnamed(files, 'plan.ts reads README.md')).toEqual(['src/feeder/clock.ts', 'src/lamp.ts']);
  });

  it('that lead a list stay before its first item only', () => {
    expect(withLeadsOnce(['New tests: one for dusk.', 'New tests: one for dawn.', 'The lamp: off.'])).toEqual(
      ['New tests: one for dusk.', 'one for dawn.', 'The lamp: off.'],
    );
  });
});
