// What a result of a tool says, in hooks and in transcripts.
import type { Json } from '../../../log/index.ts';
import { shellReport, withoutUntrustedMarks } from '../common/gemini-parts.ts';
import type { ResultRecord } from '../common/records.ts';

/** The outcome and the text of a result. */
export function judged(
  name: string,
  outcome: ResultRecord['outcome'],
  said: string | null,
  shown: Json | undefined,
): { readonly outcome: ResultRecord['outcome']; readonly text: string | null } {
  const text = said === null ? null : withoutUntrustedMarks(said);
  if (outcome === 'failed' && text !== null && DENIED.test(text)) return { outcome: 'cancelled', text };
  if (outcome !== 'ok' || text === null || name !== 'run_shell_command') return { outcome, text };
  return shellReport(text, shown);
}

const DENIED =
  /^(?:Tool execution (?:for "[^"]*" )?denied by policy|User denied execution|\[Operation Cancelled\])/;
