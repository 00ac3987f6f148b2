// The model's answer when Claude Code asks it to compact a session.
import type { Lane } from './plan.ts';

export function compaction(summary: string): Lane {
  return {
    last: 'create a detailed summary',
    steps: [],
    final: `<analysis>short</analysis><summary>${summary}</summary>`,
  };
}
