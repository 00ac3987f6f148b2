// What a summary quotes of the agent's answer, and what it adds to it.

import { describe, expect, it } from 'vitest';
import { conclusionOf } from '../../../projections/extract/answer/answering-part.ts';
import { parsedAnswer } from '../../../projections/extract/answer/final-answer.ts';
import { quoteOf, unquoted } from '../../../projections/extract/answer/quote.ts';
import type { Message } from '../../../projections/extract/transcript/turn-transcript.ts';
import { remembered, Session } from './observed.ts';

async function summaryOf(answer: string, { changed = true, last = 'edit' } = {}) {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk, and look at the lamp as well, please.');
  session.read('/home/u/app/src/clock.ts').read('/home/u/app/src/lamp.ts').searched('dusk');
  if (changed) session.edited('/home/u/app/src/feed.ts');
  session.reply(answer);
  if (last === 'cut') session.edited('/home/u/app/src/lamp.ts');
  return (await remembered(session)).summaries.at(-1)!;
}

const DID = 'Moved the opening to one hour before dusk on every day of the week, in one place.';
const FOUND = 'The clock is read twice, once by the hatch and once by the lamp.';

describe('The answer is quoted as it is', () => {
  it('completed after a change, with headings, lists and conditions', async () => {
    const answer = `## The feeder\n\n${DID} If the lamp is dark, **it** waits.\n\nNot done:\n\n- the \`hatch\`\n- the lamp`;
    const { completed, learned } = await summaryOf(answer);
    expect(completed).toBe(
      `“The feeder\n\n${DID} If the lamp is dark, it waits.\n\nNot done:\n\n- the hatch\n- the lamp”`,
    );
    expect(learned).toBeNull();
  });

  it('with the numbers of a list, and code of one line', async () => {
    const answer = `${DID}\n\n1. the hatch\n2. the lamp\n\nRun it:\n\n\`\`\`sh\nnpm run feeder -- --once\n\`\`\`\n\nI’d take the second.`;
    expect((await summaryOf(answer)).completed).toBe(
      `“${DID}\n\n1. the hatch\n2. the lamp\n\nRun it:\n\n\`npm run feeder -- --once\`\n\nI’d take the second.”`,
    );
  });

  it('learned without a change', async () => {
    const { completed, learned } = await summaryOf(`${FOUND} ${DID} Do I move both?`, { changed: false });
    expect(learned).toBe(`“${FOUND} ${DID} Do I move both?”`);
    expect(completed).toBeNull();
  });

  it.each(['Perfect!', 'Now I have a clear picture. Let me sum up.'])('without “%s”', async (greeting) => {
    expect((await summaryOf(`${greeting} ${DID}`)).completed).toBe(`“${DID}”`);
  });
});

describe('A question is answered', () => {
  const long = `${FOUND} `.repeat(14).trim();
  const learned = (request: string, text: string) =>
    quoteOf(parsedAnswer({ text, order: '1', at: null, events: [] } as unknown as Message), 850, request);

  it.each([
    [
      'Which way of the feeder is better, and have you any suggestions?',
      '“My Recommendations\n\n- Read it once”',
    ],
    [
      'Explain how the feeder reads its clock in the evening.',
      `“What is there\n\n${FOUND}\n\nMy Recommendations`,
    ],
  ])('by its advice only if it was asked for: %s', (request, quote) => {
    const answer = `## What is there\n\n${FOUND}\n\n## My Recommendations\n\n- Read it once`;
    expect(learned(request, answer)).toContain(quote);
  });

  it('below “Here’s my review:”', () => {
    const answer = `Good - \`Clock\` is an alias.\n\nHere’s my review of it:\n\n## The clock\n\n${FOUND}`;
    expect(learned('Review the clock of the feeder, please.', answer)).toBe(
      `“Here’s my review of it:\n\nThe clock\n\n${FOUND}”`,
    );
  });

  it('also by its conclusion, if not all fits', () => {
    const answer = `${FOUND}\n\n${long}\n\n${DID}\n\nOverall, the clock is read too often.`;
    expect(learned('Review the clock of the feeder, please.', answer)).toBe(
      `“${FOUND}\n\n[…]\n\nOverall, the clock is read too often.”`,
    );
  });
});

it('A quote as sentences has no heading whose text is left out, in any language', () => {
  const quote = [
    '推薦方案',
    'mdBook（官方格式）',
    '適合寫使用者指南。',
    '其他選項（次要）',
    '[…]',
    '結論',
    '最小成本的路線。',
  ];
  expect(unquoted(`“${quote.join('\n\n')}”`)).toBe(
    'mdBook（官方格式）: 適合寫使用者指南。 結論: 最小成本的路線。',
  );
});

describe('What a quote leaves out is marked', () => {
  it.each([
    ['code', '```ts\nopen();\nclose();\n```'],
    ['a table', '| day | hour |\n|---|---|\n| all | dusk |'],
    ['code of one long line', `\`\`\`ts\n${'open(); '.repeat(20)}\n\`\`\``],
    ['two pieces of code', '```ts\nopen();\nclose();\n```\n\n```ts\nclose();\nopen();\n```'],
    ['code beside a table', '```ts\nopen();\nclose();\n```\n\n| day | hour |\n|---|---|'],
  ])('%s', async (_, part) => {
    expect((await summaryOf(`${DID}\n\n${part}\n\n${FOUND}`)).completed).toBe(`“${DID}\n\n[…]\n\n${FOUND}”`);
  });

  it('its end, with the heading of what no longer fits', async () => {
    const long = `${FOUND} `.repeat(12).trim();
    expect((await summaryOf(`${DID}\n\n## The lamp\n\n${long}`)).completed).toBe(`“${DID}\n\n[…]”`);
  });

  it('what no longer fits below an item', async () => {
    const items = ['- the hatch', ...Array(6).fill(`  - ${FOUND.slice(0, -1)}`)].join('\n');
    const { completed } = await summaryOf(`${DID}\n\n${items}\n- the lamp`);
    expect(completed).toContain('and once by the lamp; […]\n- the lamp”');
  });

  it('the end of a paragraph that alone is too long', async () => {
    const { completed } = await summaryOf(`${FOUND} `.repeat(20).trim());
    expect(completed).toBe(`“${Array(13).fill(FOUND).join(' ')}\n\n[…]”`);
  });

  it.each([
    ['a heading', '## The clock', 'The clock'],
    ['code', '```ts\nopen();\nclose();\n```', '[…]'],
  ])('the end of a paragraph that is too long below %s', async (_, above, shown) => {
    const { completed } = await summaryOf(`${above}\n\n${`${FOUND} `.repeat(20).trim()}`);
    expect(completed).toBe(`“${shown}\n\n${Array(12).fill(FOUND).join(' ')}\n\n[…]”`);
  });

  it('a sentence that tools contradict', async () => {
    expect((await summaryOf(`${DID} Committed as 1a2b3c4d. ${FOUND}`)).completed).toBe(
      `“${DID} […] ${FOUND}”`,
    );
  });
});

describe('Nothing is quoted', () => {
  it.each([
    'Done.',
    'All tests pass.',
    'I’m moving the opening of the feeder now. After that I’ll move the lamp as well.',
  ])('of “%s”', async (answer) => {
    expect((await summaryOf(answer)).completed).toBe('Changed feed.ts.');
  });

  it('of a reply that the turn did not end with', async () => {
    expect((await summaryOf(DID, { last: 'cut' })).completed).toBe('Changed feed.ts, lamp.ts.');
  });

  it('of a reply that ends with the next step', async () => {
    expect((await summaryOf(`${DID} Now let me look at the lamp.`)).completed).toBe('Changed feed.ts.');
  });

  it('of what was said before the person answered a question', async () => {
    const session = new Session();
    session.prompt('Let the feeder open an hour before dusk, please.');
    session.edited('/home/u/app/src/lamp.ts');
    session.reply(
      'A second lamp has no clock of its own, so one flag of the lamp is enough and the feeder stays as it is.',
    );
    session.use('toolu_ask', 'AskUserQuestion', { questions: [] });
    session.result(
      'toolu_ask',
      'User has answered your questions: "Which lamp is it?"="That of the feeder".',
    );
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Done.');
    expect((await remembered(session)).summaries.at(-1)!.completed).toBe('Changed lamp.ts, feed.ts.');
  });
});

it('Commits follow the quote', async () => {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk, please.');
  session.edited('/home/u/app/src/feed.ts');
  session.ran('git commit -am "feat: open early"', '[main b51711ec] feat: open early\n 1 file changed');
  session.reply(DID);
  expect((await remembered(session)).summaries.at(-1)!.completed).toBe(
    `“${DID}”\n\nCommitted b51711ec: feat: open early.`,
  );
});

describe('The hash of a commit that the turn amends is not repeated', () => {
  it.each([
    [
      'of this turn',
      (session: Session) =>
        session.ran(
          "git commit -m @'\nfeat: open early\n'@",
          '[main b51711ec] @ feat: open early\n 1 file changed',
        ),
    ],
    ['of an earlier turn', (session: Session) => session],
  ])('%s', async (_, commit) => {
    const session = new Session();
    session.prompt('Let the feeder open an hour before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    commit(session).ran(
      'git commit --amend -F /tmp/message.txt >/dev/null && git log -1 --format=%B',
      'feat: open early',
    );
    session.reply(`Commit landed as b51711ec, with the message of the feeder. ${DID}`);
    const { completed } = (await remembered(session)).summaries.at(-1)!;
    expect(completed).toContain(DID);
    expect(completed).not.toContain('b51711ec');
  });
});

it('Only files that were read are investigated', async () => {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk, please.');
  session
    .read('/home/u/app/src/clock.ts')
    .edited('/home/u/app/src/feed.ts')
    .edited('/home/u/app/src/clock.ts');
  session.reply(DID);
  expect((await remembered(session)).summaries.at(-1)!.investigated).toBe('Read clock.ts.');
});

describe('Not a next step', () => {
  it.each([
    ['what was compared', 'The reviewer compared main with the branch, not your uncommitted working files.'],
    ['what was assumed', `${DID}\n\n## Open questions and assumptions\n\n- I assumed that dusk is at six`],
  ])('is %s', async (_, answer) => {
    expect((await summaryOf(`${answer} ${DID}`)).nextSteps).toEqual([]);
  });
});

describe('The title of a summary says that it was asked', () => {
  it.each([
    ['what was answered only', 'Move the opening to one hour before dusk.', false],
    ['a complaint', 'The opening of the feeder is too late for the hens.', true],
  ])('%s', async (_, prompt, changed) => {
    const session = new Session();
    session.prompt(prompt);
    session.read('/home/u/app/src/clock.ts').read('/home/u/app/src/lamp.ts').searched('dusk');
    if (changed) session.edited('/home/u/app/src/feed.ts');
    session.reply(`${FOUND} ${DID}`);
    expect((await remembered(session)).summaries.at(-1)!.title).toBe(`Asked: ${prompt.slice(0, -1)}`);
  });

  it('but not of an order that was carried out', async () => {
    const session = new Session();
    session.prompt('Move the opening to one hour before dusk.');
    session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
    expect((await remembered(session)).summaries.at(-1)!.title).toBe(
      'Move the opening to one hour before dusk',
    );
  });
});

it('The title of a summary is the order, not the remark before it', async () => {
  const session = new Session();
  session.prompt('That is a big change of the feeder. Write a message for its commit.');
  session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
  expect((await remembered(session)).summaries.at(-1)!.title).toBe('Write a message for its commit');
});

it('A request has no lines that were pasted with a program’s output', async () => {
  const session = new Session();
  session.prompt(
    'Go back to the feeder that runs from its own folder:\n\ngo: cannot find main module\n        to create one, run:\n        go mod init\nDid you mean this?\n        version',
  );
  session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
  expect((await remembered(session)).summaries.at(-1)!.request).toBe(
    'Go back to the feeder that runs from its own folder: …',
  );
});

describe('What was said before a change that nothing was said after', () => {
  const shown = async (at: { readonly timestamp?: string }) => {
    const session = new Session();
    session.prompt('The hook of the feeder fails, please fix it. I no longer use the lamp.');
    session.reply(
      'The hook of the feeder is a wrapper that calls the old script of the lamp, which is gone.',
      at,
    );
    session.use('toolu_rm', 'Bash', { command: 'rm .git/hooks/lamp.sh' }, at);
    session.result('toolu_rm', '', at);
    session.prompt('And now?');
    const { observations } = await remembered(session);
    return observations[0]!.title + observations[0]!.narrative;
  };

  it('is no outcome', async () => {
    expect(await shown({})).not.toContain('wrapper');
  });

  it('may be one if something else was said after it', async () => {
    const session = new Session();
    session.prompt('The hook of the feeder fails, please fix it.');
    session.edited('/home/u/app/src/hook.ts');
    session.reply(
      'Fixed the hook of the feeder, because it called the old script of the lamp, which is gone.',
    );
    session.ran('rm .git/hooks/lamp.sh').reply('Let me check it:');
    session.read('/home/u/app/src/hook.ts');
    session.prompt('And now?');
    expect((await remembered(session)).observations[0]!.title).toContain('Fixed the hook');
  });

  it('is one if both were at the same moment: which came first is not known', async () => {
    expect(await shown({ timestamp: '2026-01-05T10:00:00.000Z' })).toContain('wrapper');
  });
});

it('What judges all findings is the conclusion, and what judges one of several is not', () => {
  const blocks = (...texts: string[]) => texts.map((text) => ({ kind: 'text' as const, text }));
  const verdicts = ['Verdict: a real bug.', 'The hatch.', 'Verdict: no problem.'];
  expect(conclusionOf(blocks('The lamp is off.', verdicts[0]!, 'That is all.'))).toBe(verdicts[0]);
  expect(conclusionOf(blocks('The lamp is off.', ...verdicts))).toBeNull();
});

it('A request of output alone is named so', async () => {
  const requested = async (prompt: string) => {
    const session = new Session();
    session.prompt(prompt);
    session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
    return (await remembered(session)).summaries.at(-1)!.request;
  };
  const output = '=== Step 1 ===\n.git/hooks/lamp does not exist, skipping.';
  expect(await requested(output)).toBe('(pasted output)');
  expect(await requested(`${output}\nplease fix the lamp`)).toBe('please fix the lamp');
});

it('A request has no list that a program printed below its message', async () => {
  const session = new Session();
  session.prompt(
    'error: no config of the hatch\nhint: run it again\n- To silence this, run hatch allow\n- To remove it, run hatch remove\n\nplease fix the feeder, I no longer use the hatch\n- only in feed.ts',
  );
  session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
  expect((await remembered(session)).summaries.at(-1)!.request).toBe(
    'please fix the feeder, I no longer use the hatch only in feed.ts',
  );
});

it.each(['Error messages should name the file', 'npm scripts to add'])(
  'A request has the list below a line that begins like a program’s message: %s',
  async (lead) => {
    const session = new Session();
    session.prompt(`Please fix the feeder.\n${lead}:\n- try again after an hour`);
    session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
    expect((await remembered(session)).summaries.at(-1)!.request).toContain('try again after an hour');
  },
);

it('A request shows where lines between its own were left out', async () => {
  const session = new Session();
  session.prompt(
    'Open the feeder before dusk.\n## Second item\n```\nhatch --open\n```\nClose the hatch after dark.\nnpm ERR! missing script\nnpm ERR! see the log',
  );
  session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
  expect((await remembered(session)).summaries.at(-1)!.request).toBe(
    'Open the feeder before dusk. … Close the hatch after dark.',
  );
});

it('An order far below the first sentences may be pasted', async () => {
  const session = new Session();
  session.prompt(
    'The feeder opens too late for the hens. It is dark by then. The lamp is off as well. Remove the second lamp of the house.',
  );
  session.edited('/home/u/app/src/feed.ts').reply(`${FOUND} ${DID}`);
  expect((await remembered(session)).summaries.at(-1)!.title).toBe(
    'Asked: The feeder opens too late for the hens',
  );
});

it('A request without words is titled with the outcome alone', async () => {
  const session = new Session();
  session.prompt('[Image #1]');
  session.edited('/home/u/app/src/feed.ts').reply(`${DID} ${FOUND}`);
  const { observations, summaries } = await remembered(session);
  expect(summaries.at(-1)!.title).toBe(observations.at(-1)!.title);
});
