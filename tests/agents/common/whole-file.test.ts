// A transcript that its agent rewrites is read as a whole when it has changed, and only then.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder, withHome } from '../../e2e/homes.ts';

const folder = sharedFolder('whole-file');

const message = (id: string, type: 'user' | 'gemini', content: string) => ({
  id,
  timestamp: '2026-03-01T10:00:00.000Z',
  type,
  model: 'gemini-3-pro',
  content,
});

const MESSAGES = [
  message('m-1', 'user', 'Widen the chute'),
  message('m-2', 'gemini', 'The chute is wider.'),
  message('m-3', 'user', 'And the perch?'),
];

it('adds the new messages of a rewritten file, and nothing of an unchanged one', async () => {
  const path = join(folder, 'session-2026-03-01T10-00-0ab84937.json');
  const write = (count: number) =>
    writeFileSync(
      path,
      // In one line: the beginning of the file stays the same.
      JSON.stringify({
        sessionId: '0ab84937-0000-4000-8000-000000000000',
        projectHash: 'a'.repeat(64),
        startTime: '2026-03-01T10:00:00.000Z',
        lastUpdated: '2026-03-01T10:00:00.000Z',
        messages: MESSAGES.slice(0, count),
      }),
    );
  mkdirSync(folder, { recursive: true });
  await withHome(join(folder, 'home'), async (annals) => {
    write(2);
    expect(await annals.import([path])).toMatchObject({ sessions: 1, prompts: 1, appended: 3 });
    expect(await annals.import([path])).toMatchObject({ appended: 0, duplicates: 0 });
    write(3);
    expect(await annals.import([path])).toMatchObject({ prompts: 2, appended: 1, duplicates: 3 });
  });
});
