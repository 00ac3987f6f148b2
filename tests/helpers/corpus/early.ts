// Versions 1.0.x: no promptId, sub-agents inside the main file, summaries at the start, notices without a subtype.
import { type MadeTranscript, Recording } from './recording.ts';

const CWD = '/home/robin/tide-tables';

export function earlyTranscripts(): MadeTranscript[] {
  return [commands(), sidechain(), sidechainAlone()];
}

function commands(): MadeTranscript {
  const script = new Recording({ number: 1, version: '1.0.95', cwd: CWD });
  const folder = 'robin__tide-tables';
  script.raw({
    type: 'summary',
    summary: 'Tide tables print a day twice',
    leafUuid: '00001002-0000-4000-8000-000000000000',
  });
  script.message(
    'user',
    { role: 'user', content: 'Caveat: The messages below were made by a command.' },
    {
      isMeta: true,
    },
  );
  const clear = '<command-name>/clear</command-name>\n<command-args></command-args>';
  script.message('user', { role: 'user', content: clear }, {});
  script.message('user', { role: 'user', content: '<local-command-stdout></local-command-stdout>' }, {});
  script.prompt('The tide table prints the last day of a month twice. Please find out why and mend it.');
  script.reply('I will look at the loop over the days first.');
  const path = `${CWD}/src/table.ts`;
  const file = {
    filePath: path,
    content: 'for (const day of days) print(day);\n',
    numLines: 1,
    startLine: 1,
  };
  script.tool('Read', { file_path: path }, '     1\tfor (const day of days) print(day);', {
    type: 'text',
    file,
  });
  script.failed('Bash', { command: 'npm test' }, 'Exit code 1\n1 failing: last day of June');
  script.edited(path, 'day <= last', 'day < last');
  script.bash('npm test', '14 passing');
  script.reply('The loop ran one day too far: it now ends before the first day of the next month.');
  script.message('user', { role: 'user', content: '# always run npm test after an edit' }, {});
  script.message(
    'user',
    { role: 'user', content: [{ type: 'text', text: 'And does it hold in a leap year?' }] },
    {},
  );
  script.denied('Bash', { command: 'rm -r out' });
  script.interrupted();
  script.message('file-history-delta', null, {
    messageId: 'msg_1',
    trackingPath: path,
    backup: { size: 12 },
  });
  script.message('system', null, { content: 'Conversation is getting long', level: 'info' });
  script.prompt('Leave the folder. Only run the tests for February.');
  script.bash('npm test -- february', '2 passing ✓ — naïve 🌊');
  script.reply('Both tests of February pass, in a leap year too.');
  return { name: `${folder}/${script.session}.jsonl`, script, prompts: 3, toolUses: 6 };
}

/** Almost all lines are a sub-agent's, between the tool use that launched it and its result. */
function sidechain(): MadeTranscript {
  const script = new Recording({ number: 2, version: '1.0.108', cwd: CWD });
  const aside = { isSidechain: true };
  script.prompt('Have somebody list every place that reads the harbour file.');
  const task = script.launch('Task', {
    description: 'List the readers',
    prompt: 'List what reads harbours.json',
  });
  script.prompt('List what reads harbours.json', { ...aside, parentUuid: null });
  script.reply('I search for the name of the file.', aside);
  const found = { filenames: [`${CWD}/src/harbours.ts`], durationMs: 19, numFiles: 1, truncated: false };
  script.tool('Grep', { pattern: 'harbours.json' }, `${CWD}/src/harbours.ts`, found, aside);
  script.failed('Bash', { command: 'lsd src' }, 'lsd: command not found', aside);
  const server = {
    shellId: 'bash_1',
    command: 'npm run dev',
    status: 'running',
    exitCode: null,
    stdout: 'ready',
  };
  script.tool('BashOutput', { bash_id: 'bash_1' }, '<status>running</status>', server, aside);
  script.reply('Only src/harbours.ts reads it.', aside);
  const report = [{ type: 'text', text: 'Only src/harbours.ts reads it.' }];
  script.result(task, report, {
    toolUseResult: { content: report, totalDurationMs: 4_200, totalTokens: 900 },
  });
  script.reply('One file reads it: src/harbours.ts.');
  return { name: `robin__tide-tables/${script.session}.jsonl`, script, prompts: 1, toolUses: 4 };
}

/** A file without a prompt by a person: every line is a sidechain, and the last tool use has no result. */
function sidechainAlone(): MadeTranscript {
  const script = new Recording({ number: 3, version: '1.0.98', cwd: CWD, always: { isSidechain: true } });
  script.raw({
    type: 'summary',
    summary: 'A session of another file',
    leafUuid: '77777777-0000-4000-8000-000000000000',
  });
  script.prompt('Examine package.json and say which scripts there are.');
  script.bash('cat package.json', '{ "scripts": { "test": "node --test" } }');
  script.reply('There is one script: test.');
  script.launch('Read', { file_path: `${CWD}/README.md` });
  return { name: `robin__tide-tables/${script.session}.jsonl`, script, prompts: 0, toolUses: 2 };
}
