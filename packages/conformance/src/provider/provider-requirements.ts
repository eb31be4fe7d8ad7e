import type { Requirement } from '../suite.js';

export const providerCapabilities = ['read', 'data_subject', 'shared_append', 'quarantine'] as const;

export const providerGroups = {
  SPEC: 'The interface',
  RETAIN: 'Retaining',
  TIER: 'Tiers and keys',
  CAP: 'Caps',
  RECALL: 'Recalling',
  READ: 'Reading',
  FORGET: 'Forgetting',
  OWNER: 'Owners',
  SCAN: 'What must not reach a model',
  HEALTH: 'Health',
  ERR: 'Errors',
  SIGNAL: 'Giving up',
  PAR: 'Many calls at once',
} as const;

/**
 * The provider contract, sentence by sentence. Needs are capabilities, and what else is known of the target: `owner_bound`, a
 * provider is made for one owner; `plant`, texts can be put into its store from outside.
 */
export const providerRequirements = [
  must('PROVIDER-SPEC-01', 'The specification is provider/v1, and there are retain, recall, forget and health.'),
  must(
    'PROVIDER-SPEC-02',
    'Capabilities are read, data_subject, shared_append and quarantine; each is listed once at most.',
  ),
  must('PROVIDER-SPEC-03', 'There is a method read if and only if the capability is listed.'),

  must('PROVIDER-RETAIN-01', 'Retain answers with an id, and the size of the whole text in bytes of UTF-8.'),
  must('PROVIDER-RETAIN-02', 'Replace puts a text in place of all there was.'),
  must('PROVIDER-RETAIN-03', 'Append begins on a new line, and makes no blank one.'),
  must('PROVIDER-RETAIN-04', 'The mode is replace or append; another one, an empty one or none is refused.'),
  must('PROVIDER-RETAIN-05', 'What was retained is found at once, by another instance as well.'),
  must('PROVIDER-RETAIN-06', 'Content that is no text, or has NUL in it, is refused.'),
  must('PROVIDER-RETAIN-07', 'Secrets are taken out before anything is kept.'),

  must(
    'PROVIDER-TIER-01',
    'Every tier takes texts, and the id is the label of the text: AGENT.md, daily/2026-05-21.md.',
  ),
  must('PROVIDER-TIER-02', 'A tier that is not one of the seven is refused.'),
  must('PROVIDER-TIER-03', 'Daily and peers need a key.'),
  must('PROVIDER-TIER-04', 'A key with a slash, a backslash, two dots or a control character is refused.'),
  must('PROVIDER-TIER-05', 'The key of daily is a day of the calendar.'),
  must('PROVIDER-TIER-06', 'Elsewhere a key is ignored.'),
  must('PROVIDER-TIER-07', 'Texts of different tiers and keys are kept apart.'),

  must('PROVIDER-CAP-01', 'A text of exactly the cap of its tier is taken.'),
  must(
    'PROVIDER-CAP-02',
    'One byte more is TIER_CAP_EXCEEDED with tier, cap, projected and current, and changes nothing.',
  ),
  must('PROVIDER-CAP-03', 'Caps are in bytes, not in characters.'),
  must('PROVIDER-CAP-04', 'An append counts with all that is there.'),
  must('PROVIDER-CAP-05', 'From 80 % of the cap on there is a warning, and none before.'),

  must('PROVIDER-RECALL-01', 'Hits are a list, and an empty one when nothing matches.'),
  must('PROVIDER-RECALL-02', 'The source of a hit is the id that retain answered.'),
  must('PROVIDER-RECALL-03', 'A snippet has the match, and 500 characters at most.'),
  must('PROVIDER-RECALL-04', 'A limit above 20 counts as 20, and no more than 20 come back without one.'),
  must('PROVIDER-RECALL-05', 'No more come back than the limit says.'),
  must('PROVIDER-RECALL-06', 'With a tier only its texts are searched; absent, all are.'),
  must('PROVIDER-RECALL-07', 'Any word of the query can match, in any case.'),
  must('PROVIDER-RECALL-08', 'A hit has the number of a line of the text that its snippet shows, counted from 1.'),
  must('PROVIDER-RECALL-09', 'A score is a number from 0 to 1.'),
  must('PROVIDER-RECALL-10', 'A query without text is refused.'),
  must('PROVIDER-RECALL-11', 'What was replaced is not found any more.'),
  must('PROVIDER-RECALL-12', 'Signs that mean something to a database or a pattern are plain text in a query.'),

  must('PROVIDER-READ-01', 'A text reads whole, as it was retained.', 'read'),
  must('PROVIDER-READ-02', 'What was never retained reads as empty.', 'read'),
  must('PROVIDER-READ-03', 'Reading checks tier and key as retaining does.', 'read'),
  must('PROVIDER-READ-04', 'What is read has its id, and its size in bytes of UTF-8.', 'read'),
  must('PROVIDER-READ-05', 'What was forgotten reads as empty, and what was replaced as what took its place.', 'read'),

  must('PROVIDER-FORGET-01', 'Forget removes the text with an id, and answers 1; the text is not found any more.'),
  must('PROVIDER-FORGET-02', 'What is gone already is removed 0 times, without an error.'),
  must('PROVIDER-FORGET-03', 'Neither id nor dataSubjectId, or both, is refused.'),
  must('PROVIDER-FORGET-04', 'Other texts stay.'),
  must('PROVIDER-FORGET-05', 'An id that leads elsewhere removes nothing.'),
  must(
    'PROVIDER-FORGET-06',
    'With data_subject, a user of whom nothing is known is removed 0 times, or refused as FORBIDDEN.',
    'data_subject',
  ),
  {
    id: 'PROVIDER-FORGET-07',
    level: 'must',
    sentence: 'Without data_subject a dataSubjectId is NOT_IMPLEMENTED.',
    lacks: 'data_subject',
  },

  must(
    'PROVIDER-OWNER-01',
    'A request that names another workspace, agent or crew is refused by every method.',
    'owner_bound',
  ),
  must('PROVIDER-OWNER-02', 'Nothing of an owner is found, or removed, by another.'),
  must('PROVIDER-OWNER-03', 'A request without a workspace is refused.'),

  must('PROVIDER-SCAN-01', 'What would steer a model is CONTENT_BLOCKED with category and rule, and nothing is kept.'),
  must('PROVIDER-SCAN-02', 'The refusal never repeats the text.'),
  must('PROVIDER-SCAN-03', 'Ordinary texts about security pass.'),
  must(
    'PROVIDER-SCAN-04',
    'What got into the store otherwise is listed as quarantined, and its text never shown.',
    'plant',
  ),
  must('PROVIDER-SCAN-05', 'It reads as a placeholder that begins [BLOCKED:.', 'plant', 'read'),
  must('PROVIDER-SCAN-06', 'Where there is nothing to withhold, nothing is listed as quarantined.'),
  must(
    'PROVIDER-SCAN-07',
    'With quarantine, what is added to such a text is found, and its label listed still.',
    'plant',
    'quarantine',
  ),
  {
    id: 'PROVIDER-SCAN-08',
    level: 'must',
    sentence: 'Without quarantine nothing can be added to such a text: CONTENT_BLOCKED.',
    needs: ['plant'],
    lacks: 'quarantine',
  },

  must('PROVIDER-HEALTH-01', 'Health has ok and checkedAt, an RFC 3339 moment of the check.'),
  must('PROVIDER-HEALTH-02', 'There is no message when ok, and one when not.'),
  must('PROVIDER-HEALTH-03', 'Health answers within a second.'),

  must(
    'PROVIDER-ERR-01',
    'A refusal is a ProviderInvalid with a code in capitals and a message that says what to change.',
  ),
  must('PROVIDER-ERR-02', 'Errors tell nothing of the inside: no path, stack, SQL or text of an HTTP answer.'),

  must('PROVIDER-SIGNAL-01', 'With a signal that is aborted every call rejects, and nothing is changed.'),

  must('PROVIDER-PAR-01', 'Appends made at once through one instance are all there.'),
  must('PROVIDER-PAR-02', 'Appends made at once through two instances are all there.', 'shared_append'),
  {
    id: 'PROVIDER-PAR-03',
    level: 'must',
    sentence: 'Without shared_append two instances in turn lose nothing.',
    lacks: 'shared_append',
  },
] as const satisfies readonly Requirement[];

export type ProviderRequirementId = (typeof providerRequirements)[number]['id'];

function must<const Id extends string>(id: Id, sentence: string, ...needs: string[]) {
  return { id, level: 'must', sentence, ...(needs.length === 0 ? {} : { needs }) } as const;
}
