// A folder of transcripts: hostile lines among valid ones, and a valid file after them.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTranscripts } from '../../../src/import/import-transcripts.ts';
import { openRegularFile } from '../../../src/platform/regular-file.ts';
import { openMemoryLog } from '../../helpers/logs.ts';
import { rawLines, Script } from '../../helpers/transcripts.ts';
import { isTooDeep, type MakeCase } from './found.ts';
import { type Chance, hostileBytes, longText, oneIn, pick } from './hostile-json.ts';

const HONEST = honestLines();

const LINES_MAX = 12;

export const transcriptCase: MakeCase = async (luck, folder) => {
  const first = new Script({ session: 'honest-1', firstUuid: 1_000 });
  first.prompt('Before it?');
  const last = new Script({ session: 'honest-2', firstUuid: 2_000 });
  last.prompt('Behind it?');
  const hostile = hostileLines(luck);
  // Each of thousands of tiny lines is not much of an input.
  const lines = Math.min(LINES_MAX, hostile.toString('latin1').split('\n').length - 1 || 1);
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, Buffer.concat([first.bytes(), hostile, Buffer.from('\n'), last.bytes()]));
  const nextFile = new Script({ session: 'honest-3', firstUuid: 3_000 });
  nextFile.prompt('In the next file?');
  writeFileSync(join(folder, 'b.jsonl'), nextFile.bytes());
  const isOdd = oneIn(40, luck);
  if (isOdd) pick(ENTRIES, luck)(join(folder, 'aa.jsonl'));
  const change = oneIn(20, luck) ? pick(CHANGES, luck) : null;
  const log = await openMemoryLog();
  const report = await importTranscripts({
    log,
    paths: [folder],
    openFile: async (one) => {
      const file = await openRegularFile(one);
      if (one === path) change?.(path);
      return file;
    },
  });
  const sessions = new Set<string>();
  let events = 0;
  let tooDeep = false;
  for (let after = 0; ; ) {
    const page = await log.page({ after });
    if (page.events.length === 0) break;
    for (const event of page.events) {
      if (event.type === 'prompt.submitted' && event.session?.startsWith('honest-'))
        sessions.add(event.session);
      tooDeep ||= isTooDeep(event);
      events += 1;
    }
    after = page.end.position;
  }
  await log.close();
  const wrong: string[] = [];
  const expected = change === null ? 3 : 1;
  if (sessions.size < expected || !sessions.has('honest-3'))
    wrong.push(`of 3 valid prompts only ${[...sessions]} were recorded`);
  if (tooDeep) wrong.push('a body is too deep');
  const parked = report.files.reduce((sum, file) => sum + file.parked, 0);
  if (report.files.some(({ parkedLines }) => parkedLines.some(({ reason }) => reason.length < 5)))
    wrong.push('a line is parked without a reason');
  if (report.unreadable.some(({ reason }) => reason.length < 5))
    wrong.push('a file is refused without a reason');
  // Sessions and prompts of the valid files are six events.
  const rest = Math.max(0, lines - parked);
  const taken = Math.min(rest, Math.max(0, events - 6));
  return { fates: { parked: lines - rest, taken, 'left alone': rest - taken }, wrong };
};

function hostileLines(luck: Chance): Buffer {
  switch (luck.below(400)) {
    case 0:
      return Buffer.from('\n'.repeat(50_000));
    case 1:
      return Buffer.from(
        `${pick(['{}', '1', '""', '[', '{"type":"user"}', '\u0000'], luck)}\n`.repeat(10_000),
      );
    case 2:
      return oneIn(20, luck)
        ? Buffer.alloc(100_000_000, pick(['x', '[', '"', '\u0000'], luck))
        : Buffer.from('{');
    default:
      return Buffer.concat(
        Array.from({ length: 1 + luck.below(LINES_MAX) }, () =>
          Buffer.concat([
            hostileBytes(pick(HONEST, luck), luck),
            Buffer.from(oneIn(10, luck) ? '\r\n' : '\n'),
          ]),
        ),
      );
  }
}

function honestLines(): readonly Readonly<Record<string, unknown>>[] {
  const script = new Script({ session: 'hostile' });
  script.prompt('Why?');
  script.use('toolu_1', 'Bash', { command: 'ls' });
  script.result('toolu_1', 'a b c', {
    toolUseResult: { stdout: 'a b c', stderr: '', nested: { list: [1, 2] } },
  });
  script.use('toolu_2', 'Task', { prompt: 'go' });
  script.result('toolu_2', [{ type: 'text', text: 'gone' }], {
    toolUseResult: { agentId: 'a1', content: [] },
  });
  script.reply('Because.');
  script.enqueue('And then?');
  script.meta('summary', { summary: 'Talk', leafUuid: '00000001-0000-4000-8000-000000000000' });
  script.meta('custom-title', { customTitle: 'Mine' });
  script.system('compact_boundary', { compactMetadata: { preTokens: 5 } });
  script.attachment({ type: 'queued_command', prompt: 'More?' });
  return rawLines(script.bytes());
}

const ENTRIES: readonly ((path: string) => void)[] = [
  (path) => symlinkSync('/dev/zero', path),
  (path) => symlinkSync('/nowhere', path),
  (path) => mkdirSync(path),
  (path) => mkdirSync(join(path, ...'abcdefghijklmnopqrstuvwxyz'), { recursive: true }),
  (path) => execFileSync('mkfifo', [path]),
  (path) => writeFileSync(path, ''),
  (path) => writeFileSync(path, Buffer.alloc(5_000)),
];

/** What happens to the file between its opening and its reading. */
const CHANGES: readonly ((path: string) => void)[] = [
  (path) => truncateSync(path, 0),
  (path) => truncateSync(path, 700),
  (path) => appendFileSync(path, longText({ below: () => 1 } as unknown as Chance)),
  (path) => writeFileSync(path, 'another file altogether\n'),
];
