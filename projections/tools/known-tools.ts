// What the tools of coding agents do. Each agent has its own names for the same few kinds of tools, and its own names for
// the fields of their input. Names that differ only in case and underscores are one: `MultiEdit`, `multi_edit`.
import type { Json } from '../../log/index.ts';

/**
 * shell: runs a command. read: reads a file. create: writes a whole file. edit: changes a file. search: looks for files
 * or text. launch: starts a sub-agent. question: asks the person.
 */
export type ToolKind = 'shell' | 'read' | 'create' | 'edit' | 'search' | 'launch' | 'question';

const NAMES: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: [
    ...['bash', 'powershell', 'shell', 'exec', 'execute', 'shellcommand', 'localshell', 'execcommand'],
    ...['runshellcommand', 'runcommand', 'runterminalcmd', 'runinterminal'],
  ],
  read: ['read', 'readfile', 'readcode', 'readmanyfiles', 'notebookread', 'view', 'viewimage'],
  create: ['write', 'writefile', 'create', 'createfile'],
  edit: [
    ...['edit', 'editfile', 'multiedit', 'notebookedit', 'replace', 'strreplace', 'searchreplace', 'insert'],
    ...['applypatch', 'patch', 'writecode'],
  ],
  search: ['grep', 'glob', 'rg', 'grepsearch', 'searchfilecontent', 'codebasesearch', 'semanticsearch'],
  launch: ['task', 'agent', 'spawnagent', 'collaborationspawnagent'],
  question: ['askuserquestion', 'askuser', 'question', 'requestuserinput'],
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind] as const)),
);

/** null for a tool that is not known, such as one of an MCP server. */
export function toolKind(name: string): ToolKind | null {
  return KINDS.get(name.replaceAll('_', '').toLowerCase()) ?? null;
}

/** Whether it writes or changes files. */
export function writesFiles(name: string): boolean {
  const kind = toolKind(name);
  return kind === 'create' || kind === 'edit';
}

/** Fields of inputs that hold the path of a file or folder, best first. */
export const PATH_FIELDS = [
  ...['file_path', 'notebook_path', 'path', 'filePath', 'absolute_path', 'target_file', 'target_notebook'],
  ...['dir_path', 'file', 'directory'],
] as const;

/** Fields of shell tools that hold the command. */
export const COMMAND_FIELDS = ['command', 'cmd', 'command_line'] as const;

/** The command line of a shell tool, or null. A list of words ends with the script that its shell runs. */
export function commandLine(input: Json): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  for (const field of COMMAND_FIELDS) {
    const value = (input as Readonly<Record<string, Json>>)[field];
    if (typeof value === 'string') return value;
    if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) continue;
    return /^-l?c$/.test(value.at(-2) ?? '') ? (value.at(-1) ?? null) : value.join(' ');
  }
  return null;
}

/** The files that a patch in the form of `apply_patch` adds, changes, deletes and renames. @param acts some of these */
export function patchedFiles(
  text: string,
  acts = 'Add File|Update File|Delete File|Move to',
): readonly string[] {
  if (!text.includes('*** Begin Patch')) return [];
  const named = text.matchAll(new RegExp(`^\\*\\*\\* (?:${acts}): (.+?)\\s*$`, 'gm'));
  return [...new Set([...named].map(([, path = '']) => path))];
}
