import type { ReadableAttribute, StatedFact } from '../../../ports/statement-reader.js';
import type { Reading } from './clause.js';
import { conclude } from './conclude.js';
import { isOccupation } from './occupations.js';
import { me, type Opening, readOpenings } from './subjects.js';
import { readValues } from './values.js';
import { isCapitalised } from './words.js';

/** "My phone number is …", "Apollo's owner changed to …". */
export function readPossession(reading: Reading, attribute: ReadableAttribute): StatedFact[] {
  const { group, values, opening } = reading;
  const isChange = group.lemmas.includes('change') || group.lemmas.includes('become');
  if (!isChange && !group.lemmas.includes('be')) return [];
  const next = values.words[group.next]?.lower ?? '';
  const at = (isChange && next === 'to') || /^(?:called|named)$/.test(next) ? group.next + 1 : group.next;
  const found = readValues(attribute, at, values);
  if (found === undefined || (attribute.shape === 'role' && !namesRole(at, found.values[0], reading))) return [];
  const stated = conclude(reading, {
    ...{ attribute, subject: opening.subject, values: found, kind: isChange ? 'beginning' : 'state' },
    ...{ isLoose: false, isNegated: false },
  });
  return withoutNarrowDenials(opening, [...stated, ...stated.flatMap((one) => introducedByName(one, reading))]);
}

/** "Hugo is not my husband" leaves him a partner. */
function withoutNarrowDenials({ attribute, isBySynonym }: Opening, stated: StatedFact[]): StatedFact[] {
  const isNarrow = isBySynonym && attribute?.shape === 'name';
  return isNarrow ? stated.filter(({ assertion }) => assertion !== 'denied') : stated;
}

/** "My job is stressful" names no job. */
function namesRole(at: number, role: string | undefined, { text, values: { words } }: Reading): boolean {
  const first = words[at];
  if (first === undefined || isCapitalised(first) || /\b(?:title|position)\b/iu.test(text)) return true;
  return /^(?:an?|the)$/.test(first.lower) || isOccupation(role);
}

const siblingAge = /^my (?:(?:older|younger|big|little|elder|eldest|oldest|youngest|middle|twin) )?([\p{L}-]+)$/u;

/** "My wife's name is Eva": Eva is the partner. */
function introducedByName(stated: StatedFact, { context: { lexicon } }: Reading): StatedFact[] {
  const relation = siblingAge.exec(stated.subject)?.[1];
  const attribute = relation === undefined ? undefined : lexicon.names.get(relation);
  if (stated.attribute !== 'name' || attribute === undefined || stated.assertion !== 'holds') return [];
  if (stated.certainty !== 'clear') return [];
  return [{ ...stated, subject: me, attribute: attribute.name, certainty: 'yields' }];
}

/** "Eva is my manager." */
export function readReversed(reading: Reading): StatedFact[] {
  const { group, values, opening, context } = reading;
  if (!group.lemmas.includes('be') || opening.subject === me) return [];
  const [owned] = readOpenings(values.words, group.next, context).filter(({ attribute }) => attribute !== undefined);
  const attribute = owned?.attribute;
  if (owned === undefined || attribute === undefined || attribute.shape !== 'name') return [];
  const found = { values: [opening.subject], isVague: false, next: owned.next };
  const stated = conclude(reading, {
    attribute,
    subject: owned.subject,
    values: found,
    kind: 'state',
    isLoose: false,
    isNegated: false,
  });
  return withoutNarrowDenials(owned, stated);
}

/** "I changed my phone number to …". */
export function readChanged(reading: Reading): StatedFact[] {
  const { group, values, context } = reading;
  if (!group.lemmas.includes('change')) return [];
  const [owned] = readOpenings(values.words, group.next, context).filter(({ attribute }) => attribute !== undefined);
  const attribute = owned?.attribute;
  if (owned === undefined || attribute === undefined || attribute.ofThings) return [];
  if (values.words[owned.next]?.lower !== 'to') return [];
  const found = readValues(attribute, owned.next + 1, values);
  if (found === undefined) return [];
  const { subject } = owned;
  return conclude(reading, {
    attribute,
    subject,
    values: found,
    kind: 'beginning',
    isLoose: false,
    isNegated: false,
  });
}

/** "My sister Anna moved": Anna is a sister. */
export function introduced({ opening, text, context }: Reading): StatedFact[] {
  const attribute = opening.named && context.lexicon.names.get(opening.named.relation);
  if (opening.named === undefined || attribute === undefined) return [];
  return [
    {
      ...{ subject: me, attribute: attribute.name, value: opening.named.name, assertion: 'holds', certainty: 'yields' },
      ...{ isAdded: false, isChange: false, isSince: false, isRelative: false, namesYear: false, quote: text },
    },
  ];
}
