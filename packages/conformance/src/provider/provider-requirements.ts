import type { Requirement } from '../suite.js';

export const providerCapabilities = ['read', 'data_subject', 'shared_append', 'quarantine', 'shared_crew'] as const;

export const providerGroups = {
  SPEC: 'The interface',
  RETAIN: 'Retain',
  TIER: 'Tiers and keys',
  CAP: 'Caps',
  RECALL: 'Recall',
  READ: 'Read',
  FORGET: 'Forget',
  OWNER: 'Owners',
  SCAN: 'Hostile text',
  HEALTH: 'Health',
  ERR: 'Errors',
  SIGNAL: 'Aborting',
  PAR: 'Concurrency',
} as const;

/**
 * The requirements of the provider contract. `needs` are capabilities or properties of the target: `owner_bound` means
 * that a provider belongs to one owner, `plant` that texts can be put into its store from outside.
 */
export const providerRequirements = [
  must(
    'PROVIDER-SPEC-01',
    'The specification is provider/v1, and the methods retain, recall, forget and health exist.',
  ),
  must(
    'PROVIDER-SPEC-02',
    'Capabilities are read, data_subject, shared_append, quarantine and shared_crew; each is listed at most once.',
  ),
  must('PROVIDER-SPEC-03', 'The method read exists if and only if the capability is listed.'),

  must('PROVIDER-RETAIN-01', 'Retain returns an id and the size of the whole text in UTF-8 bytes.'),
  must('PROVIDER-RETAIN-02', 'Replace overwrites the whole text.'),
  must('PROVIDER-RETAIN-03', 'Append starts on a new line and adds no blank line.'),
  must('PROVIDER-RETAIN-04', 'The mode is replace or append; any other, an empty or a missing mode is rejected.'),
  must('PROVIDER-RETAIN-05', 'A retained text is found immediately, by other instances as well.'),
  must('PROVIDER-RETAIN-06', 'Content that is not a string or contains NUL is rejected.'),
  must('PROVIDER-RETAIN-07', 'Secrets are redacted before anything is stored.'),

  must(
    'PROVIDER-TIER-01',
    'Every tier accepts texts, and the id is the label of the text: AGENT.md, daily/2026-05-21.md.',
  ),
  must('PROVIDER-TIER-02', 'A tier that is not one of the seven is rejected.'),
  must('PROVIDER-TIER-03', 'Daily and peers require a key.'),
  must('PROVIDER-TIER-04', 'A key with a slash, a backslash, two dots or a control character is rejected.'),
  must('PROVIDER-TIER-05', 'The key of daily is a valid calendar date.'),
  must('PROVIDER-TIER-06', 'Other tiers ignore the key.'),
  must('PROVIDER-TIER-07', 'Texts of different tiers and keys are separate.'),

  must('PROVIDER-CAP-01', 'A text of exactly the cap of its tier is accepted.'),
  must(
    'PROVIDER-CAP-02',
    'One byte more is TIER_CAP_EXCEEDED with tier, cap, projected and current, and changes nothing.',
  ),
  must('PROVIDER-CAP-03', 'Caps are in bytes, not in characters.'),
  must('PROVIDER-CAP-04', 'The cap applies to the whole text after an append.'),
  must('PROVIDER-CAP-05', 'There is a warning from 80 % of the cap, and none below.'),

  must('PROVIDER-RECALL-01', 'Hits are a list, which is empty if nothing matches.'),
  must('PROVIDER-RECALL-02', 'The source of a hit is the id that retain returned.'),
  must('PROVIDER-RECALL-03', 'A snippet contains the match and has at most 500 characters.'),
  must('PROVIDER-RECALL-04', 'A limit above 20 counts as 20, and without a limit at most 20 hits are returned.'),
  must('PROVIDER-RECALL-05', 'At most as many hits are returned as the limit allows.'),
  must('PROVIDER-RECALL-06', 'If a tier is given, only its texts are searched; otherwise all texts are.'),
  must('PROVIDER-RECALL-07', 'Any word of the query can match, regardless of case.'),
  must('PROVIDER-RECALL-08', 'The line of a hit is the number of a line in the snippet, counted from 1.'),
  must('PROVIDER-RECALL-09', 'A score is a number from 0 to 1.'),
  must('PROVIDER-RECALL-10', 'A blank query is rejected.'),
  must('PROVIDER-RECALL-11', 'A replaced text is no longer found.'),
  must('PROVIDER-RECALL-12', 'Characters with a special meaning in databases or patterns are plain text in a query.'),

  must('PROVIDER-READ-01', 'Read returns the whole text as it was retained.', 'read'),
  must('PROVIDER-READ-02', 'A text that was never retained is empty.', 'read'),
  must('PROVIDER-READ-03', 'Read checks tier and key like retain.', 'read'),
  must('PROVIDER-READ-04', 'Read returns the id of the text and its size in UTF-8 bytes.', 'read'),
  must('PROVIDER-READ-05', 'A forgotten text is empty, and a replaced text is the new one.', 'read'),

  must('PROVIDER-FORGET-01', 'Forget removes the text with the given id and returns 1; the text is no longer found.'),
  must('PROVIDER-FORGET-02', 'Forgetting a missing text returns 0 without an error.'),
  must('PROVIDER-FORGET-03', 'A request with neither or both of id and dataSubjectId is rejected.'),
  must('PROVIDER-FORGET-04', 'Forget does not affect other texts.'),
  must('PROVIDER-FORGET-05', 'An id that tries to escape its folder removes nothing.'),
  must(
    'PROVIDER-FORGET-06',
    'With data_subject, forgetting an unknown user returns 0 or is rejected as FORBIDDEN.',
    'data_subject',
  ),
  {
    id: 'PROVIDER-FORGET-07',
    level: 'must',
    sentence: 'Without data_subject, a dataSubjectId is NOT_IMPLEMENTED.',
    lacks: 'data_subject',
  },

  must(
    'PROVIDER-OWNER-01',
    'Every method rejects a request that names another workspace, agent or crew.',
    'owner_bound',
  ),
  must('PROVIDER-OWNER-02', 'An owner cannot find or remove anything of another owner.'),
  must('PROVIDER-OWNER-03', 'A request without a workspace is rejected.'),
  must(
    'PROVIDER-OWNER-04',
    'With shared_crew, all agents of a crew write, find and forget the same CREW, and no other tier of each other.',
    'shared_crew',
  ),
  {
    id: 'PROVIDER-OWNER-05',
    level: 'must',
    sentence: 'Without shared_crew, an agent finds nothing in CREW of another agent of its crew.',
    lacks: 'shared_crew',
  },

  must(
    'PROVIDER-SCAN-01',
    'Text that could manipulate a model is CONTENT_BLOCKED with category and rule, and nothing is stored.',
  ),
  must('PROVIDER-SCAN-02', 'The error never repeats the text.'),
  must('PROVIDER-SCAN-03', 'Ordinary texts about security pass.'),
  must(
    'PROVIDER-SCAN-04',
    'Hostile text that got into the store another way is listed as quarantined and never shown.',
    'plant',
  ),
  must('PROVIDER-SCAN-05', 'Read returns a placeholder for it that starts with [BLOCKED:.', 'plant', 'read'),
  must('PROVIDER-SCAN-06', 'If nothing is withheld, nothing is listed as quarantined.'),
  must(
    'PROVIDER-SCAN-07',
    'With quarantine, text appended to a withheld text is found, and the label is still listed.',
    'plant',
    'quarantine',
  ),
  {
    id: 'PROVIDER-SCAN-08',
    level: 'must',
    sentence: 'Without quarantine, an append to a withheld text is CONTENT_BLOCKED.',
    needs: ['plant'],
    lacks: 'quarantine',
  },
  must(
    'PROVIDER-SCAN-09',
    'Only the hostile entry of a text is withheld, not the page: the lines around it are found.',
    'plant',
  ),
  must('PROVIDER-SCAN-10', 'Read shows those lines, with a placeholder in place of the hostile one.', 'plant', 'read'),
  must('PROVIDER-SCAN-11', 'Lines that are hostile only together are withheld together.', 'plant'),

  must('PROVIDER-HEALTH-01', 'Health has ok and checkedAt, the RFC 3339 time of the check.'),
  must('PROVIDER-HEALTH-02', 'Health has a message if and only if it is not ok.'),
  must('PROVIDER-HEALTH-03', 'Health returns within a second.'),

  must(
    'PROVIDER-ERR-01',
    'A rejection is a ProviderInvalid with a code in capitals and a message that says what to change.',
  ),
  must('PROVIDER-ERR-02', 'Errors reveal no internals: no path, stack trace, SQL or text of an HTTP response.'),

  must('PROVIDER-SIGNAL-01', 'Every call with an aborted signal rejects and changes nothing.'),

  must('PROVIDER-PAR-01', 'Concurrent appends through one instance are all stored.'),
  must('PROVIDER-PAR-02', 'Concurrent appends through two instances are all stored.', 'shared_append'),
  {
    id: 'PROVIDER-PAR-03',
    level: 'must',
    sentence: 'Without shared_append, alternating appends through two instances lose nothing.',
    lacks: 'shared_append',
  },
] as const satisfies readonly Requirement[];

export type ProviderRequirementId = (typeof providerRequirements)[number]['id'];

function must<const Id extends string>(id: Id, sentence: string, ...needs: string[]) {
  return { id, level: 'must', sentence, ...(needs.length === 0 ? {} : { needs }) } as const;
}
