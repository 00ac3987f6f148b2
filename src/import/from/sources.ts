// What `annals import --from` can read.
import type { MemorySource } from '../../api.ts';
import { readAutoMemory } from './auto-memory.ts';
import { readClaudeMem } from './claude-mem.ts';
import type { ReadMemories } from './found-memory.ts';
import { readJsonLines } from './json-lines.ts';
import { readMarkdown } from './markdown.ts';

const READERS: Readonly<Record<MemorySource, ReadMemories>> = {
  'claude-mem': readClaudeMem,
  'claude-memory': readAutoMemory,
  markdown: readMarkdown,
  'basic-memory': readMarkdown,
  jsonl: readJsonLines,
  mem0: readJsonLines,
  'mcp-memory': readJsonLines,
};

export function readerOf(from: MemorySource): ReadMemories {
  return READERS[from];
}
