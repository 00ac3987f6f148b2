// The example in docs/agents.md gives what the page says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../../cli/call.ts';
import { read } from '../../repository/source-files.ts';

test('the example of docs/agents.md prints what the page shows', async () => {
  const page = read('docs/agents.md');
  const [transcript, description] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  const [shown = ''] = [...page.matchAll(/\$ annals agent check .*?\n(.*?)```/gs)].map(([, text]) => text);
  const folder = mkdtempSync(join(tmpdir(), 'annals-docs-'));
  try {
    writeFileSync(join(folder, 'heron.json'), description!);
    writeFileSync(join(folder, 'session.jsonl'), transcript!);
    const { stdout, code } = await call([
      'agent',
      'check',
      join(folder, 'heron.json'),
      join(folder, 'session.jsonl'),
    ]);
    expect(code).toBe(0);
    expect(stdout.replace(`${folder}/`, '').trim()).toBe(shown.replace(/^ {3}/gm, '').trim());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
