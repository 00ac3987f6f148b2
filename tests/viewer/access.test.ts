// Who sees the memory in a browser, and what the page may do.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { SECRET, served, TOKEN } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('the viewer', () => {
  test('opens with a ticket, which is gone from the address and works once', async () => {
    const server = await served({ filled: true });
    const ticket = server.ticket();
    const address = `${server.base}/#ticket=${ticket}`;
    const { page, problems } = await viewed({ server, address });
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.base}/#/now`);
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    const other = await viewed({ server, address });
    await other.page.getByRole('heading', { name: 'This page has no access' }).waitFor();
    const again = await server.call('POST', '/api/view/token', { token: null, body: { ticket } });
    expect([again.status, again.json.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(problems).toEqual([]);
  });

  test('shows nothing without a token, and asks for no more than its own files', async () => {
    const { page, base, requested } = await viewed({ address: '/' });
    await page.getByRole('heading', { level: 1, name: 'This page has no access' }).waitFor();
    expect(await page.content()).not.toContain('feeder');
    expect(requested.filter((url) => !url.startsWith(`${base}/`))).toEqual([]);
    expect(requested.filter((url) => url.includes('/api/'))).toEqual([]);
  });

  test('stays within its policy and its origin on every screen', async () => {
    const { page, open, call, base, problems, requested } = await viewed();
    await page.getByText('Connected', { exact: true }).waitFor();
    const session = (await call('GET', '/api/sessions')).json.items[0].id;
    const item = (await call('GET', '/api/observations')).json.items[0].id;
    for (const [screen, shown] of [
      ['search?q=chute', 'Why it matched'],
      ['sessions', '2 sessions'],
      [`session/${session}`, 'npm test'],
      [`item/${item}`, 'Where it comes from'],
    ] as const) {
      await open(screen);
      await page.getByText(shown).first().waitFor();
    }
    expect(problems).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(`${base}/`))).toEqual([]);
    expect(requested.filter((url) => url.includes(TOKEN))).toEqual([]);
  });

  test('asks for `annals view` when the worker was started again, and then goes on without a gap', async () => {
    const server = await served({ filled: true });
    const { page } = await viewed({ server });
    await page.getByText('Connected', { exact: true }).waitFor();
    const resume = await server.interrupt();
    await server.annals.report({
      kind: 'prompt',
      agent: 'api',
      session: 'gap-1',
      cwd: '/home/u/feeder',
      text: 'Oil the hinge',
    });
    await resume('another-token-another-token-another-token');
    await page.getByRole('heading', { name: 'This page has no access' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${server.base}/#ticket=${server.ticket()}`);
    await other.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Oil the hinge').first().waitFor();
  });

  test('says on every screen since when it is not connected and what to do, and takes it back', async () => {
    const server = await served({ filled: true });
    const { page, open } = await viewed({ server });
    await page.getByText('No session is under way').waitFor();
    const resume = await server.interrupt();
    const notice = page.getByRole('alert').filter({ hasText: /^Not connected since \d/ });
    await notice.waitFor();
    await notice.getByText('What you see may be old.').waitFor();
    await notice.getByText('annals view').waitFor();
    await page.getByText('Why does the feeder jam at night?').first().waitFor();
    expect(await page.getByText('No session is under way').count()).toBe(0);
    for (const screen of ['sessions', 'search?q=chute', 'health', 'settings', 'forget', 'project']) {
      await open(screen);
      await notice.waitFor();
    }
    await open('now');
    await resume();
    await notice.waitFor({ state: 'detached' });
    await page.getByText('No session is under way').waitFor();
  });

  test('gives a page of another origin nothing', async () => {
    const server = await served({ filled: true });
    const foreign = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<iframe src="${server.base}/"></iframe><script src="${server.base}/assets/index.js"></script>`,
      );
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void foreign.close());
    const { port } = foreign.address() as { port: number };
    const { page } = await viewed({ server });
    await page.goto(`http://127.0.0.1:${port}/`);
    const answers = await page.evaluate(
      async ([base, token]) => {
        const tried = [
          fetch(`${base}/api/sessions`, { headers: { authorization: `Bearer ${token}` } }),
          fetch(`${base}/`),
          fetch(`${base}/api/view/token`, { method: 'POST', body: '{}' }),
        ].map((asked) => asked.then((answer) => answer.text()).catch(() => 'refused'));
        return Promise.all(tried);
      },
      [server.base, TOKEN],
    );
    expect(answers).toEqual(['refused', 'refused', 'refused']);
    for (const frame of page.frames().slice(1)) expect(await frame.content()).not.toContain('Annals');
    expect(await page.content()).not.toContain(SECRET);
    // A window that it opens gets a refusal in place of the page.
    const opening = page.waitForEvent('popup');
    await page.evaluate(`void open('${server.base}/#ticket=${server.ticket()}')`);
    const opened = await opening;
    await opened.getByText('The request comes from a foreign page.').waitFor();
    expect(await opened.locator('script').count()).toBe(0);
  });

  test('loads a screen again that could not be loaded, and needs no worker for those that were', async () => {
    const server = await served({ filled: true });
    const { page, open } = await viewed({ server });
    const screen = '**/assets/sessions-screen-*.js';
    await page.route(screen, (route) => route.abort());
    await page.getByText('Connected', { exact: true }).waitFor();
    await open('sessions');
    await page.getByRole('heading', { name: 'This screen could not be loaded.' }).waitFor();
    await page.unroute(screen);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('2 sessions').waitFor();
    // All others are loaded after a while.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/health-screen-')),
    );
    await server.interrupt();
    await open('health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
  });
});
