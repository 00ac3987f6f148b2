// Reads what the log already has of a session: its prompts, from a hook or the transcript, and the sub-agents that its
// tool uses launched. This may replace a lost prompt file.
import { type Log, pagesAfter } from '../../../log/index.ts';
import type { LoggedSession, SeenPrompt } from './session-privacy.ts';

export async function loggedSession(
  log: Pick<Log, 'pageBySession'>,
  agent: string,
  session: string,
): Promise<LoggedSession> {
  const prompts: SeenPrompt[] = [];
  const launched: string[] = [];
  for await (const { events } of pagesAfter(0, (after) => log.pageBySession({ agent, session, after }))) {
    for (const event of events) {
      if (event.type === 'prompt.submitted') {
        const { promptId, private: isPrivate } = event.body;
        prompts.push({ promptId, at: event.occurredAt, private: isPrivate });
      } else if (event.type === 'tool.used' && event.body.launchedAgentId !== null)
        launched.push(event.body.launchedAgentId);
    }
  }
  return { prompts, launched, runs: [] };
}
