import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnalsError, type Log, type NewEvent } from '../../log/index.ts';
import { ownFileFinder } from '../../src/agents/claude-code/reader-world.ts';
import { importTranscripts, type TranscriptImport } from '../../src/import/import-transcripts.ts';
import { Rollout, START, uuidAt } from '../agents/codex/rollout.ts';
import {
  context,
  firstTurn,
  head,
  model,
  SESSION,
  SUBAGENT,
  textOf,
  user,
} from '../agents/gemini-cli/session.ts';
import { answer, user as asked, exported, text } from '../agents/opencode/session.ts';
import { onEachCorpus } from '../helpers/corpus/corpora.ts';
import { fork, handOver, oldResume, sdkFork } from '../helpers/forks.ts';
import { openMemoryLog, openTestLog } from '../helpers/logs.ts';
import { ofType, readWhole, Script } from '../helpers/transcripts.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

let folder: { path: string; remove(): Promise<void> };
let log: Log;

beforeEach(async () => {
  folder = await temporaryFolder();
  log = await openMemoryLog();
});
afterEach(async () => {
  await log.close();
  await folder.remove();
});

function at(...names: string[]): string {
  return join(folder.path, ...names);
}

function put(name: string, content: Script | Buffer | string): string {
  mkdirSync(join(at(name), '..'), { recursive: true });
  writeFileSync(at(name), content instanceof Script ? content.bytes() : content);
  return at(name);
}

function importAll(extra: Partial<TranscriptImport> = {}) {
  return importTranscripts({ log, paths: [folder.path], ...extra });
}

async function events(from: Log = log) {
  const { events: found } = await from.page({ after: 0, limit: 100_000, bytesMax: 1e9 });
  return found as unknown as readonly NewEvent[];
}

function conversation(firstUuid = 1, session?: string): Script {
  const script = new Script({ firstUuid, ...(session === undefined ? {} : { session }) });
  script.prompt('go');
  script.use(`toolu_${firstUuid}`);
  script.result(`toolu_${firstUuid}`, 'ok');
  script.reply('done');
  return script;
}

function readsOfLog(): Omit<TranscriptImport['log'], 'append'> {
  return {
    cursor: (name) => log.cursor(name),
    cursors: (prefix) => log.cursors(prefix),
    scan: (look) => log.scan(look),
    pageBySession: (request) => log.pageBySession(request),
    forgettings: () => log.forgettings(),
  };
}

describe('Below a folder', () => {
  it('a document that an agent wrote is imported under any name, and no other JSON', async () => {
    const messages = [context, ...firstTurn.filter(({ id }) => typeof id === 'string')];
    put('kept/talk of Monday.json', JSON.stringify({ ...head(), messages }, null, 2));
    put('kept/settings.json', '{"sessionId": "one", "messages": "none"}');
    put('kept/broken.json', '{');
    const { files, unreadable } = await importAll();
    expect(files.map(({ agent, path }) => [agent, basename(path)])).toEqual([
      ['gemini-cli', 'talk of Monday.json'],
    ]);
    expect(files[0]!.appended).toBeGreaterThan(3);
    expect(unreadable).toEqual([]);
  });
});

describe('A transcript that is read as a whole', () => {
  it('is not imported if it is too large or cannot be decoded, and the reason says so', async () => {
    truncateSync(put('ses_1.json', '{"info":{"id":"ses_1"'), 256 * 1024 ** 2 + 1);
    put('rollout-1.jsonl.zst', 'neither compressed nor a rollout');
    const { unreadable } = await importAll();
    expect(unreadable.map(({ path, reason }) => [basename(path), reason])).toEqual([
      ['rollout-1.jsonl.zst', 'could not be decoded'],
      ['ses_1.json', 'is larger than 256 MiB'],
    ]);
  });
});

describe('an import whose log fails in the middle', () => {
  it.each([1, 2])(
    'at call %i is reported, and the next import appends the rest, each event once',
    async (failing) => {
      const script = new Script({});
      // Two pages of a megabyte.
      for (let number = 0; number < 600; number++) script.prompt(`Question ${number} ${'word '.repeat(500)}`);
      const path = put('long.jsonl', script);
      let calls = 0;
      const broken: TranscriptImport['log'] = {
        ...readsOfLog(),
        append: async (newEvents, options) => {
          if (++calls === failing) throw new Error('The disk is full.');
          return log.append(newEvents, options);
        },
      };
      const request = { paths: [path] };
      await expect(importTranscripts({ ...request, log: broken })).rejects.toThrow('The disk is full.');
      const before = (await events()).filter(({ type }) => type === 'prompt.submitted').length;
      expect(before).toBeLessThan(600);
      await importTranscripts({ ...request, log });
      const logged = (await events()).flatMap((event) =>
        event.type === 'prompt.submitted' ? [event.dedupeKey] : [],
      );
      expect(logged).toHaveLength(600);
      expect(new Set(logged).size).toBe(600);
    },
  );
});

describe('Importing transcripts', () => {
  it('appends everything once; a second import appends nothing and reports the same', async () => {
    const script = conversation();
    script.use('toolu_open');
    script.text('bad line\n');
    script.meta('brand-new');
    put('project/session.jsonl', script);
    const first = await importAll();
    expect(first.files).toMatchObject([
      {
        path: at('project', 'session.jsonl'),
        sessions: [{ session: script.session, agentId: null, cwds: ['/home/u/app'] }],
        appended: 4,
        duplicates: 0,
        parked: 1,
        parkedLines: [{ length: 8, reason: 'not a JSON object' }],
        openToolUses: ['toolu_open'],
        unknownLines: { 'brand-new': 1 },
      },
    ]);
    const second = await importAll();
    expect(second.files).toEqual([{ ...first.files[0], appended: 0 }]);
    expect(log.head().position).toBe(4);
  });

  it('continues where it stopped when the file grows, also after an incomplete line', async () => {
    const bytes = conversation().bytes();
    const path = put('session.jsonl', bytes.subarray(0, 700));
    await importAll();
    appendFileSync(path, bytes.subarray(700, bytes.length - 30));
    const torn = await importAll();
    expect(torn.files[0]?.tornBytes).toBeGreaterThan(0);
    appendFileSync(path, bytes.subarray(bytes.length - 30));
    const { files } = await importAll();
    expect(files[0]).toMatchObject({ appended: 1, duplicates: 0, tornBytes: 0 });
    expect((await events()).map(({ type, dedupeKey }) => [type, dedupeKey])).toEqual(
      readWhole(bytes).newEvents.map(({ type, dedupeKey }) => [type, dedupeKey]),
    );
  });

  it('follows a file that moved to another folder', async () => {
    const path = put('a/session.jsonl', conversation());
    await importAll();
    mkdirSync(at('b'));
    renameSync(path, at('b', 'session.jsonl'));
    const more = new Script({ firstUuid: 90 });
    more.reply('after the move');
    appendFileSync(at('b', 'session.jsonl'), more.bytes());
    expect((await importAll()).files).toMatchObject([{ appended: 1, duplicates: 0 }]);
    expect((await importAll()).files).toMatchObject([{ appended: 0, duplicates: 0 }]);
  });

  it('leaves no cursor under the old name of a moved file, even when nothing was added to it', async () => {
    const path = put('a/session.jsonl', conversation());
    await importAll();
    const [before] = (await log.cursors('claude-code file')).map(({ key }) => key);
    renameSync(path, at('a', 'renamed.jsonl'));
    expect((await importAll()).files).toMatchObject([{ appended: 0, duplicates: 0 }]);
    const after = (await log.cursors('claude-code file')).map(({ key }) => key);
    expect(after).toEqual([before!.replace('session.jsonl', 'renamed.jsonl')]);
  });

  it('reads a different file at the path of a known one from its start', async () => {
    const path = put('a/session.jsonl', conversation());
    await importAll();
    renameSync(path, at('a', 'other.jsonl'));
    const other = conversation(50, 'another-session');
    other.reply('and more than was there before');
    put('a/other.jsonl', other);
    const { files } = await importAll();
    expect(files).toMatchObject([{ appended: readWhole(other.bytes()).newEvents.length, duplicates: 0 }]);
  });

  it('parks what the log refuses, appends everything else, and does not read it again', async () => {
    const refusing: TranscriptImport['log'] = {
      ...readsOfLog(),
      append: (newEvents, options) =>
        newEvents.some(({ type }) => type === 'agent.replied')
          ? Promise.reject(new AnnalsError('INPUT_INVALID', 'This cannot be taken.'))
          : log.append(newEvents, options),
    };
    put('session.jsonl', conversation());
    const first = await importAll({ log: refusing });
    expect(first.files).toMatchObject([{ appended: 3, parked: 1 }]);
    expect(first.files[0]?.parkedLines).toMatchObject([{ reason: 'the log refused its event' }]);
    const asked: number[] = [];
    const watched = { ...refusing, append: refusing.append };
    watched.append = (newEvents, options) => {
      asked.push(newEvents.length);
      return refusing.append(newEvents, options);
    };
    expect((await importAll({ log: watched })).files).toMatchObject([{ appended: 0, duplicates: 0 }]);
    expect(asked).toEqual([]);
  });

  it('reads a file again from its start when it shrank or begins differently, and appends nothing twice', async () => {
    const expected = conversation().bytes();
    const path = put('session.jsonl', expected);
    await importAll();
    writeFileSync(path, expected.subarray(0, 700));
    expect((await importAll()).files).toMatchObject([{ appended: 0, duplicates: 2 }]);
    writeFileSync(path, Buffer.concat([Buffer.from('{"type":"mode","mode":"x"}\n'), expected]));
    expect((await importAll()).files).toMatchObject([{ appended: 0, duplicates: 4 }]);
  });

  it('reads a file again that was cut off in the middle and has grown since', async () => {
    const script = new Script({ session: 'cut' });
    for (let count = 0; count < 100; count++) script.prompt(`Before ${count} ${'x'.repeat(900)}`);
    const path = put('cut.jsonl', script);
    await importAll();
    const kept = script.bytes().subarray(0, script.bytes().indexOf('\n', 80_000) + 1);
    const later = new Script({ session: 'cut', firstUuid: 5_000 });
    for (let count = 0; count < 100; count++) later.prompt(`After ${count} ${'y'.repeat(500)}`);
    writeFileSync(path, Buffer.concat([kept, later.bytes()]));
    expect(await importAll()).toMatchObject({ files: [{ parked: 0 }] });
    const texts = (await events()).map(({ body }) =>
      'text' in body ? String(body.text).split(' ', 2).join(' ') : '',
    );
    expect(texts.filter((text) => text.startsWith('After'))).toHaveLength(100);
    expect(await importAll()).toMatchObject({ files: [{ appended: 0, duplicates: 0 }] });
  });

  it('finds files at any depth, a main file before its sub-agents, and follows no links', async () => {
    put('p/s1/subagents/workflows/agent-b.jsonl', conversation(40));
    put('p/s1/subagents/agent-a.jsonl', conversation(20));
    put('p/s1.jsonl', conversation(1));
    put('p/notes.txt', 'no transcript');
    put('outside/other.jsonl', conversation(60, 'other'));
    symlinkSync(at('outside'), at('p', 'link'));
    symlinkSync(at('outside', 'other.jsonl'), at('p', 'link.jsonl'));
    const { files } = await importAll({ paths: [at('p')] });
    expect(files.map(({ path }) => path.slice(folder.path.length + 1))).toEqual([
      'p/s1.jsonl',
      'p/s1/subagents/agent-a.jsonl',
      'p/s1/subagents/workflows/agent-b.jsonl',
    ]);
    expect(files.map(({ sessions }) => sessions[0]?.agentId)).toEqual([null, 'a', 'b']);
  });

  it('notes what cannot be read and imports the rest', async () => {
    put('good.jsonl', conversation());
    put('empty.jsonl', '');
    put('binary.jsonl', Buffer.from([0, 1, 2, 3, 255, 10, 0, 7]));
    put('endless.jsonl', Buffer.alloc(3000, 7));
    put('other-program.jsonl', '{"type":"session_meta","payload":{}}\n{"type":"response_item"}\n');
    put('locked/x.jsonl', conversation(30));
    const locked = process.getuid?.() !== 0;
    if (locked) chmodSync(at('locked'), 0);
    const report = await importAll({ paths: [folder.path, at('absent'), at('empty.jsonl')] });
    if (locked) chmodSync(at('locked'), 0o700);
    const reasons = Object.fromEntries(
      report.unreadable.map(({ path, reason }) => [path.slice(folder.path.length + 1), reason]),
    );
    expect(reasons).toMatchObject({
      absent: 'does not exist (ENOENT)',
      'empty.jsonl': 'is empty',
      'binary.jsonl': 'not a transcript of a known agent: none of its lines (1) has a known type',
      'endless.jsonl': 'not a transcript of a known agent: it does not begin with a JSON object',
      'other-program.jsonl': 'not a transcript of a known agent: none of its lines (2) has a known type',
    });
    if (locked) expect(reasons.locked).toContain('permission denied');
    expect(report.files.filter(({ appended }) => appended > 0).length).toBeGreaterThan(0);
    expect(report.files.find(({ path }) => path === at('empty.jsonl'))).toMatchObject({
      appended: 0,
      parked: 0,
    });
  });

  it('marks files that the machine could not read for now, and reads them next time', async () => {
    put('busy.jsonl', conversation());
    put('good.jsonl', conversation(30, 'other'));
    const openFile = async (path: string) => {
      if (path === at('busy.jsonl')) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      return open(path);
    };
    expect((await importAll({ openFile })).unreadable).toEqual([
      { path: at('busy.jsonl'), reason: 'could not be read (EMFILE)', temporary: true },
    ]);
    expect((await importAll()).files.map(({ path, appended }) => [path, appended > 0])).toEqual([
      [at('busy.jsonl'), true],
      [at('good.jsonl'), false],
    ]);
  });

  it('says that the disk is full also when the file cannot be read any further', async () => {
    const script = new Script({});
    for (let number = 0; number < 3; number++) script.prompt('x'.repeat(1024 * 1024));
    put('cut.jsonl', script);
    let stop = () => {};
    const isCut = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const openFile = async (path: string) => {
      const file = await open(path);
      const read = file.read.bind(file) as (...given: unknown[]) => Promise<unknown>;
      file.read = (async (...given: unknown[]) => {
        // After the first page.
        if (Number(given[3]) < 1.25 * 1024 * 1024) return read(...given);
        setImmediate(stop);
        throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' });
      }) as unknown as typeof file.read;
      return file;
    };
    const full: TranscriptImport['log'] = {
      ...readsOfLog(),
      append: async (newEvents, options) => {
        if (newEvents.length === 0) return log.append(newEvents, options);
        await isCut;
        throw new AnnalsError('DISK_FULL', 'The disk is full.');
      },
    };
    await expect(importAll({ log: full, openFile })).rejects.toMatchObject({ code: 'DISK_FULL' });
  });

  it('skips a line of 100 MB in bounded memory and imports the lines around it', async () => {
    const path = put('session.jsonl', conversation(1));
    const file = await open(path, 'a');
    const chunk = Buffer.alloc(4 * 1024 * 1024, 'x');
    for (let part = 0; part < 25; part += 1) await file.write(chunk);
    await file.write('\n');
    await file.write(conversation(50).bytes());
    await file.close();
    const before = process.memoryUsage().rss;
    let peak = 0;
    const { files } = await importAll({
      onProgress: () => (peak = Math.max(peak, process.memoryUsage().rss)),
    });
    expect(files).toMatchObject([
      { appended: 7, parked: 1, parkedLines: [{ length: 25 * chunk.length, reason: 'longer than 16 MiB' }] },
    ]);
    expect(peak - before).toBeLessThan(90 * 1024 * 1024);
  });

  it('reports progress in bytes up to the total', async () => {
    put('a.jsonl', conversation(1));
    put('b.jsonl', conversation(20, 'b'));
    const seen: number[] = [];
    await importAll({
      onProgress: (progress) => seen.push(progress.bytesDone / progress.bytesTotal),
    });
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('stops at a signal and continues later', async () => {
    put('a.jsonl', conversation(1));
    put('b.jsonl', conversation(20, 'b'));
    const stop = new AbortController();
    const broken = await importAll({
      signal: stop.signal,
      onProgress: ({ filesDone }) => filesDone === 1 && stop.abort(),
    });
    expect(broken).toMatchObject({ complete: false, files: [{ path: at('a.jsonl') }] });
    expect((await importAll()).files.map(({ appended }) => appended)).toEqual([0, 4]);
  });
});

describe('What an import leaves on disk', () => {
  it('holds no secret and nothing private, in events or cursors, for any file names', async () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(31)}-AA`;
    const script = new Script({ cwd: `/home/${key}` });
    script.prompt(`use ${key}`);
    script.use('toolu_open', 'Bash', { command: `heron ${key}` });
    script.prompt('<private>heron</private>');
    script.reply('heron');
    script.text(`{"heron ${key}\n`);
    script.raw({ type: 'user', message: { content: 'no session here' } });
    const path = put(`${key}/${key}.jsonl`, script);
    put(`${key}/public-${key}.jsonl`, conversation(10));
    put(`${key}/public-${key}/subagents/agent-${key}.jsonl`, conversation(30));
    put(`${key}/no-session-${key}.jsonl`, '{"type":"user","message":{"content":"words"}}\n');
    const disk = await openTestLog(folder.path);
    await importTranscripts({ log: disk, paths: [at(key)] });
    expect(disk.head().position).toBeGreaterThan(6);
    const cursors = await disk.cursors();
    expect(cursors.length).toBeGreaterThan(0);
    const stored = JSON.stringify([await events(disk), cursors]);
    await disk.close();
    const files = readdirSync(at('log')).map((name) => readFileSync(at('log', name), 'latin1'));
    for (const text of [stored, ...files]) expect(text.includes(key.slice(0, 30))).toBe(false);
    // The open use before the private prompt is public; only its own text may be stored.
    expect(stored.split('heron')).toHaveLength(2);
    expect(path).toContain(key);
  });
});

describe('Sub-agents of private turns', () => {
  function session(promptId?: string) {
    const main = new Script({ session: 's1' });
    const extra = promptId === undefined ? {} : { promptId };
    main.prompt('public', { promptId: 'public-id' });
    main.use('toolu_pub', 'Agent', {});
    main.result('toolu_pub', 'x', { toolUseResult: { agentId: 'pub' } });
    main.prompt('<private>heron</private>', extra);
    main.use('toolu_priv', 'Agent', {});
    main.result('toolu_priv', 'x', { toolUseResult: { agentId: 'priv' } });
    return main;
  }
  function sub(agentId: string, extra = {}) {
    const file = new Script({ session: 's1', firstUuid: agentId.length * 100 });
    file.message('user', { content: `to ${agentId}` }, { isSidechain: true, agentId, ...extra });
    file.reply(`words of ${agentId}`, { isSidechain: true, agentId });
    return file;
  }

  it('are not read; those of public turns are', async () => {
    put('p/s1.jsonl', session());
    put('p/s1/subagents/agent-pub.jsonl', sub('pub'));
    put('p/s1/subagents/agent-priv.jsonl', sub('priv'));
    put('p/s1/subagents/agent-unlinked.jsonl', sub('unlinked'));
    const { files } = await importAll();
    expect(files.map(({ appended, heldBack }) => [appended, heldBack])).toEqual([
      [4, null],
      [0, 'a private turn launched it'],
      [1, null],
      [0, 'its session has a private turn, and nothing shows that a public turn launched it'],
    ]);
    const logged = ofType(await events(), 'agent.replied').map(({ body }) => body.text);
    expect(logged).toEqual(['words of pub']);
  });

  it('are not read when only their own file is imported', async () => {
    put('p/s1.jsonl', session());
    const file = put('p/s1/subagents/agent-priv.jsonl', sub('priv'));
    const old = put('p/agent-priv.jsonl', sub('priv'));
    for (const path of [file, old])
      expect((await importAll({ paths: [path] })).files[0]?.heldBack).not.toBeNull();
    expect(log.head().position).toBe(0);
  });

  it('are not read while the main file is missing', async () => {
    put('p/s1/subagents/agent-pub.jsonl', sub('pub'));
    put('q/agent-pub.jsonl', sub('pub'));
    const { files } = await importAll();
    expect(files.map(({ heldBack }) => heldBack)).toEqual([
      expect.stringContaining('is missing'),
      expect.stringContaining('is missing'),
    ]);
    expect(log.head().position).toBe(0);
    put('p/s1.jsonl', session());
    expect((await importAll()).files.map(({ heldBack }) => heldBack === null)).toEqual([true, true, false]);
  });

  const opencode = (name: string, parentID: string | null, words: string) => {
    const messages = [
      asked('msg_1', 1, [text(words)]),
      answer(`msg_${name}`, 2, 'msg_1', [text(`words of ${name}`)], { sessionID: name }),
    ];
    return JSON.stringify(exported(messages, { id: name, ...(parentID === null ? {} : { parentID }) }));
  };
  const gemini = (fields: Parameters<typeof head>[0] & object, ...lines: Parameters<typeof textOf>[0]) =>
    textOf([head(fields), ...lines, model(String(fields.sessionId ?? 'g9'), 9, 'words of it')]);
  const codex = (number: number, parent: number | null, ...prompts: string[]) => {
    const ids = [1, 2, 3].map((one) => uuidAt(START + one, one));
    const spawn =
      parent === null
        ? {}
        : { source: { subagent: { thread_spawn: { parent_thread_id: ids[parent - 1]! } } } };
    const rollout = new Rollout().meta({ id: ids[number - 1]!, history_mode: 'paginated', ...spawn });
    for (const prompt of prompts) rollout.turn().prompted(prompt);
    return textOf(rollout.said(`words of ${number}`, `msg_${number}`).lines as never);
  };

  // OpenCode names newer sessions so that they come first; the folder of Gemini CLI's sub-agents does too.
  it.each<[string, (words: string) => Readonly<Record<string, string>>]>([
    [
      'OpenCode',
      (words) => ({
        'ses_1.json': opencode('ses_1', 'ses_2', 'Count'),
        'ses_2.json': opencode('ses_2', 'ses_3', 'Count all'),
        'ses_3.json': opencode('ses_3', null, words),
      }),
    ],
    [
      'Gemini CLI',
      (words) => ({
        [`chats/${SESSION}/${SUBAGENT}.jsonl`]: gemini({ sessionId: SUBAGENT, kind: 'subagent' }),
        [`chats/${SUBAGENT}/${SESSION}.jsonl`]: gemini({ sessionId: 'nested', kind: 'subagent' }),
        'chats/session-1.jsonl': gemini({}, user('u1', 2, words)),
      }),
    ],
    [
      'Codex',
      (words) => ({
        'rollout-1.jsonl': codex(3, 2),
        'rollout-2.jsonl': codex(2, 1),
        'rollout-3.jsonl': codex(1, null, words),
      }),
    ],
  ])('of %s are read after their session, and not if it has a private turn', async (_, filesFor) => {
    for (const [name, text] of Object.entries(filesFor('<private>heron</private>'))) put(name, text);
    const { files } = await importAll();
    expect(files.map(({ heldBack }) => heldBack)).toEqual([
      null,
      expect.stringContaining('has a private turn'),
      expect.stringContaining('has a private turn'),
    ]);
    expect(ofType(await events(), 'agent.replied')).toEqual([]);
    const open = await openMemoryLog();
    for (const [name, text] of Object.entries(filesFor('Count the herons'))) put(name, text);
    await importAll({ log: open });
    const replies = ofType(await events(open), 'agent.replied');
    expect(new Set(replies.map(({ session }) => session)).size).toBe(1);
    expect(replies.map(({ body }) => body.agentId === null).sort()).toEqual([false, false, true]);
    await open.close();
  });

  it('of sub-agents are read on although the file of the one that launched them did not change', async () => {
    const launchers = new Map<string, string>();
    const rollouts = { 'rollout-1.jsonl': codex(1, null, 'Count'), 'rollout-2.jsonl': codex(2, 1) };
    for (const [name, text] of Object.entries(rollouts)) put(name, text);
    await importAll({ launchers });
    const path = put('rollout-3.jsonl', codex(3, 2));
    const { files } = await importAll({ launchers, paths: [path] });
    expect(files.map(({ heldBack }) => heldBack)).toEqual([null]);
    const replies = ofType(await events(), 'agent.replied');
    expect(new Set(replies.map(({ session }) => session)).size).toBe(1);
  });

  it('of OpenCode are not read while their session is not known', async () => {
    put('ses_1.json', opencode('ses_1', 'ses_2', 'Count'));
    put('ses_2.json', opencode('ses_2', 'ses_3', 'Count all'));
    const { files } = await importAll();
    expect(files.map(({ heldBack }) => heldBack)).toEqual([
      expect.stringContaining('is not known'),
      expect.stringContaining('is not known'),
    ]);
    expect(log.head().position).toBe(0);
  });

  it('are recognised by their prompt id before the main file names them', async () => {
    put('p/s1.jsonl', session('private-id'));
    put('p/s1/subagents/agent-new.jsonl', sub('new', { promptId: 'private-id' }));
    put('p/s1/subagents/agent-newest.jsonl', sub('newest', { promptId: 'public-id' }));
    const { files } = await importAll();
    expect(files.map(({ heldBack }) => heldBack)).toEqual([null, 'a private turn launched it', null]);
  });
});

describe('Copies of a session', () => {
  const original = conversation(1).bytes();
  const session = 'abcdef12-0000-4000-8000-000000000000';

  it('are recorded under their own session, with the ids by which a view joins them', () => {
    const kinds = {
      fork: fork(original, session),
      sdk: sdkFork(original, session),
      old: oldResume(original, session),
      handOver: handOver(original, session, 2).next,
    };
    for (const [name, copy] of Object.entries(kinds)) {
      const { newEvents } = readWhole(copy.bytes);
      expect(
        newEvents.every((newEvent) => newEvent.session === session),
        name,
      ).toBe(true);
      const tools = ofType(newEvents, 'tool.used').map(({ dedupeKey }) => dedupeKey);
      expect(tools, name).toEqual(
        name === 'handOver' ? [`toolu_new_${session}`] : ['toolu_1', `toolu_new_${session}`],
      );
      const uuids = ofType(newEvents, 'agent.replied').map(({ body }) => body.uuid);
      const kept = ofType(readWhole(original).newEvents, 'agent.replied').map(({ body }) => body.uuid);
      expect(uuids.includes(kept[0] ?? null), name).toBe(name !== 'sdk');
      const messages = ofType(newEvents, 'agent.replied').map(({ body }) => body.messageId);
      expect(messages[0], name).toBe('msg_4');
    }
    const { old } = handOver(original, session);
    expect(ofType(readWhole(old).newEvents, 'session.continued')).toMatchObject([
      { body: { into: session } },
    ]);
  });
});

/** Three files of each corpus, of an early, a middle and a late version. */
const SLICED = {
  real: [
    'Mai0313__VibeCodingTracker/claude_code.jsonl',
    'marot__spotter/tool_heavy.jsonl',
    'JanDeDobbeleer__oh-my-posh/69d8706c-d098-4239-8a99-f89c153822c3.jsonl',
  ],
  synthetic: ['robin__tide-tables/', 'robin__paper-mill/', 'robin__bell-tower/'],
};

onEachCorpus('Importing many files', (corpus) => {
  it('appends each event once, and nothing the second time', async () => {
    const paths = corpus.files.map(({ path }) => path);
    const first = await importTranscripts({ log, paths });
    const logged = corpus.files.flatMap(
      (file) => readWhole(file.bytes(), { name: file.name, hasOwnFile: ownFileFinder(file.path) }).newEvents,
    );
    expect(first.unreadable).toEqual([]);
    expect(first.files).toHaveLength(corpus.files.length);
    expect(first.files.reduce((sum, file) => sum + file.appended, 0)).toBe(logged.length);
    expect(first.files.reduce((sum, file) => sum + file.duplicates + file.parked, 0)).toBe(0);
    const second = await importTranscripts({ log, paths });
    expect(second.files).toEqual(first.files.map((file) => ({ ...file, appended: 0 })));
    expect(log.head().position).toBe(logged.length);
  });

  it.each(SLICED[corpus.name])(
    '%s in slices, with the log closed and opened between: the same events',
    async (start) => {
      const { name, bytes: read } = corpus.files.find((file) => file.name.startsWith(start))!;
      const bytes = read();
      const world = testWorld(name);
      const cuts = Array.from({ length: 20 }, () => world.integer(bytes.length)).sort((a, b) => a - b);
      const path = put('session.jsonl', '');
      let end = 0;
      for (const cut of [...cuts, bytes.length]) {
        appendFileSync(path, bytes.subarray(end, cut));
        end = cut;
        const disk = await openTestLog(folder.path);
        await importTranscripts({ log: disk, paths: [path] });
        await disk.close();
      }
      const disk = await openTestLog(folder.path);
      const sliced = await events(disk);
      await disk.close();
      await importTranscripts({ log, paths: [path] });
      const expected = await events();
      const plain = (list: readonly NewEvent[]) =>
        list.map(({ type, session, dedupeKey, occurredAt, body }) => ({
          type,
          session,
          dedupeKey,
          occurredAt,
          body,
        }));
      expect(plain(sliced)).toEqual(plain(expected));
    },
  );
});
