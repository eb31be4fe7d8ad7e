import { tiers } from '@memhall/core';
import { Type } from 'typebox';
import { maxHits, maxSnippetLength } from '../../engine/tiers/recall-tiers.js';
import { retainModes } from '../../engine/tiers/retain-tier.js';
import { Id, Timestamp } from '../../http/wire-schemas.js';

const strict = { additionalProperties: false } as const;

/** Owners of the tiers that a request concerns. */
const scope = {
  workspace_id: Type.Unsafe<string>({
    ...Id,
    description:
      'The workspace_id claim of the token or, without that claim, its user. A token with the role service or admin may name any workspace.',
  }),
  agent_id: Type.Optional(Id),
  crew_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Crew whose CREW tier is used' })),
};

const Tier = Type.Enum([...tiers]);

const Label = Type.String({
  description: 'The tier, with its key if it has one, such as AGENT.md or daily/2026-05-21.md',
});

const Key = Type.Optional(
  Type.String({ maxLength: 1024, description: 'daily: a date; peers: a name; ignored for other tiers' }),
);

export const retainBody = Type.Object(
  {
    ...scope,
    tier: Tier,
    key: Key,
    content: Type.String(),
    mode: Type.Enum([...retainModes], { description: 'append adds the content on a new line' }),
  },
  strict,
);

export const Retained = Type.Object({
  id: Label,
  bytes: Type.Integer({ description: 'Size of the whole text after the write' }),
  warning: Type.Optional(Type.String({ description: 'Present once the text uses 80 % of the cap' })),
});

export const readBody = Type.Object({ ...scope, tier: Tier, key: Key }, strict);

export const TierText = Type.Object({
  id: Label,
  content: Type.String({
    description: 'Empty if the tier has no text. Starts with [BLOCKED: if the text is quarantined.',
  }),
  bytes: Type.Integer(),
});

export const recallBody = Type.Object(
  {
    ...scope,
    tier: Type.Optional(Tier),
    query: Type.String({ minLength: 1 }),
    limit: Type.Integer({ default: maxHits, description: `Clamped to 1 to ${maxHits}` }),
  },
  strict,
);

export const TierHits = Type.Object({
  hits: Type.Array(
    Type.Object({
      source: Label,
      snippet: Type.String({ maxLength: maxSnippetLength }),
      line: Type.Integer({ minimum: 1, description: 'Line of the match' }),
      score: Type.Number({ minimum: 0, maximum: 1 }),
    }),
  ),
  quarantined: Type.Array(Label, { description: 'Quarantined texts, which models must not read. For operators.' }),
});

export const forgetBody = Type.Object(
  {
    ...scope,
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Id returned by retain' })),
    data_subject_id: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'User whose data is erased everywhere. Requires the role admin.' }),
    ),
  },
  strict,
);

export const Forgotten = Type.Object({
  removed: Type.Integer({ description: '0: there was nothing to remove' }),
  receipt_id: Type.Optional(Type.String({ description: 'Only with data_subject_id' })),
});

export const ProviderHealth = Type.Object({
  ok: Type.Boolean(),
  message: Type.Optional(Type.String({ description: 'Present if ok is false' })),
  checked_at: Timestamp,
});
