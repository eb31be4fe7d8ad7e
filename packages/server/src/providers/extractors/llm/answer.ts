import { Ajv } from 'ajv';
import { type Static, Type } from 'typebox';
import { factKinds, maxDigestLength, maxFactLength, maxFacts, maxKeywords } from '../../../ports/extractor.js';

const exact = { additionalProperties: false };

const proposedFact = Type.Object(
  {
    kind: Type.Enum([...factKinds], { type: 'string' }),
    text: Type.String({ description: `The user's statement, word for word, at most ${maxFactLength} characters.` }),
    messages: Type.Array(Type.Integer(), { description: 'Numbers of the messages in which the user says it.' }),
    confidence: Type.Number({ description: 'From 0 to 1: how sure it is that this was meant and lasts.' }),
    supersedes: Type.Union([Type.String(), Type.Null()], {
      description: 'The known fact, or the earlier statement, word for word, that this one corrects; else null.',
    }),
    subject: Type.Union([Type.String(), Type.Null()], {
      description:
        'Whom the value of the attribute is about: "me" for the user, else the name as it was said; null without one.',
    }),
    attribute: Type.Union([Type.String(), Type.Null()], {
      description: 'The one of "attributes" whose present value the statement gives; null if there is none.',
    }),
    value: Type.Union([Type.String(), Type.Null()], {
      description: 'That value, word for word as in the statement; null without an attribute.',
    }),
  },
  exact,
);

/**
 * The schema that the model must follow. It has no optional members, lengths or counts, which strict modes do not
 * support: limits are stated in the descriptions and enforced by the checks that follow.
 */
export const answerSchema = Type.Object(
  {
    facts: Type.Array(proposedFact, { description: `At most ${maxFacts}; empty when nothing is worth remembering.` }),
    digest: Type.Object(
      {
        quotes: Type.Array(Type.Object({ message: Type.Integer(), text: Type.String() }, exact), {
          description: `Sentences of the user, word for word, that tell best what the conversation was about; together at most ${maxDigestLength} characters.`,
        }),
        keywords: Type.Array(Type.String(), {
          description: `At most ${maxKeywords} words of the conversation that somebody would search it by.`,
        }),
      },
      exact,
    ),
  },
  exact,
);

export type Answer = Static<typeof answerSchema>;
export type FactProposal = Answer['facts'][number];
export type DigestProposal = Answer['digest'];

const fits = new Ajv({ strict: false }).compile<Answer>(answerSchema);

/** Returns the answer, or the place where it violates the schema, without quoting it. */
export function readAnswer(value: unknown): { answer: Answer } | { fault: string } {
  if (fits(value)) return { answer: value };
  const [error] = fits.errors ?? [];
  return { fault: `${error?.instancePath || 'the whole answer'} breaks the rule "${error?.keyword ?? 'type'}"` };
}
