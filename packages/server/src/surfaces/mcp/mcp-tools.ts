import { fileTools } from './file-tools.js';
import type { McpTool } from './mcp-tool.js';
import { formerTools, readTools } from './read-tools.js';
import { tierTools } from './tier-tools.js';
import { writeTools } from './write-tools.js';

/** The tools of a server. */
export interface McpTools {
  /** Shown to models. */
  listed: readonly McpTool[];
  /** Further ones that can be called: a client may know them from an earlier version or from its own configuration. */
  unlisted: readonly McpTool[];
}

const memoryTools = [...readTools, ...writeTools];
const allTools = [...memoryTools, ...tierTools];

/** Every tool that can be called, listed or not. */
export const mcpTools: readonly McpTool[] = [...allTools, ...fileTools, ...formerTools];

const search = readTools.filter(({ name }) => name === 'search_memory');

const sets = {
  memory: memoryTools,
  tiers: [...search, ...tierTools],
  files: [...search, ...fileTools],
  all: allTools,
} as const satisfies Record<string, readonly McpTool[]>;

/** Returns the tools with those of a set listed. Every tool can be called with every set. */
export function mcpToolsOf(set: keyof typeof sets): McpTools {
  const listed = sets[set];
  return { listed, unlisted: mcpTools.filter((tool) => !listed.includes(tool)) };
}
