// A line that is cut at its end shows every letter whole: a low line box would cut the underscores off.
import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

/** In such a line, box and font of DejaVu Sans Mono and its kin have room for what reaches below the letters. */
const LINE_HEIGHT_MIN = 1.4;

describeInChromium('a line that is cut', () => {
  test('in the font of code has room for underscores, on every screen that has one', async () => {
    const { page, open, call } = await viewed();
    await page.getByText('Connected', { exact: true }).waitFor();
    const session = (await call('GET', '/api/sessions')).json.items[0].id;
    const item = (await call('GET', '/api/observations')).json.items[0].id;
    const measured: (readonly [screen: string, text: string, lineHeight: number])[] = [];
    for (const [screen, shown] of [
      ['now', 'npm test'],
      [`session/${session}`, 'npm test'],
      [`item/${item}`, 'of the log'],
    ] as const) {
      await open(screen);
      await page.getByText('feeder').first().waitFor();
      if (screen === 'now') await page.locator('.turn-row summary').first().click();
      await page.getByText(shown).first().waitFor();
      for (const [text, lineHeight] of await page.evaluate<[string, number][]>(CUT_LINES))
        measured.push([screen, text, lineHeight]);
    }
    expect(new Set(measured.map(([screen]) => screen.split('/')[0]))).toEqual(
      new Set(['now', 'session', 'item']),
    );
    expect(measured.filter(([, , lineHeight]) => lineHeight < LINE_HEIGHT_MIN)).toEqual([]);
  });
});

/** Texts in a font of code whose box cuts them, and the height of their lines as a multiple of their size. */
const CUT_LINES = `[...document.querySelectorAll('main *')].flatMap((element) => {
  const { fontFamily, overflowX, lineHeight, fontSize } = getComputedStyle(element);
  const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  if (!hasText || !fontFamily.includes('mono') || overflowX === 'visible') return [];
  const height = lineHeight === 'normal' ? 0 : parseFloat(lineHeight) / parseFloat(fontSize);
  return [[element.textContent.slice(0, 40), height]];
})`;
