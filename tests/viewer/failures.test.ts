// A session in which tool uses failed: each says how it ended, and the failures can be seen alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Script } from '../helpers/transcripts.ts';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

const SESSION = '66666666-2222-4333-8444-555555555555';

describeInChromium('a session with failures', () => {
  test('says of each tool use how it ended, shows the failures alone, and its replay ends where the session ended', async () => {
    const server = await served();
    const source = join(server.home, '../transcripts');
    mkdirSync(source);
    writeFileSync(join(source, `${SESSION}.jsonl`), script());
    await server.annals.import([source]);
    const { page, open } = await viewed({ server, viewport: { width: 1000, height: 500 } });
    await open(`session/${SESSION}`);
    const first = page.getByRole('region', { name: 'Turn 1', exact: true });
    const tool = (command: string) => page.locator('.part-tool').filter({ hasText: command });
    await tool('weigh seeds').getByText('ok', { exact: true }).waitFor();
    await tool('open lid').getByText('failed', { exact: true }).waitFor();
    await tool('open lid').getByText('The lid is frozen').waitFor();
    await first.getByText('1 failed').waitFor();
    await tool('open lid').locator('summary').click();
    await tool('open lid').getByText('$ open lid').waitFor();
    const opened = await tool('open lid').innerText();
    expect(opened).not.toContain('tool_use_error');
    for (const once of ['failed', 'The lid is frozen']) expect(opened.split(once)).toHaveLength(2);
    const moment = page.getByRole('slider', { name: 'Moment of the session' });
    const end = await moment.getAttribute('max');
    await page.getByRole('checkbox', { name: 'Failures only (2)' }).check();
    await page.getByRole('region', { name: 'Turn 2', exact: true }).waitFor({ state: 'detached' });
    const last = page.getByRole('region', { name: 'Turn 12', exact: true });
    await last.scrollIntoViewIfNeeded();
    await last.getByText('close lid').waitFor();
    expect(await page.locator('.part-tool').allInnerTexts()).toHaveLength(2);
    expect(await tool('weigh seeds').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Failures only (2)' }).uncheck();
    await last.scrollIntoViewIfNeeded();
    await last.getByText('Turn 12 is done').waitFor();
    expect(await moment.getAttribute('max')).toBe(end);
    const { endedAt } = (await server.call('GET', `/api/items/${SESSION}`)).json.details;
    expect(Number(end)).toBe(Date.parse(endedAt));
  });

  test('says that a part of it was forgotten, and when', async () => {
    const server = await served({ filled: true });
    const { page, open } = await viewed({ server });
    const [session] = (await server.call('GET', '/api/sessions')).json.items;
    const prompts = (await server.call('GET', `/api/prompts?session=${session.id}`)).json.items;
    await server.annals.forget({ ids: [prompts[0].id] });
    await open(`session/${session.id}`);
    await page.getByText('Today: a part of this session was forgotten (1 event).').waitFor();
    expect(await page.getByText('Why does the feeder jam at night?').count()).toBe(0);
  });
});

/** The first turn and the last one have a failure; an answer comes later than the last tool use. */
function script(): Buffer {
  const turns = new Script({ session: SESSION, cwd: '/home/u/feeder', start: Date.UTC(2026, 4, 3) });
  for (let turn = 1; turn <= 12; turn++) {
    turns.prompt(`Part ${turn} please\n${'and look at it twice\n'.repeat(12)}`);
    turns.use(`toolu_${turn}_1`, 'Bash', { command: 'weigh seeds' });
    turns.result(`toolu_${turn}_1`, 'done');
    if (turn === 1 || turn === 12) {
      turns.use(`toolu_${turn}_2`, 'Bash', { command: turn === 1 ? 'open lid' : 'close lid' });
      turns.result(`toolu_${turn}_2`, '<tool_use_error>The lid is frozen</tool_use_error>', {}, {
        is_error: true,
      } as never);
    }
    turns.reply(`Turn ${turn} is done.`);
  }
  return turns.bytes();
}
