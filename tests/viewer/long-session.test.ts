// A link into a long session: the turn that it names is on the screen, and stays there while the turns above are read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Script } from '../helpers/transcripts.ts';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

const SESSION = '99999999-2222-4333-8444-555555555555';
const TURNS = 26;
const WANTED = 16;

describeInChromium('a link into a long session', () => {
  test('lands at its event, also when a clock names the turn beside it, and stays there', async () => {
    const server = await served();
    const source = join(server.home, '../transcripts');
    mkdirSync(source);
    writeFileSync(join(source, `${SESSION}.jsonl`), longScript());
    await server.annals.import([source]);
    const turns = (await server.call('GET', `/api/items/${SESSION}`)).json.details.turns;
    let event = '';
    for await (const one of server.annals.log({ session: SESSION }))
      if (one.type === 'tool.used' && one.body.toolUseId === `toolu_${WANTED}_3`) event = one.id;
    const { page, open } = await viewed({ server, viewport: { width: 1000, height: 700 } });
    await page.getByText('Connected', { exact: true }).waitFor();
    for (const near of [WANTED - 1, WANTED + 1]) {
      await open(`session/${SESSION}?item=${event}&at=${turns[near].at}`);
      const target = page.getByRole('region', { name: `Turn ${WANTED + 1}` }).locator('.part.is-target');
      await target.getByText(`step ${WANTED}-3`).waitFor();
      await page.waitForLoadState('networkidle', { timeout: 300 }).catch(() => {});
      const box = (await target.boundingBox())!;
      expect(box.y, `from turn ${near}`).toBeGreaterThan(0);
      expect(box.y + box.height, `from turn ${near}`).toBeLessThan(700);
      await open('now');
      await page.getByRole('heading', { name: 'Now' }).waitFor();
    }
    await open(`session/${SESSION}?item=${turns[WANTED].id}`);
    const head = page.getByRole('region', { name: `Turn ${WANTED + 1}` }).getByText(`Part ${WANTED} please`);
    await head.waitFor();
    await expect.poll(async () => (await head.boundingBox())!.y).toBeLessThan(350);
    await page.waitForLoadState('networkidle', { timeout: 300 }).catch(() => {});
    expect((await head.boundingBox())!.y).toBeLessThan(350);
  });
});

/** Turns whose heights cannot be guessed. */
function longScript(): Buffer {
  const script = new Script({ session: SESSION, cwd: '/home/u/feeder', start: Date.UTC(2026, 4, 3) });
  for (let turn = 0; turn < TURNS; turn++) {
    script.prompt(`Part ${turn} please\n${'and look at it twice\n'.repeat((turn * 7) % 13)}`);
    for (let use = 0; use < 5; use++) {
      script.use(`toolu_${turn}_${use}`, 'Bash', { command: `echo step ${turn}-${use}` });
      script.result(`toolu_${turn}_${use}`, 'done');
    }
    script.reply(`Part ${turn} is done.\n\n${'- one more line\n'.repeat((turn * 11) % 17)}`);
  }
  return script.bytes();
}
