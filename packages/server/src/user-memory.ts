import { performance } from 'node:perf_hooks';
import { uuidv7 } from '@memhall/core';
import type { Caller } from './engine/caller.js';
import { ifPresent } from './engine/if-present.js';
import { customKind } from './engine/memories/kinds.js';
import { deleteNamespace, getNamespaces, putNamespace } from './engine/memories/namespaces.js';
import { type NewMemory as EngineMemory, noteKind } from './engine/memories/new-memory.js';
import type { Remembered } from './engine/memories/remember.js';
import type { MemoryScope } from './engine/memories/scope-partitions.js';
import type { MemoryChange } from './engine/memories/update-memory.js';
import { forgetAny, updateAny } from './engine/one-memory/change-any.js';
import { describeOrigin, type Origin } from './engine/one-memory/describe-origin.js';
import { getAny, listAny } from './engine/one-memory/find-any.js';
import { type Member, toMember } from './engine/one-memory/member.js';
import type { NamespaceClaims } from './engine/one-memory/namespace-grants.js';
import type { ReadScope, Wanted } from './engine/one-memory/reading.js';
import { type AnyRecall, type AnyRecalled, recallAny } from './engine/one-memory/recall-any.js';
import { type AnySession, recallAnySessions } from './engine/one-memory/recall-any-sessions.js';
import { rememberAny, writableGrant } from './engine/one-memory/remember-any.js';
import type { Page } from './engine/page.js';
import type { OpenEngine } from './open-engine.js';
import type { Memory, MemoryFilter } from './ports/memories.js';
import type { Trust } from './ports/memory-origin.js';
import type { Namespace } from './ports/namespaces.js';

/** A memory to store. The kind is any label; the default is `note`. Secrets are removed from the text. */
export interface NewMemory extends Omit<EngineMemory, 'kind'> {
  kind: string;
}

/** A text, or a text with further fields. */
export type RememberInput = string | (Omit<NewMemory, 'kind'> & { kind?: string });

export interface RecallOptions extends Partial<Omit<AnyRecall, 'text' | 'scopes' | 'minScore'>> {
  /** Default: everything that the user may read. */
  scopes?: readonly ReadScope[];
  /** The same in another form: the user's own memories, the tenant's public ones, and namespaces. */
  scope?: MemoryScope;
}

/** A memory that matches, with where it comes from and how far it can be trusted. */
export interface Recollection extends Omit<AnyRecalled, 'also'> {
  origin: Origin;
  trust: Trust;
  /** False if something newer has taken its place. */
  current: boolean;
  /** Ids of further stored copies of the statement, by the same author. */
  also: string[];
}

export type SessionOptions = Omit<RecallOptions, 'forModel'>;

/** A session that matches, with its best memories. */
export interface RecollectedSession extends Omit<AnySession, 'best'> {
  best: Recollection[];
}

export interface ListOptions {
  scopes?: readonly ReadScope[];
  scope?: MemoryScope;
  namespaces?: readonly string[];
  filter?: MemoryFilter;
  limit?: number;
  cursor?: string;
}

const defaultLimit = 10;

/** The memory of one user: everything the user may read, and the user's own to write. */
export class UserMemory {
  readonly #engine: OpenEngine;
  readonly #who: Omit<Caller, 'operation' | 'requestId'>;
  readonly #claims: NamespaceClaims;

  constructor(engine: OpenEngine, who: Omit<Caller, 'operation' | 'requestId'>, claims: NamespaceClaims) {
    this.#engine = engine;
    this.#who = who;
    this.#claims = claims;
  }

  /**
   * Stores one memory, which is durable once this resolves. Without a kind it is a `note`, and storing the same
   * text again returns the same memory unless another external id is given.
   */
  async remember(input: RememberInput): Promise<Remembered> {
    const [result] = await this.rememberMany([input]);
    return result as Remembered;
  }

  /** Stores at most 500 memories, all or none. Returns the results in order. A namespace is created on its first use. */
  rememberMany(inputs: readonly RememberInput[]): Promise<Remembered[]> {
    return this.#engine.use((engine) =>
      rememberAny(engine, this.#member('memories.remember'), inputs.map(toEngineMemory)),
    );
  }

  /** Returns the best matching memories, best first. Without a text, matches by the embedding in the options alone. */
  async recall(text: string | undefined, options: RecallOptions = {}): Promise<Recollection[]> {
    const { scope, limit = defaultLimit, ...rest } = options;
    const input = { ...rest, ...(scope && toScopes(scope)), text, limit };
    const found = await this.#engine.use((engine) => recallAny(engine, this.#member('memories.recall'), input));
    return found.map(toRecollection);
  }

  /** Returns the best matching sessions, ranked on all their memories. Memories without a session are left out. */
  async recallSessions(text: string | undefined, options: SessionOptions = {}): Promise<RecollectedSession[]> {
    const { scope, limit = defaultLimit, ...rest } = options;
    const input = { ...rest, ...(scope && toScopes(scope)), text, limit };
    const found = await this.#engine.use((engine) => recallAnySessions(engine, this.#member('memories.recall'), input));
    return found.map((session) => ({ ...session, best: session.best.map(toRecollection) }));
  }

  /** Returns undefined if there is no such memory, or the user may not read it. */
  get(id: string): Promise<Memory | undefined> {
    return this.#engine.use((engine) => ifPresent(getAny(engine, this.#member('memories.get'), id)));
  }

  /** Lists memories, newest first. */
  list({ scope, filter = {}, limit = 20, ...rest }: ListOptions = {}): Promise<Page<Memory>> {
    const page = { ...rest, ...(scope && toScopes(scope)), filter, limit };
    return this.#engine.use((engine) => listAny(engine, this.#member('memories.list'), page));
  }

  /** Changes a memory and embeds new content again. Returns undefined if the memory does not exist. */
  update(id: string, change: MemoryChange): Promise<Memory | undefined> {
    return this.#engine.use((engine) =>
      ifPresent(updateAny(engine, this.#member('memories.update'), id, change, { kind: 'none' })),
    );
  }

  /** Deletes memories permanently, with what was derived from each alone. Returns how many were deleted. */
  async forget(...ids: string[]): Promise<number> {
    let forgotten = 0;
    const options = { precondition: { kind: 'none' }, copies: false } as const;
    for (const id of ids) {
      const done = this.#engine.use((engine) =>
        ifPresent(forgetAny(engine, this.#member('memories.forget'), id, options).then(() => true)),
      );
      if (await done) forgotten += 1;
    }
    return forgotten;
  }

  /** Creates a namespace that this user may write to, or changes it. */
  createNamespace(name: string, { expiresAt = null }: { expiresAt?: Date | null } = {}): Promise<Namespace> {
    return this.#engine.use((engine) => {
      const member = this.#member('memories.namespace');
      const { kind } = writableGrant(member, name);
      return putNamespace(engine, withNamespace(member, name), { name, kind, expiresAt, metadata: null });
    });
  }

  /** Returns the namespaces that exist among those this user may read. */
  namespaces(): Promise<Namespace[]> {
    return this.#engine.use((engine) => {
      const member = this.#member('memories.namespaces');
      const names = member.grants.map(({ name }) => name);
      return getNamespaces(engine, { ...member, namespaces: names }, names);
    });
  }

  /** Deletes a namespace with all its memories. Returns whether it existed. */
  deleteNamespace(name: string): Promise<boolean> {
    return this.#engine.use((engine) => {
      const member = this.#member('memories.namespace');
      writableGrant(member, name);
      return deleteNamespace(engine, withNamespace(member, name), name);
    });
  }

  /** The program decides who may write where: namespaces that it names can be written. */
  #member(operation: string): Member {
    const member = toMember({ ...this.#who, operation, requestId: uuidv7(), since: performance.now() }, this.#claims);
    return { ...member, grants: member.grants.map((grant) => ({ ...grant, isWritable: true })) };
  }
}

function toRecollection(one: AnyRecalled): Recollection {
  const { memory, also } = one;
  return {
    ...one,
    origin: describeOrigin(memory),
    trust: memory.trust,
    current: true,
    also: also.map(({ id }) => id),
  };
}

function withNamespace(member: Member, name: string): Member {
  return { ...member, namespaces: [name], writableNamespaces: [name] };
}

function toScopes({ own = false, public: isPublic = false, namespaces = [] }: MemoryScope): Wanted {
  const shared = namespaces.length > 0 ? (['own', 'shared'] as const) : [];
  const scopes = [
    ...new Set<ReadScope>([...(own ? ['own' as const] : []), ...shared, ...(isPublic ? ['public' as const] : [])]),
  ];
  return { scopes, namespaces: own && shared.length === 0 ? undefined : namespaces, onlyNamespaces: !own && !isPublic };
}

function toEngineMemory(input: RememberInput): EngineMemory {
  if (typeof input === 'string') return { content: input, kind: noteKind };
  return { ...input, kind: input.kind === undefined ? noteKind : customKind(input.kind) };
}
