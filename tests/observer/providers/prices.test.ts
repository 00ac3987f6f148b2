import { describe, expect, it } from 'vitest';
import { costOf, pricesOf, worstCaseOf } from '../../../src/observer/providers/prices.ts';
import { request } from './requests.ts';

const haiku = pricesOf('claude-haiku-5-5')!;
const usage = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000 };

describe('The price of a request', () => {
  it.each([
    ['claude-haiku-5-5', { input: 1_000, output: 500, cacheRead: 0, cacheWrite: 0 }, 0.000_35],
    ['claude-haiku-5-5', { input: 0, output: 0, cacheRead: 40_000, cacheWrite: 8_000 }, 0.001_4],
    ['claude-haiku-5-5', { input: 90_000, output: 0, cacheRead: 5_000, cacheWrite: 5_000 }, 0.009_675],
    ['claude-haiku-5-5', { input: 90_001, output: 1_000, cacheRead: 5_000, cacheWrite: 5_000 }, 0.050_875_5],
    ['claude-sonnet-5-5', usage, 2 + 10 + 0.1 + 2.5],
    ['claude-haiku-4-5-20251001', usage, 1 + 5 + 0.1 + 1.25],
  ])('of %s for %j is %d dollars', (model, used, dollars) => {
    expect(costOf(used, pricesOf(model)!)).toBeCloseTo(dollars, 10);
  });

  it('is half in a batch, where the cache is written for an hour', () => {
    const used = { input: 10_000, output: 10_000, cacheRead: 10_000, cacheWrite: 10_000 };
    expect(costOf(used, haiku, { batch: true })).toBeCloseTo((0.001 + 0.005 + 0.000_1 + 0.002) / 2, 10);
  });

  it('of an unknown model is null, unless the settings name it', () => {
    expect(pricesOf('qwen3')).toBeNull();
    expect(costOf(usage, pricesOf('qwen3', { input: 0, output: 0 })!)).toBe(0);
    expect(costOf(usage, pricesOf('claude-haiku-5-5', { input: 1, output: 2 })!)).toBe(1 + 2 + 1 + 1.25);
  });
});

describe('The worst case', () => {
  // No tokenizer makes more tokens than there are bytes.
  it.each(['a'.repeat(5_000), 'ß'.repeat(5_000), '🐦'.repeat(5_000), '\0'.repeat(5_000)])(
    'is at least the price of one token a byte, all written to the cache: %.3s',
    (content) => {
      const asked = request({ content });
      const tokens = Buffer.byteLength(asked.instructions + content + JSON.stringify(asked.schema));
      const used = { input: 0, output: asked.maxTokens, cacheRead: 0, cacheWrite: tokens };
      expect(worstCaseOf(asked, haiku)).toBeGreaterThan(costOf(used, haiku));
      expect(worstCaseOf(asked, haiku, { batch: true })).toBeGreaterThan(
        costOf(used, haiku, { batch: true }),
      );
    },
  );

  it('takes the higher price when the prompt may be longer than 100,000 tokens', () => {
    expect(worstCaseOf(request({ content: 'a'.repeat(110_000) }), haiku)).toBeGreaterThan(0.06);
  });
});
