/**
 * yes: found. no: not found. with shared, with public: found if the query has that scope. as documents: in the documents of the
 * answer, and not once more as a memory.
 */
export type Cell = 'yes' | 'no' | 'with shared' | 'with public' | 'as documents';

/** Where somebody asks: `/v1/recall` and the library; MCP; `all_user_memory` of the gateway; `context:assemble` with a query. */
export interface Cells {
  recall: Cell;
  mcp: Cell;
  gateway: Cell;
  context: Cell;
}

/** Who owns what is written there, and so who can read it at all. */
export type Owner =
  | 'user'
  | 'workspace namespace'
  | 'workspace notes'
  | 'team'
  | 'org'
  | 'granted namespace'
  | 'everybody'
  | 'nobody';

export interface Row {
  /** As in the guide. Rows with one title are one line there. */
  title: string;
  owner: Owner;
  /** What its writer finds. */
  byWriter: Cells;
  /** What others find who may read it. */
  byOthers: Cells;
}

const everywhere: Cells = { recall: 'yes', mcp: 'yes', gateway: 'yes', context: 'yes' };
const nowhere: Cells = { recall: 'no', mcp: 'no', gateway: 'no', context: 'no' };
const shared: Cells = { recall: 'with shared', mcp: 'yes', gateway: 'no', context: 'no' };
const published: Cells = { recall: 'with public', mcp: 'yes', gateway: 'no', context: 'no' };

const own = (title: string): Row => ({ title, owner: 'user', byWriter: everywhere, byOthers: nowhere });

const remembered = '`/v1/remember`, library, command line';
const service = 'semantic (private), episodic and procedural memory';
const chats = 'gateway messages, flushed episodes, learned facts';
const workspace = '`commit_memory`, in the namespace of the workspace';
const plugin = 'the plugin listener, in the namespace of the workspace';
const notes = 'notes (tiers) of the workspace';

/** What each way of asking finds of what each way of writing stored. The guide shows this table; the canaries check every cell. */
export const whatFindsWhat = {
  remember: own(remembered),
  library: own(remembered),
  semantic: own(service),
  episodic: own(service),
  procedural: own(service),
  message: own(chats),
  flushed: own(chats),
  resource: own('gateway resources (files)'),
  document: { ...own('governed documents'), byWriter: { ...everywhere, context: 'as documents' } },
  file: own('files of the memory tool'),
  committed: { title: workspace, owner: 'workspace namespace', byWriter: everywhere, byOthers: shared },
  plugin: { title: plugin, owner: 'workspace namespace', byWriter: everywhere, byOthers: shared },
  notes: { title: notes, owner: 'workspace notes', byWriter: everywhere, byOthers: { ...shared, context: 'yes' } },
  published: { title: 'semantic (public)', owner: 'everybody', byWriter: published, byOthers: published },
  team: { title: 'namespaces of teams and organizations', owner: 'team', byWriter: shared, byOthers: shared },
  org: { title: 'namespaces of teams and organizations', owner: 'org', byWriter: shared, byOthers: shared },
  granted: {
    title: 'other namespaces that the token grants',
    owner: 'granted namespace',
    byWriter: shared,
    byOthers: shared,
  },
  state: {
    title: 'working memory, task contexts, plans, sessions',
    owner: 'nobody',
    byWriter: nowhere,
    byOthers: nowhere,
  },
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof whatFindsWhat;
