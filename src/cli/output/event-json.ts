// An event as `--json` prints it, in `log` and in `watch`.
import type { LogEvent } from '../../../log/index.ts';

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
    at: occurredAt === null ? null : new Date(occurredAt).toISOString(),
    recordedAt: new Date(recordedAt).toISOString(),
    ...rest,
  };
}
