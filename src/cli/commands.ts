// The table of commands: a summary for the overview, and how to load the rest. To add a command, add a line here and
// a file in commands/.
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
  entry(
    START,
    'up',
    'import the transcripts of this machine and suggest first commands',
    () => import('./commands/up.ts'),
  ),
  entry(START, 'import', "read agents' transcripts into the log", () => import('./commands/import.ts')),
  entry(
    START,
    'install',
    "add the hooks and the MCP server to agents' settings",
    () => import('./commands/install.ts'),
  ),
  entry(START, 'uninstall', "remove both from agents' settings", () => import('./commands/uninstall.ts')),
  entry(
    START,
    'agent',
    'check the description of an agent that Annals does not know',
    () => import('./commands/agents/agent.ts'),
  ),
  entry(
    READ,
    'search',
    'find prompts, answers, tool uses and memories',
    () => import('./commands/search.ts'),
  ),
  entry(READ, 'timeline', 'list what happened, in order', () => import('./commands/timeline.ts')),
  entry(READ, 'sessions', 'list sessions with their ids', () => import('./commands/lists/sessions.ts')),
  entry(READ, 'projects', 'list projects with their keys', () => import('./commands/lists/projects.ts')),
  entry(READ, 'context', 'show what the next session here is told', () => import('./commands/context.ts')),
  entry(
    READ,
    'receipts',
    'show what sessions were given, and what they used of it',
    () => import('./commands/receipts.ts'),
  ),
  entry(READ, 'show', 'print things by id', () => import('./commands/show.ts')),
  entry(READ, 'why', 'trace a thing back to the events it came from', () => import('./commands/why.ts')),
  entry(READ, 'log', 'print the events of the log', () => import('./commands/log.ts')),
  entry(
    READ,
    'corpus',
    'collect memories under a name, and ask them questions',
    () => import('./commands/observer/corpus.ts'),
  ),
  entry(
    READ,
    'watch',
    'follow what is being recorded, as it happens',
    () => import('./commands/live/watch.ts'),
  ),
  entry(READ, 'view', 'open the viewer in the browser', () => import('./commands/live/view.ts')),
  entry(READ, 'mcp', 'serve the memory to an agent over MCP', () => import('./commands/live/mcp.ts')),
  entry(KEEP, 'save', 'save a memory in your own words', () => import('./commands/save.ts')),
  entry(KEEP, 'pin', 'put something into every brief', () => import('./commands/acts/pin.ts')),
  entry(KEEP, 'unpin', 'take a pin back', () => import('./commands/acts/unpin.ts')),
  entry(
    KEEP,
    'edit',
    'put your words in the place of a remembered text',
    () => import('./commands/acts/edit.ts'),
  ),
  entry(
    KEEP,
    'supersede',
    'say that something no longer holds, and what does',
    () => import('./commands/acts/supersede.ts'),
  ),
  entry(
    KEEP,
    'notes',
    'standing notes that every session of a project reads',
    () => import('./commands/acts/notes.ts'),
  ),
  entry(
    KEEP,
    'proposals',
    'confirm or refuse what agents proposed',
    () => import('./commands/acts/proposals.ts'),
  ),
  entry(KEEP, 'forget', 'delete something for good', () => import('./commands/forget.ts')),
  entry(
    CARE,
    'share',
    'share projects with your other machines and your team',
    () => import('./commands/share/share.ts'),
  ),
  entry(CARE, 'status', 'show size, growth and health on one screen', () => import('./commands/status.ts')),
  entry(
    CARE,
    'doctor',
    'check the whole installation, and mend what is safe',
    () => import('./commands/doctor.ts'),
  ),
  entry(CARE, 'verify', 'check the log against its own hashes', () => import('./commands/verify.ts')),
  entry(CARE, 'replay', 'bring the views up to date with the log', () => import('./commands/replay.ts')),
  entry(CARE, 'rebuild', 'build the views again from the log', () => import('./commands/rebuild.ts')),
  entry(
    CARE,
    'embed',
    'compute missing vectors with the embedding model',
    () => import('./commands/embed.ts'),
  ),
  entry(CARE, 'observe', 'have a model write observations', () => import('./commands/observer/observe.ts')),
  entry(CARE, 'cost', 'show what the model cost', () => import('./commands/observer/cost.ts')),
  entry(
    CARE,
    'observer',
    'pause, resume or retry the model that writes observations',
    () => import('./commands/observer/observer.ts'),
  ),
  entry(
    CARE,
    'mode',
    'say what the model finds worth remembering',
    () => import('./commands/observer/mode.ts'),
  ),
  entry(CARE, 'export', 'write the log to a folder', () => import('./commands/transfer/export.ts')),
  entry(CARE, 'restore', 'create a home from an export', () => import('./commands/transfer/restore.ts')),
  entry(
    CARE,
    'compact',
    'rewrite the log and the views without deleted data',
    () => import('./commands/compact.ts'),
  ),
  entry(
    CARE,
    'worker',
    'start, stop and show the process that records',
    () => import('./commands/worker.ts'),
  ),
  entry(
    CARE,
    'service',
    'let the service manager of your account run the worker',
    () => import('./commands/live/service.ts'),
  ),
  entry(CARE, 'logs', "print the worker's log", () => import('./commands/live/logs.ts')),
  entry(CARE, 'config', 'show and change the settings', () => import('./commands/config.ts')),
  entry(
    CARE,
    'completion',
    'print the completion script of a shell',
    () => import('./commands/completion.ts'),
  ),
  entry(CARE, 'hook', 'called by the hooks of an agent', () => import('./commands/hook.ts')),
];

function entry(group: string, name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { group, name, summary, load };
}
