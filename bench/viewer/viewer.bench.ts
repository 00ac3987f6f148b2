// Measures the viewer in Chromium on a worker with a large home: from the opening of its address to the first paint, from
// the last key of a query to its results on the screen, and frames per second while a list of 100,000 sessions scrolls.
// `--events=<number>` changes the size of the home, `--home=<folder>` takes an existing one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../tests/viewer/chromium.ts';
import { median, percentile } from '../harness/measure.ts';
import { builtCommand, inFolder, REPOSITORY } from '../harness/process.ts';
import { type Figure, option, print, type Report } from '../harness/report.ts';
import { writeTranscripts } from '../live/transcripts.ts';
import { SyntheticRecords } from '../scale/records.ts';

const EVENTS = Number(option('events') ?? 100_000);
/** Of the transcripts that are imported. */
const RECORDS_PER_EVENT = 1.28;
const ROUNDS = 15;
const QUERIES = 30;
/** Between two keys, ms: 400 characters a minute. */
const KEY_MS = 150;
const LISTED = 100_000;
const SCROLL_MS = 3_000;

interface Place {
  readonly browser: Browser;
  readonly annals: (...words: readonly string[]) => string;
}

if (chromiumPath === undefined) throw new Error('No Chromium is installed; set CHROMIUM to its path.');
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
const command = builtCommand();
async function viewerBench(folder: string): Promise<Report> {
  const home = option('home') ?? join(folder, 'home');
  const annals = (...words: readonly string[]) =>
    execFileSync(process.execPath, [command, ...words], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { PATH: process.env.PATH, HOME: folder, ANNALS_HOME: home },
    });
  if (!existsSync(home)) {
    const transcripts = join(folder, 'transcripts');
    mkdirSync(transcripts);
    writeTranscripts(transcripts, Math.round(EVENTS * RECORDS_PER_EVENT), 0);
    annals('import', transcripts, '--json');
  }
  annals('worker', 'start');
  try {
    const { log } = JSON.parse(annals('status', '--json'));
    const place = { browser, annals };
    return {
      bench: 'viewer',
      data: `${log.head.toLocaleString('en')} events; Chromium ${browser.version()}`,
      figures: [...(await firstPaint(place)), ...(await searches(place)), await scrolling(place), bundle()],
      digest: 'none',
    };
  } finally {
    annals('worker', 'stop');
  }
}

/** Each in a new window with an empty cache, beside a page of one line. */
async function firstPaint({ annals }: Place): Promise<Figure[]> {
  const server = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>A line</title><h1>A line</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const plainAddress = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const [plain, frame, complete]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await paintOf(plainAddress, async (page) => page.evaluate<number>(FIRST_PAINT)));
    await paintOf(annals('view', '--no-open').trim(), async (page) => {
      await page.getByRole('list', { name: 'What happened, newest first' }).waitFor();
      complete.push(await page.evaluate<number>('performance.now()'));
      frame.push(await page.evaluate<number>(FIRST_PAINT));
      return 0;
    });
  }
  server.close();
  return [
    spread('a page of one line, first paint', plain),
    { ...spread('first paint', frame), goal: '≤ 300' },
    spread('what happened last is on the screen', complete),
  ];
}

const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0].startTime)).observe({
    type: 'paint',
    buffered: true,
  }))`;

async function paintOf(address: string, measure: (page: Page) => Promise<number>): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address);
    return await measure(page);
  } finally {
    await context.close();
  }
}

/** Typed as people do, beside the same query asked of the API by the page. */
async function searches({ annals }: Place): Promise<Figure[]> {
  const page = await browser.newPage();
  await page.goto(annals('view', '--no-open').trim());
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.evaluate(`location.hash = '#/search'`);
  const field = page.getByLabel('Search everything');
  await field.waitFor();
  await page.evaluate(NOTES_RESULTS);
  const [shown, asked]: [number[], number[]] = [[], []];
  for (const query of new SyntheticRecords(EVENTS, 1).queries(QUERIES)) {
    await field.fill('');
    await field.pressSequentially(query, { delay: KEY_MS });
    shown.push(await page.evaluate<number>('globalThis.whenShown()'));
    asked.push(await page.evaluate<number>(`globalThis.askedAgain(${JSON.stringify(query)})`));
  }
  await page.close();
  return [
    spread('a query of the page to the API', asked),
    { ...spread('results on the screen after the last key', shown), goal: '≤ 100' },
  ];
}

/** `aria-busy` is false when the results are those of what was typed. */
const NOTES_RESULTS = `(() => {
  let lastKey = 0;
  addEventListener('keydown', ({ timeStamp }) => { lastKey = timeStamp; }, true);
  const isShown = () => document.querySelector('.search-summary')?.ariaBusy === 'false';
  // 0: not shown; -1: shown with the next frame.
  let shownAt = 0;
  let showing = 0;
  const note = () => {
    if (!isShown()) {
      shownAt = 0;
      showing += 1;
    } else if (shownAt === 0) {
      shownAt = -1;
      const mine = showing;
      requestAnimationFrame(() => { if (mine === showing) shownAt = performance.now(); });
    }
  };
  new MutationObserver(note).observe(document.body, {
    subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'],
  });
  globalThis.whenShown = async () => {
    const limit = performance.now() + 20_000;
    while (shownAt <= 0 || shownAt < lastKey) {
      if (performance.now() > limit) throw new Error('No results: ' + document.querySelector('main').innerText);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return shownAt - lastKey;
  };
  globalThis.askedAgain = async (q) => {
    const token = sessionStorage.getItem('annals.token');
    const start = performance.now();
    const parameters = new URLSearchParams({ q, limit: '40', explain: 'true' });
    const answer = await fetch('/api/search?' + parameters, { headers: { authorization: 'Bearer ' + token } });
    await answer.json();
    return performance.now() - start;
  };
})()`;

/** The rows are those of one session, repeated. */
async function scrolling({ annals }: Place): Promise<Figure> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.route('**/api/sessions?*', async (route) => {
    const answer = await (await route.fetch()).json();
    const [one] = answer.items;
    const items = Array.from({ length: LISTED }, (_, row) => ({
      ...one,
      id: `row-${row}`,
      title: `Row ${row}`,
    }));
    await route.fulfill({ json: { ...answer, items, next: null } });
  });
  await page.goto(annals('view', '--no-open').trim());
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.evaluate(`location.hash = '#/sessions'`);
  await page.getByText('Row 0', { exact: true }).waitFor();
  const frames = await page.evaluate<number>(`new Promise((resolve) => {
    const scroller = document.querySelector('.list');
    const start = performance.now();
    let count = 0;
    const step = () => {
      count += 1;
      scroller.scrollTop += 1_237;
      if (performance.now() - start < ${SCROLL_MS}) requestAnimationFrame(step);
      else resolve(count / ${SCROLL_MS / 1000});
    };
    requestAnimationFrame(step);
  })`);
  await page.close();
  return {
    name: `scrolling ${LISTED.toLocaleString('en')} sessions`,
    value: frames,
    unit: 'frames/s',
    goal: '≥ 50',
  };
}

function bundle(): Figure {
  const folder = join(REPOSITORY, 'dist/viewer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('.map'));
  const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  return { name: 'bundle, gzip', value: bytes / 1024, unit: 'KiB', goal: '≤ 150' };
}

function spread(name: string, values: readonly number[]): Figure {
  return { name, value: median(values), unit: 'ms', p95: percentile(values, 0.95) };
}

try {
  print([await inFolder(viewerBench)]);
} finally {
  await browser.close();
}
