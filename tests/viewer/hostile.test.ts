// Texts that anybody may have written: markup, scripts, control and direction characters, in prompts, titles, answers and
// outputs. Nothing of them runs, asks for anything, or changes the page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Script } from '../helpers/transcripts.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

const RUNS = 'globalThis.ran=1';
const FOREIGN = 'https://evil.example/x';

const MARKUP = [
  `<script>${RUNS}</script>`,
  `<img src=x onerror="${RUNS}">`,
  `<svg onload="${RUNS}"><animate onbegin="${RUNS}" attributeName=x></svg>`,
  `<iframe srcdoc="<script>parent.${RUNS}</script>"></iframe>`,
  `<a href="javascript:${RUNS}">open</a>`,
  `[open](javascript:${RUNS})`,
  `[open](JaVaScRiPt&#58;${RUNS})`,
  `[open](data:text/html,<script>${RUNS}</script>)`,
  `![image](${FOREIGN}.png)`,
  `![image](x "onerror=${RUNS}")`,
  `<style>* { display: none } @import "${FOREIGN}.css"</style>`,
  `<link rel=stylesheet href=${FOREIGN}.css><base href=${FOREIGN}>`,
  `<meta http-equiv=refresh content="0;url=${FOREIGN}">`,
  `<form action=${FOREIGN}><button autofocus onfocus="${RUNS}">`,
  `<details open ontoggle="${RUNS}"><summary>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUNS}">`,
  `"><script>${RUNS}</script><x y="`,
  `</title></textarea></pre></script><script>${RUNS}</script>`,
  `\`\`\`html\n<script>${RUNS}</script>\n\`\`\``,
  `| a |\n|---|\n| <img src=x onerror="${RUNS}"> |`,
  `${'> '.repeat(60)}<script>${RUNS}</script>`,
  `${'- '.repeat(60)}deep`,
  `${'['.repeat(300)}${'](x)'.repeat(300)}`,
  `${'*a '.repeat(600)}`,
  '&lt;script&gt;globalThis.ran=1&lt;/script&gt;',
  '{{constructor.constructor("globalThis.ran=1")()}} ${globalThis.ran=1}',
];
const CONTROLS = [
  '',
  '\u202e',
  '\u2066\u202d',
  '\u0000\u0007\u001b[2J',
  '\ud800',
  '\ufeff\u200f',
  'مرحبا ',
  '𝕏'.repeat(40),
];
/** 208 different texts. */
const TEXTS = CONTROLS.flatMap((control, row) =>
  MARKUP.map((text, column) => `no${row}x${column} ${control}${text}`),
);

describeInChromium('hostile texts', () => {
  test('run nothing, ask for nothing and are shown as they were written', async () => {
    const server = await served();
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const session = '99999999-2222-4333-8444-555555555555';
    await server.annals.import([transcript(folder.path, session)]);
    await server.annals.save(
      TEXTS.slice(0, 60).map((text) => ({ title: text.slice(0, 200), text, project: 'feeder' })),
    );
    const { page, open, base, problems, requested } = await viewed({
      server,
      viewport: { width: 1000, height: 800 },
    });
    await page.getByText('Connected', { exact: true }).waitFor();
    await open('search?q=open');
    await page.getByText('Why it matched').first().waitFor();
    await open('sessions');
    await page.getByText(/^1 session/).waitFor();
    await open(`session/${session}`);
    await page.getByText('no0x0').first().waitFor();
    await page.getByLabel('Show what each tool did').check();
    // Every turn comes into sight once.
    for (let at = 0; at < 40; at += 1)
      await page.evaluate(`document.querySelector('main').scrollTo(0, ${at} * 700); 0`);
    await page.getByText('A long output').first().waitFor();
    for (const { id } of (await server.call('GET', '/api/memories?limit=3')).json.items) {
      await open(`item/${id}`);
      await page.getByRole('button', { name: 'Supersede' }).waitFor();
    }
    await page.locator('.why-drawing').waitFor();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(problems).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(`${base}/`))).toEqual([]);
    const foreign =
      'main :is(script, iframe, img, svg:not(.why-drawing), style, link, form:not(dialog form), object, base, meta)';
    expect(await page.locator(foreign).count()).toBe(0);
    expect(await page.locator('a[href^="javascript" i], a[href^="data" i]').count()).toBe(0);
  });
});

/** Each turn has a hostile prompt, input, output and answer; the last one an output of 10 MB. */
function transcript(folder: string, session: string): string {
  const source = join(folder, 'transcripts');
  mkdirSync(source);
  const script = new Script({ session, cwd: '/home/u/feeder', firstUuid: 1, start: Date.UTC(2026, 4, 1) });
  for (let at = 0; at + 3 < TEXTS.length; at += 4) {
    script.prompt(TEXTS[at]!);
    script.use(`toolu_${at}`, 'Bash', { command: TEXTS[at + 1]! });
    script.result(`toolu_${at}`, TEXTS[at + 2]!);
    script.reply(TEXTS[at + 3]!);
  }
  script.prompt('A long output');
  script.use('toolu_long', 'Bash', { command: 'yes' });
  script.result('toolu_long', 'y'.repeat(10_000_000));
  writeFileSync(join(source, `${session}.jsonl`), script.bytes());
  return source;
}
