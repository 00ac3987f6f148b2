// What an agent's hooks call where sh cannot do it: the capture on Windows, and the start of a session, which
// may have something to say. Whatever happens, it prints no error and the exit code is 0: a hook must never
// disturb the work.
import { uptime } from 'node:os';
import { resolve } from 'node:path';
import { writeToSpool } from '../../capture/spool/write-to-spool.ts';
import { homePath } from '../../platform/home-paths.ts';
import { randomBytes } from '../../platform/random-bytes.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { startSession } from '../session-start.ts';

interface Options {
  readonly home?: string;
}

export const command = defineCommand<Options>({
  description:
    'Called by hooks, not by people. Reads what the agent says from standard input and leaves it in the spool; ' +
    '`session-start` takes the spool into the log instead. Always ends with exit code 0.',
  shape: (command) =>
    command
      .argument('[agent]', 'claude-code')
      .argument('[event]', 'session-start')
      .allowUnknownOption()
      .allowExcessArguments(),
  examples: [['hook claude-code < payload.json', 'what the capture script does, on Windows']],
  async run(session, options, [agent = '', event]) {
    if (session.world.environment.ANNALS_INTERNAL !== undefined) return;
    try {
      if (event === 'session-start') await startSession(session.world, options.home);
      else await capture(session, agent, options.home);
    } catch {
      // Nobody to tell: the agent would show it to a person at work. `status` says what is wrong with the spool.
    }
  },
});

async function capture({ world }: Session, agent: string, home: string | undefined): Promise<void> {
  if (!/^[a-z0-9-]{1,40}$/.test(agent)) return;
  const payload = await world.stdin.read();
  writeToSpool({
    home: home === undefined ? homePath(world.environment, world.userHome) : resolve(world.folder, home),
    agent,
    payload,
    uptime: uptime() * 100,
    processId: process.pid,
    random: Buffer.from(randomBytes(4)).toString('hex'),
  });
}
