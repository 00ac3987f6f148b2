// The answer to a session that starts fits the contract of each agent, however much is known: valid, not above the limit, and
// not cut inside a character or an item.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, agentNamed } from '../../src/agents/index.ts';
import { CONTEXT_OCCASIONS } from '../../src/api.ts';
import { answerToStart } from '../../src/brief/start-answer.ts';
import { type Annals, openAnnals } from '../../src/index.ts';
import { SESSION_START_OUTPUTS } from '../fixtures/hook-outputs/session-start.ts';
import { temporaryFolder } from '../helpers/world.ts';

const CWD = '/home/u/app';
/** One, two, three and four bytes a character; joined and combined ones. */
const SCRIPTS = ['plain words', 'größe ümläut', '漢字の記憶', '👩‍👩‍👧‍👦🎏 e\u0301', '\ud800 half a pair'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let annals: Annals;
beforeAll(async () => {
  folder = await temporaryFolder();
  annals = await openAnnals({ home: join(folder.path, 'home') });
  const types = ['decision', 'gotcha', 'lesson'];
  await annals.save(
    Array.from({ length: 120 }, (_, index) => {
      const script = SCRIPTS[index % SCRIPTS.length]!;
      const letters = String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
      const title = `${script} ${letters} ${'x'.repeat(index % 7)}`;
      return { title, text: `${title} ${script.repeat(60)}`, type: types[index % 3]!, cwd: CWD };
    }),
  );
});
afterAll(async () => {
  await annals.close();
  await folder.remove();
});

test('every agent that is given the brief has a contract', () => {
  const given = AGENTS.filter(({ hooks }) => hooks !== null && hooks.contextMax > 0);
  expect(Object.keys(SESSION_START_OUTPUTS).sort()).toEqual(given.map(({ name }) => name).sort());
});

describe.each(Object.entries(SESSION_START_OUTPUTS))('The answer to %s', (name, { form, text, limit }) => {
  test.each(CONTEXT_OCCASIONS)('fits its contract at %s', async (kind) => {
    const hooks = agentNamed(name)!.hooks!;
    const { output, injection } = await answerToStart({ name, hooks }, { cwd: CWD, kind, id: 's' }, annals);
    if (injection === null) {
      // Nothing is known of a session that continues, and never saw this project.
      expect(['resume', 'fork']).toContain(kind);
      return;
    }
    expect(output).toMatch(/^[^\n]+\n$/);
    const answer: unknown = JSON.parse(output);
    expect(form.safeParse(answer).error).toBeUndefined();
    const value = text.reduce((one, field) => (one as Record<string, unknown>)[field], answer) as string;
    expect(value).toBe((await annals.context({ cwd: CWD, kind, session: 's', isStarting: true })).text);
    if (limit !== null) {
      const [size, most] =
        'bytes' in limit ? [Buffer.byteLength(value), limit.bytes] : [value.length, limit.characters];
      expect(size).toBeLessThanOrEqual(most);
    }
    expect(value.isWellFormed()).toBe(true);
    const lines = value.split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['<annals-context project="app">', '</annals-context>']);
    // Each item is whole: its line ends with its id and its time.
    const items = lines.filter((line) => line.startsWith('- '));
    expect(items.length).toBeGreaterThan(5);
    for (const item of items)
      expect(item).toMatch(/ \(m-[0-9a-z]{6,12}, \d{4}-\d\d-\d\d \d\d:\d\d(?:, \d+ more like it)?\)$/);
  });
});
