// Reads what the log already has of a session: its prompts, from a hook or the transcript, and the sub-agents that its
// tool uses launched. This may replace a lost prompt file.
import { type Log, pagesAfter } from '../../../log/index.ts';
import { callPrint } from './payload.ts';
import type { LoggedSession, SeenPrompt } from './session-privacy.ts';
import type { WaitingFile } from './waiting-files.ts';

/** Between the hook of a tool use and the end of it, as the transcript has it. */
const NEAR_MS = 2 * 60_000;

/** Whether the log has, from the transcript, the tool use that a hook without an id reports. */
export async function isLogged(
  log: Pick<Log, 'pageBySession'>,
  { head: { agent, session, call }, at }: WaitingFile,
): Promise<boolean> {
  if (session === null) return false;
  for await (const { events } of pagesAfter(0, (after) => log.pageBySession({ agent, session, after })))
    for (const event of events)
      if (
        event.type === 'tool.used' &&
        event.channel === 'transcript' &&
        Math.abs((event.body.endedAt ?? at) - at) <= NEAR_MS &&
        callPrint(event.body.name, event.body.input) === call
      )
        return true;
  return false;
}

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
