import { tiers } from '@memhall/core';
import { Type } from 'typebox';
import { maxHits, maxSnippetLength } from '../../engine/tiers/recall-tiers.js';
import { retainModes } from '../../engine/tiers/retain-tier.js';
import { Id, Timestamp } from '../../http/wire-schemas.js';

const strict = { additionalProperties: false } as const;

/** Whose tiers a request is about. */
const scope = {
  workspace_id: Type.Unsafe<string>({
    ...Id,
    description: "The token's workspace_id, or without that claim its user; role service may name any",
  }),
  agent_id: Type.Optional(Id),
  crew_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Whose CREW this is about' })),
};

const Tier = Type.Enum([...tiers]);

const Label = Type.String({ description: 'AGENT.md, daily/2026-05-21.md: the tier, and its key where it has one' });

const Key = Type.Optional(
  Type.String({ maxLength: 1024, description: 'daily: a date; peers: a name; ignored with other tiers' }),
);

export const retainBody = Type.Object(
  {
    ...scope,
    tier: Tier,
    key: Key,
    content: Type.String(),
    mode: Type.Enum([...retainModes], { description: 'append begins a new line' }),
  },
  strict,
);

export const Retained = Type.Object({
  id: Label,
  bytes: Type.Integer({ description: 'Of the whole text after writing' }),
  warning: Type.Optional(Type.String({ description: 'From 80 % of the cap on' })),
});

export const readBody = Type.Object({ ...scope, tier: Tier, key: Key }, strict);

export const TierText = Type.Object({
  id: Label,
  content: Type.String({ description: 'Empty where there is none; begins with [BLOCKED: where it is in quarantine' }),
  bytes: Type.Integer(),
});

export const recallBody = Type.Object(
  {
    ...scope,
    tier: Type.Optional(Tier),
    query: Type.String({ minLength: 1 }),
    limit: Type.Integer({ default: maxHits, description: `Taken as 1 or ${maxHits} where it is less or more` }),
  },
  strict,
);

export const TierHits = Type.Object({
  hits: Type.Array(
    Type.Object({
      source: Label,
      snippet: Type.String({ maxLength: maxSnippetLength }),
      line: Type.Integer({ minimum: 1, description: 'Of the match' }),
      score: Type.Number({ minimum: 0, maximum: 1 }),
    }),
  ),
  quarantined: Type.Array(Label, { description: 'Kept from models; for operators' }),
});

export const forgetBody = Type.Object(
  {
    ...scope,
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'As retain answered it' })),
    data_subject_id: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'A user of whom all is forgotten, in every table; role admin' }),
    ),
  },
  strict,
);

export const Forgotten = Type.Object({
  removed: Type.Integer({ description: '0: it was gone already' }),
  receipt_id: Type.Optional(Type.String({ description: 'With data_subject_id' })),
});

export const ProviderHealth = Type.Object({
  ok: Type.Boolean(),
  message: Type.Optional(Type.String({ description: 'Where ok is false' })),
  checked_at: Timestamp,
});
