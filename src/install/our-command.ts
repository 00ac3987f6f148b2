// Recognises the hooks and the MCP server that `install` writes, whichever home, program and agent they name. Similar
// ones belong to somebody else.
import { dirname } from 'node:path';
import { type JsonObject, stringOf } from '../agents/common/json-fields.ts';

/** What a hook of ours runs: the capture script of a home, or on Windows our program for a home. */
export type OurCommand = { readonly agent: string } & (
  | { readonly script: string; readonly home: null }
  | { readonly script: null; readonly home: string }
);

/** The name of our MCP server in the settings of every agent. */
export const SERVER_NAME = 'annals';

/** A word as `shellQuote` writes it. */
const QUOTED = String.raw`('(?:[^']|'\\'')*')`;
const CLI = /(?:^|[\\/])cli\.cjs$/;
const OF_AGENT = '([a-z0-9-]+)(?: (?:session-start|prompt|error|edit))?';
const SH_LINES = [`exec \\1 ${OF_AGENT}`, `set -- ${OF_AGENT} && command \\. \\1`].map(
  (call) => new RegExp(String.raw`^\[ -x ${QUOTED} \] && ${call}; exit 0$`, 's'),
);
const CMD_LINE = /^"[^"]*"(?: "[^"]*")+$/s;
const POWERSHELL_LINE = /^& '(?:[^']|'')*'(?: '(?:[^']|'')*')+$/s;

/** Null for a hook that is not ours. */
export function ourCommand(handler: JsonObject | null): OurCommand | null {
  if (handler === null) return null;
  if (handler.args !== undefined) {
    const args = Array.isArray(handler.args) ? handler.args : [];
    return programCall([handler.command ?? handler.exec, ...args].map((word) => stringOf(word) ?? ''));
  }
  for (const value of Object.values(handler)) {
    const found = typeof value === 'string' ? lineCall(value) : null;
    if (found !== null) return found;
  }
  return null;
}

/** The home that the command writes to. */
export function homeOf({ script, home }: OurCommand): string {
  return script === null ? home : dirname(dirname(script));
}

/** Whether an MCP server is as `serverWords` makes it: the script of a home, or on Windows our program for a home. */
export function isOurServer([program = '', ...args]: readonly string[]): boolean {
  if (args.length === 0) return program.endsWith('/bin/annals-mcp');
  const [cli = '', option, , ...command] = args;
  return CLI.test(cli) && option === '--home' && command.join(' ') === 'mcp';
}

function lineCall(line: string): OurCommand | null {
  const [, quoted, agent] = SH_LINES.map((form) => form.exec(line)).find((found) => found !== null) ?? [];
  if (quoted !== undefined && agent !== undefined) {
    const script = quoted.slice(1, -1).replaceAll("'\\''", "'");
    return script.endsWith('/bin/capture') ? { script, home: null, agent } : null;
  }
  if (CMD_LINE.test(line)) return programCall([...line.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word));
  if (!POWERSHELL_LINE.test(line)) return null;
  return programCall(
    [...line.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word.replaceAll("''", "'")),
  );
}

/** Null for program and arguments that are not ours. */
export function ourCall(words: readonly string[]): OurCommand | null {
  const [script = '', agent = ''] = words;
  if (words.length === 2 && script.endsWith('/bin/capture')) return { script, home: null, agent };
  return programCall(words);
}

function programCall(words: readonly string[]): OurCommand | null {
  const [, cli = '', option, home = '', hook, agent = '', ...more] = words;
  const isOurs =
    CLI.test(cli) &&
    option === '--home' &&
    hook === 'hook' &&
    /^[a-z0-9-]+$/.test(agent) &&
    ['', 'session-start', 'prompt', 'error', 'edit'].includes(more.join(' '));
  return isOurs ? { script: null, home, agent } : null;
}
