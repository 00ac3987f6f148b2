// The forms in which most agents keep MCP servers.
import type { Machine } from '../../platform/machine.ts';
import type { McpSettings } from './agent.ts';
import type { JsonObject } from './json-fields.ts';

/** `{"mcpServers": {<name>: {"command", "args"}}}`, with further fields of the agent. */
export function jsonServers(file: (machine: Machine) => string, fields: JsonObject = {}): McpSettings {
  return {
    form: 'json',
    key: 'mcpServers',
    files: (machine) => [file(machine)],
    server: ([command = '', ...args]) => ({ ...fields, command, args }),
  };
}
