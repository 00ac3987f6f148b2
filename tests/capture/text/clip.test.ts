import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clip } from '../../../src/capture/text/clip.ts';

it('keeps head and tail and reports how much is missing in between', () => {
  const clipped = clip(`head${'x'.repeat(20_000)}tail`, 8_192);
  expect(clipped).toMatch(/^headx+…\[annals: 11,880 characters left out\]…x+tail$/);
});

it('does not change a text that fits exactly', () => {
  expect(clip('é'.repeat(100), 200)).toBe('é'.repeat(100));
  expect(clip('é'.repeat(101), 200)).not.toBe('é'.repeat(101));
});

it('never exceeds the limit, never splits a pair, and clipping again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 50, maxLength: 600 }), (text) => {
      const clipped = clip(text, 128);
      expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(128);
      expect(Buffer.from(clipped).toString()).toBe(clipped);
      expect(clip(clipped, 128)).toBe(clipped);
    }),
  );
});
