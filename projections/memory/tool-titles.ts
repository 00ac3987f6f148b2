// Makes a title for a tool use from its input: the command, the path, the pattern. For unknown tools it takes the first
// descriptive field.
import type { ToolReport } from '../sessions/session-rows.ts';
import { PATH_FIELDS, toolKind } from '../tools/known-tools.ts';

type Input = ToolReport['input'];

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
  'code',
  'script',
  'cmd',
  'text',
];

/** "Run the parser tests", "Edit src/log/open.ts", "Search for appendBatch". */
export function toolTitle(name: string, input: Input): string {
  const path = firstText(input, PATH_FIELDS);
  const pattern = input.pattern ?? input.query;
  const patched = patchedIn(input)?.map(shortPath).join(', ');
  switch (toolKind(name)) {
    case 'shell':
      return String(input.description ?? input.command ?? name);
    case 'read':
    case 'edit':
    case 'create':
      return `${name} ${patched ?? (path === undefined ? '' : shortPath(path))}`.trim();
    case 'search':
      return `Search for ${pattern ?? ''}${path === undefined ? '' : ` in ${shortPath(path)}`}`;
    default: {
      const description = firstText(input, DESCRIPTIVE_FIELDS);
      const about = description ?? path ?? Object.values(input).find((value) => typeof value === 'string');
      return about === undefined ? name : `${name}: ${about}`;
    }
  }
}

export function inputFiles(input: Input): string[] {
  const files: string[] = [...(patchedIn(input) ?? [])];
  for (const field of PATH_FIELDS) {
    const value = input[field];
    if (typeof value === 'string' && value !== '' && !files.includes(value)) files.push(value);
  }
  return files;
}

function patchedIn({ patched_files: files }: Input): readonly string[] | null {
  return typeof files === 'string' ? files.split('\n') : null;
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
