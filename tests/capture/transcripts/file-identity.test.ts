import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { identify, isContinuation } from '../../../src/capture/transcripts/file-identity.ts';
import { openRegularFile } from '../../../src/platform/regular-file.ts';
import { uuidOf } from '../../helpers/transcripts.ts';
import { testFolder } from '../../helpers/views.ts';

const line = (text: string, uuid = uuidOf(1)) =>
  `${JSON.stringify({ type: 'user', sessionId: uuidOf(7), message: { role: 'user', content: text }, uuid })}\n`;

async function lookAt(path: string, text: string) {
  writeFileSync(path, text);
  const file = await openRegularFile(path);
  try {
    return await identify(file);
  } finally {
    await file.close();
  }
}

it('the identity of a file cannot confirm a guess of its text', async () => {
  const path = join(await testFolder(), 'session.jsonl');
  const before = await lookAt(path, line('My password is swordfish'));
  expect(await lookAt(path, line('My password is marmalad'.padEnd(24, 'e')))).toEqual(before);
  // Values of id fields that are not ids are texts too.
  const secret = await lookAt(path, line('x').replace(uuidOf(7), 'swordfish'));
  expect(await lookAt(path, line('x').replace(uuidOf(7), 'marmalade'))).toEqual(secret);
});

it('a file that begins with other ids, or at other offsets, is a different file', async () => {
  const path = join(await testFolder(), 'session.jsonl');
  const before = await lookAt(path, line('Hello'));
  for (const [text, same] of [
    [line('Hello') + line('More', uuidOf(2)), true],
    [line('Hello', uuidOf(3)) + line('More', uuidOf(2)), false],
    [line('Hello, you') + line('More', uuidOf(2)), false],
  ] as const) {
    writeFileSync(path, text);
    const file = await openRegularFile(path);
    expect(await isContinuation(file, before, 10)).toBe(same);
    await file.close();
  }
});
