// A real Chromium, if one is installed, and a page of the viewer in it.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { type Served, served } from '../http/served.ts';
import { chromiumPath } from './chromium.ts';

let browser: Browser;

/** The tests run one after the other in one browser; without a browser they are skipped, and the name says why. */
export function describeInChromium(name: string, tests: () => void): void {
  const executablePath = chromiumPath;
  if (executablePath === undefined) {
    test.skip(`${name}: not tested, no Chromium is installed (set CHROMIUM to its path)`, () => {});
    return;
  }
  describe(name, () => {
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(() => browser.close());
    tests();
  });
}

export interface Viewed extends Served {
  readonly page: Page;
  /** Errors of scripts, and what the policy of the page forbade. */
  readonly problems: readonly string[];
  /** Every address that the page asked for. */
  readonly requested: readonly string[];
  /** Opens a screen: `session/abc`. */
  open(screen: string): Promise<void>;
}

interface ViewOptions extends BrowserContextOptions {
  readonly server?: Served;
  /** Default: with a fresh ticket. */
  readonly address?: string;
  /** A script that runs before those of the page. */
  readonly onDocument?: string;
}

/** An empty page with cookies and storage of its own. It is closed with the browser. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

/** A page on a served home with a few sessions. Closed at the end of the test. */
export async function viewed({
  server: given,
  address,
  onDocument,
  ...options
}: ViewOptions = {}): Promise<Viewed> {
  const server = given ?? (await served({ filled: true }));
  const page = await openPage(options);
  onTestFinished(() => page.context().close());
  if (onDocument !== undefined) await page.addInitScript({ content: onDocument });
  const problems: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => void problems.push(error.message));
  page.on('request', (request) => void requested.push(request.url()));
  await page.goto(new URL(address ?? `/#ticket=${server.ticket()}`, server.base).href);
  return {
    ...server,
    page,
    problems,
    requested,
    async open(screen) {
      await page.evaluate((hash) => Object.assign(globalThis, { location: hash }), `#/${screen}`);
    },
  };
}
