// What is shown of a long text in little room: of a request the part that asks, and no text that ends before what it points at.
import { describe, expect, it } from 'vitest';
import { askedPart } from '../../src/brief/lines/asked-part.ts';
import { clipSentence } from '../../src/brief/lines/brief.ts';
import { observation, summary, told } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

describe('Of a long request', () => {
  const LEADING =
    'The hatch of the northern feeder jams in winter and the birds wait in front of it for an hour.';

  it.each([
    ['Can you oil the hinge of the hatch?', 'Can you oil the hinge'],
    ['We need to oil the hinge of the hatch.', 'We need to oil'],
    ['Remove the hinge and write a report.', 'Remove the hinge'],
    ['I want the hinge of oak again.', 'I want the hinge'],
  ])('the sentence that asks is shown: %s', (asks, shown) => {
    expect(askedPart(`${LEADING} ${asks} It is cold.`, 70)).toContain(`…${shown}`);
  });

  it('a clear task comes before a wish', () => {
    const request = `${LEADING} I want the hinge of oak again. Please oil the hatch today.`;
    expect(askedPart(request, 60)).toBe('…Please oil the hatch today.');
  });

  it('an address at the beginning is kept short', () => {
    const request = `https://example.com/feeder/issues/77 this issue says that it jams. We need to oil the hinge of the hatch.`;
    expect(askedPart(request, 80)).toBe('issues/77 …We need to oil the hinge of the hatch.');
  });

  it.each([
    ['?q=is%3Aopen'.repeat(40), 'issues/77 …We need to oil the hinge of the hatch.'],
    ['?id=1234', 'issues/77?id=1234 …We need to oil the hinge of the hatch.'],
    [`/${'on-the-jam-of-the-hatch'.repeat(9)}`, '…We need to oil the hinge of the hatch.'],
  ])('a long address takes no room from what is asked: %s', (more, shown) => {
    const request = `https://example.com/feeder/issues/77${more} says that it jams. We need to oil the hinge of the hatch.`;
    expect(askedPart(request, 80)).toBe(shown);
  });

  it.each([
    `${LEADING} Can you do that?`,
    `Oil the hinge of the northern feeder before the winter and after it. Can you also look at the lamp?`,
    `${LEADING} It is cold.`,
  ])('the beginning is shown if it asks, or what asks says nothing alone: %s', (request) => {
    expect(askedPart(request, 60)).toBe(clipSentence(request, 60));
  });

  it('all is shown if there is room', () => {
    expect(askedPart(`${LEADING} Can you oil the hinge?`, 200)).toBe(`${LEADING} Can you oil the hinge?`);
  });
});

describe('A text that is cut', () => {
  it.each([
    [
      'a path',
      'The hatch opens too late in winter and too early in summer. It asks the clock in local time in src/feeder/hatch.ts alone',
    ],
    [
      'a number',
      'The hatch opens too late in winter and too early in summer. It stays open in all of the last 4,000 nights that we measured',
    ],
    [
      'a reason',
      'The hatch opens too late in winter and too early in summer. It should ask the other clock of this because plans have none',
    ],
  ])('ends with the sentence before, if %s would come next', (_, text) => {
    const at = /src|4,000|because/.exec(text)!.index;
    expect(clipSentence(text, at + 1)).toBe('The hatch opens too late in winter and too early in summer.');
  });

  it.each([
    [
      'The hatch of the northern feeder is closed by the wind or the snow',
      61,
      'The hatch of the northern feeder is closed by the wind…',
    ],
    [
      'We look at the hatch and the lamp of the feeder and the roof',
      57,
      'We look at the hatch and the lamp of the feeder…',
    ],
  ])('does not end with a word that needs the next one: %s', (text, room, shown) => {
    expect(clipSentence(text, room)).toBe(shown);
  });
});

it('A text that a row cut already does not end with such a word either', () => {
  expect(clipSentence('needed before the first release, or the…', 200)).toBe(
    'needed before the first release…',
  );
  expect(clipSentence('needed before the first release', 200)).toBe('needed before the first release');
});

describe('The number of an option', () => {
  const shown = async (request: string, facts: readonly string[]) =>
    agentText(
      await materialOf([
        told(observation(1, { facts: [...facts] })),
        told(summary(1, { nextSteps: [{ kind: 'asked', text: 'Which approach?' }] })),
        told(observation(2)),
        told(summary(2, { request })),
      ]),
    );
  const OPTIONS = [
    'Two options: Paint the hatch green',
    'Two options: Build a hatch of oak',
    'Lamp: it is dark',
  ];

  it.each(['2', '2.', 'option 2', '#2'])('is shown with the option: %s', async (request) => {
    expect(await shown(request, OPTIONS)).toContain(
      `Asked: [mixed] ${request}: Build a hatch of oak (in answer to “Which approach?”)`,
    );
  });

  it.each([
    ['3', OPTIONS],
    ['2', ['Changes: the hatch', 'Changes: the lamp']],
  ] as const)('stays alone if no such option was listed: %s', async (request, facts) => {
    expect(await shown(request, facts)).toContain(`Asked: [user] ${request} (in answer to`);
  });
});
