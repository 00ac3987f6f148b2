// Every command by name: one line for the overview, and how to load the rest. Adding a command is adding a
// line here and a file in commands/.
import type { AnyCommand } from './command/command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: AnyCommand }>;
}

const START = 'Start';
const READ = 'Find and read';
const KEEP = 'Keep';
const CARE = 'The log and its views';

export const COMMANDS: readonly CommandEntry[] = [
  entry(START, 'up', 'import what is there and show what can be asked', () => import('./commands/up.ts')),
  entry(START, 'import', "read agents' transcripts into the log", () => import('./commands/import.ts')),
  entry(START, 'install', "put the hooks into an agent's settings", () => import('./commands/install.ts')),
  entry(START, 'uninstall', 'take our hooks out again', () => import('./commands/uninstall.ts')),
  entry(
    READ,
    'search',
    'find prompts, answers, tool uses and memories',
    () => import('./commands/search.ts'),
  ),
  entry(READ, 'timeline', 'what happened, in order', () => import('./commands/timeline.ts')),
  entry(READ, 'context', 'what the next session here is told', () => import('./commands/context.ts')),
  entry(READ, 'show', 'open one thing by its id', () => import('./commands/show.ts')),
  entry(READ, 'why', 'go from a thing to the events it came from', () => import('./commands/why.ts')),
  entry(READ, 'log', 'print the events themselves', () => import('./commands/log.ts')),
  entry(KEEP, 'save', 'remember something in your own words', () => import('./commands/save.ts')),
  entry(KEEP, 'forget', 'take something out for good', () => import('./commands/forget.ts')),
  entry(
    CARE,
    'status',
    'one screen: how much is here, and is all well',
    () => import('./commands/status.ts'),
  ),
  entry(CARE, 'verify', 'check that the log is what was written', () => import('./commands/verify.ts')),
  entry(CARE, 'replay', 'catch the views up with the log', () => import('./commands/replay.ts')),
  entry(CARE, 'rebuild', 'make the views again from the log', () => import('./commands/rebuild.ts')),
  entry(
    CARE,
    'embed',
    'ask the embedding model for what has no vector yet',
    () => import('./commands/embed.ts'),
  ),
  entry(CARE, 'export', 'write the log into a folder', () => import('./commands/export.ts')),
  entry(CARE, 'restore', 'make a home again from an export', () => import('./commands/restore.ts')),
  entry(
    CARE,
    'compact',
    'write log and views anew, without what is gone',
    () => import('./commands/compact.ts'),
  ),
  entry(CARE, 'config', 'show the settings and change them', () => import('./commands/config.ts')),
  entry(CARE, 'hook', 'what the hooks of an agent call', () => import('./commands/hook.ts')),
];

function entry(group: string, name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { group, name, summary, load };
}
