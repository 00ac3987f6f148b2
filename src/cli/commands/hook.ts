// Called by an agent's hooks where a shell script is not enough: capture on Windows, and the start of a session,
// which prints context. It never prints an error and always exits 0: a hook must not disturb the user's work.
import { uptime } from 'node:os';
import { writeToSpool } from '../../capture/spool/write-to-spool.ts';
import { prepareHome } from '../../install/home-scripts.ts';
import { openHome } from '../../platform/home-folder.ts';
import { homePath } from '../../platform/home-paths.ts';
import { randomBytes } from '../../platform/random-bytes.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { installRequest } from '../install-request.ts';
import { startSession } from '../session-start.ts';

export const command = defineCommand<object>({
  description:
    "Called by hooks, not by people. Writes the agent's payload from standard input to the spool. `session-start` " +
    'also prints the context for a new session; `session-context` only prints it. `prepare` writes the scripts of the home. Always exits with code 0.',
  shape: (command) =>
    command
      .argument('[agent]', 'the name of the agent, such as claude-code')
      .argument('[event]', 'session-start, session-context or prepare')
      .allowUnknownOption()
      .allowExcessArguments(),
  examples: [['hook claude-code < payload.json', 'what the capture script does, on Windows']],
  async run(session, _, [agent = '', event]) {
    if (session.world.environment.ANNALS_INTERNAL !== undefined) return;
    try {
      const { world, chosenHome } = session;
      const home = chosenHome ?? undefined;
      if (event === 'prepare') await prepare(session);
      else if (event === 'session-context') await startSession(world, { home, agent });
      else if (event === 'session-start')
        await startSession(world, {
          home,
          agent,
          capture: (payload, readyId) => capture(session, agent, payload, readyId),
        });
      else capture(session, agent, await world.stdin.read());
    } catch {
      // Silent: the agent would show an error to a person at work. `status` reports problems with the spool.
    }
  },
});

/** For the plugin, whose hooks run the script of the home. */
async function prepare(session: Session): Promise<void> {
  const request = installRequest(session);
  await openHome(request.home);
  await prepareHome(request);
}

function capture({ world, chosenHome }: Session, agent: string, payload: string, readyId = ''): void {
  if (!/^[a-z0-9-]{1,40}$/.test(agent)) return;
  writeToSpool({
    home: chosenHome ?? homePath(world.environment, world.userHome),
    agent,
    payload,
    uptime: uptime() * 100,
    processId: process.pid,
    random: Buffer.from(randomBytes(4)).toString('hex'),
    readyId,
  });
}
