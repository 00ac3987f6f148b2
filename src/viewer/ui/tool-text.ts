// What a tool use did, in one line.
import { type detail, textDetail } from '../api/types.ts';
import { plainLine } from './plain.ts';

type Json = Parameters<typeof detail>[0];

/** The name of a tool as words; that of an MCP server's tool without its prefix, which follows it. */
export function toolName(name: string): string {
  const [, server, tool = name] = /^mcp__(.+?)__(.+)$/.exec(plainLine(name)) ?? [];
  return server === undefined ? inWords(plainLine(tool)) : `${inWords(tool)} (${server})`;
}

/** `javascript_exec` → `Javascript exec`. A name with capitals is the agent's own way to write it. */
function inWords(name: string): string {
  if (!/^[a-z][a-z0-9]*([_.-][a-z0-9]+)*$/.test(name)) return name;
  const words = name.replace(/[_.-]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What a tool use did; its title begins with the name of the tool, which is shown beside it. */
export function toolWhat({ name, title }: { readonly name: string; readonly title: string }): string {
  return plainLine(title.startsWith(name) ? title.slice(name.length).replace(/^:? /, '') : title);
}

/** In one line, without the tags around it that are for the model. */
export const errorText = (error: string): string => plainLine(withoutTags(error));

export const withoutTags = (error: string): string => error.replace(/<\/?tool_use_error>/g, '').trim();

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
  'code',
  'script',
  'text',
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
