// What a tool use was about, from its input alone: the command, the path, the pattern. Works for tools we do not
// know by taking the first telling field.
import type { ToolTelling } from '../turns/rows.ts';

type Input = ToolTelling['input'];

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'filePath', 'file', 'directory'];
/** The field that says it best, in this order. */
const TELLING_FIELDS = [
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
const FILES_MAX = 50;

/** "Run the parser tests", "Edit src/log/open.ts", "Search for appendBatch". */
export function toolTitle(name: string, input: Input): string {
  const path = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string');
  const pattern = input.pattern ?? input.query;
  switch (name) {
    case 'Bash':
      return String(input.description ?? input.command ?? name);
    case 'Read':
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'NotebookEdit':
      return `${name} ${path === undefined ? '' : shortPath(String(path))}`.trim();
    case 'Grep':
    case 'Glob':
      return `Search for ${pattern ?? ''}${path === undefined ? '' : ` in ${shortPath(String(path))}`}`;
    default: {
      const telling = TELLING_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string');
      const about = telling ?? path ?? Object.values(input).find((value) => typeof value === 'string');
      return about === undefined ? name : `${name}: ${about}`;
    }
  }
}

export function filesOf(input: Input): string[] {
  const files = PATH_FIELDS.map((field) => input[field]).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  return [...new Set(files)].slice(0, FILES_MAX);
}

/** The last three parts say which file it is; the whole path is in `files`. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return parts.slice(-3).join('/');
}
