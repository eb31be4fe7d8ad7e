import { type Static, Type } from 'typebox';
import type { Truth } from '../engine/one-memory/judge.js';
import { sayTruth } from '../engine/one-memory/say-truth.js';
import { trustLevels } from '../ports/memory-origin.js';
import { toMoment } from './moment.js';
import { Moment, Timestamp } from './wire-schemas.js';

/** Fields of a request that say which time it is about. */
export const timeFields = {
  as_of: Type.Optional(
    Type.Unsafe<string>({
      ...Moment,
      description: 'What was true at this time. Leaves out what took place later. Default: known_at, else now',
    }),
  ),
  known_at: Type.Optional(
    Type.Unsafe<string>({
      ...Moment,
      description:
        'What was known at this time: earlier texts, and nothing that was recorded later. What was removed since is not there. Default: now',
    }),
  ),
};

export function toTimes({ as_of, known_at }: { as_of?: string | undefined; known_at?: string | undefined }) {
  return { asOf: toMoment('as_of', as_of), knownAt: toMoment('known_at', known_at) };
}

/** Returns the moment at which documents are read, which have one axis of time; undefined for now. */
export function earlierOf(...moments: readonly (Date | undefined)[]): Date | undefined {
  const given = moments.filter((moment) => moment !== undefined);
  return given.length === 0 ? undefined : new Date(Math.min(...given.map((moment) => moment.getTime())));
}

export const includeSuperseded = {
  include_superseded: Type.Boolean({
    default: false,
    description: 'Include what is no longer true. A query that asks about the past includes it in any case.',
  }),
};

/** Fields of a result that say what facts say about it. */
export const currencyFields = {
  current: Type.Boolean({ description: 'False: nothing is true any more that it says' }),
  superseded_by: Type.Optional(
    Type.String({
      description:
        'What took its place: the id of the memory that says so or, if there is none, of the fact. With current true, the place of a part.',
    }),
  ),
  superseded_at: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Since when it is not true' })),
  disputed_by: Type.Optional(
    Type.Array(
      Type.Object({
        fact_id: Type.Optional(Type.String({ description: 'The fact; left out if statements are compared' })),
        text: Type.String(),
        trust: Type.Enum([...trustLevels]),
        memory_id: Type.Optional(Type.String({ description: 'A memory that says so' })),
      }),
      { description: 'More trusted facts and statements that contradict it' },
    ),
  ),
  note: Type.Optional(Type.String({ description: 'The same in words' })),
};

const Currency = Type.Object(currencyFields);

export function toCurrency(truth: Truth | undefined): Static<typeof Currency> {
  const note = sayTruth(truth);
  const { isCurrent = true, since, supersededBy, disputes = [] } = truth ?? {};
  return {
    current: isCurrent,
    ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }),
    ...(since ? { superseded_at: since.toISOString() } : {}),
    ...(disputes.length === 0 ? {} : { disputed_by: disputes.map(toDispute) }),
    ...(note === undefined ? {} : { note }),
  };
}

function toDispute({ factId, text, trust, memoryIds }: Truth['disputes'][number]) {
  const [memoryId] = memoryIds;
  return {
    ...(factId && { fact_id: factId }),
    text,
    trust,
    ...(memoryId === undefined ? {} : { memory_id: memoryId }),
  };
}
