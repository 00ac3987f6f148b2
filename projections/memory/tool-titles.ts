// Makes a title for a tool use from its input: the command, the path, the pattern. For unknown tools it takes the first
// descriptive field.
import type { ToolReport } from '../sessions/session-rows.ts';

type Input = ToolReport['input'];

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'filePath', 'file', 'directory'];
/** Fields that describe the use, best first. */
const DESCRIPTIVE_FIELDS = [
  'description',
  'command',
  'query',
  'pattern',
  'url',
  'skill',
  'prompt',
  'subject',
  'title',
  'task_id',
];

/** "Run the parser tests", "Edit src/log/open.ts", "Search for appendBatch". */
export function toolTitle(name: string, input: Input): string {
  const path = firstText(input, PATH_FIELDS);
  const pattern = input.pattern ?? input.query;
  switch (name) {
    case 'Bash':
      return String(input.description ?? input.command ?? name);
    case 'Read':
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'NotebookEdit':
      return `${name} ${path === undefined ? '' : shortPath(path)}`.trim();
    case 'Grep':
    case 'Glob':
      return `Search for ${pattern ?? ''}${path === undefined ? '' : ` in ${shortPath(path)}`}`;
    default: {
      const description = firstText(input, DESCRIPTIVE_FIELDS);
      const about = description ?? path ?? Object.values(input).find((value) => typeof value === 'string');
      return about === undefined ? name : `${name}: ${about}`;
    }
  }
}

export function inputFiles(input: Input): string[] {
  const files: string[] = [];
  for (const field of PATH_FIELDS) {
    const value = input[field];
    if (typeof value === 'string' && value !== '' && !files.includes(value)) files.push(value);
  }
  return files;
}

function firstText(input: Input, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = input[field];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** The last three parts identify the file; the full path is in `files`. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return parts.slice(-3).join('/');
}
