// The hooks that an installation adds to the settings of Claude Code.
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import type { SettingsForm, WantedHook } from '../../src/install/hook-settings.ts';
import { type HookedAgent, type InstallRequest, wantedHooks } from '../../src/install/install-hooks.ts';

export const CLAUDE = claudeCode as HookedAgent;

export function claudeForm(path = '/settings.json'): SettingsForm {
  return { kind: 'groups', required: {}, path, title: 'Claude Code' };
}

/** @param folder CLAUDE_CONFIG_DIR */
export function claudeRequest(home: string, folder: string, program = PROGRAM): InstallRequest {
  const machine = { environment: { CLAUDE_CONFIG_DIR: folder, PATH: '' }, userHome: folder, windows: false };
  return { home, program, machine };
}

export function claudeHooks(home: string): readonly WantedHook[] {
  const { settings } = CLAUDE.hooks;
  return settings.kind === 'file' ? [] : wantedHooks(CLAUDE, settings, claudeRequest(home, '/c'));
}

const PROGRAM = { node: '/usr/bin/node', cli: '/opt/annals/dist/cli.cjs' };
