import { idPattern } from '@memhall/core';
import { type Static, Type } from 'typebox';

/** The shape of a profile as operators write it. `toProfile` checks what a shape cannot express. */

const Id = Type.String({ pattern: idPattern });
const Pointer = Type.String({
  maxLength: 1000,
  pattern: '^(/([^~]|~[01])*)?$',
  description: 'JSON Pointer relative to /content',
});
const Path = Type.String({ minLength: 1, maxLength: 512 });
const Days = Type.Integer({ minimum: 1, maximum: 36_500 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const closed = { additionalProperties: false };

export const writeModes = ['restricted_patch', 'replace_allowed', 'read_only'] as const;
/** Larger documents are rejected, whatever their profile allows. */
export const maxDocumentChars = 1_000_000;

const BindingShape = Type.Object(
  {
    binding_id: Id,
    namespace: Id,
    path: Type.Optional(Path),
    path_template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'A path in which {name} stands for one part or a piece of it, and {name*} for one or more parts',
      }),
    ),
    schema_id: Id,
    schema_version: Id,
    max_chars: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxDocumentChars, description: 'Maximum length of the content as JSON' }),
    ),
    read_priority: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The lowest number is read first and dropped last' }),
    ),
    write_mode: Type.Optional(Type.Enum(writeModes)),
    max_ops: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Operations in one patch; default 100' }),
    ),
    initial: Type.Optional(
      // Explicit: responses are serialized with this shape too, which drops members that it does not allow.
      Type.Object({}, { additionalProperties: true, description: 'Initial content of a new document' }),
    ),
    deny_paths: Type.Optional(Type.Array(Pointer, { maxItems: 200 })),
    redact_secrets: Type.Optional(
      Type.Boolean({
        description: 'Whether secrets in written texts are replaced before they are stored; default false',
      }),
    ),
    legacy_paths: Type.Optional(
      Type.Array(Type.Union([Path, Type.Object({ namespace: Id, path: Path }, closed)]), {
        maxItems: 20,
        description: 'Where the document was stored before, in the same namespace unless one is given',
      }),
    ),
  },
  closed,
);

const PathRule = Type.Union([
  Pointer,
  Type.Object({ path: Pointer, classification: Type.Optional(Type.Literal('user_instructions')) }, closed),
]);

const FactRule = Type.Object(
  {
    path: Pointer,
    attribute: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Each value at the path is a value of this attribute. Without it, the texts are read as statements',
      }),
    ),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Whom the values are about; default: me, the user. Variables of the path template may be used',
      }),
    ),
  },
  closed,
);

export const ProfileShape = Type.Object(
  {
    profile_id: Type.Optional(Id),
    document_bindings: Type.Array(BindingShape, { minItems: 1, maxItems: 100 }),
    writable_path_rules: Type.Optional(Type.Record(Id, Type.Array(PathRule, { maxItems: 200 }))),
    retention_rules: Type.Optional(
      Type.Object(
        { snapshots_days: Type.Optional(Days), events_days: Type.Optional(Days), audit_days: Type.Optional(Days) },
        closed,
      ),
    ),
    confidence_rules: Type.Optional(
      Type.Object(
        {
          min_confidence_for_durable_fact: Type.Optional(Share),
          min_confidence_for_auto_apply: Type.Optional(Share),
          on_low_confidence: Type.Optional(Type.Enum(['refuse', 'pending'])),
        },
        closed,
      ),
    ),
    on_low_confidence: Type.Optional(Type.Enum(['refuse', 'pending'])),
    freshness_rules: Type.Optional(
      Type.Object(
        {
          stale_after_days: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 36_500,
              description: 'A durable fact that was not verified for this long is shown as stale',
            }),
          ),
        },
        closed,
      ),
    ),
    compaction_rules: Type.Optional(
      Type.Record(
        Id,
        Type.Record(Type.String({ pattern: '^max_.+$' }), Type.Integer({ minimum: 0, maximum: 1_000_000 }), closed),
      ),
    ),
    fact_rules: Type.Optional(
      Type.Record(Id, Type.Array(FactRule, { maxItems: 100 }), {
        description: 'Which places of documents agree with facts, by binding',
      }),
    ),
    sections: Type.Optional(
      Type.Object(
        {
          durable_facts: Type.Optional(Pointer),
          pending: Type.Optional(Pointer),
          preferences: Type.Optional(Pointer),
          routing: Type.Optional(Pointer),
          notes: Type.Optional(Pointer),
          summary: Type.Optional(Pointer),
        },
        { ...closed, description: 'Where these sections are in the content of documents' },
      ),
    ),
  },
  { ...closed, title: 'Profile' },
);

export type ProfileSource = Static<typeof ProfileShape>;
export type BindingSource = Static<typeof BindingShape>;
export type FactRuleSource = Static<typeof FactRule>;
