// Whether a fix that the agent announced may have been replaced by another one in the same part of a turn.
import { isWriter, toolUsePaths } from '../transcript/touched-files.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const CHECKS = new Set<string>(['test', 'lint', 'check', 'commit']);

/** Whether a change announced at `order` may have been replaced: a check failed after it, or led to another change. */
export function mayBeReplaced(toolUses: readonly ToolUse[], order: string): boolean {
  const after = toolUses.filter((one) => one.order > order && one.outcome !== null);
  const checks = after.filter(({ command }) => command !== null && CHECKS.has(command.purpose));
  if (checks.some(({ outcome }) => outcome === 'failed')) return true;
  const [first, ...later] = after.filter((one) => isWriter(one) && one.outcome === 'ok');
  const checked = first === undefined ? undefined : checks.find((one) => one.order > first.order);
  if (first === undefined || checked === undefined) return false;
  const paths = new Set(toolUsePaths(first));
  return later.some((one) => one.order > checked.order && toolUsePaths(one).some((path) => paths.has(path)));
}
