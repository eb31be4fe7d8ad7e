/** A row of `agent_memories`. */
export interface LegacyMemory {
  id: string;
  workspaceId: string;
  /** null if it is too large to be copied and was not read. */
  content: string | null;
  sizeBytes: number;
  scope: string;
  /** A label of the old store; not a plugin namespace. */
  label: string | null;
  createdAt: Date | null;
}

/** A workspace and its ancestors, nearest first, as far as they exist and at most `maxChainLength` ancestors. */
export interface WorkspaceChain {
  /** Ids, starting with the workspace itself. Empty if the workspace does not exist. */
  ids: readonly string[];
  /** Parent named by the last of them; null if it is a root. */
  parentOfLast: string | null;
}

/** Maximum number of ancestors that are followed. */
export const maxChainLength = 50;

export interface LegacyFilter {
  workspaceId?: string | undefined;
}

/**
 * The old store, `agent_memories` and `workspaces`. Everything except `insert` only reads, in read-only transactions.
 */
export interface LegacyMemories {
  /** Throws StartUpError, naming the table or column, if one is missing. */
  check(): Promise<void>;
  count(filter: LegacyFilter): Promise<number>;
  /** Ordered by id, starting after `after`. */
  page(filter: LegacyFilter, page: { after: string | undefined; limit: number }): Promise<LegacyMemory[]>;
  get(id: string): Promise<LegacyMemory | undefined>;
  /** Returns workspaces that have memories, chosen at random. */
  sampleWorkspaces(count: number): Promise<string[]>;
  /** Returns the ids of all workspaces, in order, starting after `after`. */
  workspaces(page: { after: string | undefined; limit: number }): Promise<string[]>;
  /** Keyed by workspace; contains every requested workspace. */
  chains(workspaceIds: readonly string[]): Promise<Map<string, WorkspaceChain>>;
  /** Returns false if a row with this id already exists; that row is left unchanged. */
  insert(memory: Omit<LegacyMemory, 'sizeBytes' | 'content'> & { content: string }): Promise<boolean>;
  close(): Promise<void>;
}
