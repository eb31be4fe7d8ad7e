/** A row of `agent_memories`. */
export interface LegacyMemory {
  id: string;
  workspaceId: string;
  /** null: it is larger than can be copied, and was not read. */
  content: string | null;
  sizeBytes: number;
  scope: string;
  /** A label of the old store's own; not a namespace of a plugin. */
  label: string | null;
  createdAt: Date | null;
}

/** A workspace and those above it, nearest first, as far as they are there and at most `maxChainLength` of them. */
export interface WorkspaceChain {
  /** Ids, the workspace's own first. Empty: there is no such workspace. */
  ids: readonly string[];
  /** What the last of them names as its parent; null: it is a root. */
  parentOfLast: string | null;
}

/** Parents above a workspace that are looked at. */
export const maxChainLength = 50;

export interface LegacyFilter {
  workspaceId?: string | undefined;
}

/** The old store, `agent_memories` and `workspaces`. Everything but `insert` reads only, and in transactions that can only read. */
export interface LegacyMemories {
  /** Throws StartUpError, naming it, when a table or column is missing. */
  check(): Promise<void>;
  count(filter: LegacyFilter): Promise<number>;
  /** In order of id, behind `after`. */
  page(filter: LegacyFilter, page: { after: string | undefined; limit: number }): Promise<LegacyMemory[]>;
  get(id: string): Promise<LegacyMemory | undefined>;
  /** Workspaces that have memories, chosen at random. */
  sampleWorkspaces(count: number): Promise<string[]>;
  /** Ids of all workspaces, in order, behind `after`. */
  workspaces(page: { after: string | undefined; limit: number }): Promise<string[]>;
  /** By workspace; all that were asked for are there. */
  chains(workspaceIds: readonly string[]): Promise<Map<string, WorkspaceChain>>;
  /** Answers false when there is a row with its id already, which stays as it is. */
  insert(memory: Omit<LegacyMemory, 'sizeBytes' | 'content'> & { content: string }): Promise<boolean>;
  close(): Promise<void>;
}
