// What a result of a tool says, in hooks and in transcripts.
import type { Json } from '../../../log/index.ts';
import { shellReport } from '../common/gemini-parts.ts';
import type { ResultRecord } from '../common/records.ts';

/** The outcome and the text of a result. */
export function judged(
  name: string,
  status: string,
  said: string | null,
  shown: Json | undefined,
): Pick<ResultRecord, 'outcome' | 'text'> {
  const outcome = status === 'success' ? 'ok' : status === 'cancelled' ? 'cancelled' : 'failed';
  if (said === null || name !== 'run_shell_command') return { outcome, text: said };
  const report = shellReport(said, shown);
  return outcome === 'ok' ? report : { outcome, text: report.text };
}
