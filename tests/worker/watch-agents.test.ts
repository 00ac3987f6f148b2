// The worker reads the transcripts of all agents as they are written, and nothing else in their folders.
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Rollout } from '../agents/codex/rollout.ts';
import { context, head, model, textOf, user } from '../agents/gemini-cli/session.ts';
import { eventsOf, lasting, withHome } from '../e2e/homes.ts';
import { asked, leave } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { connected, found, type TestHome, testHome, whenChanged, workerHere } from './homes.ts';

/** Transcripts in two parts; each part ends with the word in an answer. */
const TRANSCRIPTS = {
  'claude/projects/-home-u-app/aaaaaaaa-0000-4000-8000-000000000001.jsonl': claude('heron', 'egret'),
  '.codex/sessions/2026/11/22/rollout-2026-11-22T18-00-00-019efedf.jsonl': rollout('ibis', 'stork'),
  '.gemini/tmp/app/chats/session-2026-11-22T18-14-1d8c727f.jsonl': gemini('crane', 'bittern'),
} as const;

function claude(first: string, second: string): readonly string[] {
  const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000001', start: Date.UTC(2026, 2, 1) });
  script.prompt(`feed the ${first}`);
  const before = script.bytes().toString();
  script.reply(`The ${second} is fed`);
  return [before, script.bytes().toString().slice(before.length)];
}

function rollout(first: string, second: string): readonly string[] {
  const whole = new Rollout().meta().turn().prompted(`feed the ${first}`);
  whole.called('call_0123456789abcdef', 'exec_command', { cmd: 'npm test' });
  const before = whole.lines.length;
  whole.answered('call_0123456789abcdef', `Exit code: 0\nWall time: 1 seconds\nOutput:\nfed ${second}\n`);
  whole.said(`The ${second} is fed`, 'msg-1');
  const text = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return [text(whole.lines.slice(0, before)), text(whole.lines.slice(before))];
}

function gemini(first: string, second: string): readonly string[] {
  return [
    textOf([head(), { $set: { messages: [context] } }, user('u1', 2, `feed the ${first}`)]),
    textOf([model('g1', 3, `The ${second} is fed`)]),
  ];
}

/** In the folders of agents, but not transcripts of theirs. */
const OTHERS = {
  '.codex/history.jsonl': '{"session_id":"x","ts":1,"text":"feed the vulture"}\n',
  '.codex/sessions/2026/11/22/notes.jsonl': claude('vulture', 'vulture').join(''),
  '.gemini/tmp/app/logs.json': '[{"sessionId":"x","message":"feed the vulture"}]\n',
  '.gemini/tmp/app/other.jsonl': claude('vulture', 'vulture').join(''),
};

function append(at: TestHome, path: string, text: string): void {
  mkdirSync(dirname(join(at.folder, path)), { recursive: true });
  appendFileSync(join(at.folder, path), text);
}

test('gives the events of one import of the whole files', async () => {
  const at = testHome();
  const whole = testHome();
  for (const [path, text] of Object.entries(OTHERS)) append(at, path, text);
  for (const [path, parts] of Object.entries(TRANSCRIPTS)) {
    append(at, path, parts[0]!);
    append(whole, path, parts.join(''));
  }
  await workerHere(at);
  const annals = await connected(at.home);
  for (const bird of ['heron', 'ibis', 'crane']) await whenChanged(annals, () => found(annals, bird));
  for (const [path, [, second]] of Object.entries(TRANSCRIPTS)) {
    // Half a line first.
    append(at, path, second!.slice(0, 30));
    append(at, path, second!.slice(30));
  }
  for (const bird of ['egret', 'stork', 'bittern']) await whenChanged(annals, () => found(annals, bird));
  const live = lasting(await eventsOf(annals));
  const imported = await withHome(whole.home, async (library) => {
    await library.import(Object.keys(TRANSCRIPTS).map((path) => join(whole.folder, path)));
    return lasting(await eventsOf(library));
  });
  expect(live).toEqual(imported);
  expect(await found(annals, 'vulture')).toBeNull();
});

test('keeps what Gemini CLI deletes at its next start', async () => {
  const at = testHome();
  await workerHere(at);
  const annals = await connected(at.home);
  const path = '.gemini/tmp/app/chats/session-2026-11-22T18-14-1d8c727f.jsonl';
  const [first, second] = gemini('crane', 'bittern');
  append(at, path, first!);
  // It was installed after the worker started, and has no hooks: any hook makes the worker look.
  leave(at.home, 'c-0', asked('feed the egret'));
  await whenChanged(annals, () => found(annals, 'crane'));
  // A resume in another minute: an empty new file, while the old one goes on.
  append(at, path.replace('18-14', '18-15'), textOf([head()]));
  append(at, path, second!);
  await whenChanged(annals, () => found(annals, 'bittern'));
  rmSync(join(at.folder, '.gemini/tmp/app'), { recursive: true });
  append(
    at,
    '.gemini/tmp/other/chats/session-2026-11-22T18-16-2d8c727f.jsonl',
    textOf([head({ sessionId: '2d8c727f-851e-4da0-bdd3-f7d1fc279d88' }), user('u2', 5, 'feed the stork')]),
  );
  await whenChanged(annals, () => found(annals, 'stork'));
  for (const bird of ['crane', 'bittern']) expect(await found(annals, bird)).not.toBeNull();
});

test('reads the agent that a file in the home describes, from the moment that it is there', async () => {
  const at = testHome();
  append(at, 'heron/2026/one.jsonl', '{"type":"user","text":"feed the heron"}\n');
  await workerHere(at);
  const annals = await connected(at.home);
  const describe = (rules: unknown) =>
    append(
      at,
      'home/agents/heron.json',
      JSON.stringify({ name: 'heron', title: 'Heron', folders: [join(at.folder, 'heron')], rules }),
    );
  describe([{ record: 'prompt', when: { type: 'user' }, text: 'text' }]);
  await whenChanged(annals, () => found(annals, 'heron'));
  append(at, 'heron/2026/one.jsonl', '{"type":"user","text":"feed the egret"}\n');
  await whenChanged(annals, () => found(annals, 'egret'));
  expect((await annals.status()).degraded.join()).not.toContain('heron.json');
  rmSync(join(at.home, 'agents/heron.json'));
  describe('prompt');
  expect((await annals.status()).degraded).toContainEqual(
    expect.stringMatching(/heron\.json describes is not read: rules is "prompt"; allowed: a list of/),
  );
  // The others are read as before.
  append(
    at,
    '.gemini/tmp/app/chats/session-2026-11-22T18-14-1d8c727f.jsonl',
    gemini('ibis', 'stork').join(''),
  );
  leave(at.home, 'c-0', asked('feed the crane'));
  await whenChanged(annals, () => found(annals, 'stork'));
});
