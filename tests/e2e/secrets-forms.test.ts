// Every form of a secret in both channels: in a transcript that is imported, and in payloads that the hook left
// in the spool, whole, torn, and as file names. Nothing of it is found in any byte below the home.
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
const fileName = (text: string) => text.replaceAll(/[/\n]/g, ' ');

test(`of ${FORMS.length} forms nothing is on disk after an import`, async () => {
  const home = join(folder, 'transcripts-home');
  const script = new Script({ session: '51515151-3333-4333-8444-555555555555', cwd: '/srv/app' });
  for (const [index, { text }] of FORMS.entries()) {
    script.prompt(`harmlessprompt\n${text}`);
    script.use(`toolu_${index}`, 'Bash', { command: text, env: [{ list: text }] });
    script.result(`toolu_${index}`, text, { toolUseResult: { stdout: `harmlessoutput\n${text}\nend` } });
    script.reply(`harmlessanswer\n${text}`);
  }
  for (const [index, { text }] of VENDOR_SECRETS.entries())
    script.use(`toolu_n${index}`, 'Read', { file_path: `/srv/app/${fileName(text)}/notes.md` });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'all.jsonl'), script.bytes());
  await withHome(home, (library) => library.import([join(folder, 'all.jsonl')]));
  expect((await scanHome(home, NEEDLES)).map(({ word, around }) => [word, around])).toEqual([]);
  const kept = await scanHome(home, ['harmlessprompt', 'harmlessoutput', 'harmlessanswer']);
  expect(new Set(kept.map(({ word }) => word)).size).toBe(3);
}, 240_000);

test(`of ${FORMS.length} forms nothing is on disk after hooks, whole and torn`, async () => {
  const home = join(folder, 'hooks-home');
  mkdirSync(home, { mode: 0o700 });
  const now = Date.now();
  for (const [index, { text, needle }] of FORMS.entries()) {
    leave(home, `c-${index}-a`, asked(`harmlessprompt\n${text}`), now - 10_000);
    leave(home, `c-${index}-b`, used(`toolu_${index}`, `harmlessoutput\n${text}`), now - 9_000);
    const spelled = JSON.stringify(needle).slice(1, -1);
    const torn = JSON.stringify(used(`toolu_t${index}`, `harmlesstorn\n${text}`));
    const cut = torn.indexOf(spelled) + Math.ceil(spelled.length * (0.3 + (index % 7) / 10));
    leave(home, `c-${index}-t`, torn.slice(0, cut), now - 8_000);
  }
  await withHome(home, async (library) => library.search('harmlessoutput'));
  expect(readdirSync(join(home, 'spool/bad')).length).toBeGreaterThan(FORMS.length / 2);
  // Of a torn secret its first half may not be left either.
  const halves = FORMS.map(({ needle }) => needle.slice(0, Math.ceil(needle.length * 0.3))).filter(
    (half) => half.length >= 6,
  );
  const found = await scanHome(home, [...NEEDLES, ...halves]);
  expect(found.map(({ word, where, around }) => [word, where, around])).toEqual([]);
}, 240_000);
