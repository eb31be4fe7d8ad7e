import { type Static, Type } from 'typebox';
import { factLimits } from '../../engine/facts/fact-keys.js';
import { factModes } from '../../engine/facts/put-fact.js';
import { factStatuses } from '../../engine/facts/read-facts.js';
import { offTheRecordField } from '../../http/off-the-record.js';
import { Id, Moment, nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { trustLevels } from '../../ports/memory-origin.js';

const closed = { additionalProperties: false };
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });
const moment = (description: string) => Type.Optional(Type.Unsafe<string>({ ...Moment, description }));

export const Subject = text(factLimits.subject, '`me` is the user');
const AttributeName = text(factLimits.attribute, 'Compared without regard to case and spacing');
const Value = text(factLimits.value);
const Trust = Type.Enum([...trustLevels]);
const Confidence = Type.Number({ minimum: 0, maximum: 1 });

export const times = {
  as_of: moment('What was true at this time. Default: now'),
  known_at: moment('What was known at this time. Default: now'),
};

export const factParams = Type.Object({ fact_id: Id });
export const factQuery = Type.Object({ ...times, ...onBehalfOf }, closed);

export const factListQuery = Type.Object(
  {
    subject: Type.Optional(Subject),
    attribute: Type.Optional(AttributeName),
    ...times,
    include_superseded: Type.Boolean({ default: false, description: 'Include facts that were over by then' }),
    unconfirmed: Type.Boolean({ default: false, description: 'Only facts that wait for a decision' }),
    evidence: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description: 'Id of a memory: only facts that were made from it, or that it supports',
      }),
    ),
    ...pageQuery,
    ...onBehalfOf,
  },
  closed,
);

export const factBody = Type.Object(
  {
    subject: Subject,
    attribute: AttributeName,
    value: Value,
    valid_from: moment('Since when it is true. Default: now'),
    valid_to: moment('Until when it is true, exclusive. Default: no end is known'),
    confidence: Type.Optional(Type.Unsafe<number>({ ...Confidence, description: 'Default: 1' })),
    evidence: Type.Optional(
      Type.Array(Id, { maxItems: factLimits.evidence, description: 'Ids of memories that say so' }),
    ),
    trust: Type.Optional(Type.Unsafe<(typeof trustLevels)[number]>({ ...Trust, description: 'Lowers the trust' })),
    mode: Type.Optional(
      Type.Enum([...factModes], {
        description:
          'replace ends the current value, the default for attributes with one value; add stands beside others, the default otherwise',
      }),
    ),
    ...offTheRecordField,
    ...onBehalfOf,
  },
  closed,
);

export const factChangeBody = Type.Object(
  { reason: Type.Optional(text(factLimits.note, 'Why; kept with the change')), ...onBehalfOf },
  closed,
);

export const factCorrectionBody = Type.Object(
  {
    value: Value,
    reason: Type.Optional(text(factLimits.note, 'Why; kept with the change')),
    ...offTheRecordField,
    ...onBehalfOf,
  },
  closed,
);

export const Fact = Type.Object(
  {
    id: Type.String(),
    subject: Type.String(),
    attribute: Type.String(),
    value: Type.String(),
    text: Type.String(),
    valid_from: Timestamp,
    valid_to: nullable(Timestamp),
    recorded_at: Timestamp,
    retracted_at: nullable(Timestamp),
    confidence: Confidence,
    trust: Trust,
    status: Type.Enum([...factStatuses], { description: 'At `as_of`, as far as it was known at `known_at`' }),
    evidence: Type.Array(Type.String(), { description: 'Ids of memories' }),
  },
  { title: 'Fact' },
);

export const OneFact = Type.Object({ fact: Fact });
export const CorrectedFact = Type.Object({
  fact: Type.Unsafe<Static<typeof Fact>>({ ...Fact, description: 'With the right value' }),
  retracted: Type.Unsafe<Static<typeof Fact>>({ ...Fact, description: 'The one that was wrong' }),
});
export const FactPage = Type.Object({ facts: Type.Array(Fact), next_cursor: nextCursor }, { title: 'FactPage' });

export const EvidenceMemory = Type.Object({
  id: Type.String(),
  text: Type.String(),
  kind: Type.String(),
  occurred_at: Timestamp,
  recorded_at: Timestamp,
  trust: Trust,
});

export const FactWithEvidence = Type.Object({
  fact: Fact,
  evidence: Type.Array(EvidenceMemory, {
    description: 'The memories that say so, as far as the caller may read them',
  }),
  supersedes: Type.Array(Type.String(), { description: 'Ids of the facts whose place it takes' }),
  superseded_by: Type.Optional(Type.String({ description: 'Id of the fact that takes its place' })),
  history: Type.Array(
    Type.Object({
      at: Timestamp,
      change: Type.String(),
      reason: Type.String(),
      note: nullable(Type.String({ description: 'The reason in the words of the caller' })),
      cause: Type.String({ description: 'The fact that was changed; another one if this only follows from it' }),
    }),
    { description: 'How it came to its state, oldest first' },
  ),
});

export const attributeParams = Type.Object({ tenant_id: Id, name: AttributeName });

const definition = {
  single: Type.Boolean({ description: 'Whether a subject has one value at a time' }),
  ends_alone: Type.Boolean({ description: 'Whether it can end without another value' }),
  synonyms: Type.Array(AttributeName, { maxItems: 100, description: 'Other names of it' }),
  patterns: Type.Array(text(500), {
    maxItems: 100,
    description: 'How statements of it are worded, with {value} in place of the value',
  }),
};

export const attributeBody = Type.Object(
  {
    single: Type.Unsafe<boolean>({ ...definition.single, default: false }),
    ends_alone: Type.Unsafe<boolean>({ ...definition.ends_alone, default: true }),
    synonyms: Type.Unsafe<string[]>({ ...definition.synonyms, default: [] }),
    patterns: Type.Unsafe<string[]>({ ...definition.patterns, default: [] }),
  },
  closed,
);

export const Attribute = Type.Object({ name: Type.String(), ...definition }, { title: 'Attribute' });
