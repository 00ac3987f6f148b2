// A small session of an agent, in the agent's own form: tests/agents/<name>/sample.ts. every-agent.test.ts reads it.
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';

export interface Sample {
  /** Where the agent writes such a file. */
  readonly path: string;
  /** The lines; the one document of an agent that rewrites its file. */
  readonly lines: readonly JsonObject[];
  /** What the person typed in the only prompt, as the lines have it. */
  readonly prompt: string;
  /** What the agent does in the file. A command of `toolUses` failed, unless the format has no results. */
  readonly counts: { readonly toolUses: number; readonly replies: number };
}
