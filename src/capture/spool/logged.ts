// What the log already says of a session: its prompts, told by a hook or by the transcript, and the sub-agents
// that its uses launched. A lost prompt file may be known from here.
import type { Log } from '../../../log/index.ts';
import type { LoggedSession, SeenPrompt } from './standing.ts';

export async function loggedSession(
  log: Pick<Log, 'pageBySession'>,
  agent: string,
  session: string,
): Promise<LoggedSession> {
  const prompts: SeenPrompt[] = [];
  const launched: string[] = [];
  for (let after = 0; ; ) {
    const { events, end } = await log.pageBySession({ agent, session, after });
    if (events.length === 0) return { prompts, launched };
    for (const event of events) {
      if (event.type === 'prompt.submitted') {
        const { promptId, private: isPrivate } = event.body;
        prompts.push({ promptId, at: event.occurredAt, private: isPrivate });
      } else if (event.type === 'tool.used' && event.body.launchedAgentId !== null)
        launched.push(event.body.launchedAgentId);
    }
    after = end.position;
  }
}
