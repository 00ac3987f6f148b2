// Views that are far behind the log, as after an update: who takes a part is answered at once, and the stream says how far
// they are.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { served, TOKEN } from './served.ts';

const NOTES = 3_500;

test('while the views are built, a caller may take what there is, and the stream tells how far it is', async () => {
  const folder = await temporaryFolder();
  const first = await openAnnals({ home: folder.path });
  await first.save(Array.from({ length: NOTES }, (_, n) => ({ title: `Note ${n}`, text: 'x', cwd: '/srv' })));
  await first.close();
  rmSync(join(folder.path, 'views'), { recursive: true });
  const annals = await openAnnals({ home: folder.path });
  const server = await served({ annals });
  const gone = new AbortController();
  try {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const stream = await fetch(`${server.base}/api/stream?last=2`, { headers, signal: gone.signal });
    const part = (await server.call('GET', '/api/memories?soFar=true&limit=1000')).json;
    expect(part.items).toEqual([]);
    expect(part.degraded).toEqual([
      expect.stringMatching(/^The views are being built from the log: [\d,]+ of 3,5\d\d events so far\./),
    ]);
    const whole = (await server.call('GET', '/api/memories?limit=1000')).json;
    expect(whole.items).toHaveLength(1_000);
    expect((await server.call('GET', '/api/memories?soFar=true&limit=1')).json.degraded).toBeUndefined();
    const { captured, progress } = await messagesUntilBuilt(stream);
    expect(captured).toHaveLength(2);
    expect(progress.at(-1)!.total).toBeGreaterThanOrEqual(NOTES);
  } finally {
    gone.abort();
    await server.close();
    await annals.close();
    await folder.remove();
  }
});

interface Progress {
  readonly work: string;
  readonly done: number;
  readonly total: number;
}

/** Up to the progress that says that the views are built. */
async function messagesUntilBuilt(answer: Response) {
  const captured: string[] = [];
  const progress: Progress[] = [];
  let text = '';
  for await (const bytes of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += bytes;
    const messages = text.split('\n\n');
    text = messages.pop()!;
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1] ?? '';
      if (message.includes('event: captured')) captured.push(data);
      if (message.includes('event: progress')) progress.push(JSON.parse(data) as Progress);
    }
    const last = progress.at(-1);
    if (last !== undefined && last.work === 'views' && last.done === last.total && captured.length >= 2)
      break;
  }
  return { captured, progress };
}
