// The least that an MCP server in Node can be, for the revision of the protocol that Claude Code 2.1.330 uses: it has one tool and
// answers what an agent asks at the start.
import { createInterface } from 'node:readline';

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const results = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {}, prompts: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'empty', version: '1' } },
  },
  'tools/list': { tools: [{ name: 'nothing', description: 'Nothing', inputSchema: { type: 'object' } }] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const result = { ...results[method], ...complete };
  if (Object.hasOwn(results, method))
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
