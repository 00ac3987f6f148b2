// Secrets of every kind, planted wherever text enters, reach no file below the home and no output. Private turns leave
// only the fact that they happened. A repository gains nothing by claiming to be another project.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAnnalsError } from '../../src/index.ts';
import { PLANTED_SECRETS } from '../helpers/secrets.ts';
import { Script } from '../helpers/transcripts.ts';
import { annalsHere } from './command.ts';
import { eventsOf, lasting, sharedFolder, withHome } from './homes.ts';
import { findIn, scanHome } from './scan.ts';

const folder = sharedFolder('secrets');

/** Every secret, and the long pieces of secrets with several parts. */
const NEEDLES = [...new Set(PLANTED_SECRETS.map(({ needle }) => needle))].concat(
  'q7Rk2vXw9LmT4bZc8NpD',
  '0f9e8d7c6b5a4938',
);

function put(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Every place where text enters, each with a harmless word of its own that must be found again. */
const WORKDIRS = [
  'prompt',
  'command',
  'queued',
  'input',
  'nested',
  'inputkey',
  'output',
  'detail',
  'failure',
  'answer',
  'path',
  'folder',
  'branch',
  'customtitle',
  'aititle',
  'apierror',
  'subagent',
] as const;
/** Nothing of these may be stored, not even harmless text. */
const NEVER_KEPT = ['thinking', 'torn', 'junk', 'attachment', 'unknownline', 'system'] as const;
const markerOf = (workdir: string): string => `harmless${workdir}marker`;

function plantedSession(number: number, text: (workdir: string) => string): Script {
  const session = `${String(number).padStart(8, '0')}-3333-4333-8444-555555555555`;
  const cwd = `/srv/${text('folder')}/app`;
  const script = new Script({ session, cwd, firstUuid: (number + 1) * 1_000 });
  const tool = (name: string) => `toolu_${number}_${name}`;
  const branch = { gitBranch: `fix/${text('branch')}` };
  script.prompt(text('prompt'), branch);
  script.prompt(`<command-name>/deploy</command-name><command-args>${text('command')}</command-args>`);
  script.enqueue(text('queued'));
  script.dequeue();
  script.assistant([{ type: 'thinking', thinking: text('thinking'), signature: text('thinking') }]);
  script.use(tool('a'), 'Bash', {
    command: text('input'),
    env: { deep: [{ list: text('nested') }] },
    [text('inputkey')]: 1,
  });
  script.result(tool('a'), text('output'), {
    toolUseResult: { stdout: text('output'), note: text('detail') },
  });
  script.use(tool('b'), 'Write', { file_path: `/srv/app/${text('path')}/notes.md`, content: text('input') });
  script.result(
    tool('b'),
    [{ type: 'text', text: text('failure') }],
    { toolUseResult: `Error: ${text('failure')}` },
    { is_error: true },
  );
  script.use(tool('open'), 'Bash', { command: text('input') });
  script.meta('ai-title', { aiTitle: text('aititle') });
  script.reply(text('answer'));
  script.reply(text('apierror'), { isApiErrorMessage: true }, { model: '<synthetic>' });
  script.reply(text('subagent'), { isSidechain: true, agentId: 'a1' });
  script.attachment({ type: 'hook_success', content: text('attachment') });
  script.attachment({ type: text('attachment').slice(0, 48), content: text('attachment') });
  script.system('informational', { content: text('system') });
  script.meta('custom-title', { customTitle: text('customtitle') });
  script.meta(text('unknownline'), { value: text('unknownline') });
  script.text(`{"type":"user","message":${text('junk')}\n`);
  script.text(`${text('junk')}\n`);
  script.text(
    `{"type":"user","message":{"role":"user","content":"${text('torn').replaceAll(/["\n\\]/g, '')}`,
  );
  return script;
}

/** A repository whose remotes, name and sub-projects contain a text. */
function plantRepository(root: string, text: string): string {
  // Quoted as git writes it.
  const escaped = text.replaceAll('\n', ' ').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  put(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  put(
    join(root, '.git/config'),
    `[remote "origin"]\n\turl = "https://robin:${escaped}@example.org/team/app.git"\n[remote "${escaped}"]\n\turl = "ssh://robin:${escaped}@example.org/team/other.git"\n`,
  );
  put(
    join(root, '.annals.json'),
    JSON.stringify({ name: text, subprojects: [{ path: `packages/${text}`, name: text }], token: text }),
  );
  return root;
}

describe('secrets', () => {
  test(`of ${PLANTED_SECRETS.length} forms in every place where text enters reach no file and no output`, async () => {
    const home = join(folder, 'home');
    const transcripts = join(folder, 'transcripts');
    for (const [index, { text }] of PLANTED_SECRETS.entries())
      put(
        join(transcripts, `-srv-${index}`, `s${index}.jsonl`),
        plantedSession(index, (workdir) => `${markerOf(workdir)} ${text}`).bytes(),
      );
    const roots = PLANTED_SECRETS.map(({ text }, index) =>
      plantRepository(join(folder, 'repositories', `app-${index}`), text),
    );
    // Folder and file names as the agent derives them from a folder with a secret in its name.
    const token = PLANTED_SECRETS.find(({ kind }) => kind === 'github-token')!.text;
    const named = new Script({
      session: '99999999-3333-4333-8444-555555555555',
      firstUuid: 900_000,
      cwd: join(folder, token),
    });
    named.prompt('a session in a folder that is named like a token');
    named.meta(token);
    named.attachment({ type: token });
    put(join(transcripts, `-srv-${token}`, `${token}.jsonl`), named.bytes());
    put(join(transcripts, `-srv-${token}`, 'no-transcript.jsonl'), `${token}\n`);
    mkdirSync(join(folder, token));

    const report = await withHome(home, async (library) => {
      const imported = await library.import([transcripts, join(folder, 'nothing', 'here')]);
      const saved = await library.save(
        PLANTED_SECRETS.map(({ text }, index) => ({
          title: `harmlesssavedtitle ${text}`,
          text: `harmlesssavedtext ${text}`,
          ...(text.length < 60 ? { type: `fix ${text}` } : {}),
          project: `project ${text}`,
          files: [`/srv/${text}/harmlesssavedfile.ts`],
          concepts: [text],
          metadata: { harmlesssavedmetadata: { deep: [text] }, [text]: text },
          cwd: roots[index]!,
        })),
      );
      await library.search(token);
      await library.search(`${markerOf('answer')} ${token}`);
      const problems = await Promise.all(
        [
          library.get(token),
          library.why(token),
          library.save({ title: token, text: '', at: Number.NaN }),
          library.save({ title: 'named', text: '', session: `session ${token}` }),
        ].map((call) =>
          call.then(
            () => null,
            (error: unknown) => (isAnnalsError(error) ? `${error.code}` : String(error)),
          ),
        ),
      );
      expect(problems).not.toContain(null);
      return { imported, saved };
    });
    expect(report.imported.files).toBe(PLANTED_SECRETS.length + 1);
    // Two malformed lines per session, more if a secret has several lines; the torn one waits for its end.
    expect(report.imported.parked).toBeGreaterThanOrEqual(2 * PLANTED_SECRETS.length);
    expect(report.saved.length).toBe(PLANTED_SECRETS.length);

    expect(await scanHome(home, NEEDLES)).toEqual([]);
    const found = await scanHome(home, [...WORKDIRS, ...NEVER_KEPT].map(markerOf));
    const kept = new Set(found.map(({ word }) => word));
    for (const workdir of WORKDIRS) expect(kept, workdir).toContain(markerOf(workdir));
    for (const workdir of NEVER_KEPT) expect(kept, workdir).not.toContain(markerOf(workdir));
    const savedWords = [
      'harmlesssavedtitle',
      'harmlesssavedtext',
      'harmlesssavedfile',
      'harmlesssavedmetadata',
    ];
    expect(new Set((await scanHome(home, savedWords)).map(({ word }) => word)).size).toBe(savedWords.length);

    let output = JSON.stringify(report);
    for (const words of [
      ['status'],
      ['status', '--json'],
      ['log', '--json'],
      ['log'],
      ['verify', '--rebuilt', '--json'],
      ['search', markerOf('output'), '--json', '--limit', '1000'],
      ['search', markerOf('prompt')],
      ['import', transcripts, '--json'],
      ['import', transcripts],
      ['show', report.saved[0]!.id],
      ['why', report.saved[0]!.id],
    ]) {
      const { stdout, stderr } = await annalsHere(words, { home });
      output += stdout + stderr;
    }
    const inOutput = findIn('output', output, NEEDLES);
    // The user sees the names of their own files unchanged.
    expect(inOutput.filter(({ around }) => !around.includes('-srv-'))).toEqual([]);
    expect(findIn('output', output, [markerOf('output'), 'harmlesssavedtitle'])).toHaveLength(2);
    expect(await scanHome(home, NEEDLES)).toEqual([]);
  }, 240_000);
});

describe('private turns', () => {
  test('with tools and a sub-agent leave only the fact that they happened, in every file', async () => {
    const home = join(folder, 'private-home');
    const source = join(folder, 'private');
    const script = new Script({ session: '77777777-3333-4333-8444-555555555555' });
    script.prompt('harmlesspublicprompt');
    const hidden = script.prompt('<private>heron prompt</private>', { promptId: 'p-2' });
    script.assistant([{ type: 'thinking', thinking: 'heron thought' }]);
    script.use('toolu_1', 'Bash', { command: 'echo heron' });
    script.result('toolu_1', 'heron', { promptId: 'p-2', toolUseResult: { stdout: 'heron' } });
    script.use('toolu_2', 'Agent', { prompt: 'heron task', subagent_type: 'heron' });
    script.result('toolu_2', 'heron report', {
      promptId: 'p-2',
      toolUseResult: { agentId: 'a9f3c1', content: 'heron' },
    });
    script.reply('heron answer');
    script.meta('ai-title', { aiTitle: 'heron title' });
    script.prompt('harmlesssecondprompt <private>heron again', { promptId: 'p-3' });
    script.reply('harmlesssecondanswer');
    const agent = new Script({ session: script.session, firstUuid: 5_000 });
    const side = { isSidechain: true, agentId: 'a9f3c1', promptId: 'p-2' };
    agent.prompt('heron task', { ...side, parentUuid: null });
    agent.use('toolu_side', 'Bash', { command: 'echo heron' }, side);
    agent.result('toolu_side', 'heron', side);
    agent.reply('heron report', side);
    put(join(source, `${script.session}.jsonl`), script.bytes());
    put(join(source, script.session, 'subagents', 'agent-a9f3c1.jsonl'), agent.bytes());

    const events = await withHome(home, async (library) => {
      await library.import([source]);
      const saved = await library.save({
        title: 'harmlesssavedtitle <private>heron</private>',
        text: 'harmlesssavedtext <private>heron to the end',
        metadata: { note: '<private>heron</private>' },
      });
      expect((await library.search('heron')).results.map(({ title }) => title)).not.toContain('heron');
      await library.get(saved.id);
      return eventsOf(library, { session: script.session });
    });
    const inTurn = events.filter(({ body }) => 'promptId' in body && body.promptId === 'p-2');
    expect(inTurn.map(({ type, dedupeKey }) => [type, dedupeKey])).toEqual([['prompt.submitted', hidden]]);
    expect(inTurn[0]?.body).toMatchObject({ private: true, text: null });
    // The reader stores the sub-agent's id, no text: it needs it to recognise later private lines.
    expect(await scanHome(home, ['heron'])).toEqual([]);
    const kept = [
      'harmlesspublicprompt',
      'harmlesssecondprompt',
      'harmlesssecondanswer',
      'harmlesssavedtext',
    ];
    expect(new Set((await scanHome(home, kept)).map(({ word }) => word))).toEqual(new Set(kept));
  });
});

/** One short session in a folder; every text contains `word`. */
function shortSession(number: number, cwd: string, word: string): Script {
  const script = new Script({
    session: `${number}4444444-3333-4333-8444-555555555555`,
    firstUuid: number * 10_000,
    cwd,
  });
  script.prompt(`how does ${word} fly`);
  script.use(`toolu_${number}`, 'Bash', { command: `grep ${word} notes.txt` });
  script.result(`toolu_${number}`, `${word} flies at night`);
  script.reply(`${word} flies at night.`);
  return script;
}

/** Results that contain the word; results that are only similar in meaning belong to the project itself. */
function holding(word: string, results: readonly { readonly title: string; readonly snippet: string }[]) {
  return results.filter(({ title, snippet }) => `${title} ${snippet}`.includes(word));
}

function repository(root: string, remote: string, proposal: unknown = null): string {
  put(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  put(join(root, '.git/config'), `[remote "origin"]\n\turl = https://example.org/team/${remote}.git\n`);
  if (proposal !== null) put(join(root, '.annals.json'), JSON.stringify(proposal));
  return root;
}

describe('a repository that claims to be another project', () => {
  const claims = {
    name: { name: 'victim' },
    key: { name: 'example.org/team/victim' },
    'key with its scheme': { name: 'remote:example.org/team/victim', key: 'remote:example.org/team/victim' },
    folder: { name: '../victim', subprojects: [{ path: '../victim', name: 'victim' }, '/'] },
    'sub-project': { name: 'mallory', subprojects: [{ path: 'packages/a', name: 'victim' }] },
  };
  for (const [what, proposal] of Object.entries(claims)) {
    for (const first of ['victim', 'mallory'] as const) {
      test(`by ${what} shares nothing with it (${first} imported first)`, async () => {
        const base = join(folder, `claim-${what.replaceAll(' ', '-')}-${first}`);
        const victim = repository(join(base, 'repositories/victim'), 'victim');
        const mallory = repository(join(base, 'repositories/mallory'), 'mallory', proposal);
        mkdirSync(join(mallory, 'packages/a'), { recursive: true });
        const files = {
          victim: put(join(base, 'v.jsonl'), shortSession(1, victim, 'nightjar').bytes()),
          mallory: put(join(base, 'm.jsonl'), shortSession(2, join(mallory, 'packages/a'), 'magpie').bytes()),
        };
        await withHome(join(base, 'home'), async (library) => {
          await library.import([files[first]]);
          await library.import([files.victim, files.mallory]);
          const own = await library.search('nightjar magpie', { limit: 100 });
          const nameOf = (word: string) =>
            new Set(
              own.results
                .filter(({ title, snippet }) => `${title} ${snippet}`.includes(word))
                .map(({ project }) => project),
            );
          expect(nameOf('nightjar')).toEqual(new Set(['victim']));
          const [malloryName] = nameOf('magpie');
          expect([...nameOf('magpie')]).not.toContain('victim');
          for (const project of new Set([
            malloryName!,
            'mallory',
            'packages/a',
            mallory,
            'example.org/team/mallory',
          ])) {
            const answer = await library.search('nightjar', { project }).catch((error: unknown) => {
              expect(isAnnalsError(error) && error.code, project).toBe('NOT_FOUND');
              return { results: [] };
            });
            expect(holding('nightjar', answer.results), project).toEqual([]);
          }
          for (const project of ['victim', 'example.org/team/victim', victim]) {
            expect((await library.search('nightjar', { project })).results.length, project).toBeGreaterThan(
              0,
            );
            const { results } = await library.search('magpie', { project });
            expect(holding('magpie', results), project).toEqual([]);
          }
        });
      });
    }
  }
});

describe('the same transcript', () => {
  test('gives the same events with and without its folder, and on different machines', async () => {
    const root = join(folder, 'there/app');
    const bytes = shortSession(3, root, 'wagtail').bytes();
    const read = (name: string) =>
      withHome(join(folder, `${name}-home`), async (library) => {
        await library.import([put(join(folder, `${name}-transcripts`, 'a.jsonl'), bytes)]);
        return lasting(await eventsOf(library));
      });
    const ofSession = (events: readonly object[]) =>
      events.filter((event) => !('type' in event && event.type === 'workdir.seen'));
    const without = await read('absent');
    repository(root, 'app', { name: 'Shop' });
    const present = await read('present');
    const elsewhere = await read('elsewhere');
    expect(without).toEqual(ofSession(without));
    expect(without.length).toBeGreaterThan(3);
    expect(ofSession(present)).toEqual(without);
    expect(present.length).toBe(without.length + 1);
    expect(ofSession(elsewhere)).toEqual(without);
  });
});
