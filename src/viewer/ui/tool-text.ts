// What a tool use did, in one line.
import { type detail, textDetail } from '../api/types.ts';
import { plainLine } from './plain.ts';

type Json = Parameters<typeof detail>[0];

/** The name of a tool; that of an MCP server's tool without its prefix. */
export function toolName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(plainLine(name)) ?? [];
  return server === undefined ? plainLine(name) : `${tool} (${server})`;
}

/** The input that says most, first. */
const INPUTS = [
  'description',
  'command',
  'file_path',
  'path',
  'pattern',
  'query',
  'url',
  'skill',
  'subject',
  'prompt',
  'cmd',
];

/** Of an input whose fields have other names, its first text. */
export function toolText(input: Json): string {
  for (const name of INPUTS) {
    const value = textDetail(input, name);
    if (value !== null && value !== '') return plainLine(value);
  }
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? plainLine(input) : '';
  return plainLine(Object.values(input).find((value) => typeof value === 'string') ?? '');
}
