// What another tool remembered, as that tool stored it. Dedupe key: a digest of tool, installation and original id, and the
// number of the version (log/format/import-origin.ts).
import * as z from 'zod';
import { json, nullableText } from './body-fields.ts';

export const importMemory = z.looseObject({
  /** The tool's name: claude-mem, claude-memory, markdown, jsonl, … */
  tool: z.string(),
  /** Which database or folder of that tool; null when the original id is unique by itself. */
  installation: nullableText,
  /** The tool's own id. */
  originalId: z.string(),
  /** What it was there. */
  kind: z.enum(['observation', 'summary', 'prompt', 'note']),
  /** 1 for the first text that was read under this id; one more for each later text. The highest counts. */
  version: z.number().int().default(1),
  title: nullableText,
  text: nullableText,
  /** Further texts, each under the tool's own name for it, in its order. */
  parts: z.array(z.looseObject({ name: z.string(), text: z.string() })).default([]),
  /** The tool's own type. */
  type: nullableText,
  /** Who wrote the text: a person, or an agent or another tool's model. */
  author: z.enum(['user', 'agent']).default('agent'),
  /** The agent whose session it is about. */
  sessionAgent: nullableText,
  /** Project and folder as the tool named them. The folder decides where both are known. */
  project: nullableText,
  cwd: nullableText,
  concepts: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  /** The file that it was read from. */
  file: nullableText,
  metadata: json.default(null),
});
