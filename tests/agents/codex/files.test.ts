import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeRollout } from '../../../src/agents/codex/decode-rollout.ts';
import { codex } from '../../../src/agents/codex/index.ts';
import { compressedFormat, rolloutFormat } from '../../../src/agents/codex/transcript.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';

const { folders, isTranscript, recognises, otherFormat } = codex.transcripts!;
const start = (path: string, lines: readonly JsonObject[] = []) => ({ path, text: '', lines });
const META = { type: 'session_meta', payload: { id: '01a20476-b65c-7e10-96d9-e8b5adbefe1f' } };

/** One line of a rollout, by the command `zstd`. */
const COMPRESSED = Buffer.from(
  'KLUv/SCLpQMAsggcGXBvDlD/LOpG6jUMHVd1LlA02MhoHuq7gghAlp3SOFRDz+kZzpdW8+COa6cZGQvm6IZIiLR1bbSmgEyDBrEvuj1fQsf4Mk7RFemDR6rnIk1QrV3Pb3pRD67srrDLu3y45L3mXINv3/l0Rqr2hKhjAQA=',
  'base64',
);
/** 3,000,000 zero bytes. */
const ZEROS = Buffer.from(
  'KLUv/QRoTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAzYOAAPJr9Y=',
  'base64',
);

it('Rollouts are below CODEX_HOME, in a folder for each day, or archived', () => {
  const machine = { environment: { CODEX_HOME: '' }, userHome: '/home/u', windows: false };
  expect(folders(machine)).toEqual([
    join('/home/u/.codex', 'sessions'),
    join('/home/u/.codex', 'archived_sessions'),
  ]);
});

describe('A file', () => {
  it.each([
    ['/home/u/.codex/sessions/2026/11/22/rollout-2026-11-22T18-13-38-01a20476.jsonl', true],
    ['/home/u/.codex/archived_sessions/rollout-2026-11-22T18-13-38-01a20476.jsonl.zst', true],
    ['C:\\Users\\u\\.codex\\sessions\\2026\\11\\22\\rollout-1.jsonl', process.platform === 'win32'],
    ['/home/u/.codex/history.jsonl', false],
    ['/home/u/.codex/auth.json', false],
    ['rollout-1.jsonl', false],
  ])('is a rollout by its name: %s', (path, expected) => {
    expect(isTranscript(path)).toBe(expected);
  });

  it('is recognised by its first line, wherever it is', () => {
    expect(recognises(start('/tmp/copy.jsonl', [META]))).toBe(true);
    expect(recognises(start('/tmp/copy.jsonl', [{ type: 'user' }, META]))).toBe(false);
    expect(recognises(start('/tmp/copy.jsonl', [{ type: 'session_meta', payload: 'x' }]))).toBe(false);
    const first = { id: 'x', timestamp: '2025-08-01T10:00:00Z', instructions: null };
    expect(recognises(start('/tmp/copy.jsonl', [first]))).toBe(true);
    expect(recognises(start('/tmp/copy.jsonl'))).toBe(false);
  });

  it('that is compressed is recognised by its name, and has a decoder; a plain one has none', () => {
    const compressed = start('/home/u/.codex/sessions/2026/11/01/rollout-1.jsonl.zst');
    expect(recognises(compressed)).toBe(true);
    expect(recognises(start('/tmp/other.jsonl.zst'))).toBe(false);
    expect(otherFormat!(compressed)).toBe(compressedFormat);
    expect(otherFormat!(start('/home/u/rollout-1.jsonl'))).toBeNull();
    expect(codex.transcripts).toMatchObject({ format: rolloutFormat });
    expect(rolloutFormat.decode).toBeUndefined();
  });
});

describe('A compressed rollout', () => {
  it('is the lines that were compressed, also in several frames', () => {
    const decode = compressedFormat.decode!;
    const [line, rest] = Buffer.from(decode(COMPRESSED)).toString('utf8').split('\n');
    expect(JSON.parse(line!)).toMatchObject(META);
    expect(rest).toBe('');
    expect(decode(Buffer.concat([COMPRESSED, COMPRESSED]))).toHaveLength(2 * decode(COMPRESSED).length);
    expect(decode(ZEROS)).toHaveLength(3_000_000);
  });

  it('is refused when it is cut off, or nothing of the kind', () => {
    for (const cut of [3, 10, 60, COMPRESSED.length - 1])
      expect(() => decodeRollout(COMPRESSED.subarray(0, cut))).toThrow();
    expect(() => decodeRollout(Buffer.from('{"type":"session_meta"}'))).toThrow();
  });

  it('is refused when it decodes to more than the limit', () => {
    expect(() => decodeRollout(ZEROS, 2_999_999)).toThrow(RangeError);
    expect(decodeRollout(ZEROS, 3_000_000)).toHaveLength(3_000_000);
  });
});
