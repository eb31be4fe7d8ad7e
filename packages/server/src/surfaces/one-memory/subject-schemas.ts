import { Type } from 'typebox';
import { nextCursor, onBehalfOf, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { EvidenceMemory, Fact, Subject, times } from './fact-schemas.js';

const closed = { additionalProperties: false };
const aliases = Type.Array(Type.String(), { description: 'Its other names' });

export const subjectParams = Type.Object({ subject: Subject });
export const subjectQuery = Type.Object({ ...times, ...onBehalfOf }, closed);
export const subjectListQuery = Type.Object({ ...times, ...pageQuery, ...onBehalfOf }, closed);

export const mergeBody = Type.Object(
  {
    with: Type.Unsafe<string>({ ...Subject, description: 'The name that means the same. It need not have facts yet' }),
    ...onBehalfOf,
  },
  closed,
);
export const splitBody = Type.Object(
  { alias: Type.Unsafe<string>({ ...Subject, description: 'The name that means something else' }), ...onBehalfOf },
  closed,
);

export const SubjectList = Type.Object(
  {
    subjects: Type.Array(
      Type.Object(
        {
          subject: Type.String(),
          aliases,
          facts: Type.Integer({ description: 'How many facts had begun by then' }),
          current: Type.Integer({ description: 'How many of them are current or unconfirmed' }),
        },
        { title: 'SubjectSummary' },
      ),
    ),
    next_cursor: nextCursor,
  },
  { title: 'SubjectList' },
);

const TimelineEntry = Type.Object({
  at: Timestamp,
  event: Type.Enum(['began', 'ended', 'superseded']),
  fact_id: Type.String(),
  attribute: Type.String(),
  value: Type.String(),
  text: Type.String(),
  trust: Fact.properties.trust,
  superseded_by: Type.Optional(Type.String({ description: 'Id of the fact that takes its place' })),
  evidence: Type.Array(Type.String(), { description: 'Ids of memories' }),
});

export const SubjectPage = Type.Object(
  {
    subject: Type.String(),
    aliases,
    facts: Type.Array(Fact, { description: 'Current and unconfirmed facts, by attribute' }),
    timeline: Type.Array(TimelineEntry, { description: 'What began and ended, oldest first' }),
    sources: Type.Array(
      Type.Object({
        ...EvidenceMemory.properties,
        facts: Type.Array(Type.String(), { description: 'Ids of the facts it is evidence for' }),
      }),
      { description: 'The memories that say so, as far as the caller may read them, oldest first' },
    ),
    shortened: Type.Boolean({
      description: 'Whether older facts were left out: a page has the 500 recorded last. `GET /v1/facts` lists all',
    }),
  },
  { title: 'SubjectPage' },
);
