// The screens, driven as a person does: by the keyboard, by labels and roles.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answerDoctor, describeInChromium, type Viewed, viewed } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describeInChromium('the screens', () => {
  test('a search with the keyboard alone: type, move, open, go back', async () => {
    const { page } = await viewed();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Search everything').waitFor();
    await page.keyboard.type('frost chute');
    await page.getByText('Why it matched').first().waitFor();
    expect(page.url()).toContain('q=frost+chute');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Where it comes from' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search everything').waitFor();
    expect(await page.getByLabel('Search everything').inputValue()).toBe('frost chute');
    await page.getByLabel('Kind').selectOption('prompt');
    const kinds = () => page.locator('.results .kind').allInnerTexts();
    await expect.poll(async () => new Set(await kinds())).toEqual(new Set(['Prompt']));
  });

  test('Enter opens the first result of what was typed, also when it is pressed before that is there', async () => {
    const { page, call, open } = await viewed();
    const { results } = (await call('GET', '/api/search?q=frost+chute')).json;
    await page.getByText('Connected', { exact: true }).waitFor();
    await open('search');
    await page.getByText('Everything that is remembered').waitFor();
    await page.keyboard.type('npm test');
    await page.getByRole('list', { name: 'Results' }).waitFor();
    await page.getByLabel('Search everything').fill('');
    await page.keyboard.type('frost chute');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Where it comes from' }).waitFor();
    expect(page.url()).toContain(`item/${results[0].id}`);
  });

  test('what is recorded appears at once, and once after the connection was lost', async () => {
    const { page, annals, interrupt } = await viewed();
    await page.getByText('Connected', { exact: true }).waitFor();
    const report = { agent: 'api', session: 'live-1', cwd: '/home/u/feeder' };
    await annals.report({ kind: 'prompt', ...report, text: 'Oil the hinge' });
    await page.getByText('Oil the hinge').first().waitFor();
    await annals.report({
      kind: 'tool',
      ...report,
      name: 'Bash',
      input: { command: 'oil --hinge' },
      result: 'ok',
    });
    await page.getByText('oil --hinge').first().waitFor();
    await page.getByText('1 session under way').waitFor();
    const resume = await interrupt();
    await page.getByText('Not connected', { exact: true }).waitFor();
    await annals.report({
      kind: 'tool',
      ...report,
      name: 'Bash',
      input: { command: 'close --lid' },
      result: 'ok',
    });
    await resume();
    await page.getByText('Connected', { exact: true }).waitFor();
    const feed = page.getByRole('list', { name: 'What happened, newest first' });
    await feed.getByText('close --lid').waitFor();
    expect(await feed.getByText('close --lid').count()).toBe(1);
    expect(await feed.getByText('oil --hinge').count()).toBe(1);
  });

  test('a screen that is opened before the first paint is shown', async () => {
    const { page } = await viewed({
      onDocument: `
        new MutationObserver((_, observer) => {
          if (document.querySelector('nav') === null) return;
          observer.disconnect();
          location.hash = '#/sessions';
        }).observe(document, { childList: true, subtree: true })`,
    });
    await page.getByText('2 sessions').waitFor();
  });

  test('every screen of what is remembered shows it as it was on a day, and links keep the day', async () => {
    const { page, open, call } = await viewed();
    await open('sessions');
    await page.getByText('2 sessions').waitFor();
    await page.getByLabel('As it was on').fill('2026-05-01');
    await page.getByText('1 session', { exact: true }).waitFor();
    expect(page.url()).toContain('asOf=2026-05-01');
    await page.getByRole('link', { name: /Why does the feeder jam/ }).click();
    await page.getByText('The memory as it was at the end of Friday, May 1, 2026.').waitFor();
    await page.getByText('Past', { exact: true }).waitFor();
    expect(await page.getByText('Connected', { exact: true }).count()).toBe(0);
    await page.getByRole('complementary').getByRole('link', { name: 'Observation' }).first().click();
    await page.getByRole('heading', { name: 'Where it comes from' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pin' }).count()).toBe(0);
    await page.getByRole('link', { name: 'feeder', exact: true }).click();
    await page.getByText('all by claude-code').waitFor();
    await page.getByText('tokens, from').waitFor();
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await page.getByRole('heading', { name: 'Friday, May 1, 2026' }).waitFor();
    await page.getByRole('button', { name: 'See it as it is' }).click();
    await page.getByText('No session is under way').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    const later = (await call('GET', '/api/sessions')).json.items[0].id;
    await open(`session/${later}?asOf=2026-05-01`);
    await page.getByRole('alert').waitFor();
  });

  test('a tool use is drawn from its event to the turn that asked for it', async () => {
    const { page, open, call } = await viewed();
    const [{ id }] = (await call('GET', '/api/search?q=kind:tool chute')).json.results;
    await open(`item/${id}`);
    const turn = page.getByRole('figure').getByRole('link', { name: 'Turn' });
    await turn.getByText(/^Why does the feeder jam/).waitFor();
  });

  test('a session shows prompts, changes, outputs and what is remembered of them', async () => {
    const { page, open, call } = await viewed();
    const session = (await call('GET', '/api/sessions')).json.items[0].id;
    await open(`session/${session}`);
    const turn = page.getByRole('region', { name: 'Turn 1' });
    await turn.getByText('Why does the feeder jam at night?').first().waitFor();
    await turn.getByText('Edit', { exact: true }).click();
    await turn.locator('.diff .removed', { hasText: '5' }).waitFor();
    await turn.locator('.diff .added', { hasText: '9' }).waitFor();
    await turn.getByText('npm test').first().click();
    await turn.getByText('12 passed').first().waitFor();
    const notes = turn.getByRole('complementary');
    await page.getByText('An observation was made from what has a circle.').waitFor();
    const noted = await notes.locator('p').allInnerTexts();
    expect(noted.filter((text, index) => text.length > 20 && noted.indexOf(text) < index)).toEqual([]);
    expect(noted).toContain('chute.ts');
    await notes.getByRole('button', { name: 'Show what it comes from' }).first().click();
    await turn.locator('.part-tool.is-evidence', { hasText: 'chute.ts' }).waitFor();
    await notes.getByRole('button', { name: 'Marked in the turn' }).click();
    expect(await turn.locator('.is-evidence').count()).toBe(0);
    await turn
      .getByRole('button', { name: /^Remembered: / })
      .first()
      .click();
    await turn.locator('.note.is-chosen').waitFor();
    await notes.getByRole('link', { name: 'Observation' }).first().click();
    const drawing = page.getByRole('figure', {
      name: /^From the events to the session: \d+ events, then observation/,
    });
    await drawing.getByText(/^Prompt /).waitFor();
    await page.locator('.why-steps').getByRole('link', { name: /^t-/ }).waitFor();
    await drawing.getByRole('link', { name: 'Turn' }).waitFor();
    await page.getByText('from a transcript').first().waitFor();
    await drawing.getByRole('link', { name: 'Session' }).click();
    await turn.locator('.note.is-chosen').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'In its session' }).click();
    await turn.locator('.note.is-chosen').waitFor();
    await turn.locator('.part-tool.is-evidence', { hasText: 'chute.ts' }).waitFor();
    const moment = page.getByRole('slider', { name: 'Moment of the session' });
    await moment.fill((await moment.getAttribute('min'))!);
    await turn.getByText('npm test').first().waitFor({ state: 'detached' });
    await page.getByLabel('Speed of the replay').selectOption('1500');
    await page.getByRole('button', { name: 'Replay' }).click();
    await turn.getByText('npm test').first().waitFor();
    await page.getByRole('button', { name: 'Replay' }).waitFor();
  });

  test('an item is pinned, edited and superseded, and each is taken back', async () => {
    const { page, open, call } = await viewed();
    const { id } = (await call('GET', '/api/memories')).json.items[0];
    await open(`item/${id}`);
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Unpin' }).click();
    await page.getByRole('button', { name: 'Pin', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('A better title');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'A better title' }).waitFor();
    await page.getByRole('button', { name: 'Undo the edit' }).click();
    await page.getByRole('heading', { name: 'A secret place' }).waitFor();
    await page.getByRole('button', { name: 'Supersede' }).click();
    await page.getByRole('button', { name: /only does not hold any more/ }).click();
    await page.getByRole('button', { name: 'It holds again' }).click();
    await page.getByRole('button', { name: 'Supersede' }).waitFor();
  });

  test('axe finds nothing serious on any screen, the dark colours have contrast, and none is wider than 400 pixels', async () => {
    const view = await viewed();
    const { page } = view;
    await answerDoctor(page);
    await page.evaluate(AXE);
    for (const [screen, shown] of await screens(view)) {
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await view.open(screen);
      await page.getByText(shown).first().waitFor();
      expect(await violations(page, {}), screen).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(page, { runOnly: ['color-contrast'] }), `${screen}, dark`).toEqual([]);
      await page.setViewportSize({ width: 400, height: 800 });
      // The page itself never scrolls sideways, because its main part would.
      const overflow =
        '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById("main"))';
      expect(await page.evaluate(overflow), `${screen} is too wide`).toBeLessThanOrEqual(0);
    }
  });
});

/** Each with a text that shows that it is complete. */
async function screens({ call }: Viewed): Promise<(readonly [screen: string, shown: string])[]> {
  const session = (await call('GET', '/api/sessions')).json.items[0].id;
  const item = (await call('GET', '/api/observations')).json.items[0].id;
  return [
    ['now', 'All sessions'],
    ['search?q=chute', 'Why it matched'],
    ['sessions', '2 sessions'],
    [`session/${session}`, 'npm test'],
    [`item/${item}`, 'of the log'],
    ['project', '2 sessions'],
    ['project/feeder', 'chute.ts'],
    ['forget?query=chute', 'What would be forgotten'],
    ['health', 'What to do: Look at it.'],
    ['settings', 'worker.idleMinutes'],
  ];
}

/** Violations that keep people out. */
async function violations(page: Page, options: object): Promise<unknown> {
  return page.evaluate(`(async () => {
    const { violations } = await axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })});
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary) }));
  })()`);
}
