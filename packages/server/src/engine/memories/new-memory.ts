import { createHash } from 'node:crypto';
import { isId, type Json, Problem, uuidv7 } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { CustomKind, MemoryKind } from './kinds.js';
import { checkDate, checkJson, checkLabel, checkMetadata, toContent, toTags } from './memory-input.js';
import { type GivenOrigin, originOfWrite } from './origin-of-write.js';
import type { GivenText } from './read-texts.js';
import type { MemoryText } from './redact-by-kind.js';
import { partitionOf, type Visibility } from './scope-partitions.js';

export interface NewMemory extends GivenOrigin {
  content: string;
  kind: MemoryKind | CustomKind;
  /** Additional text by which it is found, such as its purpose. */
  cue?: string | undefined;
  visibility?: Visibility;
  /**
   * If given, the memory with this id is replaced. If there is none, the keys below decide whether a memory is created
   * with this id.
   */
  id?: string | undefined;
  /** If given, the memory of the same kind and visibility with this external id is replaced. */
  externalId?: string | undefined;
  /** Equal content is the same memory, unless both have an external id. Default: only for notes. */
  uniqueContent?: boolean | undefined;
  tags?: readonly string[] | undefined;
  source?: string | undefined;
  sessionId?: string | undefined;
  planId?: string | undefined;
  agentId?: string | undefined;
  role?: string | undefined;
  isPinned?: boolean | undefined;
  expiresAt?: Date | undefined;
  /** Default: now. */
  occurredAt?: Date | undefined;
  metadata?: { [key: string]: Json } | undefined;
  propagation?: Json | undefined;
  /** When it was first stored, for imported memories. Default: now. The time of recording is always now. */
  createdAt?: Date | undefined;
  /** Used instead of embedding the content. */
  embedding?: readonly number[] | undefined;
}

export const noteKind = 'note' satisfies MemoryKind;

const labels = ['kind', 'source', 'sessionId', 'planId', 'agentId', 'role', 'externalId'] as const;
const dates = { occurredAt: 'occurred_at', createdAt: 'created_at', expiresAt: 'expires_at' } as const;

/** Returns the text of a new memory. Throws INVALID_REQUEST if the memory is not valid. */
export function givenText(input: NewMemory): GivenText {
  check(input);
  return {
    kind: input.kind,
    role: input.role ?? null,
    content: toContent(input.content),
    cue: input.cue === undefined ? null : toContent(input.cue, 'cue'),
    metadata: input.metadata ?? {},
  };
}

/** Returns a new memory as it will be stored. `text` is what was read of the given one. */
export function toMemory(caller: Caller, input: NewMemory, { text, now }: { text: MemoryText; now: Date }): Memory {
  return {
    id: input.id ?? uuidv7(now.getTime()),
    userId: caller.userId,
    partition: partitionOf(caller, input.visibility ?? 'private'),
    kind: input.kind,
    ...text,
    contentHash: hashOf(text.content),
    externalId: input.externalId ?? null,
    uniqueContent: input.uniqueContent ?? input.kind === noteKind,
    tags: toTags(input.tags ?? []),
    source: input.source ?? null,
    sessionId: input.sessionId ?? null,
    planId: input.planId ?? null,
    agentId: input.agentId ?? null,
    role: input.role ?? null,
    isPinned: input.isPinned ?? false,
    expiresAt: input.expiresAt ?? null,
    occurredAt: input.occurredAt ?? now,
    propagation: input.propagation ?? null,
    createdAt: input.createdAt ?? now,
    updatedAt: now,
    ...originOfWrite(caller, input, input),
    recordedAt: now,
  };
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function check(input: NewMemory): void {
  checkMetadata(input.metadata ?? {});
  checkJson('propagation', input.propagation ?? null);
  for (const name of labels) checkLabel(name, input[name]);
  for (const [name, shown] of Object.entries(dates)) {
    const date = input[name as keyof typeof dates];
    if (date !== undefined) checkDate(shown, date);
  }
  if (input.id !== undefined && !isId(input.id)) throw new Problem('INVALID_REQUEST', '"id" is not a valid id.');
}
