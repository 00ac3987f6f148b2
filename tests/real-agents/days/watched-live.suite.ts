// The viewer while a real Claude Code works, in Chromium: part of `npm run test:agents`. Two pages watch it, Now and its
// session. Everything that the agent did is on the screen once, also when the worker was killed meanwhile; how long each
// tool use took to get there is printed.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND } from '../../e2e/command.ts';
import { describeInChromium, openPage } from '../../viewer/browser.ts';
import { claudeProgram, PACKAGE, printSession } from '../claude-code.ts';
import { installAgent } from '../install-agent.ts';
import { missingForAgents } from '../machine.ts';
import { NEWEST_PINNED } from '../versions.ts';
import { type AgentWorld, makeWorld } from '../world.ts';

const USES = 20;

const missing = missingForAgents();
if (missing !== null) throw new Error(missing);
const installed = installAgent(PACKAGE, NEWEST_PINNED);
if ('missing' in installed) throw new Error(installed.missing);
const program = claudeProgram(installed.folder);

describeInChromium(`The viewer beside Claude Code ${NEWEST_PINNED}`, () => {
  let world: AgentWorld;
  let now: Page;
  beforeAll(async () => {
    world = makeWorld(program);
    annals(world, 'worker', 'start');
    now = await openPage(DISPLAY);
    await openViewer(world, now);
    await now.evaluate(NOTES_ROWS);
  });
  afterAll(() => {
    annals(world, 'worker', 'stop');
    if (process.env.ANNALS_TEST_KEEP === '1') process.stdout.write(`Kept: ${world.folder}\n`);
    else rmSync(world.folder, { recursive: true, force: true });
  });

  test('shows each tool use soon after the agent reported it, and all of them once in its session', async () => {
    const running = world.run(session(world, 'watched'));
    const page = await openSession(world, 'watched');
    await running;
    await now.getByText('All of watched is done.').first().waitFor();
    await page.getByText('All of watched is done.').first().waitFor();
    expect(await shown(page, 'watched')).toEqual(wanted('watched'));
    const delays = await delaysOf(world, now, 'watched');
    expect(delays).toHaveLength(USES);
    console.log(`From the hook to Now: ${spread(delays)}`);
    console.log(`From the hook to its session: ${spread(await delaysOf(world, page, 'watched'))}`);
    await page.context().close();
  });

  test('misses nothing and repeats nothing when the worker is killed and another one follows', async () => {
    const running = world.run(session(world, 'killed'));
    const page = await openSession(world, 'killed');
    await page
      .getByText(`Step killed-${USES / 4}`)
      .first()
      .waitFor();
    const { pid } = JSON.parse(readFileSync(join(world.annalsHome, 'worker.json'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    for (const one of [now, page]) await one.getByText('Not connected', { exact: true }).waitFor();
    annals(world, 'worker', 'start');
    await running;
    for (const one of [now, page]) {
      await one.getByText('All of killed is done.').first().waitFor();
      await one.getByText('Connected', { exact: true }).waitFor();
    }
    expect(await shown(page, 'killed')).toEqual(wanted('killed'));
    console.log(`Across a killed worker, to Now: ${spread(await delaysOf(world, now, 'killed'))}`);
    console.log(`Across a killed worker, to its session: ${spread(await delaysOf(world, page, 'killed'))}`);
    await page.context().close();
  });
});

/** So high that nothing waits to be scrolled to. */
const DISPLAY = { viewport: { width: 1_200, height: 8_000 } };

async function openViewer(world: AgentWorld, page: Page): Promise<void> {
  await page.goto(annals(world, 'view', '--no-open').trim());
  await page.getByText('Connected', { exact: true }).waitFor();
}

/** As a person does who sees that it began. */
async function openSession(world: AgentWorld, name: string): Promise<Page> {
  const page = await openPage(DISPLAY);
  await openViewer(world, page);
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByRole('link', { name: promptOf(name) }).click();
  await page.evaluate(NOTES_ROWS);
  await page.getByRole('region', { name: 'Turn 1' }).waitFor();
  return page;
}

function annals({ home }: AgentWorld, ...words: readonly string[]): string {
  return execFileSync(process.execPath, [COMMAND, ...words], {
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
  });
}

function session({ program, project }: AgentWorld, name: string) {
  const steps = wanted(name).map((description) => ({
    use: [{ name: 'Bash', input: { command: `echo ${description}`, description } }],
  }));
  const script = { steps, final: `All of ${name} is done.` };
  return printSession({ program, name, project: project('p1'), prompt: promptOf(name), script });
}

const promptOf = (name: string): string => `Please do ${name}`;

function wanted(name: string): string[] {
  return Array.from({ length: USES }, (_, use) => `Step ${name}-${use + 1}`);
}

/** Notes when the text of a row is on the screen for the first time. */
const NOTES_ROWS = `
  globalThis.firstSeen = {};
  globalThis.opened = Date.now();
  const note = () => {
    for (const [text] of document.body.innerText.matchAll(/Step [a-z]+-[0-9]+/g)) firstSeen[text] ??= Date.now();
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  note();`;

interface Noted {
  readonly firstSeen: Readonly<Record<string, number>>;
  readonly opened: number;
}

/** The tool uses of the session, in order, as often as they are there. */
async function shown(page: Page, name: string): Promise<string[]> {
  const text = await page.getByRole('region', { name: 'Turn 1' }).innerText();
  return [...text.matchAll(/Step ([a-z]+)-[0-9]+/g)].filter(([, of]) => of === name).map(([step]) => step);
}

/** From the time that the hook noted, ms, of each that was on the screen and came after the page was opened. */
async function delaysOf(world: AgentWorld, page: Page, name: string): Promise<readonly number[]> {
  const { firstSeen, opened } = await page.evaluate<Noted>('({ firstSeen, opened })');
  const lines = annals(world, 'log', '--type', 'tool.used', '--json').trim().split('\n');
  const events = lines.map((line) => JSON.parse(line)).filter(({ channel }) => channel === 'hook');
  return events
    .map(({ at, body }) => ({ step: body.input.description, at: Date.parse(at) }))
    .filter(({ step, at }) => step.includes(name) && at > opened && firstSeen[step] !== undefined)
    .map(({ step, at }) => firstSeen[step]! - at);
}

function spread(delays: readonly number[]): string {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  return `${sorted.length} tool uses, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`;
}
