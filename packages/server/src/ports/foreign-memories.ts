/** The tools whose memories can be imported. The names are part of stored ids: a name never changes. */
export const foreignSources = [
  'mem0',
  'zep',
  'letta',
  'mcp-memory',
  'langgraph',
  'chatgpt',
  'claude',
  'markdown',
] as const;
export type ForeignSource = (typeof foreignSources)[number];

/** Something that another tool remembered. */
export interface ForeignMemory {
  type: 'memory';
  /** Where it is in the export, for people: `conversations.json, item 3`. */
  place: string;
  /** Identifies it among all that the tool remembers, also in a later export. */
  id: string;
  kind: 'note' | 'fact' | 'summary' | 'episodic';
  text: string;
  /** undefined: the export does not say. */
  occurredAt?: Date | undefined;
  /** Whose words they are: `user` are those of the one whose export it is. */
  role?: 'user' | 'assistant' | undefined;
  /** Who wrote it, as the tool calls them; undefined if the tool does not say or `role` does. */
  author?: string | undefined;
  /** Those whose memory it is, as the tool calls them; the first one is shown. Empty if the tool does not say. */
  owners?: readonly string[];
  /** Conversation that it belongs to. */
  session?: string | undefined;
  tags?: readonly string[];
  /** What else is worth keeping. Plain JSON. */
  details?: Readonly<Record<string, unknown>>;
}

/** Something in an export that is not imported. `reason` is a phrase without content of the export: `output of a tool`. */
export interface UnfitItem {
  type: 'unfit';
  place: string;
  reason: string;
}

export type ForeignItem = ForeignMemory | UnfitItem;

/**
 * An export of another tool. It can be read several times, and yields the same items in the same order each time. Keeps no more than
 * one record of the export in memory. Throws StartUpError if the export as a whole cannot be read; single records that cannot are unfit.
 */
export interface ForeignMemories {
  items(): AsyncIterable<ForeignItem>;
  close(): Promise<void>;
}
