// A prompt that only a hook reported as private hides its whole turn, in whatever order hooks, transcripts, copies of
// them, forgetting, exports and kills come. Here the transcript's line of the prompt looks public: its tags are missing.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drainSpool } from '../../src/capture/spool/drain-spool.ts';
import { spoolFiles, spoolFolders } from '../../src/capture/spool/spool-files.ts';
import type { Home } from '../../src/home/home.ts';
import { importTranscripts } from '../../src/import/import-transcripts.ts';
import { restoreAnnals } from '../../src/index.ts';
import { openParts } from '../../src/open-parts.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { scanHome } from '../e2e/scan.ts';
import { fork, handOver, sdkFork } from '../helpers/forks.ts';
import { asked, leave, SESSION, stopped, used } from '../helpers/spool.ts';
import { mapLines, Script, withoutPromptIds } from '../helpers/transcripts.ts';

const folder = sharedFolder('private-evidence');
const FORK = '9a3c1b1e-0d4c-4f7e-9d2a-1f7c6e2b9a10';
const start = Date.now() - 60 * 60_000;
const at = (seconds: number) => start + seconds * 1_000;
let cases = 0;

interface Case {
  readonly root: string;
  readonly home: string;
  readonly path: string;
  /** Parts of the transcript: each adds a reply of the private turn; the last one also the public turn after it. */
  readonly parts: readonly Buffer[];
}

function newCase(change: (bytes: Buffer) => Buffer = (bytes) => bytes): Case {
  cases += 1;
  const root = join(folder, `case-${cases}`);
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const script = new Script({ session: SESSION, start, version: '2.1.197' });
  const ends: number[] = [];
  const end = () => ends.push(change(script.bytes()).length);
  const dated = (seconds: number) => ({ timestamp: new Date(at(seconds)).toISOString() });
  script.prompt('a public question', { promptId: 'p-0', promptSource: 'typed', ...dated(-90) });
  script.reply('a public answer', dated(-80), { stop_reason: 'end_turn' });
  script.prompt('tell me of the quokka', { promptId: 'p-1', promptSource: 'typed' });
  script.use('toolu_1', 'Bash', { command: 'cat quokka.txt' });
  script.result('toolu_1', 'a quokka', { promptId: 'p-1' });
  script.reply('the first word of a quokka', {}, { stop_reason: 'tool_use' });
  end();
  script.use('toolu_2', 'Bash', { command: 'cat more-quokka.txt' });
  script.result('toolu_2', 'more of a quokka', { promptId: 'p-1' });
  script.reply('the second word of a quokka');
  end();
  script.meta('ai-title', { aiTitle: 'All about the quokka' });
  script.reply('the third word of a quokka', {}, { stop_reason: 'end_turn' });
  script.prompt('the next question', { promptId: 'p-2', promptSource: 'typed' });
  script.reply('the next answer', {}, { stop_reason: 'end_turn' });
  end();
  const bytes = change(script.bytes());
  const parts = ends.map((to, index) => bytes.subarray(ends[index - 1] ?? 0, to));
  return { root, home, path: join(root, `${SESSION}.jsonl`), parts };
}

function hooks(home: string, fields: Record<string, unknown> = {}): void {
  leave(home, 'c-0', asked('a public question', { prompt_id: 'p-0', ...fields }), at(-90));
  leave(home, 'c-1', asked('<private>tell me of the quokka</private>', fields), at(3));
}

async function importPart({ home, path, parts }: Case, index: number): Promise<void> {
  if (index === 0) writeFileSync(path, parts[0]!);
  else appendFileSync(path, parts[index]!);
  await withHome(home, (annals) => annals.import([path]));
}

async function importParts(one: Case, ...indexes: readonly number[]): Promise<void> {
  for (const index of indexes) await importPart(one, index);
}

async function expectHidden(home: string, ...kept: readonly string[]): Promise<void> {
  const texts = await withHome(home, async (annals) =>
    (await eventsOf(annals)).flatMap(({ body }) => ('text' in body && body.text !== null ? [body.text] : [])),
  );
  expect(await scanHome(home, ['quokka'])).toEqual([]);
  for (const text of kept) expect(texts).toContain(text);
}

/** Ids of the events. */
function privatePrompts(home: string): Promise<readonly string[]> {
  return withHome(home, async (annals) =>
    (await eventsOf(annals)).flatMap((event) =>
      event.type === 'prompt.submitted' && event.body.private ? [event.id] : [],
    ),
  );
}

const KEPT = ['a public question', 'a public answer', 'the next question', 'the next answer'];

/** Works on an open home, which is closed without anything further, as if the process were killed. */
async function brokenOff(home: string, work: (parts: Home) => Promise<unknown>): Promise<void> {
  const parts = await openParts({ home });
  try {
    await work(parts);
  } finally {
    await parts.embedding.close();
    await parts.runner.close();
    await parts.log.close();
  }
}

describe('a turn whose prompt only a hook reported as private stays hidden', () => {
  it('when its transcript is imported in several parts after the hook', async () => {
    const one = newCase();
    hooks(one.home);
    for (const index of [0, 1, 2]) {
      await importPart(one, index);
      await expectHidden(one.home);
    }
    await expectHidden(one.home, ...KEPT);
  });

  it('when the hook comes after the first part of its transcript', async () => {
    const one = newCase();
    await importParts(one, 0);
    expect(await scanHome(one.home, ['quokka'])).not.toEqual([]);
    hooks(one.home);
    await withHome(one.home, (annals) => annals.status());
    await expectHidden(one.home);
    await importParts(one, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('when the hook comes after the whole transcript, with the title made from the turn', async () => {
    const one = newCase();
    await importParts(one, 0, 1, 2);
    hooks(one.home);
    await withHome(one.home, (annals) => annals.status());
    await expectHidden(one.home, ...KEPT);
  });

  it('when all parts are imported by one process', async () => {
    const one = newCase();
    hooks(one.home);
    await withHome(one.home, async (annals) => {
      for (const [index, part] of one.parts.entries()) {
        if (index === 0) writeFileSync(one.path, part);
        else appendFileSync(one.path, part);
        await annals.import([one.path]);
      }
    });
    await expectHidden(one.home, ...KEPT);
  });

  it('when the hook does not name the run', async () => {
    const one = newCase();
    hooks(one.home, { prompt_id: undefined });
    await importParts(one, 0, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('when neither hook nor transcript names the run', async () => {
    const one = newCase(withoutPromptIds);
    await importParts(one, 0);
    hooks(one.home, { prompt_id: undefined });
    await importParts(one, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('when a slow hook of another program delays the line of the prompt', async () => {
    const one = newCase();
    hooks(one.home);
    leave(one.home, 'c-1', asked('<private>tell me of the quokka</private>'), at(-45));
    await importParts(one, 0, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('when a process ends between recording the hook and forgetting the turn', async () => {
    const one = newCase();
    await importParts(one, 0);
    await brokenOff(one.home, ({ log, paths, now }) => {
      hooks(one.home);
      return drainSpool({ log, files: spoolFiles, folders: spoolFolders(paths.home), now });
    });
    expect(await scanHome(one.home, ['quokka'])).not.toEqual([]);
    await expectHidden(one.home);
    await importParts(one, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('when a process ends during the import, before anything could be forgotten', async () => {
    const one = newCase();
    hooks(one.home);
    writeFileSync(one.path, one.parts[0]!);
    await brokenOff(one.home, ({ log }) => importTranscripts({ log, paths: [one.path] }));
    expect(await scanHome(one.home, ['quokka'])).toEqual([]);
    await importParts(one, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('when the home is compacted and its views are rebuilt in between', async () => {
    const one = newCase();
    hooks(one.home);
    await importParts(one, 0);
    await withHome(one.home, async (annals) => {
      await annals.compact();
      await annals.rebuild();
    });
    await importParts(one, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });
});

describe('a copy of the session does not bring the turn back', () => {
  const copies = [
    ['a fork', (bytes: Buffer) => fork(bytes, FORK).bytes],
    ['a fork with another prompt id', (bytes: Buffer) => fork(bytes, FORK, { promptId: 'p-9' }).bytes],
    ['a fork with other line ids', (bytes: Buffer) => sdkFork(bytes, FORK).bytes],
  ] as const;

  it.each(copies)('%s, imported after the original', async (_, copy) => {
    const one = newCase();
    hooks(one.home);
    await importParts(one, 0);
    const path = join(one.root, `${FORK}.jsonl`);
    writeFileSync(path, copy(Buffer.concat(one.parts)));
    await withHome(one.home, (annals) => annals.import([path]));
    await expectHidden(one.home, 'the next answer', `Went on in ${FORK}`);
  });

  it.each(copies)('%s, imported after the hook proved what was stored to be private', async (_, copy) => {
    const one = newCase();
    await importParts(one, 0);
    hooks(one.home);
    const path = join(one.root, `${FORK}.jsonl`);
    writeFileSync(path, copy(Buffer.concat(one.parts)));
    await withHome(one.home, (annals) => annals.import([path]));
    await expectHidden(one.home, 'the next answer', `Went on in ${FORK}`);
  });

  it('a fork with the same prompt ids, when the original is never imported', async () => {
    const one = newCase();
    hooks(one.home);
    const path = join(one.root, `${FORK}.jsonl`);
    writeFileSync(path, fork(Buffer.concat(one.parts), FORK).bytes);
    await withHome(one.home, (annals) => annals.import([path]));
    await expectHidden(one.home, 'the next answer', `Went on in ${FORK}`);
  });
});

it('a continuation repeats only the end of the turn, and does not bring it back', async () => {
  const one = newCase();
  hooks(one.home);
  await withHome(one.home, (annals) => annals.status());
  const { next } = handOver(Buffer.concat(one.parts.slice(0, 2)), FORK, 4);
  const path = join(one.root, next.fileName);
  writeFileSync(path, next.bytes);
  await withHome(one.home, (annals) => annals.import([path]));
  await expectHidden(one.home, `Went on in ${FORK}`);
});

describe('the turn stays hidden after a person has forgotten', () => {
  it('its prompt, before the transcript is imported', async () => {
    const one = newCase();
    hooks(one.home);
    const ids = await privatePrompts(one.home);
    expect(ids).toHaveLength(1);
    await withHome(one.home, (annals) => annals.forget({ ids }));
    await importParts(one, 0, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('its prompt, between two parts of the transcript', async () => {
    const one = newCase();
    hooks(one.home);
    await importParts(one, 0);
    const ids = await privatePrompts(one.home);
    await withHome(one.home, (annals) => annals.forget({ ids }));
    await importParts(one, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('everything before a time', async () => {
    const one = newCase();
    hooks(one.home);
    await importParts(one, 0);
    await withHome(one.home, (annals) => annals.forget({ before: new Date(at(30)).toISOString() }));
    await importParts(one, 1, 2);
    await expectHidden(one.home, 'the next question', 'the next answer');
  });

  it('a public prompt of the same run, when the private one is reported later', async () => {
    const one = newCase();
    leave(one.home, 'c-9', asked('look at the zoo'), at(2.5));
    const ids = await withHome(one.home, async (annals) =>
      (await eventsOf(annals)).flatMap(({ type, id }) => (type === 'prompt.submitted' ? [id] : [])),
    );
    await withHome(one.home, (annals) => annals.forget({ ids }));
    hooks(one.home);
    await importParts(one, 0, 1, 2);
    await expectHidden(one.home, ...KEPT);
  });

  it('the session, and a fork of it is imported', async () => {
    const one = newCase();
    hooks(one.home);
    await withHome(one.home, (annals) => annals.forget({ session: SESSION }));
    await importParts(one, 0, 1, 2);
    await expectHidden(one.home);
    const path = join(one.root, `${FORK}.jsonl`);
    writeFileSync(path, fork(Buffer.concat(one.parts), FORK).bytes);
    await withHome(one.home, (annals) => annals.import([path]));
    await expectHidden(one.home, `Went on in ${FORK}`);
  });
});

describe('the turn stays hidden in another home', () => {
  const exported = async ({ root, home }: Case) => {
    const to = join(root, 'export');
    await withHome(home, (annals) => annals.export(to));
    return to;
  };

  it.each([
    ['with the hook alone', []],
    ['with a part of the transcript', [0]],
  ])('restored from an export %s', async (_, before) => {
    const one = newCase();
    hooks(one.home);
    await withHome(one.home, (annals) => annals.status());
    await importParts(one, ...before);
    const restored = { ...one, home: join(one.root, 'restored') };
    await restoreAnnals(await exported(one), { home: restored.home });
    writeFileSync(one.path, one.parts[0]!);
    await importParts(restored, 0, 1, 2);
    await expectHidden(restored.home, ...KEPT);
  });

  it('restored from an export made after a person forgot the prompt', async () => {
    const one = newCase();
    hooks(one.home);
    const ids = await privatePrompts(one.home);
    await withHome(one.home, (annals) => annals.forget({ ids }));
    const restored = { ...one, home: join(one.root, 'restored') };
    await restoreAnnals(await exported(one), { home: restored.home });
    await importParts(restored, 0, 1, 2);
    await expectHidden(restored.home, ...KEPT);
  });

  it('restored from such an export, when a hook reports more of the turn', async () => {
    const one = newCase();
    hooks(one.home);
    const ids = await privatePrompts(one.home);
    await withHome(one.home, (annals) => annals.forget({ ids }));
    const restored = join(one.root, 'restored');
    await restoreAnnals(await exported(one), { home: restored });
    leave(restored, 'd-1', used('toolu_1', 'a quokka', { agent_id: 'agent-7' }), at(20));
    leave(restored, 'd-2', stopped('a quokka'), at(21));
    leave(restored, 'd-3', stopped('a quokka', { prompt_id: undefined }), at(22));
    await expectHidden(restored, 'a public question');
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('that imports the export %s the transcript', async (_, first) => {
    const one = newCase();
    hooks(one.home);
    const to = await exported(one);
    const other = { ...one, home: join(one.root, 'other') };
    mkdirSync(other.home, { mode: 0o700 });
    if (!first) await importParts(other, 0);
    await withHome(other.home, (annals) => annals.import([to]));
    if (first) await importParts(other, 0);
    await expectHidden(other.home);
    await importParts(other, 1, 2);
    await expectHidden(other.home, ...KEPT);
  });
});

it('a turn whose line has the tags hides no public prompt near it', async () => {
  const one = newCase((bytes) =>
    mapLines(bytes, (line) =>
      JSON.parse(
        JSON.stringify(line).replace('"tell me of the quokka"', '"<private>tell me of the quokka</private>"'),
      ),
    ),
  );
  hooks(one.home);
  await importParts(one, 0, 1, 2);
  await expectHidden(one.home, ...KEPT);
});
