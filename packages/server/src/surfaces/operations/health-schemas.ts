import { Type } from 'typebox';

const Part = Type.Object({ status: Type.Enum(['ok', 'down']) });

export const Health = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  api: Part,
  backend: Part,
  version: Type.Optional(Type.String({ description: 'Only with a token that has the role operator' })),
  database: Type.Optional(
    Type.Object(
      {
        kind: Type.Enum(['embedded', 'postgres']),
        server_version: Type.String(),
        vector_version: Type.String(),
        schema_version: Type.Integer(),
        size_bytes: Type.Integer(),
      },
      { description: 'Only with a token that has the role operator' },
    ),
  ),
  embedder: Type.Optional(
    Type.Union(
      [
        Type.Object({
          kind: Type.String(),
          model: Type.String(),
          dimension: Type.Integer(),
          runtime: Type.String(),
          status: Type.Enum(['ready', 'starting', 'failed'], {
            description: 'Unless it is ready, recall matches words only, and what is stored gets its vectors later',
          }),
          note: Type.Optional(Type.String()),
        }),
        Type.Null(),
      ],
      { description: 'Only with a token that has the role operator. null: recall matches words only' },
    ),
  ),
  reranker: Type.Optional(
    Type.Object(
      {
        kind: Type.String(),
        model: Type.String(),
        runtime: Type.String(),
        status: Type.Enum(['ready', 'starting', 'failed'], {
          description: 'Unless it is ready, the order of recall is as without it',
        }),
        note: Type.Optional(Type.String()),
      },
      { description: 'Only with a token that has the role operator: the model at MEMHALL_RERANKER' },
    ),
  ),
  capabilities: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only with a token that has the role operator: the capabilities available now',
    }),
  ),
  memory_plugin: Type.Optional(
    Type.Object(
      {
        status: Type.Enum(['ok', 'degraded', 'unknown'], { description: 'unknown: it has not responded yet' }),
        capabilities: Type.Array(Type.String()),
        circuit: Type.Enum(['closed', 'open', 'half-open'], {
          description:
            'open: it keeps failing and is not called for a while. half-open: one call tries whether it works again',
        }),
        problem: Type.Optional(Type.String({ description: 'What to change so that it can be used fully' })),
      },
      {
        description:
          'Only with a token that has the role operator: the plugin at MEMORY_PLUGIN_URL, as it last reported itself',
      },
    ),
  ),
  event_index: Type.Optional(
    Type.Object(
      {
        address: Type.String(),
        status: Type.Enum(['ok', 'down'], { description: 'down: recall finds events instead' }),
        waiting: Type.Integer({ description: 'Events that it lacks' }),
      },
      { description: 'Only with a token that has the role operator: the index at MEMHALL_AZURE_SEARCH_URL' },
    ),
  ),
  indexing: Type.Optional(
    Type.Object(
      {
        waiting: Type.Integer({ description: 'Memories that wait for their vector or word forms' }),
        lag_seconds: Type.Number({ description: 'How long the oldest of them has waited' }),
      },
      { description: 'Only with a token that has the role operator' },
    ),
  ),
  token_revocations: Type.Optional(
    Type.Object(
      {
        status: Type.Enum(['ok', 'stale'], {
          description:
            'stale: what was revoked in the last seconds is not known. After a minute, tokens are rejected with 503.',
        }),
        entries: Type.Integer(),
        age_seconds: Type.Number({ description: 'When they were last read' }),
      },
      { description: 'Only with a token that has the role operator: revoked tokens, as this process knows them' },
    ),
  ),
  audit_log: Type.Optional(
    Type.Object(
      {
        unsigned_records: Type.Integer({ description: 'Audit records that no signed head covers yet' }),
        witness: Type.Union([Type.String(), Type.Null()], {
          description: 'Where signed heads are sent. null: MEMHALL_AUDIT_WITNESS is not set',
        }),
        waiting_heads: Type.Integer({ description: 'Signed heads that the witness lacks' }),
        waiting_seconds: Type.Number({ description: 'How long the oldest of them has waited' }),
      },
      { description: 'Only with a token that has the role operator: how far signing and the witness are behind' },
    ),
  ),
  jobs: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Integer(),
        backlog_seconds: Type.Number({ description: 'How long the oldest waiting job has been due' }),
        dead_letters: Type.Integer({ description: 'Jobs that failed their last attempt' }),
      }),
      { description: 'Only with a token that has the role operator: the background jobs of all processes' },
    ),
  ),
});

export const Ready = Type.Object({
  ready: Type.Boolean(),
  embedder: Type.Optional(
    Type.Enum(['starting', 'failed'], { description: 'Present while recall matches words only for lack of its model' }),
  ),
});
