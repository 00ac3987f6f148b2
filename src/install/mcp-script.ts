// The script that agents start as the MCP server of a home; POSIX sh. Its path never changes, because agents' settings name
// it. Node and our command may move: then it starts the command that is on the PATH, or says what to do.
import { join } from 'node:path';
import { type Program, shellQuote } from '../capture/spool/capture-script.ts';

export function mcpScriptPath(home: string): string {
  return join(home, 'bin', 'annals-mcp');
}

export function mcpScript(home: string, { node, cli }: Program): string {
  const [program, file, folder] = [node, cli, home].map(shellQuote);
  return `#!/bin/sh
# Annals: starts the MCP server of this home. Made by \`annals install\`; changes here are lost.
[ -x ${program} ] && [ -f ${file} ] && exec ${program} ${file} --home ${folder} mcp
command -v annals >/dev/null && exec annals --home ${folder} mcp
echo 'Annals is no longer where it was installed. Install it again, then run: annals install' >&2
exit 1
`;
}

/** Program and arguments of the server. Windows has no sh of its own: there, Node is started. */
export function serverWords(home: string, { node, cli }: Program, windows: boolean): readonly string[] {
  return windows ? [node, cli, '--home', home, 'mcp'] : [mcpScriptPath(home)];
}
