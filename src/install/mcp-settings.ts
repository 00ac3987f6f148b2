// Our MCP server in the settings file of an agent: an entry named `annals`. One that runs something else than what we
// write is somebody else's, and stays. Of ours, an installation changes only what it runs: a person may have limited
// its tools, or switched it off.
import type { McpSettings } from '../agents/common/agent.ts';
import { type JsonObject, listOf, stringOf } from '../agents/common/json-fields.ts';
import { jsonServers } from './mcp-json.ts';
import { tomlServers } from './mcp-toml.ts';
import { isOurServer } from './our-command.ts';
import type { ServerText, SettingsName, SettingsPart } from './settings-part.ts';

/** What a text holds under our name. `other`: a server that is not as we write it. */
export type FoundServer = 'ours' | 'other' | null;

export function serverPart(wanted: JsonObject, mcp: McpSettings, name: SettingsName): SettingsPart {
  const texts = textsOf(mcp, name);
  return {
    added(text) {
      const found = texts.read(text);
      if (found === null) return texts.add(text, wanted);
      if (!isOurs(found) || runsSame(found, wanted)) return text;
      const changed = { ...wanted, ...found, ...commandOf(wanted) };
      const keys = Object.keys(changed).filter(
        (key) => JSON.stringify(changed[key]) !== JSON.stringify(found[key]),
      );
      return texts.change(text, changed, keys);
    },
    removed(text, before) {
      const found = texts.read(text);
      return found !== null && isOurs(found) ? texts.remove(text, before) : text;
    },
    found(text) {
      const found = texts.read(text);
      return found !== null && isOurs(found) ? serverPart(found, mcp, name) : null;
    },
  };
}

export function serverIn(text: string, mcp: McpSettings, name: SettingsName): FoundServer {
  const found = textsOf(mcp, name).read(text);
  return found === null ? null : isOurs(found) ? 'ours' : 'other';
}

function textsOf({ form, key }: McpSettings, name: SettingsName): ServerText {
  return form === 'toml' ? tomlServers(key, name) : jsonServers(key, name);
}

function isOurs(server: JsonObject): boolean {
  return isOurServer(wordsOf(server));
}

function runsSame(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(wordsOf(one)) === JSON.stringify(wordsOf(other));
}

/** Program and arguments: one list, or two fields. */
function wordsOf({ command, args }: JsonObject): readonly string[] {
  const words = Array.isArray(command) ? command : [command ?? null, ...listOf(args)];
  return words.map((word) => stringOf(word) ?? '');
}

function commandOf({ command = null, args }: JsonObject): JsonObject {
  return { command, ...(args === undefined ? {} : { args }) };
}
