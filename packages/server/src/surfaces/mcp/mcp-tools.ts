import type { McpTool } from './mcp-tool.js';
import { readTools } from './read-tools.js';
import { tierTools } from './tier-tools.js';
import { writeTools } from './write-tools.js';

/** All tools offered to models. */
export const mcpTools: readonly McpTool[] = [...readTools, ...writeTools, ...tierTools];
