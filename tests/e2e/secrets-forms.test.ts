// Every form of secret through both channels: in an imported transcript, and in hook payloads in the spool, complete,
// torn, and as file names. No byte below the home contains one. Each form goes through one place of each channel and
// through a list in a tool's input; tests/capture checks every form in every place without a home.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMON_FORMS, PROMISED_FORMS } from '../helpers/secret-forms.ts';
import { asked, leave, used } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { NAMED_SECRETS, VENDOR_SECRETS } from '../helpers/vendor-secrets.ts';
import { sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const FORMS = [...PROMISED_FORMS, ...COMMON_FORMS, ...VENDOR_SECRETS, ...NAMED_SECRETS];
const NEEDLES = FORMS.map(({ needle }) => needle);
const folder = sharedFolder('secret-forms');
/** Secrets that can be file names. */
const NAMES = VENDOR_SECRETS.map(({ text }) => text).filter((text) => !/[/\n]/.test(text));
const TOGETHER = 4;

/** The forms in groups of four, one for each of four places. */
const FOURS = Array.from({ length: Math.ceil(FORMS.length / TOGETHER) }, (_, four) =>
  FORMS.slice(four * TOGETHER, (four + 1) * TOGETHER),
);
const textOf = (form: { readonly text: string } | undefined) => form?.text ?? '';

/** The first half of a torn secret must not be stored either. */
const HALVES = NEEDLES.map((needle) => needle.slice(0, Math.ceil(needle.length * 0.3))).filter(
  (half) => half.length >= 6,
);

test(`none of ${FORMS.length} forms of secrets is on disk after an import and after complete and torn hook files`, async () => {
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  leaveHooks(home);
  writeFileSync(join(folder, 'all.jsonl'), transcript());
  await withHome(home, async (library) => {
    await library.import([join(folder, 'all.jsonl')]);
    await library.search('harmlessoutput');
  });
  expect(readdirSync(join(home, 'spool/bad')).length).toBeGreaterThan(FOURS.length / 2);
  const found = await scanHome(home, [...NEEDLES, ...HALVES, ...HARMLESS]);
  const secrets = found.filter(({ word }) => !HARMLESS.includes(word));
  expect(secrets.map(({ word, where, around }) => [word, where, around])).toEqual([]);
  expect(new Set(found.map(({ word }) => word))).toEqual(new Set(HARMLESS));
}, 240_000);

/** Harmless text next to the secrets is kept. */
const HARMLESS = ['prompt', 'output', 'answer', 'said', 'printed'].map((word) => `harmless${word}`);

function transcript(): string | Buffer {
  const script = new Script({ session: '51515151-3333-4333-8444-555555555555', cwd: '/srv/app' });
  for (const [index, four] of FOURS.entries()) {
    const [prompt, command, output, reply] = turned(four, index);
    const list = four.map(textOf);
    script.prompt(`harmlessprompt\n${prompt}`);
    script.use(`toolu_${index}`, 'Bash', { command, env: [{ list }] });
    script.result(`toolu_${index}`, output!, { toolUseResult: { stdout: `harmlessoutput\n${output}\nend` } });
    for (const [at, name] of NAMES.entries())
      if (at % FOURS.length === index)
        script.use(`toolu_n${at}`, 'Read', { file_path: `/srv/app/${name}/notes.md` });
    script.reply(`harmlessanswer\n${reply}`);
  }
  return script.bytes();
}

function leaveHooks(home: string): void {
  const now = Date.now();
  for (const [index, four] of FOURS.entries()) {
    const [prompt, command, output, torn] = turned(four, index + 1);
    const input = { tool_input: { command, list: four.map(textOf) } };
    leave(home, `c-${index}-a`, asked(`harmlesssaid\n${prompt}`), now - 10_000);
    leave(home, `c-${index}-b`, used(`toolu_${index}`, `harmlessprinted\n${output}`, input), now - 9_000);
    const needle = FORMS.find(({ text }) => text === torn)?.needle;
    if (needle === undefined) continue;
    const spelled = JSON.stringify(needle).slice(1, -1);
    const complete = JSON.stringify(used(`toolu_t${index}`, `harmlesstorn\n${torn}`));
    const cut = complete.indexOf(spelled) + Math.ceil(spelled.length * (0.3 + (index % 7) / 10));
    leave(home, `c-${index}-t`, complete.slice(0, cut), now - 8_000);
  }
}

/** The texts of four forms; each group starts at another place. */
function turned(four: typeof FORMS, by: number): string[] {
  return Array.from({ length: TOGETHER }, (_, workdir) => textOf(four[(workdir + by) % TOGETHER]));
}
