// A real Chromium, if one is installed, and a page of the viewer in it.
// A browser and a page cost seconds, so they go from test to test, also to those of the next file of this process. The page
// keeps nothing: each test has an origin of its own, and storage is cleared.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished, type TestContext, test } from 'vitest';
import { type Served, served } from '../http/served.ts';
import { chromiumPath } from './chromium.ts';

const VIEWPORT = { width: 1280, height: 720 };

/** Ends with this process. */
let browser: Browser | undefined;
/** The page that no test uses. */
let free: Page | undefined;

/** The tests run one after the other in one browser; without a browser they are skipped, and the name says why. */
export function describeInChromium(name: string, tests: () => void): void {
  const executablePath = chromiumPath;
  if (executablePath === undefined) {
    test.skip(`${name}: not tested, no Chromium is installed (set CHROMIUM to its path)`, () => {});
    return;
  }
  describe(name, () => {
    beforeAll(async () => {
      if (browser?.isConnected() === true) return;
      free = undefined;
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      for (const context of browser!.contexts()) if (context !== free?.context()) await context.close();
    });
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

type Viewport = typeof VIEWPORT;

/** A diagnosis takes seconds, because it starts many processes. */
export async function answerDoctor(
  page: Page,
  texts = { message: 'One thing.', advice: 'Look at it.' },
): Promise<void> {
  const check = { name: 'files', state: 'warning', ...texts, figures: null, ms: 1 };
  await page.route('**/api/doctor', (route) => route.fulfill({ json: { ok: true, checks: [check] } }));
}

interface ViewOptions extends Omit<BrowserContextOptions, 'viewport'> {
  readonly viewport?: Viewport;
  readonly server?: Served;
  /** Default: with a fresh ticket. */
  readonly address?: string;
  /** A script that runs before those of the page. */
  readonly onDocument?: string;
}

/** An empty page with cookies and storage of its own. It is closed after the tests of a file. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser!.newContext({ viewport: VIEWPORT, ...options })).newPage();
  // A busy machine may take ten times as long as a quiet one.
  page.setDefaultTimeout(200_000);
  return page;
}

/** A page that is left at the end of the test. Only its size can be chosen. */
async function sharedPage(viewport: Viewport, origin: string): Promise<Page> {
  const page = free ?? (await openPage());
  free = undefined;
  onTestFinished((test) => leave(page, origin, test));
  await page.setViewportSize(viewport);
  return page;
}

/** The next test gets the page empty. After a failure, or elsewhere than at its origin, it is closed instead. */
async function leave(page: Page, origin: string, { task }: TestContext): Promise<void> {
  const context = page.context();
  if (free !== undefined || task.result?.state === 'fail' || new URL(page.url()).origin !== origin)
    return context.close();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ colorScheme: null });
  await page.mouse.move(0, 0);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.goto('about:blank');
  await context.clearCookies();
  free = page;
}

/** A page on a served home with a few sessions. Left at the end of the test. */
export async function viewed({
  server: given,
  address,
  onDocument,
  viewport = VIEWPORT,
  ...options
}: ViewOptions = {}): Promise<Viewed> {
  const server = given ?? (await served({ filled: true }));
  const isPlain = onDocument === undefined && Object.keys(options).length === 0;
  const page = isPlain ? await sharedPage(viewport, server.base) : await openPage({ viewport, ...options });
  if (!isPlain) onTestFinished(() => page.context().close());
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
