// What sessions have been given already, so that nothing is given twice: the brief of their start, and what was recalled. The
// log records what was recalled too, but not for which sub-agent, and not at once.
import { parseJson } from '../../log/index.ts';
import type { RecallAnswer, RecallOptions } from '../api/recall.ts';
import { currentBrief } from '../session-start/ready-file.ts';
import type { RecallRequest } from './recall-request.ts';

const SESSIONS_MAX = 500;

export class RecalledItems {
  /** Session and sub-agent → ids; the one used last is the last. */
  readonly #sessions = new Map<string, Set<string>>();

  /** The options of a request, with what its session has been given. */
  without(request: RecallRequest, agent: string, home: string): RecallOptions {
    const { options, subagent } = request;
    const without = [...(this.#sessions.get(keyOf(request)) ?? [])];
    // A sub-agent starts without a brief.
    if (subagent !== null) return { ...options, without };
    return { ...options, agent, without, given: textIn(currentBrief(home, options.cwd)) };
  }

  note(request: RecallRequest, { items }: RecallAnswer): void {
    const key = keyOf(request);
    const known = this.#sessions.get(key) ?? new Set();
    for (const { id } of items) known.add(id);
    this.#sessions.delete(key);
    this.#sessions.set(key, known);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS_MAX) this.#sessions.delete(oldest!);
  }
}

function keyOf({ session, subagent }: RecallRequest): string {
  return `${session} ${subagent ?? ''}`;
}

/** The text for the model in the answer to a session start. */
function textIn(answer: string): string {
  const parsed = parseJson(answer);
  const output =
    'value' in parsed ? (parsed.value as { hookSpecificOutput?: { additionalContext?: unknown } }) : null;
  const text = output?.hookSpecificOutput?.additionalContext;
  return typeof text === 'string' ? text : '';
}
