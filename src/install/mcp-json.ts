// MCP servers in JSON: {"mcpServers": {"annals": {…}}}.
import { objectOf } from '../agents/common/json-fields.ts';
import { appendJson, removeJson, replaceJson } from '../config/json-text.ts';
import { jsonToEdit, parseSettings } from './json-settings.ts';
import { SERVER_NAME } from './our-command.ts';
import { type ServerText, type SettingsName, unusable } from './settings-part.ts';

export function jsonServers(key: string, name: SettingsName): ServerText {
  const serversIn = (text: string) => objectOf(parseSettings(text, key, name)[key]);
  return {
    read(text) {
      const server = serversIn(text)?.[SERVER_NAME];
      if (server === undefined) return null;
      const found = objectOf(server);
      if (found === null) throw unusable(name, `"${key}" → "${SERVER_NAME}" is not an object`);
      return found;
    },
    add(text, server) {
      const edited = jsonToEdit(text);
      return serversIn(text) === null
        ? appendJson(edited, [], key, { [SERVER_NAME]: server })
        : appendJson(edited, [key], SERVER_NAME, server);
    },
    change(text, server, keys) {
      const path = [key, SERVER_NAME];
      return keys.reduce((edited, field) => {
        const value = server[field];
        const isThere = objectOf(serversIn(edited)?.[SERVER_NAME])?.[field] !== undefined;
        return isThere
          ? replaceJson(edited, [...path, field], value)
          : appendJson(edited, path, field, value);
      }, text);
    },
    remove(text, before) {
      const others = Object.keys(serversIn(text) ?? {}).length > 1;
      return removeJson(text, others || serversIn(before) !== null ? [key, SERVER_NAME] : [key]);
    },
  };
}
