// The Claude Code plugin is the other way to install the hooks (plugins/annals). Both at once would report every event twice.

import { parse } from 'jsonc-parser';

/** Its name, as Claude Code's settings have it before the name of the marketplace. */
const PLUGIN = 'annals@';

/** Whether the text of Claude Code's settings enables it. */
export function pluginIsEnabledIn(text: string): boolean {
  const settings: unknown = parse(text.replace(/^\uFEFF/, ''));
  if (typeof settings !== 'object' || settings === null || !('enabledPlugins' in settings)) return false;
  const { enabledPlugins } = settings;
  if (typeof enabledPlugins !== 'object' || enabledPlugins === null) return false;
  return Object.entries(enabledPlugins).some(([name, on]) => name.startsWith(PLUGIN) && on === true);
}
