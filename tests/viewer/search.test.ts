import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('a search', () => {
  test('that fits nothing says so once, and shows what is nearest only when asked to', async () => {
    const { page, open, call } = await viewed();
    const words = 'violin concerto tickets';
    const answer = (await call('GET', `/api/search?q=${encodeURIComponent(words)}&limit=40`)).json;
    expect([answer.lowConfidence, answer.results.length > 0]).toEqual([true, true]);
    await open(`search?q=${words}`);
    await page.getByRole('heading', { name: `Nothing that is remembered fits “${words}”` }).waitFor();
    const results = page.getByRole('list', { name: 'Results, best first' });
    expect(await results.count()).toBe(0);
    expect(await page.locator('.notice').count()).toBe(0);
    await page.getByLabel('Search everything').press('Enter');
    await page.getByRole('button', { name: `Show the nearest ${answer.results.length} anyway` }).click();
    expect(await results.locator('> li').count()).toBe(answer.results.length);
    await page.getByLabel('Search everything').fill('frost chute');
    await page.getByText(/^\d+ results? ·/).waitFor();
  });

  test('counts in its filters what its results have', async () => {
    const { page, open } = await viewed();
    await open('search?q=frost chute');
    await page.getByText(/^\d+ results? ·/).waitFor();
    const kinds = await page
      .locator('.results > li > a .kind')
      .evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
    const counted = page.getByLabel('Kind').locator('optgroup[label="In these results"] option');
    const shown = (await counted.allTextContents()).map((text) => text.split(' · '));
    expect(shown.length).toBeGreaterThan(0);
    for (const [kind, count] of shown) {
      const isKind = (name: unknown) =>
        name === kind ||
        (kind === 'Tool use' && !/^(Prompt|Answer|Observation|Summary|Memory)$/.test(String(name)));
      expect(kinds.filter(isKind), kind).toHaveLength(Number(count));
    }
  });

  test('says nothing twice in one result: neither the first sentence, nor the name of a tool', async () => {
    const { page, open } = await viewed();
    await open('search?q=chute frost');
    const rows = page.getByRole('list', { name: 'Results, best first' }).locator('> li > a');
    await rows.first().waitFor();
    const texts = await rows.evaluateAll((all) =>
      all.map((row) => ['.row-title', '.snippet'].map((part) => row.querySelector(part)?.textContent ?? '')),
    );
    expect(texts.filter(([title, excerpt]) => excerpt!.startsWith(title!))).toEqual([]);
    await open('search?q=kind:tool');
    const tool = page.locator('.result', { hasText: 'chute.ts' }).first();
    await tool.waitFor();
    expect(await tool.locator('.row-title').innerText()).not.toMatch(/^(Edit|Read|Write)\b/);
  });

  test('for decisions shows each of them, and who decided', async () => {
    const { page, open, annals } = await viewed();
    const about = { agent: 'api', session: 'oil-1', cwd: '/home/u/feeder' };
    await annals.report({
      ...about,
      kind: 'prompt',
      text: 'Oil the hinge. We decide: every hinge stays brass.',
    });
    await annals.report({
      ...about,
      kind: 'tool',
      name: 'Write',
      input: { file_path: '/home/u/feeder/a.ts' },
    });
    await annals.report({ ...about, kind: 'end', answer: 'Oiled the hinge of the feeder.' });
    await open('search?q=type:decision hinge');
    await page.locator('.result').getByText('The person: We decide: every hinge stays brass.').waitFor();
  });

  test('says how a tool use ended', async () => {
    const { page, open, annals } = await viewed();
    const about = {
      kind: 'tool',
      agent: 'api',
      session: 'oil-1',
      cwd: '/home/u/feeder',
      name: 'Bash',
    } as const;
    await annals.report({ ...about, id: 'o1', input: { command: 'oil the hinge' }, outcome: 'failed' });
    await annals.report({ ...about, id: 'o2', input: { command: 'oil the lid' }, outcome: 'ok' });
    await open('search?q=oil kind:tool');
    const row = (text: string) => page.locator('.result', { hasText: text }).locator('.row-main');
    await row('oil the hinge').getByText('failed', { exact: true }).waitFor();
    await row('oil the lid').getByText('ok', { exact: true }).waitFor();
  });

  test('for one word shows what holds it; what is only similar is a step away', async () => {
    const { page, open, call, annals } = await viewed();
    await annals.save([
      { title: 'A refund is late', text: 'The refund takes five days.', project: 'shop' },
      { title: 'Money is paid back to the customer', text: 'The payment was returned.', project: 'shop' },
    ]);
    const { results } = (await call('GET', '/api/search?q=refund&limit=40&explain=true')).json;
    const holding = results.filter(
      ({ shares }: { shares: { termCoverage: number } | null }) => shares === null || shares.termCoverage > 0,
    );
    const similar = results.length - holding.length;
    expect([holding.length > 0, similar > 0]).toEqual([true, true]);
    await open('search?q=refund');
    const list = page.getByRole('list', { name: 'Results, best first' });
    await page.getByText(`the word · ${similar} similar`).waitFor();
    expect(await list.locator('> li').count()).toBe(holding.length);
    const widths = () =>
      page.locator('.facet').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    const before = await widths();
    await list.getByText('Why it matched').first().click();
    const why = list.locator('.why-matched').first();
    await why.getByText('“refund” in the t').waitFor();
    expect(await why.getByText('How many of the words').isVisible()).toBe(false);
    await why.getByText('Numbers').click();
    await why.getByText('How many of the words').waitFor();
    await page.getByRole('button', { name: `Show ${similar} similar` }).click();
    expect(await list.locator('> li').count()).toBe(results.length);
    await page.getByLabel('Search everything').fill('type:nothing');
    await page.getByText('Nothing recent has the type “nothing”.').waitFor();
    expect(await widths()).toEqual(before);
    await page.getByRole('link', { name: 'Bash' }).waitFor();
    await page.getByLabel('Search everything').fill('kind:nothing');
    await page.getByRole('status').getByText('There is no kind “nothing”.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('that is half typed names the values, without an error', async () => {
    const { page, open } = await viewed();
    await open('search?q=chute');
    await page.locator('.result').first().waitFor();
    const field = page.getByLabel('Search everything');
    for (const [typed, hint] of [
      ['chute outcome:', 'how a tool use ended: ok, failed, cancelled'],
      ['chute outcome:fai', 'Outcomes are ok, failed, cancelled.'],
      ['chute project:"', 'only this project'],
      ['chute project:unkn', 'No project is called “unkn”.'],
    ] as const) {
      await field.fill(typed);
      await page.getByRole('status').getByText(hint).waitFor();
      expect(await page.locator('[role=alert], .failed, .notice, .result').count()).toBe(0);
    }
    await field.fill('chute outcome:ok');
    await page.locator('.result').first().waitFor();
  });

  test('of a day shows what came of it, and of one project only some', async () => {
    const { page, open, annals } = await viewed();
    const yesterday = new Date();
    yesterday.setHours(-12);
    const report = { agent: 'api', cwd: '/home/u/shop', at: yesterday.getTime() };
    for (const session of Array.from({ length: 10 }, (_, index) => `shop-${index}`)) {
      await annals.report({
        kind: 'prompt',
        session,
        ...report,
        text: `Widen the door ${session} of the shop`,
      });
      await annals.report({
        ...{ kind: 'tool', session, ...report, name: 'Edit', outcome: 'ok' },
        input: { file_path: '/home/u/shop/door.ts', old_string: '5', new_string: '9' },
      } as never);
      const answer = `The door ${session} of the shop is now 9 cm wide.`;
      await annals.report({ kind: 'end', session, ...report, answer });
    }
    await open('search');
    await page.getByRole('link', { name: 'What was done yesterday?' }).click();
    const list = page.getByRole('list', { name: 'Yesterday, newest first' });
    const rows = list.locator('> li');
    await page.getByText('10 results ·').waitFor();
    await expect.poll(() => rows.count()).toBe(6);
    await rows
      .first()
      .getByText(/^“The door shop-\d of the shop is now 9 cm wide/)
      .waitFor();
    await rows
      .first()
      .getByText(/^Asked: Widen the door shop-\d of the shop/)
      .waitFor();
    await page.getByRole('button', { name: 'Show 4 more of shop' }).click();
    await expect.poll(() => rows.count()).toBe(10);
    await page.getByLabel('Search everything').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => rows.nth(1).getAttribute('class')).toContain('selected');
    await open('search?kind=summary');
    await page.getByRole('heading', { level: 2, name: 'Yesterday' }).waitFor();
    const time = page.getByLabel('Time');
    await time.selectOption('Today');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await time.selectOption('Yesterday');
    await page.getByText('10 results ·').waitFor();
    expect(page.url()).toMatch(/since=yesterday&until=yesterday/);
    await time.selectOption('A year');
    expect(page.url()).not.toContain('until');
  });

  test('gets every letter that is typed after the key that opens it, also before its field is there', async () => {
    const { page, open } = await viewed();
    await open('now');
    await page.getByText('Widened it to 9 centimetres.').first().waitFor();
    // One task: nothing is drawn between the keys.
    await page.evaluate(`for (const key of ['/', 'f', 'r', 'o', 's', 't'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
    await page.waitForURL(/q=frost/);
    await page.keyboard.type('y');
    expect(await page.getByLabel('Search everything').inputValue()).toBe('frosty');
  });

  test('says that filters leave nothing that fits', async () => {
    const { page, open } = await viewed();
    await open('search?q=violin concerto tickets kind:prompt');
    await page
      .getByRole('heading', { name: 'Within the filters nothing fits “violin concerto tickets”' })
      .waitFor();
    await page.getByRole('link', { name: 'Search for the words without the filters' }).click();
    await page
      .getByRole('heading', { name: 'Nothing that is remembered fits “violin concerto tickets”' })
      .waitFor();
  });

  test('for a phrase that nothing holds offers its words, not what is near', async () => {
    const { page, open } = await viewed();
    await open(`search?q=${encodeURIComponent('"violin concerto tickets"')}`);
    await page
      .getByRole('heading', { name: 'Nothing that is remembered holds “violin concerto tickets”' })
      .waitFor();
    expect(await page.getByRole('button', { name: /nearest/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Search for the words without quotation marks' }).click();
    await page.getByRole('button', { name: /^Show the nearest/ }).waitFor();
  });
});
