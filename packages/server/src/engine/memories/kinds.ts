/** The columns of a memory that hold something different for each kind. A kind does not use the columns it does not list. */
type KindColumn = 'agentId' | 'cue' | 'externalId' | 'planId' | 'role' | 'sessionId' | 'source' | 'tags';

interface KindOfMemory {
  /** What it is, for the reference. */
  readonly summary: string;
  /** The parts of the server that write memories of this kind. */
  readonly owners: readonly string[];
  /** The meaning of each column for this kind. `a; b` where the owners differ, in their order. */
  readonly columns: Readonly<Partial<Record<KindColumn, string>>>;
  /**
   * Whether secrets are removed from the text before it is stored. True for text that is recorded as it comes, from
   * conversations and tools. The other kinds hold what somebody chose to store; their writers redact where the contract
   * of the surface says so.
   */
  readonly isRedacted: boolean;
  /** What the memory is rebuilt from; null if it is authored and exists only here. */
  readonly rebuiltFrom: string | null;
  /** Whether it may restate a chat message. A restatement is not shown next to a message with the same text. */
  readonly restatesMessages: boolean;
  /** Whose words the text is: those of the speaker named in `role`, of a file, or of the writer. */
  readonly speaker: 'role' | 'file' | 'writer';
}

/** Every kind of memory, under the name it is stored with. The names are data: a stored name never changes. */
export const memoryKinds = {
  note: {
    summary: 'A text that somebody asked to remember. The default.',
    owners: ['surfaces/one-memory', 'open-memhall'],
    columns: {
      agentId: "null; the caller's agent",
      externalId: "the caller's key",
      planId: "null; the caller's plan",
      role: 'role of the speaker',
      sessionId: 'session',
      source: "null; the caller's label",
      tags: "the caller's tags",
    },
    isRedacted: true,
    rebuiltFrom: null,
    restatesMessages: false,
    speaker: 'role',
  },
  semantic: {
    summary: 'Knowledge stored with the memory service, private or public.',
    owners: ['surfaces/memory-service', 'composition/migrate-semantic'],
    columns: {
      externalId: "the caller's key",
      source: "the caller's label",
      sessionId: 'session',
      planId: 'plan',
      tags: "the caller's tags",
    },
    isRedacted: false,
    rebuiltFrom: null,
    restatesMessages: false,
    speaker: 'writer',
  },
  episodic: {
    summary: 'A turn of a conversation: a message of a chat, or a logged interaction of an agent.',
    owners: ['surfaces/memory-service', 'engine/conversations (chat messages, see chat-columns.ts)'],
    columns: {
      agentId: 'agent; app',
      planId: 'null; project',
      sessionId: 'session; chat session',
      externalId: 'null; hash of chat and message id',
      source: 'null; sender',
      role: 'role of the speaker',
    },
    isRedacted: true,
    rebuiltFrom: null,
    restatesMessages: false,
    speaker: 'role',
  },
  procedural: {
    summary: 'How an agent should do something: a system prompt, an example, a skill.',
    owners: ['surfaces/memory-service'],
    columns: { agentId: 'agent', role: 'procedure type', cue: 'trigger condition' },
    isRedacted: false,
    rebuiltFrom: null,
    restatesMessages: false,
    speaker: 'writer',
  },
  fact: {
    summary: 'A statement: committed by an agent or plugin, or learned from a chat.',
    owners: [
      'engine/plugin',
      'engine/conversations (learned facts, see learned-facts.ts)',
      'open-memhall (before notes)',
    ],
    columns: {
      agentId: "null; always `memhall`; the caller's agent",
      source: "plugin source; always `conversation`; the caller's label",
    },
    isRedacted: false,
    rebuiltFrom: null,
    restatesMessages: true,
    speaker: 'writer',
  },
  summary: {
    summary: 'A summary of the current state, committed by an agent or plugin.',
    owners: ['engine/plugin'],
    columns: { source: 'plugin source' },
    isRedacted: false,
    rebuiltFrom: null,
    restatesMessages: false,
    speaker: 'writer',
  },
  checkpoint: {
    summary: 'A point to continue from, committed by an agent or plugin.',
    owners: ['engine/plugin'],
    columns: { source: 'plugin source' },
    isRedacted: false,
    rebuiltFrom: null,
    restatesMessages: false,
    speaker: 'writer',
  },
  event: {
    summary: 'The digest of something that happened, or of a part of a chat.',
    owners: ['engine/events (digests, see event-record.ts)'],
    columns: {
      agentId: 'app of the chat that the event describes',
      planId: 'project of that chat',
      sessionId: 'session of that chat',
      externalId: 'event id',
      source: 'service id',
      tags: 'project ids',
      cue: 'keywords and project ids',
    },
    isRedacted: false,
    rebuiltFrom: 'event artifact',
    restatesMessages: true,
    speaker: 'writer',
  },
  resource: {
    summary: 'A piece of an uploaded file.',
    owners: ['engine/resources (chunks of a file, see resource-chunks.ts)'],
    columns: {
      agentId: 'app',
      planId: 'project',
      sessionId: '`resource:` with user and resource id',
      cue: 'title and headings',
    },
    isRedacted: true,
    rebuiltFrom: 'file of the resource',
    restatesMessages: false,
    speaker: 'file',
  },
  document: {
    summary: 'An element or a text of a governed document.',
    owners: ['engine/document-pieces (elements and strings of a governed document, see piece-memory.ts)'],
    columns: {
      externalId: 'hash of the place of the document, and the id of the piece',
      cue: 'words of the document’s name and of the way to the piece',
    },
    isRedacted: true,
    rebuiltFrom: 'document',
    restatesMessages: true,
    speaker: 'writer',
  },
  tier: {
    summary: 'A piece of a note of an agent, crew or workspace.',
    owners: ['engine/tiers (pieces of a text, see tier-session.ts)'],
    columns: {
      agentId: 'owner of the tier',
      sessionId: '`tier:` with the path of the document',
      externalId: 'path of the document and number of the piece',
      tags: 'tier',
    },
    isRedacted: false,
    rebuiltFrom: 'document of the tier',
    restatesMessages: false,
    speaker: 'writer',
  },
} as const satisfies Record<string, KindOfMemory>;

export type MemoryKind = keyof typeof memoryKinds;

declare const custom: unique symbol;
/** A kind made up by a program that embeds Memhall. It is authored, not redacted, and has no owner in the server. */
export type CustomKind = string & { readonly [custom]: true };

/** The only way to store a kind that is not in the table. */
export function customKind(name: string): CustomKind {
  return name as CustomKind;
}

/** Returns undefined for a custom kind. */
export function kindOfMemory(name: string): KindOfMemory | undefined {
  return Object.hasOwn(memoryKinds, name) ? memoryKinds[name as MemoryKind] : undefined;
}

/** Returns whether memories of the kind are derived from another record, which has versions of its own. */
export function isRebuilt(kind: string): boolean {
  return (kindOfMemory(kind)?.rebuiltFrom ?? null) !== null;
}
