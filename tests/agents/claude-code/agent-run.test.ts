// The agent may answer several prompts in one run: those typed while it works, and those sent together. Nothing of a
// run is recorded from its first private prompt on.
import { describe, expect, test } from 'vitest';
import { ofType, type RawLine, readInSlices, readWhole, Script, uuidOf } from '../../helpers/transcripts.ts';

const HIDDEN = '<private>about heron</private>';
const typed = (promptId: string): RawLine => ({ promptId, promptSource: 'typed' });
const waited = (promptId: string): RawLine => ({ promptId, promptSource: 'queued' });

/** The events of a script, read at once and split at every line: the same, and without the word heron. */
function eventsOf(script: Script) {
  const bytes = script.bytes();
  const { newEvents } = readWhole(bytes);
  const cuts = [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1);
  expect(readInSlices(bytes, cuts).newEvents).toEqual(newEvents);
  expect(JSON.stringify(newEvents)).not.toContain('heron');
  return {
    prompts: ofType(newEvents, 'prompt.submitted').map(({ body }) => body.text),
    answers: ofType(newEvents, 'agent.replied').map(({ body }) => body.text),
    uses: ofType(newEvents, 'tool.used').map(({ body }) => body.toolUseId),
  };
}

function queued(script: Script, text: string): void {
  script.attachment({ type: 'queued_command', prompt: text, commandMode: 'prompt' });
}

/** A task that runs in the background from here on, and the note of its end. */
function background(script: Script, id: string): void {
  script.use(`toolu_${id}`, 'Bash', { command: 'make', run_in_background: true });
  script.result(`toolu_${id}`, `Command running in background with ID: ${id}.`, {
    toolUseResult: { stdout: '', backgroundTaskId: id },
  });
}
const noteOf = (id: string) => `<task-notification>\n<task-id>${id}</task-id>\n</task-notification>`;

describe('A private prompt', () => {
  test('typed during a tool use hides what follows, not the use under way', () => {
    const script = new Script();
    script.prompt('a slow task', typed('p-1'));
    script.use('toolu_1');
    script.enqueue(HIDDEN);
    script.result('toolu_1', 'slow', { promptId: 'p-1' });
    queued(script, HIDDEN);
    script.use('toolu_2', 'Bash', { command: 'echo heron' });
    script.result('toolu_2', 'heron', { promptId: 'p-1' });
    script.reply('both, with heron');
    script.prompt('and then', typed('p-2'));
    script.reply('after');
    const { answers, uses } = eventsOf(script);
    expect(uses).toEqual(['toolu_1']);
    expect(answers).toEqual(['after']);
  });

  test('still hides its run when a public prompt follows in the same run', () => {
    const script = new Script();
    script.prompt('a slow task', typed('p-1'));
    script.use('toolu_1');
    script.result('toolu_1', 'slow');
    queued(script, HIDDEN);
    queued(script, 'and the tests');
    script.reply('heron, and the tests pass');
    expect(eventsOf(script)).toMatchObject({ prompts: ['a slow task', null, 'and the tests'], answers: [] });
  });

  test('still hides its run when a command of the program waits in the queue meanwhile', () => {
    const script = new Script();
    script.prompt(HIDDEN, typed('p-1'));
    script.use('toolu_1', 'Bash', { command: 'echo heron' });
    script.enqueue('/model');
    script.result('toolu_1', 'heron');
    script.reply('heron it is');
    script.dequeue();
    script.prompt('and then', typed('p-2'));
    script.reply('after');
    expect(eventsOf(script)).toEqual({ prompts: [null, 'and then'], answers: ['after'], uses: [] });
  });

  test('sent together with public prompts, each with its own id, hides their common run', () => {
    const script = new Script();
    script.prompt('answer slowly', typed('p-1'));
    script.reply('slowly');
    script.prompt('a public one', waited('p-2'));
    script.prompt(HIDDEN, waited('p-3'));
    script.prompt('another public one', waited('p-4'));
    script.use('toolu_1', 'Bash', { command: 'echo heron' });
    script.result('toolu_1', 'heron', { promptId: 'p-4' });
    script.reply('all three, with heron');
    script.prompt('and then', typed('p-5'));
    script.reply('after');
    expect(eventsOf(script).answers).toEqual(['slowly', 'after']);
  });

  test('is not over when a command is typed in between', () => {
    const script = new Script();
    script.prompt(HIDDEN, typed('p-1'));
    script.use('toolu_1', 'Bash', { command: 'heron' });
    script.prompt('<command-name>/context</command-name>', { promptId: 'p-2' });
    script.result('toolu_1', 'heron', { promptId: 'p-1' });
    script.reply('a heron');
    expect(eventsOf(script).answers).toEqual([]);
  });

  test.each([
    ['interrupted', '[Request interrupted by user for tool use]'],
    ['killed', "[Tool call interrupted: the session ended before this call's result was recorded]"],
  ])('that was %s does not hide what a person asks next', (_, words) => {
    const script = new Script();
    script.prompt(HIDDEN, { promptId: 'p-1', promptSource: 'sdk' });
    script.use('toolu_1', 'Bash', { command: 'heron' });
    script.result('toolu_1', words);
    script.message('user', { content: [{ type: 'text', text: words }] }, {});
    script.prompt('go on', { promptId: 'p-2', promptSource: 'sdk' });
    script.reply('on it goes');
    expect(eventsOf(script).answers).toEqual(['on it goes']);
  });

  test('does not hide a fork’s own turn, which has the promptId of all copied lines', () => {
    const script = new Script();
    script.prompt('first', typed('p-f'));
    script.reply('one');
    script.prompt(HIDDEN, typed('p-f'));
    script.use('toolu_1', 'Bash', { command: 'heron' });
    script.result('toolu_1', 'heron', { promptId: 'p-f' });
    script.reply('heron');
    script.prompt('in the fork', { promptId: 'p-f', promptSource: 'sdk' });
    script.use('toolu_2');
    script.result('toolu_2', 'two', { promptId: 'p-f' });
    script.reply('forked');
    expect(eventsOf(script)).toMatchObject({ answers: ['one', 'forked'], uses: ['toolu_2'] });
  });
});

describe('A background task of a private turn', () => {
  test('hides the run that its note opens, even after a public prompt', () => {
    const script = new Script();
    script.prompt(HIDDEN, typed('p-1'));
    background(script, 'bczfirncs');
    script.reply('started the heron');
    script.prompt('meanwhile', typed('p-2'));
    script.reply('public answer');
    script.enqueue(noteOf('bczfirncs'));
    script.raw({ type: 'queue-operation', operation: 'dequeue', sessionId: script.session });
    script.prompt(noteOf('bczfirncs'), { promptId: 'p-3', promptSource: 'system' });
    script.use('toolu_2', 'Read', { file_path: '/tmp/out' });
    script.result('toolu_2', 'heron', { promptId: 'p-3' });
    script.reply('it printed heron');
    script.prompt('and then', typed('p-4'));
    script.reply('after');
    expect(eventsOf(script)).toMatchObject({ answers: ['public answer', 'after'], uses: [] });
  });

  test('hides what follows when its note is shown in the middle of a public run', () => {
    const script = new Script();
    script.prompt(HIDDEN, typed('p-1'));
    background(script, 'bczfirncs');
    script.reply('started the heron');
    script.prompt('meanwhile', typed('p-2'));
    script.use('toolu_2');
    script.enqueue(noteOf('bczfirncs'));
    script.result('toolu_2', 'two');
    script.attachment({
      type: 'queued_command',
      prompt: noteOf('bczfirncs'),
      commandMode: 'task-notification',
    });
    script.reply('two, and the heron is done');
    expect(eventsOf(script)).toMatchObject({ answers: [], uses: ['toolu_2'] });
  });

  test('hides a tool use that reads its output, and the rest of that run', () => {
    const script = new Script();
    script.prompt(HIDDEN, typed('p-1'));
    background(script, 'bczfirncs');
    script.reply('started the heron');
    script.prompt('meanwhile', typed('p-2'));
    script.use('toolu_2', 'Bash', { command: 'cat /tmp/tasks/bczfirncs.output' });
    script.result('toolu_2', 'heron');
    script.reply('heron it says');
    script.prompt('and then', typed('p-3'));
    script.reply('after');
    expect(eventsOf(script)).toMatchObject({ answers: ['after'], uses: [] });
  });

  test('does not hide the note of a public turn’s task, unless the run before was private', () => {
    const script = new Script();
    script.prompt('build it', typed('p-1'));
    background(script, 'bpublic01');
    background(script, 'bpublic02');
    script.reply('started');
    script.prompt(noteOf('bpublic01'), { promptId: 'p-2', promptSource: 'system' });
    script.reply('built');
    script.prompt(HIDDEN, typed('p-3'));
    script.reply('after the build, the heron');
    script.prompt(noteOf('bpublic02'), { promptId: 'p-4', promptSource: 'system' });
    script.reply('built, and now the heron');
    expect(eventsOf(script).answers).toEqual(['started', 'built']);
  });
});

test('a shell command is a person’s command, but its output is not', () => {
  const script = new Script();
  script.prompt('<bash-input>git status</bash-input>', { promptId: 'p-1' });
  script.prompt('<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>', { promptId: 'p-1' });
  script.reply('It is clean.');
  script.prompt(`<bash-input>${HIDDEN}</bash-input>`, { promptId: 'p-2' });
  script.reply('heron');
  expect(eventsOf(script)).toMatchObject({ prompts: ['!git status', null], answers: ['It is clean.'] });
});

test('after a private turn, neither titles nor compaction summaries are recorded', () => {
  const script = new Script();
  script.prompt(HIDDEN, typed('p-1'));
  script.reply('heron');
  script.meta('ai-title', { aiTitle: 'heron' });
  script.meta('custom-title', { customTitle: 'heron' });
  script.prompt('and then', typed('p-2'));
  script.reply('all about heron', { isSidechain: true, agentId: 'acompact-1' });
  script.prompt('it was about heron', { isCompactSummary: true });
  script.reply('after');
  expect(eventsOf(script).answers).toEqual(['after']);
});

test('a title before the private prompt that it was made from is not recorded', () => {
  const script = new Script();
  script.meta('ai-title', { aiTitle: 'heron' });
  script.prompt(HIDDEN, typed('p-1'));
  script.reply('heron');
  expect(eventsOf(script).answers).toEqual([]);
});

test('the note of a private task that opens a run of its own does not hide the public run before it', () => {
  const script = new Script();
  script.prompt(HIDDEN, typed('p-1'));
  background(script, 'bczfirncs');
  script.reply('started the heron');
  script.prompt('meanwhile', typed('p-2'));
  script.reply('public answer');
  script.enqueue(noteOf('bczfirncs'));
  script.dequeue();
  expect(new Map(readWhole(script.bytes()).state.runs).get('p-2')).toBe(null);
});

describe('Lines before the first prompt of a new file', () => {
  const EARLIER = new Date(Date.UTC(2026, 0, 1)).toISOString();

  function ahead(prompt: string): Script {
    const [first, second] = [uuidOf(101), uuidOf(102)];
    const script = new Script();
    script.reply('about the heron', { uuid: uuidOf(201), parentUuid: second });
    script.use('toolu_1', 'Bash', { command: 'echo heron' }, { uuid: uuidOf(202), parentUuid: uuidOf(201) });
    script.prompt(prompt, { ...typed('p-1'), uuid: first, parentUuid: null, timestamp: EARLIER });
    script.attachment({ type: 'skill_listing' }, { uuid: second, parentUuid: first });
    script.result('toolu_1', 'heron', { promptId: 'p-1', parentUuid: uuidOf(202) });
    script.reply('all of the heron');
    script.prompt('and then', typed('p-2'));
    script.reply('after');
    return script;
  }

  test('are private when that prompt is', () => {
    const { answers, uses } = eventsOf(ahead(HIDDEN));
    expect(uses).toEqual([]);
    expect(answers).toEqual(['after']);
  });

  test('belong to it when it is public', () => {
    const { newEvents } = readWhole(ahead('Tell me').bytes());
    const replies = ofType(newEvents, 'agent.replied').map(({ body }) => [body.text, body.promptUuid]);
    expect(replies.slice(0, 2)).toEqual([
      ['about the heron', uuidOf(101)],
      ['all of the heron', uuidOf(101)],
    ]);
    expect(ofType(newEvents, 'tool.used').map(({ body }) => body.promptUuid)).toEqual([uuidOf(101)]);
  });

  test.each([
    ['are recorded when their parent never comes', 'Tell me', ['about the heron', 'answer', 'after']],
    ['are not recorded when their parent never comes and something is private', HIDDEN, ['after']],
  ])('%s', (_, prompt, expected) => {
    const script = new Script();
    script.reply('about the heron', { parentUuid: uuidOf(100) });
    script.prompt(prompt, { ...typed('p-1'), parentUuid: null, timestamp: EARLIER });
    script.reply('answer');
    script.prompt('and then', typed('p-2'));
    script.reply('after');
    const { newEvents } = readWhole(script.bytes());
    expect(
      ofType(newEvents, 'agent.replied')
        .map(({ body }) => body.text)
        .sort(),
    ).toEqual(expected.sort());
  });

  test('are recorded when they are older: the last lines of an earlier file', () => {
    const script = new Script();
    script.reply('from before', { parentUuid: uuidOf(100) });
    script.prompt(HIDDEN, { ...typed('p-1'), parentUuid: null });
    script.reply('about the heron');
    expect(eventsOf(script).answers).toEqual(['from before']);
  });

  test('are recorded at once when there are many', () => {
    const script = new Script({ parent: uuidOf(900) });
    for (let count = 0; count < 100; count++) script.reply(`answer ${count}`);
    expect(ofType(readWhole(script.bytes()).newEvents, 'agent.replied')).toHaveLength(100);
  });
});
