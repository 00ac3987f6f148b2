// The scripted sessions of a real Claude Code: what people do with it, and what happens to it.
import { randomUUID } from 'node:crypto';
import { printSession, terminalSession, toolsIn } from './claude-code.ts';
import { compaction } from './compaction.ts';
import { command, hookFired, open, press, queue, reached, type Script, seen, submit } from './plan.ts';
import type { AgentWorld, ProjectName } from './world.ts';

const exit = command('/exit');

/** The main sequence of sessions; later ones resume and fork earlier ones. */
export async function playSessions(world: AgentWorld, hasTerminal: boolean): Promise<void> {
  const first = randomUUID();
  await world.run(createFailEdit(world, ['--session-id', first]));
  await world.run(helpers(world));
  if (hasTerminal) {
    await world.run(privatePrompts(world));
    await world.run(resumed(world, first));
  }
  await world.run(parallel(world, 'p1', 'A'), parallel(world, 'p2', 'B'));
  await world.run(killed(world, 'killed', 'This will be killed'));
  if (hasTerminal) {
    await world.run(mixed(world));
    await world.run(forked(world));
  }
  await world.run(refused(world));
  await world.run(killed(world, 'killed-again', 'This will be killed as well'));
  await world.run(continued(world));
}

export function createFailEdit(
  { program, project }: AgentWorld,
  more: readonly string[] = [],
  { name = 'create-fail-edit', at = 'p1' }: { readonly name?: string; readonly at?: ProjectName } = {},
) {
  const tools = toolsIn(project(at));
  return printSession({
    program,
    name,
    project: project(at),
    prompt: 'Write a greeting into hello.txt',
    more,
    script: {
      steps: [
        { say: 'I write the greeting.', use: [tools.write('hello.txt', 'hello\n')] },
        { say: 'Now a command that fails.', use: [tools.shell('cat missing.txt')] },
        { say: 'I change it.', use: [tools.read('hello.txt'), tools.shell('echo one; echo two')] },
        { use: [tools.edit('hello.txt', 'hello', 'good day')] },
      ],
      final: 'The greeting says good day now.',
    },
  });
}

function helpers({ program, project }: AgentWorld) {
  const tools = toolsIn(project('p1'));
  return printSession({
    program,
    name: 'helpers',
    project: project('p1'),
    prompt: 'Use two helpers to look at this project',
    opens: [{ gate: 'helper-two', when: { hook: 'SubagentStop', holding: 'The readme is short' } }],
    script: {
      steps: [
        { say: 'I ask a helper and wait.', use: [tools.helper('HELPER-ONE: count the files')] },
        {
          say: 'And one in the background.',
          use: [tools.helper('HELPER-TWO: read the readme', 'Explore', true)],
        },
        { say: 'Meanwhile.', use: [tools.gate('helper-two', 'waited')] },
      ],
      final: 'Both helpers have answered.',
      lanes: [
        {
          first: 'HELPER-ONE',
          steps: [{ say: 'I count.', use: [tools.shell('ls | wc -l')] }, { use: [tools.shell('false')] }],
          final: 'There are two files.',
        },
        { first: 'HELPER-TWO', steps: [{ use: [tools.read('README.md')] }], final: 'The readme is short.' },
      ],
    },
  });
}

function privatePrompts({ program, project }: AgentWorld) {
  const tools = toolsIn(project('p1'));
  return terminalSession({
    program,
    name: 'private-prompts',
    project: project('p1'),
    keys: [
      ...submit('Public question one: what does the readme say?'),
      hookFired('Stop', 'ANSWER-ONE'),
      ...submit('<private>My secret fruit is HUSHEDPLUM, note it in a file</private>'),
      hookFired('Stop', 'ANSWER-TWO'),
      ...submit('Public again, but <private>half of it names HUSHEDPEAR</private> and the rest is open'),
      hookFired('Stop', 'ANSWER-THREE'),
      // Some versions do not wait for the helper, and do not end while it works.
      hookFired('SubagentStop', 'HUSHEDPLUM is there once'),
      exit,
    ],
    script: {
      steps: [
        { say: 'I look.', use: [tools.read('README.md')] },
        { say: 'ANSWER-ONE: it names the project.' },
        { say: 'I note HUSHEDPLUM.', use: [tools.write('fruit.txt', 'HUSHEDPLUM\n')] },
        { say: 'A helper checks HUSHEDPLUM.', use: [tools.helper('HELPER-PRIVATE: look for HUSHEDPLUM')] },
        { say: 'ANSWER-TWO: HUSHEDPLUM is noted.' },
        { say: 'The open part.', use: [tools.shell('echo open part')] },
        { say: 'ANSWER-THREE: done.' },
      ],
      final: 'Done.',
      lanes: [
        {
          first: 'HELPER-PRIVATE',
          steps: [{ use: [tools.shell('grep -c HUSHEDPLUM fruit.txt')] }],
          final: 'HUSHEDPLUM is there once.',
        },
      ],
    },
  });
}

/** A queued prompt, an interruption, `!command`, compaction, `/clear`. */
function resumed({ program, project }: AgentWorld, session: string) {
  const tools = toolsIn(project('p1'));
  return terminalSession({
    program,
    name: 'resumed',
    project: project('p1'),
    more: ['--resume', session],
    keys: [
      ...submit('A slow question about the greeting'),
      reached('slow'),
      queue('A prompt typed meanwhile'),
      open('slow'),
      hookFired('Stop', 'answered both'),
      ...submit('Something to interrupt'),
      reached('interrupted'),
      press('Escape'),
      seen('Interrupted'),
      command('!echo from the shell'),
      hookFired('Stop', 'The shell said so'),
      command('/compact keep the greeting'),
      hookFired('PostCompact'),
      ...submit('A prompt after compaction'),
      hookFired('Stop', 'After compaction'),
      command('/clear'),
      hookFired('SessionStart', 'clear'),
      ...submit('A prompt after clear'),
      hookFired('Stop', 'After clear'),
      exit,
    ],
    script: {
      steps: [
        { say: 'This takes a while.', use: [tools.gate('slow')] },
        { say: 'I answered both: the slow one and the queued one.' },
        { say: 'Working.', use: [tools.gate('interrupted', 'never')] },
        { say: 'The shell said so.' },
        { say: 'After compaction, all is well.' },
        { say: 'After clear, all is new.' },
      ],
      final: 'Done.',
      lanes: [compaction('1. Primary request: a greeting. 2. It says good day.')],
    },
  });
}

function parallel({ program, project }: AgentWorld, name: ProjectName, letter: string) {
  const tools = toolsIn(project(name));
  const script: Script = {
    steps: [
      { use: [tools.write(`${letter}.txt`, `from ${letter}\n`)] },
      // The other session is in the middle of its work as well.
      { use: [tools.gate('both')] },
      { use: [tools.edit(`${letter}.txt`, `from ${letter}`, `from session ${letter}`)] },
    ],
    final: `${letter} is done.`,
  };
  const other = letter === 'A' ? 'B' : 'A';
  const opens = [{ gate: 'both', when: { hook: 'PostToolUse', holding: `from ${other}` } }];
  return printSession({
    program,
    name: `parallel-${letter}`,
    project: project(name),
    prompt: `Parallel ${letter}`,
    script,
    opens,
  });
}

function killed({ program, project }: AgentWorld, name: string, prompt: string) {
  const tools = toolsIn(project('p1'));
  const script: Script = {
    steps: [
      { say: 'First a file.', use: [tools.write(`${name}.txt`, 'written before the kill\n')] },
      { say: 'Now something long.', use: [tools.gate(name, 'never')] },
    ],
    final: 'Never said.',
  };
  return printSession({ program, name, project: project('p1'), prompt, script, killAt: name });
}

/** A task notification, a private prompt queued after a tool use, a custom command, another folder. */
function mixed({ program, project }: AgentWorld) {
  const tools = toolsIn(project('p1'));
  return terminalSession({
    program,
    name: 'mixed',
    project: project('p1'),
    keys: [
      ...submit('Public: look with a helper in the background'),
      hookFired('Stop', 'It is on its way'),
      open('background-helper'),
      hookFired('Stop', 'NOTIFIED'),
      ...submit('A slow public question'),
      reached('queueing'),
      queue('<private>HUSHEDQUINCE is the word, write it down</private>'),
      open('queueing'),
      hookFired('Stop', 'QUINCE-DONE'),
      command('/greet the cat'),
      hookFired('Stop', 'GREETED'),
      ...submit('Go down a folder'),
      hookFired('Stop', 'DOWN there'),
      ...submit('And now from there'),
      hookFired('Stop', 'THERE it is'),
      exit,
    ],
    script: {
      steps: [
        { say: 'A helper looks.', use: [tools.helper('HELPER-BG: read the readme', 'Explore', true)] },
        { say: 'It is on its way.' },
        { say: 'It told me.', use: [tools.shell('echo after the notification')] },
        { say: 'NOTIFIED: the helper has answered.' },
        { say: 'Slowly.', use: [tools.gate('queueing', 'slow done')] },
        { say: 'I write HUSHEDQUINCE down.', use: [tools.write('quince.txt', 'HUSHEDQUINCE\n')] },
        { say: 'QUINCE-DONE: HUSHEDQUINCE is written down.' },
        { say: 'GREETED: hello, cat.' },
        { say: 'I go.', use: [tools.shell('mkdir -p sub && cd sub && pwd')] },
        { say: 'DOWN there.' },
        { say: 'I write.', use: [tools.shell('echo low > low.txt; cat low.txt')] },
        { say: 'THERE it is.' },
      ],
      final: 'Done.',
      lanes: [
        {
          first: 'HELPER-BG',
          steps: [{ hold: 'background-helper', use: [tools.read('README.md')] }],
          final: 'The readme is short.',
        },
      ],
    },
  });
}

function forked({ program, project }: AgentWorld) {
  const tools = toolsIn(project('p1'));
  return printSession({
    program,
    name: 'forked',
    project: project('p1'),
    prompt: 'What happened before the fork?',
    more: ['--continue', '--fork-session'],
    script: {
      steps: [{ say: 'In the fork.', use: [tools.shell('echo forked')] }],
      final: 'The fork is done.',
    },
  });
}

function refused({ program, project }: AgentWorld) {
  const tools = toolsIn(project('p1'));
  return printSession({
    program,
    name: 'refused',
    project: project('p1'),
    prompt: 'This will be refused',
    script: {
      steps: [{ say: 'One thing first.', use: [tools.shell('echo begun')] }, { error: 400 }],
      final: '',
    },
  });
}

function continued({ program, project }: AgentWorld) {
  const tools = toolsIn(project('p1'));
  return printSession({
    program,
    name: 'continued',
    project: project('p1'),
    prompt: 'Go on after the kill',
    more: ['--continue'],
    script: {
      steps: [{ say: 'Continued.', use: [tools.shell('echo going on')] }],
      final: 'Continued after the kill.',
    },
  });
}
