// No screen scrolls sideways on a narrow display, whatever was recorded: words that never end, in every place.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Script } from '../helpers/transcripts.ts';
import { type Served, served } from '../http/served.ts';
import { answerDoctor, describeInChromium, viewed } from './browser.ts';

const LONG = 'gatehouse'.repeat(40);
const PROJECT = `meadow${'gate'.repeat(40)}`;

describeInChromium('no screen', () => {
  test('scrolls sideways at 320, 400 and 760 pixels, with texts that cannot be broken', async () => {
    const server = await served();
    const { session, item, tool } = await fill(server);
    const { page, open } = await viewed({ server, viewport: { width: 320, height: 700 } });
    await answerDoctor(page, { message: LONG, advice: LONG });
    await page.getByText('Connected', { exact: true }).waitFor();
    const problems: unknown[] = [];
    for (const [screen, shown] of [
      ['now', 'All sessions'],
      [`search?q=${LONG}`, 'Why it matched'],
      ['search?q=kind:memory', '1 result'],
      ['sessions', '1 session'],
      [`session/${session}`, 'Edit'],
      [`item/${item}`, 'of the log'],
      [`item/${tool}`, 'of the log'],
      ['project', '1 session'],
      [`project/${PROJECT}`, 'What the next session is given'],
      ['forget', 'Show what would be forgotten'],
      [`forget?query=${LONG.slice(0, 200)}`, 'What happens to copies'],
      ['health', 'What to do: '],
      ['settings', 'worker.idleMinutes'],
    ] as const) {
      // What is far below is not read.
      await page.setViewportSize({ width: 760, height: 2_000 });
      await open(screen);
      await page.getByText(shown).first().waitFor();
      await page.evaluate(OPEN_ALL);
      for (const width of [760, 400, 320]) {
        await page.setViewportSize({ width, height: 700 });
        for (const found of await page.evaluate<string[]>(OVERFLOW))
          problems.push(`${screen.slice(0, 20)} ${width} ${found}`);
      }
    }
    expect(problems).toEqual([]);
  });

  test('gives much of its height to the header at 400 pixels', async () => {
    const { page } = await viewed({ viewport: { width: 400, height: 860 } });
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await page.evaluate('document.querySelector("header.rail").offsetHeight')).toBeLessThan(90);
    expect(
      await page.evaluate(
        'Math.min(...[...document.querySelectorAll("nav a")].map((link) => link.offsetHeight))',
      ),
    ).toBeGreaterThanOrEqual(28);
  });

  test('gives much of its height to a notice at 400 pixels, also where a list fills it', async () => {
    const control = { intake: () => ({ folders: [], problems: [] }) };
    const server = await served({ filled: true, control });
    const { page, open } = await viewed({ server, viewport: { width: 400, height: 860 } });
    await open('sessions');
    await page.getByText('2 sessions').waitFor();
    const notice = page.getByText('New sessions are not recorded');
    await notice.waitFor();
    expect((await notice.boundingBox())!.height).toBeLessThan(80);
    await page.mouse.click(200, (await page.locator('.list .row').first().boundingBox())!.y + 20);
    await page.getByRole('region', { name: 'Turn 1' }).waitFor();
  });

  test('grows when the plan of forgetting comes', async () => {
    const server = await served();
    await fill(server);
    const { page, open } = await viewed({ server, viewport: { width: 1280, height: 800 } });
    await open('forget');
    await page.getByLabel('Text, exactly as it was written').fill(LONG.slice(0, 200));
    const width = () => page.evaluate('document.querySelector(".forget").clientWidth');
    const before = await width();
    await page.getByRole('button', { name: 'Show what would be forgotten' }).click();
    await page.getByText('What happens to copies').waitFor();
    expect(await width()).toBe(before);
  });
});

const OPEN_ALL = 'for (const one of document.querySelectorAll("details")) one.open = true';

/** What is wider than the page, and what reaches beyond its right edge without a box that cuts or scrolls it. */
const OVERFLOW = `(() => {
  const main = document.getElementById('main');
  const wide = [document.documentElement, main]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth, clientWidth }) => tagName + ' ' + scrollWidth + ' > ' + clientWidth);
  const isCut = (element) => {
    for (let box = element.parentElement; box !== null && box !== main; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible') return true;
    return false;
  };
  const beyond = [...document.body.querySelectorAll('*')].filter(
    (element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1 && !isCut(element),
  );
  return [...wide, ...beyond.map((element) => element.outerHTML.slice(0, 120))];
})()`;

async function fill({ annals, home }: Served) {
  const source = join(home, '../transcripts');
  mkdirSync(source);
  const id = '77777777-2222-4333-8444-555555555555';
  const script = new Script({ session: id, cwd: `/home/u/${PROJECT}`, gitBranch: LONG } as never);
  script.prompt(LONG);
  script.use('toolu_1', `mcp__${LONG}__${LONG}`, { [LONG]: LONG, path: `/${LONG}` });
  script.result('toolu_1', LONG);
  script.use('toolu_2', 'Edit', {
    file_path: `/home/u/${LONG}.ts`,
    old_string: LONG,
    new_string: `${LONG}s`,
  });
  script.result('toolu_2', `Error: ${LONG}`, {}, { is_error: true } as never);
  script.reply(`${LONG}\n\n\`${LONG}\`\n\n| ${LONG} | ${LONG} |\n|--|--|\n| 1 | 2 |\n\n- ${LONG}`);
  writeFileSync(join(source, `${id}.jsonl`), script.bytes());
  await annals.import([source]);
  const [memory] = await annals.save([{ title: LONG, text: LONG, project: PROJECT, files: [`/${LONG}`] }]);
  await annals.act({
    act: 'note',
    text: LONG.slice(0, 300),
    project: PROJECT,
    author: 'agent',
    client: 'codex',
  });
  const { results } = await annals.search('kind:tool', { limit: 1 });
  return { session: id, item: memory!.id, tool: results[0]!.id };
}
