// A payload torn at any byte is kept as a bad file without half a secret.
import { describe, expect, it } from 'vitest';
import { badFile } from '../../../src/capture/spool/bad-file.ts';
import { COMMON_FORMS, PROMISED_FORMS } from '../../helpers/secret-forms.ts';
import { VENDOR_SECRETS } from '../../helpers/vendor-secrets.ts';

/** The length of a part of a secret that is worth hiding. */
const PIECE = 6;

describe.each([
  ['promised', PROMISED_FORMS],
  ['common', COMMON_FORMS],
  ['vendor', VENDOR_SECRETS],
])('a bad file of a torn payload with a secret of the %s forms', (_, forms) => {
  it.each(forms)('shows nothing of $name', ({ text, needle }) => {
    const payload = JSON.stringify({
      session_id: 's-1',
      prompt: `harmless\n${text}`,
      tool_input: { command: text, list: [text] },
    });
    const spelled = JSON.stringify(needle).slice(1, -1);
    const piece = spelled.slice(0, PIECE);
    for (let from = payload.indexOf(spelled); from >= 0; from = payload.indexOf(spelled, from + 1))
      for (const length of new Set([
        PIECE,
        PIECE + (spelled.length % 7),
        spelled.length - 1,
        spelled.length,
      ])) {
        const cut = from + length;
        const kept = badFile('torn', { bytes: Buffer.from(payload.slice(0, cut)), at: 0 }, cut);
        // One assertion for all, because many successful ones would be slow.
        if (kept.includes(piece) || !kept.includes('s-1')) expect.fail(`cut at ${cut}: ${kept}`);
      }
  });
});

it('a torn payload loses all of its unfinished string', () => {
  const text = `{"session_id":"s-1","prompt":"my phrase is correct ${'horse'} bat`;
  const kept = badFile('torn', { bytes: Buffer.from(text), at: 0 }, text.length);
  expect(kept).toContain('s-1');
  expect(kept).not.toContain('correct');
});

it('a torn text that is not a payload loses its last line', () => {
  const text = `first line\nDB_PASS='correct ${'horse'} bat`;
  const kept = badFile('no JSON', { bytes: Buffer.from(text), at: 0 }, text.length);
  expect(kept).toContain('first line');
  expect(kept).not.toContain('correct');
});

it('an unusable complete payload keeps its last word', () => {
  const text = JSON.stringify({ session_id: 's-1', note: 'a "quoted" last word' });
  expect(badFile('unusable', { bytes: Buffer.from(text), at: 0 }, text.length)).toContain('last word');
});
