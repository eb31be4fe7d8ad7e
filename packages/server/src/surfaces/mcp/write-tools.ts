import { Type } from 'typebox';
import { type Committed, commitMemory, commitSummary } from '../../engine/host/commit-memory.js';
import { correctMemory } from '../../engine/host/correct-memory.js';
import { forgetMemory } from '../../engine/host/forget-memory.js';
import { toMoment } from '../../http/moment.js';
import { type Capabilities, defineTool } from './mcp-tool.js';
import {
  Committed as CommittedShape,
  Content,
  Expiry,
  Kind,
  MemoryId,
  Propagation,
  strict,
  Updated,
  WritableNamespace,
} from './tool-schemas.js';

const writing = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

const canExpire = (capabilities: Capabilities) => capabilities.has('ttl');
const canPin = (capabilities: Capabilities) => capabilities.has('pin');
const canPropagate = (capabilities: Capabilities) => capabilities.has('propagation');

/** Tools that store and forget memories. */
export const writeTools = [
  defineTool({
    name: 'commit_memory',
    title: 'Remember something',
    describe: (capabilities) =>
      [
        'Store one piece of information for later conversations: a decision and its reason, a preference, a fact about people, code or systems, or how a problem was solved.',
        'Do not store guesses, secrets (keys and passwords are removed), or details that only matter in this conversation.',
        'Call search_memory first to avoid duplicates.',
        ...(canPin(capabilities) ? ['Pin a memory only if it should come first in every search.'] : []),
      ].join(' '),
    input: Type.Object(
      {
        content: Content,
        namespace: WritableNamespace,
        kind: Type.Optional(
          Type.Unsafe<'fact' | 'summary' | 'checkpoint'>({
            ...Kind,
            description: 'fact (default), summary (of a longer matter) or checkpoint (the current state of some work).',
          }),
        ),
        expires_at: Type.Optional(Expiry),
        pin: Type.Optional(Type.Boolean()),
        propagation: Type.Optional(Propagation),
      },
      strict,
    ),
    needs: { expires_at: canExpire, pin: canPin, propagation: canPropagate },
    output: CommittedShape,
    annotations: writing,
    async run(host, { caller, progress }, { expires_at: expiry, pin, ...input }) {
      await progress(0, 1, 'storing');
      const expiresAt = toMoment('expires_at', expiry);
      return toCommitted(await commitMemory(host, caller, { ...input, expiresAt, isPinned: pin }));
    },
  }),
  defineTool({
    name: 'commit_summary',
    title: 'Keep a summary',
    describe: (capabilities) =>
      `Store a summary of a conversation or a piece of work, so that a later conversation can continue from it: the goal, what was done and decided, and what is still open.${canExpire(capabilities) ? ' It expires after 30 days unless you set expires_at.' : ''}`,
    input: Type.Object({ content: Content, namespace: WritableNamespace, expires_at: Type.Optional(Expiry) }, strict),
    needs: { expires_at: canExpire },
    output: CommittedShape,
    annotations: writing,
    async run(host, { caller, progress }, { content, namespace, expires_at: expiry }) {
      await progress(0, 1, 'storing');
      const committed = await commitSummary(host, caller, {
        content,
        namespace,
        expiresAt: toMoment('expires_at', expiry),
      });
      return toCommitted(committed);
    },
  }),
  defineTool({
    name: 'update_memory',
    title: 'Correct a memory',
    describe: () =>
      'Change one memory that is wrong or out of date: its text, pin, expiry or tags. What you leave out stays as it is. Take memory_id from search_memory. A new text counts as yours, not as the words of its former author. Parts of notes, files and documents change only with these.',
    input: Type.Object(
      {
        memory_id: MemoryId,
        content: Type.Optional(Content),
        pin: Type.Optional(Type.Boolean({ description: 'Whether it comes first in every search that it matches.' })),
        expires_at: Type.Optional(Type.Union([Expiry, Type.Null({ description: 'Never.' })])),
        tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
      },
      strict,
    ),
    output: Updated,
    annotations: { ...writing, destructiveHint: true, idempotentHint: true },
    async run(host, { caller }, { memory_id: id, content, pin: isPinned, expires_at: expiry, tags }) {
      const expiresAt = expiry === null ? null : toMoment('expires_at', expiry);
      const { memory, redactions } = await correctMemory(host, caller, { id, content, tags, isPinned, expiresAt });
      const { kind, trust, partition } = memory;
      return {
        memory_id: memory.id,
        ...(partition.kind === 'namespace' ? { namespace: partition.name } : {}),
        ...{ kind, trust },
        ...(memory.expiresAt === null ? {} : { expires_at: memory.expiresAt.toISOString() }),
        redactions,
      };
    },
  }),
  defineTool({
    name: 'forget_memory',
    title: 'Forget a memory',
    describe: () =>
      'Delete one memory permanently because it is wrong, outdated, or someone asked for it. Copies of the same statement that you may delete go with it. Take memory_id from search_memory, and namespace too if the memory has one.',
    input: Type.Object({ memory_id: MemoryId, namespace: WritableNamespace }, strict),
    output: Type.Object({
      memory_id: Type.String(),
      namespace: Type.Optional(Type.String()),
      forgotten: Type.Boolean(),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(host, { caller }, { memory_id: id, namespace: given }) {
      const { namespace } = await forgetMemory(host, caller, { id, namespace: given });
      return { memory_id: id, ...(namespace === null ? {} : { namespace }), forgotten: true };
    },
  }),
];

function toCommitted({ id, namespace, expiresAt, redactions }: Committed) {
  const expiry = expiresAt === null ? {} : { expires_at: expiresAt.toISOString() };
  return { memory_id: id, namespace, ...expiry, redactions };
}
