import type { RouteExample } from '../../http/route.js';

/** A call of each operation, and its answer if it is JSON. */
export const mcpExamples: Readonly<Record<string, RouteExample>> = {
  'mcp.post': {
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_memory', arguments: { query: 'What do I take in my tea?' } },
    },
  },
  'mcp.listen': { headers: { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' } },
  'mcp.metadata': {
    response: {
      resource: 'https://memory.example.com/mcp',
      resource_name: 'Memhall',
      authorization_servers: ['https://login.example.com/'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['memory:read', 'memory:write'],
    },
  },
  'mcp.root_metadata': {
    response: {
      resource: 'https://memory.example.com/mcp',
      resource_name: 'Memhall',
      authorization_servers: ['https://login.example.com/'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['memory:read', 'memory:write'],
    },
  },
};
