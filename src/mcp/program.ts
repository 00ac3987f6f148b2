// What dist/mcp.cjs exports: the MCP server over standard input and output, and over HTTP.
export { type McpOverHttp, mcpOverHttp } from './http-handler.ts';
export { serveMcp } from './serve-stdio.ts';
