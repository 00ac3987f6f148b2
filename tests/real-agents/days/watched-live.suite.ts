// The viewer's page while a real Claude Code works, in Chromium: part of `npm run test:agents`. Everything that the agent
// did is on the screen once, also when the worker was killed meanwhile; how long each tool use took to get there is
// printed.
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
  let page: Page;
  beforeAll(async () => {
    world = makeWorld(program);
    annals(world, 'worker', 'start');
    page = await openPage({ viewport: { width: 1200, height: 8_000 } });
    await page.goto(annals(world, 'view', '--no-open').trim());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(NOTES_ROWS);
  });
  afterAll(() => {
    annals(world, 'worker', 'stop');
    if (process.env.ANNALS_TEST_KEEP === '1') process.stdout.write(`Kept: ${world.folder}\n`);
    else rmSync(world.folder, { recursive: true, force: true });
  });

  test('shows each tool use once, soon after the agent reported it', async () => {
    await world.run(session(world, 'watched'));
    await page.getByText('All of watched is done.').first().waitFor();
    expect(await shown(page, 'watched')).toEqual(wanted('watched'));
    const delays = await delaysOf(world, page, 'watched');
    expect(delays).toHaveLength(USES);
    console.log(`${USES} tool uses, from the hook to the screen: ${spread(delays)}`);
  });

  test('misses nothing and repeats nothing when the worker is killed and another one follows', async () => {
    const running = world.run(session(world, 'killed'));
    await page
      .getByText(`Step killed-${USES / 4}`)
      .first()
      .waitFor();
    const { pid } = JSON.parse(readFileSync(join(world.annalsHome, 'worker.json'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await page.getByText('Not connected').waitFor();
    annals(world, 'worker', 'start');
    await running;
    await page.getByText('All of killed is done.').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await shown(page, 'killed')).toEqual(wanted('killed'));
    expect(await shown(page, 'watched')).toEqual(wanted('watched'));
    const delays = await delaysOf(world, page, 'killed');
    console.log(`${USES} tool uses with a killed worker, from the hook to the screen: ${spread(delays)}`);
  });
});

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
  return printSession({ program, name, project: project('p1'), prompt: `Please do ${name}`, script });
}

function wanted(name: string): string[] {
  return Array.from({ length: USES }, (_, use) => `Step ${name}-${use + 1}`);
}

/** Notes when the text of a row is on the screen for the first time. */
const NOTES_ROWS = `
  globalThis.firstSeen = {};
  const note = () => {
    for (const [text] of document.body.innerText.matchAll(/Step [a-z]+-[0-9]+/g)) firstSeen[text] ??= Date.now();
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  note();`;

/** The tool uses in the feed, oldest first, as often as they are there. */
async function shown(page: Page, name: string): Promise<string[]> {
  const rows = await page.getByRole('list', { name: 'What happened, newest first' }).allInnerTexts();
  const all = [...rows.join('\n').matchAll(/Step ([a-z]+)-[0-9]+/g)];
  return all
    .filter(([, of]) => of === name)
    .map(([text]) => text)
    .reverse();
}

/** From the time that the hook noted, ms. */
async function delaysOf(world: AgentWorld, page: Page, name: string): Promise<readonly number[]> {
  const seen = await page.evaluate<Record<string, number>>('firstSeen');
  const lines = annals(world, 'log', '--type', 'tool.used', '--json').trim().split('\n');
  const events = lines.map((line) => JSON.parse(line)).filter(({ channel }) => channel === 'hook');
  return events
    .filter(({ body }) => body.input.description.includes(name))
    .map(({ at, body }) => seen[body.input.description]! - Date.parse(at));
}

function spread(delays: readonly number[]): string {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`;
}
