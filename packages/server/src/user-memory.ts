import { performance } from 'node:perf_hooks';
import { uuidv7 } from '@memhall/core';
import type { Caller } from './engine/caller.js';
import { ifPresent } from './engine/if-present.js';
import { customKind } from './engine/memories/kinds.js';
import { checkLabel } from './engine/memories/memory-input.js';
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
import { type ReadScope, readingOf, type Wanted } from './engine/one-memory/reading.js';
import type { AnyRecall, AnyRecalled } from './engine/one-memory/recall-any.js';
import type { AnySession } from './engine/one-memory/recall-any-sessions.js';
import { recallEverywhere, recallSessionsEverywhere } from './engine/one-memory/recall-everywhere.js';
import { rememberAny, writableGrant } from './engine/one-memory/remember-any.js';
import { type Why, type WhyRecall, whyRecalled } from './engine/one-memory/why-recalled.js';
import type { Page } from './engine/page.js';
import type { ExportFormat } from './engine/personal-export/export-part.js';
import { goOffTheRecord, goOnTheRecord, listUnrecorded } from './engine/state/unrecorded-sessions.js';
import { getUserSettings, putUserSettings } from './engine/users/user-settings.js';
import type { OpenEngine } from './open-engine.js';
import type { Memory, MemoryFilter } from './ports/memories.js';
import type { Trust } from './ports/memory-origin.js';
import type { Namespace } from './ports/namespaces.js';
import type { UnrecordedSession } from './ports/off-the-record.js';
import { writeExport } from './surfaces/one-memory/write-export.js';
import { UserFacts } from './user-facts.js';

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
  /** Called if something may be missing: the memory plugin in use did not answer, or the model is still being loaded. */
  onIncomplete?: () => void;
}

/** A memory that matches, with where it comes from and how far it can be trusted. */
export interface Recollection extends Omit<AnyRecalled, 'also'> {
  origin: Origin;
  trust: Trust;
  /** False if nothing is true any more that it says; `truth` says since when, and what contradicts it. */
  current: boolean;
  /** What took its place: the memory that says so or, if there is none, the fact. */
  supersededBy?: string;
  /** Ids of further stored copies of the statement, by the same author. */
  also: string[];
}

type SessionOptions = Omit<RecallOptions, 'forModel'>;

export interface WhyOptions
  extends Omit<RecallOptions, 'forModel' | 'explain' | 'onIncomplete'>,
    Pick<WhyRecall, 'groupBy' | 'tokenBudget'> {}

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
  /** What is true, since when, and on whose word. */
  readonly facts: UserFacts;
  readonly #engine: OpenEngine;
  readonly #who: Omit<Caller, 'operation' | 'requestId'>;
  readonly #claims: NamespaceClaims;
  readonly #isOffTheRecord: boolean;

  /** @internal */
  constructor(
    engine: OpenEngine,
    who: Omit<Caller, 'operation' | 'requestId'>,
    { offTheRecord, ...claims }: NamespaceClaims & { offTheRecord: boolean },
  ) {
    this.#engine = engine;
    this.#who = who;
    this.#claims = claims;
    this.#isOffTheRecord = offTheRecord;
    this.facts = new UserFacts(engine, (operation) => readingOf(this.#member(operation)).reader);
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
    const { scope, limit = defaultLimit, onIncomplete, ...rest } = options;
    const input = { ...rest, ...(scope && toScopes(scope)), text, limit };
    const found = await this.#engine.use((engine) => recallEverywhere(engine, this.#member('memories.recall'), input));
    if (found.isIncomplete || found.omitted > 0) onIncomplete?.();
    return found.results.map(toRecollection);
  }

  /** Returns the best matching sessions, ranked on all their memories. Memories without a session are left out. */
  async recallSessions(text: string | undefined, options: SessionOptions = {}): Promise<RecollectedSession[]> {
    const { scope, limit = defaultLimit, onIncomplete, ...rest } = options;
    const input = { ...rest, ...(scope && toScopes(scope)), text, limit };
    const member = this.#member('memories.recall');
    const found = await this.#engine.use((engine) => recallSessionsEverywhere(engine, member, input));
    if (found.isIncomplete) onIncomplete?.();
    return found.sessions.map((session) => ({ ...session, best: session.best.map(toRecollection) }));
  }

  /**
   * Says why a recall with these options returns a memory, or what keeps it out. Returns undefined if there is no such memory, or the
   * user may not read it.
   */
  whyRecalled(id: string, text: string | undefined, options: WhyOptions = {}): Promise<Why | undefined> {
    const { scope, limit = defaultLimit, ...rest } = options;
    const input = { ...rest, ...(scope && toScopes(scope)), text, limit };
    return this.#engine.use((engine) => ifPresent(whyRecalled(engine, this.#member('memories.why'), id, input)));
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

  /**
   * Yields the text of an export of everything the user owns, and what they wrote in the workspace: JSON Lines for programs, or Markdown
   * for people. The last line says that it is complete.
   */
  async *export(format: ExportFormat = 'jsonl'): AsyncGenerator<string, void, undefined> {
    const text = await this.#engine.use(async (engine) =>
      writeExport(engine, this.#member('memories.exportOwn'), format),
    );
    for (;;) {
      const { done, value } = await this.#engine.use(() => text.next());
      if (done) return;
      yield value;
    }
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

  /**
   * Takes a session off the record: nothing that comes from it is stored, through any surface that names it, until that time or
   * `goOnTheRecord`.
   */
  goOffTheRecord(sessionId: string, { until = null }: { until?: Date | null } = {}): Promise<UnrecordedSession> {
    return this.#engine.use((engine) => {
      checkLabel('sessionId', sessionId);
      return goOffTheRecord(engine, this.#member('offTheRecord.start'), { sessionId, until });
    });
  }

  /** Puts a session on the record again. */
  goOnTheRecord(sessionId: string): Promise<void> {
    return this.#engine.use((engine) => goOnTheRecord(engine, this.#member('offTheRecord.end'), sessionId));
  }

  /** Lists the sessions that are off the record, ordered by id. */
  offTheRecord({ limit = 20, cursor }: { limit?: number; cursor?: string } = {}): Promise<Page<UnrecordedSession>> {
    return this.#engine.use((engine) => listUnrecorded(engine, this.#member('offTheRecord.list'), { limit, cursor }));
  }

  /** Returns the time zone whose days and weeks the user means. */
  async timeZone(): Promise<string> {
    return (await this.#engine.use((engine) => getUserSettings(engine, this.#member('users.getSettings')))).timeZone;
  }

  /** Sets the time zone whose days and weeks the user means, by its IANA name. Returns the name as it is stored. */
  async setTimeZone(timeZone: string): Promise<string> {
    const set = this.#engine.use((engine) => putUserSettings(engine, this.#member('users.putSettings'), { timeZone }));
    return (await set).timeZone;
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
    const offTheRecord = { isAsked: this.#isOffTheRecord, unstored: 'nothing' as const };
    const call = { operation, requestId: uuidv7(), since: performance.now(), offTheRecord };
    const member = toMember({ ...this.#who, ...call }, this.#claims);
    return { ...member, grants: member.grants.map((grant) => ({ ...grant, isWritable: true })) };
  }
}

function toRecollection(one: AnyRecalled): Recollection {
  const { memory, also } = one;
  return {
    ...one,
    origin: describeOrigin(memory),
    trust: memory.trust,
    current: one.truth?.isCurrent ?? true,
    ...(one.truth?.supersededBy === undefined ? {} : { supersededBy: one.truth.supersededBy }),
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
