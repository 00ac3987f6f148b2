// The MCP server over HTTP, for the worker. Each request gets a server of its own: nothing is kept between two of them.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { makeServer, type ServerOptions } from './server.ts';

/** The parameter of the address that names the folder of the client. */
const FOLDER = 'folder';

export interface McpOverHttp {
  /** The request has been checked: it may ask everything. */
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function mcpOverHttp(options: Omit<ServerOptions, 'startedIn'>): McpOverHttp {
  const handler = createMcpHandler(
    ({ requestInfo }) => makeServer({ ...options, startedIn: folderIn(requestInfo) }),
    { onerror: () => {} },
  );
  return { answer: (request) => handler.fetch(request), close: () => handler.close() };
}

function folderIn(request: Request | undefined): string | null {
  if (request === undefined) return null;
  return new URL(request.url).searchParams.get(FOLDER);
}
