import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { AnnalsError } from '../../log/index.ts';
import type { ShownItem, Status } from '../../src/api.ts';
import { width } from '../../src/terminal-text/plain-text.ts';
import { call } from './call.ts';
import { fakeAnnals, report, result, toolEvent } from './fake-annals.ts';

const HOSTILE = 'a\u001b]0;owned\u0007b\u001b[31mc\u009b2Jd\u202ee\r\nf';

const item: ShownItem = {
  id: 't-q4m2x7c3n5pa',
  kind: 'tool',
  type: 'Bash',
  title: 'npm test',
  text: Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n'),
  project: 'birdfeeder',
  session: '6f1d2c1e',
  agent: 'claude-code',
  at: '2026-11-16T18:02:51.000Z',
  files: ['src/clock.ts'],
  events: ['00000000000000000000000000000001'],
  details: { outcome: 'failed', durationMs: 1200, result: null },
};

test.each([50, 80, 120, 200])('search results fit a terminal of %i cells', async (columns) => {
  const annals = fakeAnnals({
    results: [
      result,
      { ...result, id: 'u-1', kind: 'tool', type: 'Bash', outcome: 'failed' },
      { ...result, id: 'm-1', kind: 'memory', title: '日本語のタイトル '.repeat(20), at: null },
    ],
  });
  const { stdout } = await call(['search', 'feeding'], { annals, terminal: { columns } });
  for (const line of stripVTControlCharacters(stdout).split('\n'))
    expect(width(line)).toBeLessThanOrEqual(columns);
  for (const shown of ['p-k3j5h2l6a7bc', '38 tok', '2 d ago', '16 Nov']) expect(stdout).toContain(shown);
  expect(stdout.match(/failed {2}/g)).toHaveLength(1);
});

test.each([50, 80, 120])('a search for decisions prints each of them whole in %i cells', async (columns) => {
  const decisions = [
    { by: 'person', text: `The chute stays ${'as wide as it is '.repeat(8)}today.` },
    { by: 'agent', text: 'I kept the hinge because the archive still shows one.' },
  ] as const;
  const annals = fakeAnnals({ results: [{ ...result, type: 'bugfix', kind: 'observation', decisions }] });
  const { stdout } = await call(['search', 'type:decision'], { annals, terminal: { columns } });
  const lines = stripVTControlCharacters(stdout).split('\n');
  for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
  const printed = lines.slice(1).join(' ').replace(/\s+/g, ' ');
  expect(printed).toContain(`The person: ${decisions[0].text} The agent: ${decisions[1].text}`);
  expect(printed).not.toContain(result.snippet);
});

test.each([50, 80, 120])(
  'below a result as many other parts of its turn are listed as fit into %i cells',
  async (columns) => {
    const ids = Array.from({ length: 9 }, (_, index) => `a-k3j5h2l6a7b${index}`);
    const parts = ids.map((id) => ({ id, kind: 'answer' as const, type: null }));
    const annals = fakeAnnals({ results: [{ ...result, parts }] });
    const { stdout } = await call(['search', 'feeding'], { annals, terminal: { columns } });
    const line = stripVTControlCharacters(stdout)
      .split('\n')
      .find((one) => /^ +\+ /.test(one))!;
    expect(width(line)).toBeLessThanOrEqual(columns);
    const shown = line.split('answer a-').length - 1;
    expect(shown).toBe(ids.filter((id) => line.includes(id)).length);
    expect(line).toContain(`, ${9 - shown} more`);
    expect(shown).toBe({ 50: 1, 80: 2, 120: 4 }[columns]);
  },
);

test.each([40, 100])(
  'below a prompt is what its turn states, and then the other parts, in %i cells',
  async (columns) => {
    const statement = {
      id: 'o-q4m2x7c3n5pa',
      kind: 'observation',
      type: 'discovery',
      text: HOSTILE,
    } as const;
    const answer = { id: 'a-tjab2kj21zvp', kind: 'answer', type: null } as const;
    const { id, kind, type } = statement;
    const annals = fakeAnnals({ results: [{ ...result, parts: [answer, { id, kind, type }], statement }] });
    const { stdout } = await call(['search', 'x'], { annals, terminal: { columns } });
    const lines = stripVTControlCharacters(stdout).split('\n');
    const at = lines.findIndex((line) => line.startsWith('   + discovery o-q4m2x7c3n5pa  ab'));
    expect(lines[at + 1]).toBe('   + answer a-tjab2kj21zvp');
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
    expect(stdout.split(id)).toHaveLength(2);
  },
);

test('matched words are highlighted, and there is no colour without a terminal', async () => {
  const annals = fakeAnnals({ results: [result] });
  const words = ['search', 'feedings', 'schedule.test.ts'];
  const colored = await call(words, { annals, environment: { FORCE_COLOR: '1' } });
  expect(colored.stdout).toMatch(/\u001b\[33mfeeding\u001b/);
  expect(colored.stdout).toMatch(/\u001b\[33mschedule\u001b/);
  for (const options of [
    {},
    { terminal: { columns: 100 }, environment: { NO_COLOR: '1' } },
    { terminal: { columns: 100 }, environment: { TERM: 'dumb' } },
  ])
    expect((await call(words, { annals, ...options })).stdout).not.toContain('\u001b');
  const refused = await call(['--no-color', ...words], { annals, environment: { FORCE_COLOR: '1' } });
  expect(refused.stdout).not.toContain('\u001b');
});

test('a snippet longer than a line starts near its first match', async () => {
  const snippet = `${'before '.repeat(40)}the clock is read here ${'after '.repeat(40)}`;
  const annals = fakeAnnals({ results: [{ ...result, snippet }] });
  const { stdout } = await call(['search', 'clock'], {
    annals,
    terminal: { columns: 100 },
    environment: { NO_COLOR: '1' },
  });
  expect(stdout).toMatch(/…before .*the clock is read here.*…\n/);
});

test('text from the log cannot control the terminal', async () => {
  const event = toolEvent(1, HOSTILE);
  const annals = fakeAnnals({
    results: [{ ...result, title: HOSTILE, snippet: HOSTILE, project: HOSTILE, kind: 'tool', type: HOSTILE }],
    items: [{ ...item, title: HOSTILE, text: HOSTILE, files: [HOSTILE], details: { [HOSTILE]: [HOSTILE] } }],
    events: [event],
    why: { id: item.id, title: HOSTILE, kind: HOSTILE, steps: [HOSTILE], events: [event] },
    status: { projects: [{ name: HOSTILE, sessions: 1, observations: 1, memories: 0 }], degraded: [HOSTILE] },
    verification: { ok: false, events: 1, problems: [{ kind: 'body', position: 1, message: HOSTILE }] },
  });
  for (const words of [
    ['search', 'x'],
    ['show', item.id],
    ['why', item.id],
    ['log'],
    ['status'],
    ['verify'],
    ['up'],
  ]) {
    const { stdout, stderr } = await call(words, { annals });
    expect(stdout + stderr, words.join(' ')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test('long texts are cut, and --full prints all of them', async () => {
  const annals = fakeAnnals({ items: [item] });
  const short = await call(['show', item.id], { annals });
  expect(short.stdout).toContain('line 40\n');
  expect(short.stdout).not.toContain('line 41\n');
  expect(short.stdout).toContain('20 more lines');
  const whole = await call(['show', item.id, '--full'], { annals });
  expect(whole.stdout).toContain('line 60\n');
});

test('show does not repeat in the details what it printed above', async () => {
  const lesson = 'The clock was read in local time, so the hatch opened late.';
  const observation: ShownItem = {
    ...item,
    kind: 'observation',
    type: 'bugfix',
    title: 'Fixed the hatch',
    text: `${lesson} It reads UTC now.\n- Always in UTC\n- Tested in two zones\nfailed`,
    details: {
      outcome: 'failed',
      narrative: `${lesson} It reads UTC now.`,
      facts: ['Always in UTC', 'Tested in two zones'],
      concepts: ['gotcha', 'Tested'],
      filesModified: ['src/clock.ts'],
      filesRead: ['src/hatch.ts'],
      evidence: { decisions: ['Always in UTC'], commands: ['npm test'] },
    },
  };
  const { stdout } = await call(['show', item.id], { annals: fakeAnnals({ items: [observation] }) });
  for (const text of [lesson, 'Always in UTC', 'src/clock.ts']) expect(stdout.split(text)).toHaveLength(2);
  expect(stdout).toMatch(/outcome: failed/);
  expect(stdout).toMatch(/concepts:\n\s+gotcha\n\s+Tested\n/);
  expect(stdout).toMatch(/files read:[\s\S]*src\/hatch\.ts/);
  expect(stdout).toMatch(/evidence:[\s\S]*npm test/);
  expect(stdout).not.toMatch(/decisions|narrative|files modified/);
});

test('status shows sizes, growth and reclaimable space', async () => {
  const { stdout } = await call(['status']);
  expect(stdout).toContain('Size      log 48.2 kB · views 140.0 kB (turns 140.0 kB)\n');
  expect(stdout).toContain(
    'Growth    6.2 kB a day in the last 30 days, 4.1 kB a day since the first event\n',
  );
  expect(stdout).toContain('Spare     about 52.0 kB, freed by `annals compact`\n');
  const size = { bytes: 0, log: 1_000_000, views: [], spool: 0, perDay: null, reclaimable: 10 };
  const quiet = await call(['status'], { annals: fakeAnnals({ status: { size } }) });
  expect(quiet.stdout).not.toMatch(/Growth|Spare|spool/);
});

test('the worker shows where HTTP is served, and what is known of the port', async () => {
  const shown = async (port: number | null) => {
    const state = {
      ...{ pid: 42, version: '0.1.0', startedAt: '2026-03-01T10:00:00.000Z', home: '/home', socket: '/s' },
      ...{ port, portWanted: 37_780, log: '/log', clients: 1, memory: 1, transcripts: [] },
      ...{ transcriptsWaiting: 0, head: 1, projected: 1 },
    };
    const worker = () => ({ status: async () => ({ state, why: null }) }) as never;
    const { stdout } = await call(['worker'], { world: { worker } });
    return stdout.split('\n').find((line) => line.startsWith('HTTP'));
  };
  expect(await shown(37_780)).toBe('HTTP         http://127.0.0.1:37780');
  expect(await shown(37_781)).toBe('HTTP         http://127.0.0.1:37781: port 37780 is taken');
  expect(await shown(null)).toBe('HTTP         not served');
});

test('status shows the worker, also when none runs', async () => {
  expect((await call(['status'])).stdout).toMatch(/^Worker +none runs$/m);
  const annals = fakeAnnals({ status: { worker: { pid: 42 } } });
  expect((await call(['status'], { annals })).stdout).toMatch(/^Worker +process 42$/m);
});

test('status shows the hooks of each agent that is here', async () => {
  const hook = {
    agent: 'codex',
    present: true,
    installed: true,
    current: true,
    elsewhere: false,
    byPlugin: false,
  };
  const hooks: Status['hooks'] = [
    { ...hook, mcp: 'registered' },
    { ...hook, agent: 'cursor', current: false, mcp: 'missing' },
    { ...hook, agent: 'copilot', installed: null, current: false, mcp: 'other' },
    { ...hook, agent: 'qwen-code', installed: false, current: false, mcp: 'missing' },
    { ...hook, agent: 'opencode', installed: false, elsewhere: true, current: false, mcp: 'outdated' },
    { ...hook, agent: 'windsurf', present: false, installed: false, current: false, mcp: 'missing' },
    { ...hook, agent: 'claude-code', installed: false, current: false, byPlugin: true, mcp: 'plugin' },
  ];
  const { stdout } = await call(['status'], { annals: fakeAnnals({ status: { hooks } }) });
  expect(stdout).toContain(
    [
      'Hooks     codex: installed, with the MCP server',
      '          cursor: installed, but not as this version does it (`annals install cursor`), without the MCP server',
      '          copilot: its settings cannot be read, with an MCP server of your own',
      '          qwen-code: not installed (`annals install qwen-code`)',
      '          opencode: installed for another home (`annals install opencode`), with an MCP server of another place (`annals install opencode`)',
      '          claude-code: installed by the plugin, with the MCP server',
      '',
    ].join('\n'),
  );
  expect(stdout).not.toContain('windsurf');
});

test('status says why hook files were ignored, and where the reasons of unusable ones are', async () => {
  const ignored = { 'of cursor': 2, Notification: 1_200, 'fired twice': 1, PreCompact: 1, PreToolUse: 1 };
  const spool = { new: 0, bad: 3, taken: { recorded: 7, private: 0, ignored, bad: 3 } };
  const { stdout } = await call(['status'], { annals: fakeAnnals({ status: { spool } }) });
  expect(stdout).toContain(
    'recorded so far: 7 events, 1,205 ignored (Notification 1,200, of cursor 2, PreCompact 1, PreToolUse 1, …), 3 unusable\n',
  );
  expect(stdout).toContain('spool/bad in the home: the first line of each unusable file is the reason\n');
});

test('with an empty log search, log and status suggest an import', async () => {
  const annals = fakeAnnals({ status: { log: { events: 0, head: 0, bytes: 0 }, projects: [] } });
  for (const words of [['search', 'anything'], ['log'], ['status']]) {
    const { code, stderr } = await call(words, { annals });
    expect(code).toBe(0);
    expect(stderr).toContain('Nothing here yet. Try: annals import ~/.claude/projects');
  }
});

test('that nothing fits well is said before the nearest results', async () => {
  let printed = '';
  const write = async (text: string) => {
    printed += text;
  };
  const output = { isTerminal: false, columns: null, write };
  const annals = fakeAnnals({ results: [result], lowConfidence: true });
  await call(['search', 'heron'], { annals, world: { stdout: output, stderr: output } });
  expect(printed).toMatch(/^Nothing fits the query well\. These are the nearest results:\n1 /);
});

test('a search without results names its conditions', async () => {
  expect((await call(['search', 'nothing'])).stderr).toContain('Nothing matches "nothing".');
  expect((await call(['search', 'nothing', '--kind', 'tool'])).stderr).toContain('with these conditions');
});

test('log prints the last twenty events, or all with --all', async () => {
  const annals = fakeAnnals({ events: Array.from({ length: 30 }, (_, index) => toolEvent(index + 1)) });
  const last = (await call(['log'], { annals })).stdout.trimEnd().split('\n');
  expect(last).toHaveLength(20);
  expect(last[0]).toMatch(/^ +11 .* tool\.used +Bash failed: npm test$/);
  expect((await call(['log', '--all'], { annals })).stdout.trimEnd().split('\n')).toHaveLength(30);
});

test('why prints a path from the thing to every event', async () => {
  const events = [toolEvent(7), toolEvent(8)];
  const annals = fakeAnnals({
    why: { id: 't-1', title: 'npm test', kind: 'tool', steps: ['rules made it from two events'], events },
  });
  const { stdout } = await call(['why', 't-1'], { annals });
  expect(stdout).toMatch(
    /^npm test\ntool · t-1\n│\n├─ rules made it from two events\n│\n└─ 2 events in the log:\n/,
  );
  for (const { id, position } of events) expect(stdout).toContain(`#${position}  ${id}`);
});

test('files that could not be read are named, and the import fails', async () => {
  const annals = fakeAnnals({
    import: async () => ({
      ...report,
      parked: 1,
      parkedLines: [{ file: 'b.jsonl', offset: 1_024, length: 12, reason: 'no JSON' }],
      unreadable: [{ path: 'locked', reason: 'permission denied' }],
    }),
  });
  const { code, stderr, stdout } = await call(['import', 'locked', 'b.jsonl'], { annals });
  expect(code).toBe(1);
  expect(stdout).toContain('2 sessions, 5 prompts, 23 tool uses');
  expect(stderr).toContain('not read: locked: permission denied');
  expect(stderr).toContain('b.jsonl at byte 1,024, 12 bytes: no JSON');
});

test.each([
  [0, '61 events of log 01234567, none of them new.'],
  [3, '61 events of log 01234567 merged into this one.'],
])('an import of an export that has %i new events says so', async (appended, sentence) => {
  const merged = {
    ...{ path: 'exp', logId: '0123456789', after: 0, head: 61, events: 61, appended },
    ...{ duplicates: 61 - appended, differing: 0, forgotten: 0 },
  };
  const annals = fakeAnnals({ import: async () => ({ ...report, exports: [merged] }) });
  expect((await call(['import', 'exp'], { annals })).stdout).toContain(`exp: ${sentence}\n`);
});

test('an import into a file says when the vectors are computed', async () => {
  let time = 0;
  const annals = fakeAnnals();
  annals.import = async (_, options) => {
    await options?.onSearchable?.(report);
    time += 2_000;
    options?.onVectors?.(2, 13);
    return report;
  };
  const { stderr } = await call(['import', 'a.jsonl'], { annals, world: { now: () => time } });
  expect(stderr).toMatch(/Computing vectors: 15 %, 2 of 13 projects\nThe vectors are computed\.\n/);
});

test('an import names the kinds of lines that this version does not know', async () => {
  const unknown = {
    lines: { 'api-surprise': 1_200, 'brand-new': 2 },
    subtypes: {},
    attachments: { surprise_note: 1 },
  };
  const annals = fakeAnnals({ import: async () => ({ ...report, unknown }) });
  const { stderr } = await call(['import', 'b.jsonl'], { annals });
  expect(stderr).toContain(
    '2 kinds of lines, unknown to this version and skipped: api-surprise (1,200), brand-new (2)\n',
  );
  expect(stderr).toContain('1 kind of attachment, unknown to this version and skipped: surprise_note (1)\n');
  expect(stderr).not.toContain('system lines');
  const { json } = await call(['import', 'b.jsonl', '--json'], { annals });
  expect(json()).toMatchObject({ unknown });
});

test.each(['returns', 'throws'])(
  'an interrupted import that %s exits with 130 and says how to continue',
  async (how) => {
    let interrupt = () => {};
    const annals = fakeAnnals({
      import: async (_paths, options) => {
        interrupt();
        expect(options?.signal?.aborted).toBe(true);
        if (how === 'throws') options?.signal?.throwIfAborted();
        return report;
      },
    });
    const { code, stderr } = await call(['import', 'a.jsonl'], {
      annals,
      onListen: (listener) => {
        interrupt = listener;
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('`annals import` with the same paths continues from here');
    expect(annals.closed).toBe(true);
  },
);

test.each([
  ['birdfeeder', true],
  ['birdfeedr', false],
])('save says so when the project is new: %s', async (project, isKnown) => {
  const annals = fakeAnnals();
  if (!isKnown)
    annals.list = async () => {
      throw new AnnalsError('NOT_FOUND', `No project is called “${project}”.`);
    };
  const words = ['save', '--title', 'Clock', '--text', 'Times are UTC.', '--project', project];
  const { stderr } = await call(words, { annals });
  expect(stderr.includes('a new project, “birdfeedr”')).toBe(!isKnown);
});

test('save without text is wrong use', async () => {
  const { code, stderr, annals } = await call(['save', '--title', 'Clock'], { stdin: ' \n' });
  expect(code).toBe(2);
  expect(stderr).toContain('There is no text: standard input is empty.');
  expect(annals.calls).toEqual([]);
  for (const words of [
    ['save', '--title', 'Clock'],
    ['edit', 'o-1'],
  ])
    expect((await call([...words, '--text', ''])).stderr).toContain('There is no text: --text is empty.');
});
