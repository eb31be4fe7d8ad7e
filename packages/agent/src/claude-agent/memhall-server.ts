/** Returns the MCP server of Memhall for `mcpServers`. Its tool for searching is `mcp__<name>__search_memory`. */
export function memhallServer({ url, token }: { url: string; token: string }) {
  return {
    type: 'http' as const,
    url: `${url.replace(/\/+$/, '')}/mcp`,
    headers: { authorization: `Bearer ${token}` },
  };
}
