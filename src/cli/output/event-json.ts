// An event as `--json` prints it, in `log` and in `watch`.
import { isoTime, type LogEvent } from '../../../log/index.ts';

export function eventJson({
  position,
  id,
  type,
  session,
  occurredAt,
  recordedAt,
  ...rest
}: LogEvent): object {
  return {
    position,
    id,
    type,
    session,
    at: isoTime(occurredAt),
    recordedAt: new Date(recordedAt).toISOString(),
    ...rest,
  };
}
