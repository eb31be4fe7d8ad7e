import { Type } from 'typebox';
import { type Committed, commitMemory, commitSummary } from '../../engine/host/commit-memory.js';
import { forgetMemory } from '../../engine/host/forget-memory.js';
import type { Host } from '../../engine/host/host.js';
import { toMoment } from '../../http/moment.js';
import { defineTool } from './mcp-tool.js';
import { Committed as CommittedShape, Content, Expiry, Kind, strict, WritableNamespace } from './tool-schemas.js';

const writing = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

const canExpire = ({ capabilities }: Host) => capabilities.has('ttl');
const canPin = ({ capabilities }: Host) => capabilities.has('pin');

/** Tools that change what is remembered. */
export const writeTools = [
  defineTool({
    name: 'commit_memory',
    title: 'Remember something',
    describe: (host) =>
      [
        'Store one thing worth knowing in later conversations: a decision and its reason, a preference, a fact about people, code or systems, how a problem was solved.',
        'Do not store what the conversation itself will show again, guesses, or secrets (keys and passwords are removed).',
        'Search first, so that nothing is stored twice.',
        ...(canPin(host) ? ['Pin only what should come first in every search.'] : []),
      ].join(' '),
    input: Type.Object(
      {
        content: Content,
        namespace: WritableNamespace,
        kind: Type.Optional(
          Type.Unsafe<'fact' | 'summary' | 'checkpoint'>({
            ...Kind,
            description: 'fact (default), summary of a longer matter, or checkpoint: where work stands right now.',
          }),
        ),
        expires_at: Type.Optional(Expiry),
        pin: Type.Optional(Type.Boolean()),
      },
      strict,
    ),
    needs: { expires_at: canExpire, pin: canPin },
    output: CommittedShape,
    annotations: writing,
    async run(host, { caller, progress }, { content, namespace, kind, expires_at: expiry, pin }) {
      await progress(0, 1, 'storing');
      const expiresAt = toMoment('expires_at', expiry);
      const committed = await commitMemory(host, caller, { content, namespace, kind, expiresAt, isPinned: pin });
      return toCommitted(committed);
    },
  }),
  defineTool({
    name: 'commit_summary',
    title: 'Keep a summary',
    describe: (host) =>
      `Store a summary of a conversation or a piece of work, so that a later one can pick up where this one ended: the aim, what was done and decided, what is open.${canExpire(host) ? ' It is kept for 30 days unless expires_at says otherwise.' : ''}`,
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
    name: 'forget_memory',
    title: 'Forget a memory',
    describe: () =>
      'Remove one memory for good, because it is wrong, outdated, or because somebody asks for it. Take memory_id and namespace from search_memory.',
    input: Type.Object(
      {
        memory_id: Type.String({
          pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
          description: 'As search_memory or commit_memory gave it.',
        }),
        namespace: WritableNamespace,
      },
      strict,
    ),
    output: Type.Object({ memory_id: Type.String(), namespace: Type.String(), forgotten: Type.Boolean() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(host, { caller }, { memory_id: id, namespace }) {
      const forgotten = await forgetMemory(host, caller, { id, namespace });
      return { memory_id: forgotten.id, namespace: forgotten.namespace, forgotten: true };
    },
  }),
];

function toCommitted({ id, namespace, expiresAt, redactions }: Committed) {
  const expiry = expiresAt === null ? {} : { expires_at: expiresAt.toISOString() };
  return { memory_id: id, namespace, ...expiry, redactions };
}
