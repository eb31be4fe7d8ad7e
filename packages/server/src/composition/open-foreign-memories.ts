import type { ForeignItem, ForeignMemories, ForeignSource } from '../ports/foreign-memories.js';
import { chatgptSource } from '../providers/importers/chatgpt-source.js';
import { claudeSource } from '../providers/importers/claude-source.js';
import { type ForeignFiles, openForeignFiles } from '../providers/importers/foreign-files.js';
import { langgraphSource } from '../providers/importers/langgraph-source.js';
import { lettaSource } from '../providers/importers/letta-source.js';
import { markdownSource } from '../providers/importers/markdown-source.js';
import { mcpMemorySource } from '../providers/importers/mcp-memory-source.js';
import { mem0Source } from '../providers/importers/mem0-source.js';
import { zepSource } from '../providers/importers/zep-source.js';

const readers: Readonly<Record<ForeignSource, (files: ForeignFiles) => AsyncIterable<ForeignItem>>> = {
  mem0: mem0Source,
  zep: zepSource,
  letta: lettaSource,
  'mcp-memory': mcpMemorySource,
  langgraph: langgraphSource,
  chatgpt: chatgptSource,
  claude: claudeSource,
  markdown: markdownSource,
};

/** Opens what a tool exported: a file, a directory or a zip archive. Throws StartUpError. */
export async function openForeignMemories(source: ForeignSource, path: string): Promise<ForeignMemories> {
  const files = await openForeignFiles(path);
  return { items: () => readers[source](files), close: () => files.close() };
}
