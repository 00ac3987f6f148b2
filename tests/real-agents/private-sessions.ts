// A private prompt typed at every possible moment. Whatever the agent then does for it, says about it or names after it
// contains a word that begins with SECRET, which must not be found in any file of Annals.
import { randomUUID } from 'node:crypto';
import { printSession, terminalSession, toolsIn } from './claude-code.ts';
import { compaction } from './compaction.ts';
import {
  command,
  hookFired,
  type Key,
  open,
  press,
  queue,
  reached,
  type Script,
  type Step,
  seen,
  submit,
} from './plan.ts';
import type { AgentWorld } from './world.ts';

export const SECRET = 'HUSHED';

const exit = command('/exit');
const AFTER = 'A public thing after it';

/** Each case is its own session. None without a terminal to type in. */
export async function playPrivateSessions(world: AgentWorld, hasTerminal: boolean): Promise<void> {
  if (!hasTerminal) return;
  const { program, project } = world;
  const tools = toolsIn(project('p1'));
  const session = (name: string, keys: readonly Key[], script: Script, more: readonly string[] = []) =>
    terminalSession({ program, name, project: project('p1'), keys, script, more });
  const typed = (word: string) => submit(`<private>Note the word ${word}</private>`);
  const typedMeanwhile = (word: string) => queue(`<private>Note the word ${word}</private>`);
  const write = (word: string): Step => ({
    say: `I note ${word}.`,
    use: [tools.write(`${word}.txt`, `${word}\n`)],
  });
  const after: readonly Step[] = [{ use: [tools.shell('echo after')] }, { say: 'AFTER that.' }];
  const ending = [...submit(AFTER), hookFired('Stop', 'AFTER that'), exit];

  await world.run(
    session('idle', [...typed('HUSHEDIDLE'), hookFired('Stop', 'NOTED HUSHEDIDLE'), ...ending], {
      steps: [write('HUSHEDIDLE'), { say: 'NOTED HUSHEDIDLE.' }, ...after],
      final: 'Done.',
      side: 'About HUSHEDIDLE',
    }),
  );
  await world.run(
    session(
      'during-a-tool-use',
      [
        ...submit('A slow public task'),
        reached('tool'),
        typedMeanwhile('HUSHEDTOOL'),
        open('tool'),
        hookFired('Stop', 'BOTH with HUSHEDTOOL'),
        ...ending,
      ],
      {
        steps: [
          { say: 'Slowly.', use: [tools.gate('tool')] },
          write('HUSHEDTOOL'),
          { say: 'BOTH with HUSHEDTOOL.' },
          ...after,
        ],
        final: 'Done.',
      },
    ),
  );
  await world.run(
    session(
      'during-the-answer',
      [
        ...submit('Answer slowly please'),
        reached('answer'),
        typedMeanwhile('HUSHEDANSWER'),
        open('answer'),
        hookFired('Stop', 'SECOND is HUSHEDANSWER'),
        ...ending,
      ],
      {
        steps: [
          { say: 'This public answer comes slowly, word by word.', hold: 'answer' },
          write('HUSHEDANSWER'),
          { say: 'SECOND is HUSHEDANSWER.' },
          ...after,
        ],
        final: 'Done.',
      },
    ),
  );
  await world.run(
    session(
      'while-a-sub-agent-runs',
      [
        ...submit('Use a helper'),
        reached('helper'),
        typedMeanwhile('HUSHEDHELPER'),
        open('helper'),
        open('main'),
        hookFired('Stop', 'BOTH with HUSHEDHELPER'),
        ...ending,
      ],
      {
        steps: [
          { say: 'A helper looks.', use: [tools.helper('HELPER-SLOW: read slowly')] },
          // Some versions do not wait for the helper.
          { use: [tools.gate('main')] },
          write('HUSHEDHELPER'),
          { say: 'BOTH with HUSHEDHELPER.' },
          ...after,
        ],
        final: 'Done.',
        lanes: [
          {
            first: 'HELPER-SLOW',
            steps: [{ use: [tools.gate('helper')] }],
            final: 'The helper has read it.',
          },
        ],
      },
    ),
  );
  await world.run(
    session(
      'queued-behind-another',
      [
        ...submit('A slow public task'),
        reached('queue'),
        queue('A queued public prompt'),
        typedMeanwhile('HUSHEDQUEUE'),
        queue('Another queued public prompt'),
        open('queue'),
        hookFired('Stop', 'ALL with HUSHEDQUEUE'),
        ...ending,
      ],
      {
        steps: [
          { say: 'Slowly.', use: [tools.gate('queue')] },
          write('HUSHEDQUEUE'),
          { say: 'ALL with HUSHEDQUEUE.' },
          ...after,
        ],
        final: 'Done.',
      },
    ),
  );
  await world.run(
    session(
      'before-compaction',
      [
        ...typed('HUSHEDCOMPACT'),
        hookFired('Stop', 'NOTED HUSHEDCOMPACT'),
        command('/compact'),
        hookFired('PostCompact', 'HUSHEDCOMPACT'),
        ...ending,
      ],
      {
        steps: [write('HUSHEDCOMPACT'), { say: 'NOTED HUSHEDCOMPACT.' }, ...after],
        final: 'Done.',
        lanes: [compaction('The person asked to note HUSHEDCOMPACT.')],
      },
    ),
  );

  const forked = randomUUID();
  await world.run(
    session(
      'before-a-fork',
      [
        ...submit('A public thing first'),
        hookFired('Stop', 'FIRST answer'),
        ...typed('HUSHEDFORK'),
        hookFired('Stop', 'NOTED HUSHEDFORK'),
        exit,
      ],
      {
        steps: [{ say: 'FIRST answer.' }, write('HUSHEDFORK'), { say: 'NOTED HUSHEDFORK.' }],
        final: 'Done.',
      },
      ['--session-id', forked],
    ),
  );
  await world.run(
    printSession({
      program,
      name: 'the-fork',
      project: project('p1'),
      prompt: 'What happened before the fork?',
      more: ['--resume', forked, '--fork-session'],
      script: { steps: [{ use: [tools.shell('echo in the fork')] }], final: 'The fork is done.' },
    }),
  );

  const killed = randomUUID();
  await world.run({
    ...session(
      'before-a-kill',
      [
        ...submit('A public thing first'),
        hookFired('Stop', 'FIRST answer'),
        ...typed('HUSHEDKILL'),
        reached('kill'),
      ],
      {
        steps: [{ say: 'FIRST answer.' }, write('HUSHEDKILL'), { use: [tools.gate('kill', 'HUSHEDKILL')] }],
        final: 'Done.',
      },
      ['--session-id', killed],
    ),
    killAt: 'kill',
  });
  await world.run(
    printSession({
      program,
      name: 'after-the-kill',
      project: project('p1'),
      prompt: 'Go on after the kill',
      more: ['--resume', killed],
      script: { steps: [{ use: [tools.shell('echo going on')] }], final: 'Continued after the kill.' },
    }),
  );
  await world.run(
    session(
      'interrupted',
      [...typed('HUSHEDINTERRUPT'), reached('interrupt'), press('Escape'), seen('Interrupted'), ...ending],
      { steps: [{ use: [tools.gate('interrupt', 'HUSHEDINTERRUPT')] }, ...after], final: 'Done.' },
    ),
  );
  // The end of a private background task is not recorded, even after a public prompt.
  await world.run(
    session(
      'background-task',
      [
        ...typed('HUSHEDBACKGROUND'),
        hookFired('Stop', 'STARTED it'),
        ...submit('A public thing between'),
        hookFired('Stop', 'BETWEEN answer'),
        open('background'),
        hookFired('Stop', 'NOTIFIED'),
        ...ending,
      ],
      {
        steps: [
          { say: 'In the background.', use: [tools.gate('background', 'HUSHEDBACKGROUND', true)] },
          { say: 'STARTED it.' },
          { use: [tools.shell('echo between')] },
          { say: 'BETWEEN answer.' },
          { say: 'It has ended: HUSHEDBACKGROUND.', use: [tools.read('README.md')] },
          { say: 'NOTIFIED: it printed HUSHEDBACKGROUND.' },
          ...after,
        ],
        final: 'Done.',
      },
    ),
  );
}
