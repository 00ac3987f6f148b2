// Bad files, folders, disks and homes, through the command: each gives one clear sentence, a hint, the right exit code
// and the same as JSON, and loses no acknowledged data.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  createWriteStream,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPOSITORY } from '../helpers/program.ts';
import { Script } from '../helpers/transcripts.ts';
import {
  annals,
  annalsHere,
  buildCommand,
  type CallOptions,
  complaintOf,
  type Ended,
  WITH_WORKER,
} from './command.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';

const NOBODY = 65_534;
const MEGABYTE = 1024 * 1024;
const folder = sharedFolder('bad');
const examples = join(REPOSITORY, 'examples');
beforeAll(buildCommand);

function put(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** In a process of its own only for another user or with other settings of Node. */
const run = (words: readonly string[], options: CallOptions): Promise<Ended> =>
  options.uid === undefined && options.env === undefined
    ? annalsHere(words, options)
    : annals(words, options);

/** Expects one sentence, one hint, and no stack anywhere. */
async function expectComplaint(
  words: readonly string[],
  options: CallOptions,
  code: string,
  exit = 1,
): Promise<string> {
  const json = await run([...words, '--json'], options);
  expect(json.code, json.stdout + json.stderr).toBe(exit);
  const { message, hint, ...rest } = complaintOf(json);
  expect(rest).toEqual({ code });
  expectPlain(message);
  expectPlain(hint ?? '');
  expectNoStack(json);
  const person = await run(words, options);
  expect(person.code).toBe(exit);
  expect(person.stdout).toBe('');
  // The messages may differ: a disk that filled up during a write is full at the next opening.
  expect(person.stderr).toMatch(/^error: \S.*\n\S.*\n$/);
  expectNoStack(person);
  return message;
}

function expectPlain(sentence: string): void {
  expect(sentence).toMatch(/^\S.*[^\s]$/);
  expect(sentence).not.toMatch(/\n|undefined|\[object|Error:/);
}

function expectNoStack({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toMatch(/^\s+at |A bug in Annals|INTERNAL/m);
}

async function importJson(paths: readonly string[], options: CallOptions) {
  const ended = await run(['import', ...paths, '--json'], options);
  expectNoStack(ended);
  return { ...ended, report: JSON.parse(ended.stdout.trimEnd().split('\n').at(-1)!) };
}

/** Expects earlier events to be there, the log to verify and a good import to work. */
async function expectNothingLost(home: string, before: readonly string[]): Promise<void> {
  const good = await importJson([examples], { home });
  expect(good.code).toBe(0);
  expect(good.report).toMatchObject({ files: 3, sessions: 2, prompts: 5 });
  const ids = (await withHome(home, eventsOf)).map(({ id }) => id);
  expect(before.filter((id) => !ids.includes(id))).toEqual([]);
  expect(JSON.parse((await annalsHere(['verify', '--json'], { home })).stdout)).toMatchObject(SOUND);
}

async function idsIn(home: string): Promise<string[]> {
  return (await withHome(home, eventsOf)).map(({ id }) => id);
}

function good(number: number, turns = 3, resultBytes = 300): Buffer {
  const script = new Script({
    session: `${number}5555555-3333-4333-8444-555555555555`,
    firstUuid: number * 10_000,
  });
  for (let turn = 0; turn < turns; turn++) {
    script.prompt(`prompt ${turn} of ${number}`);
    script.use(`toolu_${number}_${turn}`, 'Bash', { command: `make ${turn}` });
    script.result(`toolu_${number}_${turn}`, noise(number * 1_000 + turn, resultBytes));
    script.reply(`done ${turn}`);
  }
  return script.bytes();
}

/** Text that LevelDB can hardly compress. */
function noise(seed: number, bytes: number): string {
  const blocks = Array.from({ length: Math.ceil(bytes / 44) }, (_, block) =>
    createHash('sha256').update(`${seed}/${block}`).digest('base64'),
  );
  return blocks.join(' ').slice(0, bytes);
}

describe('files that are not valid transcripts', () => {
  test('are reported one by one with a reason, and all other files are imported', async () => {
    const home = join(folder, 'files-home');
    const source = join(folder, 'files');
    const junk = Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256));
    const lines = good(1).toString().split('\n');
    put(
      join(source, 'truncated.jsonl'),
      [...lines.slice(0, 4), lines[4]!.slice(0, 80), ...lines.slice(5)].join('\n'),
    );
    put(join(source, 'torn.jsonl'), good(2).subarray(0, -25));
    put(join(source, 'junk-inside.jsonl'), Buffer.concat([good(3), junk, Buffer.from('\n'), good(4)]));
    put(join(source, 'junk.jsonl'), junk);
    put(join(source, 'zeros.jsonl'), Buffer.alloc(100_000));
    put(join(source, 'empty.jsonl'), '');
    put(join(source, 'newlines.jsonl'), '\n\n\n');
    put(join(source, 'other.jsonl'), '{"kind":"something else"}\n{"kind":"again"}\n');
    put(join(source, 'array.jsonl'), '[1,2,3]\n"text"\n');
    put(join(source, 'readme.md'), '# no transcript');
    put(join(source, 'deep', 'node_modules', 'picture.png'), junk);
    const { code, report } = await importJson([source], { home });
    expect(report).toMatchObject({ sessions: 4, prompts: 11 });
    expect(report.toolUses).toBe(12);
    expect(report.parked).toBeGreaterThan(1);
    for (const { reason, length } of report.parkedLines) {
      expectPlain(reason);
      expect(length).toBeGreaterThan(0);
    }
    const unread = report.unreadable.map(({ path }: { path: string }) => path.split('/').at(-1)).sort();
    expect(unread).toEqual(['array.jsonl', 'junk.jsonl', 'other.jsonl', 'zeros.jsonl']);
    for (const { reason } of report.unreadable) expectPlain(reason);
    expect(code).toBe(1);
    // A torn line is read when its end has arrived.
    put(join(source, 'torn.jsonl'), good(2));
    expect((await importJson([join(source, 'torn.jsonl')], { home })).report).toMatchObject({
      parked: 0,
      prompts: 3,
    });
    await expectNothingLost(home, await idsIn(home));
  });

  test('a folder without transcripts is reported as such, and a missing path is named', async () => {
    const home = join(folder, 'none-home');
    put(join(folder, 'none/a.txt'), 'nothing');
    const none = await annalsHere(['import', join(folder, 'none')], { home });
    expect(none.stderr).toContain('no file below these paths has the name of a transcript');
    const { code, report } = await importJson([join(folder, 'not-there'), examples], { home });
    expect(code).toBe(1);
    expect(report).toMatchObject({ files: 3, unreadable: [{ path: join(folder, 'not-there') }] });
    const words = await annalsHere(['import', join(folder, 'not-there')], { home });
    expect(words.code).toBe(1);
    expect(words.stderr).toContain('does not exist');
    expectNoStack(words);
    await expectComplaint(['import'], { home }, 'USAGE', 2);
    await expectComplaint(['show', 'not-an-id'], { home }, 'NOT_FOUND');
    await expectComplaint(['search', 'x', '--since', 'yesterdayish'], { home }, 'USAGE', 2);
    await expectNothingLost(home, await idsIn(home));
  });

  test('a line of 100 MB is parked with its offset, and memory stays below 400 MB', async () => {
    const home = join(folder, 'large-home');
    const measure = put(
      join(folder, 'measure.mjs'),
      "process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS));\n",
    );
    const path = join(folder, 'large.jsonl');
    const out = createWriteStream(path);
    const piece = Buffer.alloc(MEGABYTE, 'a long line '.repeat(8));
    const long = async (megabytes: number, head: string, tail: string) => {
      out.write(head);
      for (let at = 0; at < megabytes; at++) if (!out.write(piece)) await once(out, 'drain');
      out.write(tail);
    };
    out.write(good(1));
    const { length } = good(1);
    await long(100, '{"type":"user","message":{"role":"user","content":"', '"}}\n');
    out.write(good(2));
    // Below the limit: read and clipped.
    const line =
      '{"type":"user","sessionId":"x","uuid":"u-1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"';
    await long(12, line, '"}}\n');
    out.write(good(3));
    // The torn end of a second oversized line.
    await long(100, '{"type":"user","message":{"role":"user","content":"', '');
    out.end();
    await once(out, 'close');
    const env = { NODE_OPTIONS: `--import ${measure}` };
    const { code, stderr, report } = await importJson([path], { home, env });
    const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
    console.log(`lines of 100, 12 and 100 MB: peak ${peak.toFixed(0)} MB`);
    expect(peak).toBeGreaterThan(30);
    expect(peak).toBeLessThan(400);
    expect(code).toBe(0);
    expect(report).toMatchObject({ prompts: 10, toolUses: 9, parked: 2 });
    expect(report.parkedLines[0]).toMatchObject({ offset: length });
    expect(report.parkedLines[0].length).toBeGreaterThan(100 * MEGABYTE);
    // The rest of the last line and more lines arrive: nothing is counted twice or missed.
    appendFileSync(path, Buffer.concat([Buffer.from('"}}\n'), good(4)]));
    const later = (await importJson([path], { home, env })).report;
    expect(later).toMatchObject({ prompts: 13, toolUses: 12, parked: 2 });
    expect(later.parkedLines[1].length).toBeGreaterThan(100 * MEGABYTE);
    rmSync(path);
    await expectNothingLost(home, await idsIn(home));
  }, 180_000);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a kind of event called %s is wrong use, not a bug',
  async (kind) => {
    const reading = withHome(join(folder, `kind-${kind}`), async (library) => {
      for await (const _ of library.log({ kind })) break;
    });
    await expect(reading).rejects.toMatchObject({ code: 'USAGE' });
  },
);

describe('homes that are refused', () => {
  const source = examples;

  test('a file, a link, a folder open to others, a folder below a file', async () => {
    const home = join(folder, 'real-home');
    await importJson([source], { home });
    const before = await idsIn(home);
    const file = put(join(folder, 'file-home'), 'precious');
    expect(await expectComplaint(['status'], { home: file }, 'HOME_INVALID')).toContain('is not a folder');
    const link = join(folder, 'link-home');
    symlinkSync(home, link);
    expect(await expectComplaint(['search', 'x'], { home: link }, 'HOME_INVALID')).toContain('is a link');
    expect(
      await expectComplaint(['import', source], { home: join(file, 'below') }, 'HOME_INVALID'),
    ).toContain('not a folder');
    chmodSync(home, 0o755);
    expect(await expectComplaint(['log'], { home }, 'HOME_INVALID')).toContain('open to others');
    chmodSync(home, 0o700);
    await expectNothingLost(home, before);
  });

  const root = process.getuid?.() === 0;
  test.skipIf(!root)('a home of another user (only root can make one)', async () => {
    const home = join(folder, 'others-home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, NOBODY, NOBODY);
    expect(await expectComplaint(['status'], { home }, 'HOME_INVALID')).toContain('another user');
  });

  test.skipIf(!root)(
    'one that may not be written, files and folders that may not be read (only root can try as another user)',
    async (context) => {
      const workdir = join(folder, 'nobody');
      mkdirSync(workdir);
      chmodSync(folder, 0o755);
      chownSync(workdir, NOBODY, NOBODY);
      const home = join(workdir, 'home');
      const options = { home, uid: NOBODY };
      const { code } = await annals(['status', '--json'], options);
      context.skip(code !== 0, 'this checkout cannot be read by another user');
      const files = join(folder, 'rights');
      cpSync(join(examples, 'birdfeeder'), join(files, 'open'), { recursive: true });
      put(join(files, 'locked/a.jsonl'), good(1));
      chmodSync(join(files, 'locked'), 0o000);
      chmodSync(put(join(files, 'secret.jsonl'), good(2)), 0o000);
      const { code: importCode, report } = await importJson([files], options);
      expect(importCode).toBe(1);
      expect(report).toMatchObject({ files: 3, sessions: 2 });
      expect(report.unreadable.map(({ path }: { path: string }) => path).sort()).toEqual([
        join(files, 'locked'),
        join(files, 'secret.jsonl'),
      ]);
      for (const { reason } of report.unreadable) expect(reason).toContain('permission denied');
      mkdirSync(join(folder, 'closed'), { mode: 0o700 });
      expect(
        await expectComplaint(
          ['status'],
          { home: join(folder, 'closed/home'), uid: NOBODY },
          'HOME_UNWRITABLE',
        ),
      ).toContain('permission denied');
      // A log without read permission: reported, kept, and complete when the permission is back.
      chownSync(join(home, 'log'), 0, 0);
      chmodSync(join(home, 'log'), 0o700);
      await expectComplaint(['status'], options, 'HOME_UNWRITABLE');
      chownSync(join(home, 'log'), NOBODY, NOBODY);
      const after = await annals(['verify', '--rebuilt', '--json'], options);
      expect(JSON.parse(after.stdout)).toMatchObject(SOUND);
    },
  );
});

describe('a home that another process has locked', () => {
  // A worker answers both.
  test.skipIf(WITH_WORKER)('is waited for with a note, and then refused with a clear error', async () => {
    const home = join(folder, 'locked-home');
    let waiting: Promise<Ended> | null = null;
    await withHome(home, async (holder) => {
      await holder.save({ title: 'kept', text: 'while the others wait' });
      // A command that finds time to pass ten times as fast.
      const fast = put(
        join(folder, 'fast.cjs'),
        'const { uptime } = process;\nprocess.uptime = () => 10 * uptime();\n',
      );
      const env = { NODE_OPTIONS: `--require ${fast}` };
      const ended = await annals(['status', '--json'], { home, env });
      expect(ended.code).toBe(1);
      expect(complaintOf(ended)).toMatchObject({ code: 'HOME_LOCKED' });
      expect(Number(/waited ([\d.]+) s/.exec(complaintOf(ended).message)?.[1])).toBeGreaterThan(14);
      expectPlain(complaintOf(ended).message);
      expectPlain(complaintOf(ended).hint ?? '');
      expect(ended.stderr).toContain('waiting for it');
      expectNoStack(ended);
      // An import waits longer and gets the home as soon as it is free.
      waiting = annals(['import', examples, '--json'], { home });
      await holder.search('waiting');
    });
    expect(await waiting).toMatchObject({ code: 0 });
    await expectNothingLost(home, await idsIn(home));
  });
});

describe('a disk that is full', () => {
  const disk = join(folder, 'disk');
  let mounted = false;
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'pipe' });
  beforeAll(() => {
    mkdirSync(disk);
    try {
      mount('size=3m');
      mounted = true;
    } catch {
      // Only a privileged process may mount; otherwise the test is skipped.
    }
  });
  afterAll(() => {
    if (mounted) execFileSync('umount', [disk]);
  });

  test('is reported and loses nothing, and the import completes when there is space again', async (context) => {
    context.skip(!mounted, 'a small disk can only be mounted by root');
    const home = join(disk, 'home');
    const source = join(folder, 'much');
    for (let file = 1; file <= 5; file++) put(join(source, `${file}.jsonl`), good(file, 30, 24_000));
    await importJson([examples], { home });
    const before = await idsIn(home);
    const message = await expectComplaint(['import', source], { home }, 'DISK_FULL');
    expect(message).toMatch(/full/);
    // Nothing is free: opening itself has to write.
    let filler = 0;
    for (let bytes = MEGABYTE; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) writeFileSync(join(disk, `filler-${filler++}`), Buffer.alloc(bytes));
      } catch {
        // Full for this size: fill the rest with smaller files.
      }
    }
    for (const words of [['status'], ['search', 'feeding'], ['save', '--title', 'x', '--text', 'y']])
      await expectComplaint(words, { home }, 'DISK_FULL');
    mount('remount,size=64m');
    const ids = await idsIn(home);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    expect(JSON.parse((await annalsHere(['verify', '--rebuilt', '--json'], { home })).stdout)).toMatchObject(
      SOUND,
    );
    expect((await importJson([source], { home })).report).toMatchObject({
      files: 5,
      prompts: 150,
      toolUses: 150,
    });
    const undisturbed = join(folder, 'undisturbed-home');
    await importJson([examples], { home: undisturbed });
    await importJson([source], { home: undisturbed });
    expect((await idsIn(home)).sort()).toEqual((await idsIn(undisturbed)).sort());
    const digests = async (of: string) =>
      JSON.parse((await annalsHere(['verify', '--rebuilt', '--json'], { home: of })).stdout).views.map(
        ({ name, live }: { name: string; live: string }) => [name, live],
      );
    expect(await digests(home)).toEqual(await digests(undisturbed));
  }, 240_000);
});
