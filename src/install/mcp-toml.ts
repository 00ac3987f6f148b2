// MCP servers in TOML: [mcp_servers.annals]. Lines are edited; that a text means the same afterwards, except for the
// server, is checked with a parser.
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError, type TomlTable } from 'smol-toml';
import type { Json } from '../../log/index.ts';
import { type JsonObject, objectOf } from '../agents/common/json-fields.ts';
import { eolOf } from '../config/json-text.ts';
import { SERVER_NAME } from './our-command.ts';
import { type ServerText, type SettingsName, unusable } from './settings-part.ts';

const DEPTH_MAX = 100;

export function tomlServers(key: string, name: SettingsName): ServerText {
  const table = (value: unknown, path: string): JsonObject | null => {
    if (value === undefined) return null;
    const found = objectOf(value as Json);
    if (found === null) throw unusable(name, `"${path}" is not a table`);
    return found;
  };
  const read = (text: string): JsonObject | null =>
    table(table(parsed(text, name)[key], key)?.[SERVER_NAME], `${key}.${SERVER_NAME}`);
  /** @throws AnnalsError INPUT_INVALID if the edit changed anything but the server */
  const checked = (before: string, after: string, server: JsonObject | null): string => {
    const settings = parsedOrNull(after);
    const wanted = withServer(parsed(before, name), key, server);
    if (settings === null || !isDeepStrictEqual(withoutEmpty(settings, key), wanted))
      throw unusable(name, `"${key}" is written in a form that cannot be edited safely`);
    return after;
  };
  return {
    read,
    add(text, server) {
      const eol = eolOf(text);
      const lines = stringify({ [key]: { [SERVER_NAME]: server } }).replaceAll('\n', eol);
      const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
      return checked(text, `${text}${gap}${lines}`, server);
    },
    change(text, server, keys) {
      const own = new Set(linesOf(text, key));
      const lines = text.split('\n').map((line, index) => {
        const field = /^\s*(\w+)\s*=/.exec(line)?.[1];
        if (!own.has(index) || field === undefined || !keys.includes(field)) return line;
        const end = line.endsWith('\r') ? '\r' : '';
        return stringify({ [field]: server[field] as TomlTable[string] }).trimEnd() + end;
      });
      return checked(text, lines.join('\n'), server);
    },
    remove(text) {
      const own = new Set(linesOf(text, key));
      const lines = text.split('\n');
      // The empty line that an installation puts before its table.
      const first = Math.min(...own);
      if (first > 0 && lines[first - 1]?.trim() === '') own.add(first - 1);
      return checked(text, lines.filter((_, index) => !own.has(index)).join('\n'), null);
    },
  };
}

/**
 * The lines of the server's table and of the tables in it, by index. Empty lines and comments after the last value belong to
 * what follows.
 */
function linesOf(text: string, key: string): readonly number[] {
  const ours = new RegExp(
    String.raw`^\s*\[\s*${key}\s*\.\s*(["']?)${SERVER_NAME}\1\s*(?:\.[^\]]*)?\]\s*(?:#.*)?$`,
  );
  const found: number[] = [];
  let waiting: number[] | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const plain = line.trim();
    if (ours.test(plain)) waiting ??= [];
    else if (plain.startsWith('[')) waiting = null;
    if (waiting === null) continue;
    waiting.push(index);
    if (plain === '' || plain.startsWith('#')) continue;
    found.push(...waiting);
    waiting = [];
  }
  return found;
}

/** What the settings are to be: with this server, or without it. Tables of the parser have no prototype. */
function withServer(settings: TomlTable, key: string, server: JsonObject | null): TomlTable {
  const servers = (settings[key] ?? parseToml('')) as TomlTable;
  if (server === null) delete servers[SERVER_NAME];
  else servers[SERVER_NAME] = parseToml(stringify(server));
  settings[key] = servers;
  return withoutEmpty(settings, key);
}

function withoutEmpty(settings: TomlTable, key: string): TomlTable {
  if (isDeepStrictEqual(settings[key], parseToml(''))) delete settings[key];
  return settings;
}

/** @throws TomlError */
function parseToml(text: string): TomlTable {
  return parse(text, { integersAsBigInt: 'asNeeded', maxDepth: DEPTH_MAX });
}

/** @throws AnnalsError INPUT_INVALID */
function parsed(text: string, name: SettingsName): TomlTable {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw unusable(name, `line ${error.line} cannot be parsed (${reason})`);
  }
}

function parsedOrNull(text: string): TomlTable | null {
  try {
    return parseToml(text);
  } catch {
    return null;
  }
}
