// What must not leave the machine: every form of secret, planted in all places of a session, and a private turn. Nothing of them
// is in a request, and what a model or a service sends back is stored, and logged by the worker, without it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stopWorker } from '../../src/worker/connect-worker.ts';
import { findIn, scanHome } from '../e2e/scan.ts';
import { COMMON_FORMS, PROMISED_FORMS, type SecretForm } from '../helpers/secret-forms.ts';
import { Script } from '../helpers/transcripts.ts';
import { NAMED_SECRETS, VENDOR_SECRETS } from '../helpers/vendor-secrets.ts';
import { CLIENT, connected, testHome, workerHere } from '../worker/homes.ts';
import { modelServer, SERVER_KEY } from './model-server.ts';

const FORMS = [...PROMISED_FORMS, ...COMMON_FORMS, ...VENDOR_SECRETS, ...NAMED_SECRETS];
/** Other forms are text around a value. */
const FILE_NAMES = new Set(VENDOR_SECRETS.map(({ text }) => text).filter((text) => !/[/\n]/.test(text)));
const NEEDLES = FORMS.map(({ needle }) => needle);
const FORMS_A_TURN = 25;
/** Hidden by what a terminal does not show, and by the numbers of lines. */
const COLOURED = `ghp_${'a1B2'.repeat(4)}\u001b[0m${'a1B2'.repeat(5)}`;
const NUMBERED = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  '-----END PRIVATE KEY-----',
];

type Form = Pick<SecretForm, 'text' | 'needle'>;

function turn(script: Script, forms: readonly Form[], index: number): void {
  const id = (at: number) => `toolu_${index}_${at}`;
  script.prompt(`Why does part ${index} fail?\n${forms[0]!.text}`, { promptId: `part-${index}` });
  for (const [at, { text }] of forms.entries()) {
    const isFile = FILE_NAMES.has(text);
    if (at % 3 === 0) script.use(id(at), 'Bash', { command: `make part\n${text}` });
    else if (at % 3 === 1 && isFile) script.use(id(at), 'Read', { file_path: `/srv/app/${text}/a.ts` });
    else
      script.use(id(at), 'Edit', { file_path: '/srv/app/a.ts', old_string: 'a', new_string: `b\n${text}` });
    script.result(
      id(at),
      `visible output\n${forms[(at + 1) % forms.length]!.text}\nend`,
      {},
      { is_error: at % 5 === 0 },
    );
  }
  script.reply(`Part ${index} was broken and works now.\n${forms.at(-1)!.text}`);
}

function transcript(): Buffer {
  const script = new Script({ session: '61616161-3333-4333-8444-555555555555', cwd: '/srv/app' });
  for (let index = 0; index * FORMS_A_TURN < FORMS.length; index++)
    turn(script, FORMS.slice(index * FORMS_A_TURN, (index + 1) * FORMS_A_TURN), index);
  script.prompt('<private>Write the osprey report</private>', { promptId: 'private' });
  script.use('toolu_p', 'Write', { file_path: '/srv/app/osprey.md', content: 'osprey' });
  script.result('toolu_p', 'The osprey file was created.');
  script.reply('The osprey report is written.');
  script.prompt('Show me the keys', { promptId: 'shown' });
  script.use('toolu_c', 'Bash', { command: 'show' });
  script.result('toolu_c', `visible output\n${COLOURED}`);
  script.use('toolu_n', 'Read', { file_path: '/srv/app/key.pem' });
  script.result('toolu_n', NUMBERED.map((line, at) => `     ${at + 1}→${line}`).join('\n'));
  script.use('toolu_w', 'Edit', { file_path: '/srv/app/a.ts', old_string: 'a', new_string: 'b' });
  script.result('toolu_w', 'Updated.');
  script.reply('The keys are shown.');
  return script.bytes();
}

test(`none of ${FORMS.length} forms of secrets and nothing of a private turn is in a request; what comes back is stored without`, async () => {
  const server = await modelServer();
  let [replies, next] = [0, 0];
  server.answer = ({ body }) => {
    const [form, text] = [FORMS[next++ % FORMS.length]!, FORMS[next++ % FORMS.length]!.text];
    if (replies++ === 3) return { status: 400, type: 'invalid_request_error', message: `bad ${form.text}` };
    const observation = `<observation><title>Reply ${replies}</title><narrative>Run:\n${form.text}\n</narrative><facts><fact>${text}</fact></facts></observation>`;
    return { text: replies % 2 === 0 ? observation : inJson(form.text, text), model: body.model };
  };
  process.env.ANNALS_TEST_KEY = SERVER_KEY;
  onTestFinished(() => {
    delete process.env.ANNALS_TEST_KEY;
  });
  const at = testHome();
  mkdirSync(at.home, { mode: 0o700 });
  const settings = { 'observer.url': server.url, 'observer.keyVariable': 'ANNALS_TEST_KEY' };
  writeFileSync(join(at.home, 'config.json'), JSON.stringify({ ...settings, 'observer.usdPerDay': 5 }));
  writeFileSync(join(at.folder, 'all.jsonl'), transcript());
  const { ended } = await workerHere(at);
  const annals = await connected(at.home);
  await annals.import([join(at.folder, 'all.jsonl')]);
  const shown = await annals.observe({ dryRun: true });
  const reports = [await annals.observe({ limit: 8 })];
  const said = JSON.stringify([
    shown,
    reports,
    await annals.status(),
    await annals.list('observation', { limit: 100 }),
  ]);
  await stopWorker(at.home, CLIENT);
  await ended;
  expect(server.requests.length).toBeGreaterThan(3);
  const sent = server.requests.map(({ text }) => text).join('\n');
  const words = [...NEEDLES, 'osprey', COLOURED.slice(0, 20), 'a1B2a1B2', NUMBERED[1]!];
  expect(findIn('requests', sent, words)).toEqual([]);
  expect(findIn('answers', said, words)).toEqual([]);
  for (const word of ['visible output', 'Why does part 0 fail?']) expect(sent).toContain(word);
  for (const word of ['Reply 2', 'Reply in JSON', 'The keys are shown.', '[redacted:'])
    expect(said).toContain(word);
  expect(at.log().at(-1)).toBe('Stopped');
  expect(await scanHome(at.home, [...NEEDLES, 'a1B2a1B2'])).toEqual([]);
});

function inJson(...facts: string[]): string {
  const empty = { subtitle: null, narrative: null, concepts: [], files_read: [], files_modified: [] };
  const observations = [{ type: 'change', title: 'Reply in JSON', ...empty, facts }];
  return JSON.stringify({ observations, summary: null, skip_summary: 'nothing more' });
}
