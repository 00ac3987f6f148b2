// The last prompt in a new session's brief, and what the turn before it left open.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { testFolder } from '../helpers/views.ts';
import { Session } from '../projections/extract/observed.ts';

const CWD = '/home/u/app';

async function told(sessions: readonly Session[]): Promise<string> {
  const folder = await testFolder();
  const source = join(folder, 'transcripts');
  await mkdir(source);
  for (const one of sessions) await writeFile(join(source, `${one.session}.jsonl`), one.bytes());
  const annals = await openAnnals({ home: join(folder, 'home') });
  onTestFinished(() => annals.close());
  await annals.import([source]);
  return (await annals.context({ cwd: CWD })).text;
}

function offered(): Session {
  const session = new Session();
  session.prompt('Why does the hatch of the feeder stay shut in the morning, and what would mend it?');
  session.read('/home/u/app/src/hatch.ts').edited('/home/u/app/src/notes.md');
  session.reply(
    'The hatch stays shut because the clock reads the hour of dusk before the lamp is lit. Reading it later mends it.\n\nShould I start moving the reading of the clock?',
  );
  return session;
}

describe('The last prompt in a brief', () => {
  it('is not a shell command', async () => {
    const session = offered();
    session.prompt('!pwd');
    const text = await told([session]);
    expect(text).not.toContain('!pwd');
    expect(text).not.toContain('Asked last');
  });

  it('may be any question without a command prefix', async () => {
    const session = offered();
    session.prompt('where does the lamp stand?');
    expect(await told([session])).toContain('where does the lamp stand?');
  });
});

it('The last prompt of a session is open, if nothing came of it while another session worked on', async () => {
  // Line n of a script is written n seconds after its start: this one's 900th between those of the other one.
  const start = Date.UTC(2026, 0, 1) - 900_000 + 3_000;
  const stopped = new Session({ session: 'eeeeeeee-1111-4222-8333-444444444444', firstUuid: 900, start });
  stopped.prompt('Paint the roof green before the herons come back.');
  expect(await told([offered(), stopped])).toMatch(
    /## Left open earlier.*\n- “Paint the roof green[^\n]*no answer/,
  );
});

it('What an earlier session left without an answer is open also after much talk', async () => {
  const asked = new Session({ session: 'eeeeeeee-1111-4222-8333-444444444444', firstUuid: 900, start: 0 });
  asked.prompt('Paint the roof green before the herons come back.');
  const talk = new Session();
  for (let number = 0; number < 16; number++) {
    talk.prompt(`And where does lamp ${number} stand?`);
    talk.reply('By the door.');
  }
  expect(await told([asked, talk])).toMatch(/“Paint the roof green[^\n]*no answer/);
});

describe('An offer at the end of the last turn', () => {
  it('is open until the person answers it', async () => {
    const session = offered();
    session.prompt('one question before that: where does the lamp stand?');
    expect(await told([session])).toContain('Offered: start moving the reading of the clock');
  });

  it.each([
    ...['yes, but write it into the notes first', 'No, leave the clock alone', 'ok', '2'],
    ...['ja, bitte', 'Nein, lass die Uhr', 'oui, vas-y', 'sí, hazlo', '好的，做吧', 'はい'],
  ])('is not open after the answer: %s', async (answer) => {
    const session = offered();
    session.prompt(answer);
    expect(await told([session])).not.toContain('Left open: [agent] Offered');
  });

  it.each([
    '请修复登录错误',
    '对登录页面进行重构',
    '不要使用空格',
    'Si le test échoue, dis-le',
    'Non vide seulement',
  ])('is open after another request: %s', async (request) => {
    const session = offered();
    session.prompt(request);
    expect(await told([session])).toContain('Left open: [agent] Offered');
  });
});
