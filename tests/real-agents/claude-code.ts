// How Claude Code is started and isolated: its program, its settings, its tools.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gateCommand } from './gates.ts';
import type { Key, Script, Session, ToolCall } from './plan.ts';

export const PACKAGE = '@anthropic-ai/claude-code';

/** A placeholder for a key: the scripted model accepts any. */
const KEY = 'no-key-for-a-scripted-model';

// Variables and settings that keep it from asking questions and from contacting its vendor's servers.
const ENVIRONMENT = {
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
};
const ALLOWED = ['--allowedTools', 'Bash(*)', 'Write', 'Edit', 'Read', 'Task', 'Agent'];

/** The program brings its own runtime, in a package for each platform. */
export function claudeProgram(installed: string): string {
  const packages = join(installed, 'node_modules/@anthropic-ai');
  const musl = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const wanted = `claude-code-linux-${process.arch}${musl.header?.glibcVersionRuntime ? '' : '-musl'}`;
  const found = readdirSync(packages).find((name) => name === wanted);
  if (found === undefined) throw new Error(`${packages} has no ${wanted}.`);
  return join(packages, found, 'claude');
}

/** What a person answers before the first prompt: theme, key, folders. */
export function prepareHome(home: string, projects: readonly string[]): void {
  mkdirSync(join(home, '.claude'), { recursive: true, mode: 0o700 });
  const answered = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: Object.fromEntries(
      projects.map((project) => [
        project,
        { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
      ]),
    ),
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answered), { mode: 0o600 });
}

interface Wanted extends Pick<Session, 'killAt' | 'opens'> {
  readonly program: string;
  readonly name: string;
  readonly project: string;
  readonly script: Script;
  readonly more?: readonly string[];
}

/** One prompt without a terminal. */
export function printSession({ prompt, ...wanted }: Wanted & { readonly prompt: string }): Session {
  const command = ['-p', prompt, '--output-format', 'stream-json', '--verbose'];
  return session(wanted, command);
}

/** A session in a terminal. Not in auto mode, which is the default there and contacts the vendor's server. */
export function terminalSession({ keys, ...wanted }: Wanted & { readonly keys: readonly Key[] }): Session {
  return { ...session(wanted, ['--permission-mode', 'default']), keys };
}

function session({ program, more = [], ...rest }: Wanted, words: readonly string[]): Session {
  const command = [program, ...words, ...more, ...ALLOWED];
  return { ...rest, command, environment: ENVIRONMENT, addressVariable: 'ANTHROPIC_BASE_URL' };
}

/** Tool calls of the model, in a project. */
export function toolsIn(project: string) {
  const at = (path: string) => join(project, path);
  const shell = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'Run it' } });
  return {
    write: (path: string, content: string): ToolCall => ({
      name: 'Write',
      input: { file_path: at(path), content },
    }),
    read: (path: string): ToolCall => ({ name: 'Read', input: { file_path: at(path) } }),
    edit: (path: string, before: string, after: string): ToolCall => ({
      name: 'Edit',
      input: { file_path: at(path), old_string: before, new_string: after },
    }),
    shell,
    /** A command that runs until the gate is opened, then prints a text. */
    gate: (gate: string, text = 'done', background = false): ToolCall => {
      const { name, input } = shell(gateCommand(gate, text));
      return { name, input: { ...input, run_in_background: background } };
    },
    helper: (prompt: string, type = 'general-purpose', background = false): ToolCall => ({
      name: 'Agent',
      input: { description: 'A small task', prompt, subagent_type: type, run_in_background: background },
    }),
  };
}
