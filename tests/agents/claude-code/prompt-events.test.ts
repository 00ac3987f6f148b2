import { describe, expect, it } from 'vitest';
import { ofType, readWhole, Script } from '../../helpers/transcripts.ts';

function prompts(script: Script) {
  return ofType(readWhole(script.bytes()).newEvents, 'prompt.submitted');
}

function texts(script: Script) {
  return prompts(script).map((newEvent) => newEvent.body.text);
}

describe('What counts as a person’s prompt', () => {
  it('records a typed prompt with its offset, program and ids', () => {
    const script = new Script({ version: '2.1.219' });
    const uuid = script.prompt('Why does the login test flake?', {
      promptId: 'p-1',
      promptSource: 'typed',
      origin: { kind: 'human' },
      permissionMode: 'plan',
      entrypoint: 'cli',
    });
    expect(prompts(script)).toMatchObject([
      {
        agent: 'claude-code',
        session: script.session,
        dedupeKey: uuid,
        channel: 'transcript',
        occurredAt: Date.UTC(2026, 0, 1, 0, 0, 1),
        body: {
          text: 'Why does the login test flake?',
          private: false,
          kind: 'prompt',
          via: 'line',
          source: 'typed',
          permissionMode: 'plan',
          cwd: '/home/u/app',
          branch: 'main',
          agentVersion: '2.1.219',
          entrypoint: 'cli',
          uuid,
          promptId: 'p-1',
          promptUuid: uuid,
          offset: 0,
        },
      },
    ]);
  });

  it.each([
    ['a tool result', { message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] } }],
    ['a meta line', { isMeta: true }],
    ['a compaction summary', { isCompactSummary: true }],
    ['a line only for the transcript', { isVisibleInTranscriptOnly: true }],
    ['an instruction inside a side-chain', { isSidechain: true }],
    ['an instruction to a sub-agent', { agentId: 'a1' }],
    ['a line whose origin is not human', { origin: { kind: 'coordinator' } }],
    ['a line of an unknown origin', { origin: 'peer' }],
    ['a line from the system', { promptSource: 'system' }],
  ])('does not record %s as a prompt', (_, extra) => {
    const script = new Script();
    script.prompt('words', extra);
    expect(texts(script)).toEqual([]);
  });

  it.each([
    '<local-command-stdout>out</local-command-stdout>',
    '<local-command-caveat>Caveat: …</local-command-caveat>',
    '<bash-stdout>/home</bash-stdout>',
    '<task-notification><status>done</status></task-notification>',
    '<system-reminder>be brief</system-reminder>',
    '<user-memory-input>use tabs</user-memory-input>',
    'Caveat: The messages below were generated',
    '[Request interrupted by user]',
    'Operation stopped by hook: another session is active',
  ])('does not record %s as a prompt', (text) => {
    const script = new Script();
    script.prompt(text);
    expect(texts(script)).toEqual([]);
  });

  it.each([
    ['2.1.45', '{"task_id":"b1bf39e","description":"bun run test","task_type":"local_bash"}'],
    [
      '2.1.47',
      '{"task_id":"bc35c2f","tool_use_id":"toolu_01","description":"git commit","task_type":"local_bash"}',
    ],
    ['2.1.50', '{"task_id":"a68e11c","tool_use_id":"toolu_02","description":"Explore"}'],
    ['a later one, cut', '<task-notification>\n<task-id>b1</task-id>\n<output… (900 characters)'],
    ['a later one', '<teammate-message teammate_id="a" color="red">done, see the branch</teammate-message>'],
    ['a later one', '<cross-session-message from="b">hi</cross-session-message>'],
    ['a later one', '<channel source="chat">ship it</channel>'],
    ['a later one', '<tick>2026-01-01T00:00:00Z</tick>'],
  ])('does not record a program’s note as a prompt, in any place (%s): %s', (_, note) => {
    const script = new Script();
    script.enqueue(note);
    script.dequeue();
    script.prompt(note);
    script.attachment({ type: 'queued_command', prompt: note, commandMode: 'prompt' });
    expect(texts(script)).toEqual([]);
    expect(Object.values(readWhole(script.bytes()).state.counts.refused)).toEqual([3]);
  });

  it.each([
    '<channel>\n<title>News</title>\n</channel>\nWhy does my parser drop the title of this feed?',
    '<bash-stdout>/home</bash-stdout> what is this?',
    '<tick>1</tick>\n\nWho writes this?',
  ])('records what a person typed behind such a block, if the line says that a person did: %s', (text) => {
    const script = new Script();
    script.prompt(text, { origin: { kind: 'human' } });
    script.attachment({ type: 'queued_command', prompt: text, origin: { kind: 'human' } });
    expect(texts(script)).toEqual([text, text]);
    const notes = new Script();
    notes.prompt(text);
    notes.prompt('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>', { origin: { kind: 'human' } });
    notes.prompt(text.slice(0, text.lastIndexOf('>') + 1), { origin: { kind: 'human' } });
    notes.prompt('[Request interrupted by user] </> x', { origin: { kind: 'human' } });
    expect(texts(notes)).toEqual([]);
  });

  it.each([
    'why does it write {"task_id":"b1","task_type":"local_bash"} into the queue?',
    '{"task_id": 7, "name": "my own fixture"}',
    '<tick> is a strange tag, what writes it?',
    'what is <task-notification>x</task-notification> for?',
    'why is <ide_selection>a</ide_selection> sent with it?',
  ])('records a person’s question about such notes as a prompt: %s', (text) => {
    const script = new Script();
    script.prompt(text);
    expect(texts(script)).toEqual([text]);
  });

  const opened = '<ide_opened_file>The user opened the file /a/b.ts in the IDE.</ide_opened_file>';
  const selected = '<ide_selection>The user selected the lines 1 to 3:\nlet a = 1</ide_selection>';

  it('does not record an editor’s context as a prompt, and removes it from a person’s text', () => {
    const script = new Script();
    script.prompt(opened);
    script.prompt(`${opened}\n${selected}\n`);
    script.prompt(`${selected}\nrename it`);
    script.prompt(`and test it\n${opened}`);
    const blocks = [opened, 'as blocks', selected].map((text) => ({ type: 'text', text }));
    script.message('user', { role: 'user', content: blocks }, {});
    expect(texts(script)).toEqual(['rename it', 'and test it', 'as blocks']);
  });

  it('hides a turn that is private except for the context of an editor or program', () => {
    const script = new Script();
    script.prompt(`${opened}\n<private>PSECRET one</private>`);
    script.reply('about PSECRET');
    script.prompt('<system-reminder>today</system-reminder>\n<private>PSECRET two</private>');
    script.reply('about PSECRET too');
    const { newEvents } = readWhole(script.bytes());
    expect(prompts(script).map(({ body }) => [body.text, body.private])).toEqual([
      [null, true],
      [null, true],
    ]);
    expect(JSON.stringify(newEvents)).not.toContain('PSECRET');
  });

  it('treats `# text` as a memory note only in the first versions', () => {
    const old = new Script({ version: '1.0.95' });
    old.prompt('# always use tabs');
    const now = new Script({ version: '2.1.100' });
    now.prompt('# Plan\nDo this');
    expect(texts(old)).toEqual([]);
    expect(texts(now)).toEqual(['# Plan\nDo this']);
  });

  it('records a slash command as a command line, in the old and the new form', () => {
    const script = new Script();
    script.prompt(
      '<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>src/ now</command-args>',
    );
    script.prompt('<command-message>init is analyzing…</command-message>\n<command-name>init</command-name>');
    script.system('local_command', {
      content: '<command-name>/model</command-name><command-args></command-args>',
    });
    script.system('local_command', { content: '<local-command-stdout>Kept model</local-command-stdout>' });
    expect(prompts(script).map(({ body }) => [body.kind, body.text])).toEqual([
      ['command', '/review src/ now'],
      ['command', '/init'],
      ['command', '/model'],
    ]);
  });

  it('keeps a person’s text next to a reminder of the harness, and counts pictures', () => {
    const script = new Script();
    const content = [
      { type: 'text', text: '<system-reminder>today is Monday</system-reminder>' },
      { type: 'image', source: { type: 'base64', data: 'AAAA' } },
      { type: 'text', text: 'what is this?' },
    ];
    script.message('user', { role: 'user', content }, {});
    expect(prompts(script).map(({ body }) => [body.text, body.images])).toEqual([['what is this?', 1]]);
  });
});

describe('Prompts typed while the agent works', () => {
  it('records a prompt that is only in the queue, with the time it was queued', () => {
    const script = new Script();
    script.prompt('first');
    script.enqueue('and also fix the docs');
    script.meta('queue-operation', { operation: 'dequeue' });
    const [, queued] = prompts(script);
    expect(queued).toMatchObject({
      dedupeKey: `queue:${queued?.body.offset}`,
      occurredAt: Date.UTC(2026, 0, 1, 0, 0, 2),
      body: { via: 'queue', text: 'and also fix the docs' },
    });
    expect(queued?.body.offset).toBeGreaterThan(0);
  });

  it('finds the session of a file with only a queued prompt', () => {
    const script = new Script();
    script.enqueue('all there is');
    script.dequeue();
    const { state } = readWhole(script.bytes());
    expect(state.speakers).toEqual([{ session: script.session, agentId: null, cwds: [] }]);
  });

  it('does not record text that was taken back into the input line, or dropped', () => {
    const script = new Script();
    script.prompt('first');
    script.enqueue('taken back');
    script.enqueue('taken back as well');
    script.queue('popAll');
    script.enqueue('dropped');
    script.queue('remove', { content: 'dropped', reason: 'cleared_on_cancel' });
    script.enqueue('sent after all');
    script.queue('remove', { content: 'sent after all', reason: 'absorbed_mid_turn' });
    script.prompt('next');
    expect(texts(script)).toEqual(['first', 'sent after all', 'next']);
    expect(readWhole(script.bytes()).state.counts.refused).toEqual({ 'taken back': 3 });
  });

  it.each(['remove', 'dequeue'] as const)(
    'does not record a queued local command as a request: %s',
    (how) => {
      const script = new Script();
      script.prompt('plan the feeder');
      script.enqueue('/model');
      script.enqueue('/review src');
      script.reply('I read the feeder.');
      script.queue(how);
      script.queue(how);
      expect(texts(script)).toEqual(['plan the feeder', '/review src']);
      expect(readWhole(script.bytes()).state.counts.refused).toEqual({ 'local command': 1 });
    },
  );

  it('finds which of several queued prompts was sent by its text, else takes the oldest', () => {
    const script = new Script();
    script.enqueue('one');
    script.enqueue('two');
    script.queue('remove', { content: 'two' });
    expect(texts(script)).toEqual(['two']);
    script.queue('remove', { content: '<task-notification>x</task-notification>' });
    expect(texts(script)).toEqual(['two']);
    script.dequeue();
    expect(texts(script)).toEqual(['two', 'one']);
  });

  it('records a queued prompt when the person sends another, even if no line marks it as sent', () => {
    const script = new Script();
    script.enqueue('nothing says it was sent');
    expect(texts(script)).toEqual([]);
    script.prompt('and now this');
    expect(texts(script)).toEqual(['nothing says it was sent', 'and now this']);
  });

  it('records a private prompt at once, without its text', () => {
    const script = new Script();
    script.enqueue('<private>PSECRET</private>');
    script.queue('popAll');
    expect(prompts(script).map(({ body }) => [body.text, body.private])).toEqual([[null, true]]);
  });

  it('does not record a program’s texts in the queue', () => {
    const script = new Script();
    script.enqueue('<task-notification><task-id>b1</task-id></task-notification>');
    script.meta('queue-operation', { operation: 'enqueue', timestamp: '2026-01-01T00:00:00Z' });
    script.meta('queue-operation', { operation: 'remove', content: 'gone' });
    expect(texts(script)).toEqual([]);
  });

  it('records queued_command attachments of people only', () => {
    const script = new Script();
    const uuid = script.attachment({
      type: 'queued_command',
      prompt: 'mine',
      commandMode: 'prompt',
      origin: { kind: 'human' },
    });
    script.attachment({ type: 'queued_command', prompt: 'older, mine', commandMode: 'prompt' });
    script.attachment({ type: 'queued_command', prompt: 'notice', commandMode: 'task-notification' });
    script.attachment({
      type: 'queued_command',
      prompt: 'peer',
      commandMode: 'prompt',
      origin: { kind: 'peer' },
    });
    expect(prompts(script).map(({ dedupeKey, body }) => [dedupeKey === uuid, body.via, body.text])).toEqual([
      [true, 'attachment', 'mine'],
      [false, 'attachment', 'older, mine'],
    ]);
  });

  it('records the queue line, the attachment and the user line of one prompt, which the view pairs', () => {
    const script = new Script();
    script.enqueue('same words');
    script.queue('remove', { content: 'same words', reason: 'absorbed_mid_turn' });
    script.attachment({ type: 'queued_command', prompt: 'same words', origin: { kind: 'human' } });
    script.prompt('same words');
    expect(prompts(script).map(({ body }) => body.via)).toEqual(['queue', 'attachment', 'line']);
  });
});

describe('The prompt that a line belongs to', () => {
  it('is found by its parents, across meta lines, notifications and a compaction', () => {
    const script = new Script();
    const prompt = script.prompt('do it');
    script.message('user', { content: 'skill text' }, { isMeta: true });
    script.prompt('<task-notification>done</task-notification>', { origin: { kind: 'task-notification' } });
    const before = script.reply('working');
    script.system('compact_boundary', {
      parentUuid: null,
      logicalParentUuid: before,
      compactMetadata: { trigger: 'auto', preTokens: 1234 },
    });
    script.prompt('This session is being continued…', { isCompactSummary: true });
    script.reply('went on');
    const { newEvents } = readWhole(script.bytes());
    const replies = ofType(newEvents, 'agent.replied');
    expect(replies.map(({ body }) => body.promptUuid)).toEqual([prompt, prompt, prompt]);
    expect(replies.map(({ body }) => body.compaction ?? false)).toEqual([false, true, false]);
    expect(ofType(newEvents, 'session.started').map(({ body }) => [body.source, body.tokensBefore])).toEqual([
      [null, null],
      ['compact', 1234],
    ]);
  });

  it('is null when the parents lead to no prompt, and is found on the branch after a rewind', () => {
    const script = new Script();
    const first = script.prompt('one');
    script.prompt('two');
    script.reply('to the first', { parentUuid: first });
    script.reply('to nobody', { parentUuid: 'ffffffff-0000-4000-8000-000000000000' });
    const replies = ofType(readWhole(script.bytes()).newEvents, 'agent.replied');
    expect(replies.map(({ body }) => body.promptUuid)).toEqual([first, null]);
  });

  it('is not found by parents more than 512 lines back', () => {
    const script = new Script();
    const prompt = script.prompt('one');
    for (let line = 0; line < 511; line += 1)
      script.raw({ type: 'progress', uuid: `p${line}`, sessionId: script.session });
    script.reply('near', { parentUuid: prompt });
    script.reply('far', { parentUuid: prompt });
    const replies = ofType(readWhole(script.bytes()).newEvents, 'agent.replied');
    expect(replies.map(({ body }) => body.promptUuid)).toEqual([prompt, null]);
  });
});
