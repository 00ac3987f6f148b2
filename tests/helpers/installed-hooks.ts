// The hooks that an installation adds to the settings of Claude Code.
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import type { InstallRequest } from '../../src/install/home-scripts.ts';
import {
  hooksPart,
  isEmptySettings,
  type SettingsForm,
  type WantedHook,
} from '../../src/install/hook-settings.ts';
import { type HookedAgent, type Target, targetsOf, wantedHooks } from '../../src/install/installation.ts';
import { withoutParts, withParts } from '../../src/install/settings-part.ts';

export const CLAUDE = claudeCode as HookedAgent;

export function claudeForm(path = '/settings.json'): SettingsForm {
  return { kind: 'groups', required: {}, path, title: 'Claude Code' };
}

/** @param folder CLAUDE_CONFIG_DIR */
export function claudeRequest(home: string, folder: string, program = PROGRAM): InstallRequest {
  const machine = { environment: { CLAUDE_CONFIG_DIR: folder, PATH: '' }, userHome: folder, windows: false };
  return { home, program, machine };
}

/** @param edits whether recall before a read or edit is on */
export function claudeHooks(home: string, edits = false): readonly WantedHook[] {
  const { settings } = CLAUDE.hooks;
  return settings.kind === 'file' ? [] : wantedHooks(CLAUDE, settings, claudeRequest(home, '/c'), edits);
}

/** The file with an agent's hooks, without the MCP server. */
export function hooksTarget(agent: HookedAgent, { machine }: InstallRequest): Target {
  return targetsOf(agent, machine, ['hooks'])[0]!;
}

export function withHooks(text: string, wanted: readonly WantedHook[], form: SettingsForm): string {
  return withParts(text, [hooksPart(wanted, form)]);
}

export function withoutHooks(text: string, form: SettingsForm, backups?: readonly string[]): string | null {
  return withoutParts(text, [hooksPart([], form)], {
    ...(backups === undefined ? {} : { backups }),
    isEmpty: (rest) => isEmptySettings(rest, form.required),
  });
}

const PROGRAM = { node: '/usr/bin/node', cli: '/opt/annals/dist/cli.cjs' };
