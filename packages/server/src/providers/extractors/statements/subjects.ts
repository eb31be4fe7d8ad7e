import { englishStopWords } from '@memhall/core';
import type { ReadableAttribute } from '../../../ports/statement-reader.js';
import type { PreparedLexicon } from './lexicon.js';
import { isCapitalised, type Word } from './words.js';

/** The user. */
export const me = 'me';

/** What a clause begins with. */
export interface Opening {
  /** Whom or what it is about. */
  subject: string;
  /** It is about the speaker and others: "we", "Anna and I". */
  isPlural: boolean;
  /** The other one of "Anna and I". */
  companion?: string;
  /** It has an article, so it is nobody's name: "the Heron launch". */
  isThing?: boolean;
  /** There may be another one of that description: "my friend". */
  isOneOfMany: boolean;
  /** The attribute of the subject that it names: "my phone number". */
  attribute?: ReadableAttribute;
  /** It is named by another word, which may mean less: "my wife" for a partner. */
  isBySynonym?: boolean;
  /** A name that comes with a relation: "my sister Anna". */
  named?: { relation: string; name: string };
  /** "my new phone number". */
  isNew?: boolean;
  /** Number of the word after it. */
  next: number;
}

export interface SubjectContext {
  lexicon: PreparedLexicon;
  speaker: 'user' | 'assistant';
  /** Whom "she" or "he" means. */
  antecedent: string | undefined;
  /** What "it" and "the new one" mean: an attribute whose value was said to have changed. */
  topic: Opening | undefined;
  /** Whether a clause may begin with its verb: "Moved to Oslo." */
  mayBeginWithVerb: boolean;
}

const soleRelations = words(`
  wife husband spouse partner fiancé fiancée fiance fiancee girlfriend boyfriend mother mum mom mama father dad papa boss manager
  supervisor landlord landlady company employer team parents ex-wife ex-husband
`);
const relations = words(`
  brother sister sibling son daughter kid child baby cousin uncle aunt nephew niece grandmother grandma grandfather grandpa grandson
  granddaughter friend colleague coworker co-worker roommate flatmate housemate neighbour neighbor mentor teacher tutor doctor
  dentist therapist lawyer accountant coach trainer assistant intern student client customer dog cat stepson stepdaughter
  stepmother stepfather stepbrother stepsister twin godson goddaughter mother-in-law father-in-law brother-in-law sister-in-law
  kids children brothers sisters friends colleagues neighbours neighbors grandparents in-laws
`);
const adjectives = words(
  'actual older younger little big elder eldest oldest youngest middle twin new current late dear best old former other first second own main direct',
);
/** "My old phone number" says nothing about the present one. */
const presentAdjectives = words('new current actual own main right correct');
/** Words that begin a sentence and are no names. */
const noNames = words(`
  today tomorrow yesterday now then well so also yes no ok okay please thanks hi hello hey dear maybe perhaps after before since until when
  while if as because although though everyone everybody someone somebody nobody people one two three monday tuesday wednesday thursday
  friday saturday sunday january february march april may june july august september october november december and but or
  currently recently lately nowadays meanwhile finally previously last next this that these those there here what who where how why which both all some
  any many most few update note reminder fyi btw actually sorry correction personally honestly
`);
const pronouns = words('he she they it you we i me him her them us ich wir je nous yo nosotros');
const longestName = 4;

/** Returns what a clause may begin with at a place, most likely first. */
export function readOpenings(clause: readonly Word[], from: number, context: SubjectContext): Opening[] {
  const topic = context.topic && readTopic(clause, from, context.topic);
  return topic === undefined ? openingsAt(clause, from, context) : [topic];
}

function openingsAt(clause: readonly Word[], from: number, context: SubjectContext): Opening[] {
  const word = clause[from]?.lower ?? '';
  const second = context.speaker === 'assistant';
  const plain = { isPlural: false, isOneOfMany: false };
  if (word === (second ? 'you' : 'i')) return [{ ...plain, subject: me, next: from + 1 }];
  if (!second && word === 'we') return [{ ...plain, subject: me, isPlural: true, next: from + 1 }];
  if (second ? word === 'your' : word === 'my' || word === 'our') return ofSpeaker(clause, from, context);
  if (word === 'the' || word === 'user' || isNounOf(clause, from, context)) return ofThings(clause, from, context);
  if (word === 'he' || word === 'she' || (word === 'they' && context.antecedent !== undefined)) {
    return context.antecedent === undefined ? [] : [{ ...plain, subject: context.antecedent, next: from + 1 }];
  }
  const verb = context.mayBeginWithVerb ? context.lexicon.verbs.get(word) : undefined;
  if (verb?.some(({ form }) => form === 'past')) return [{ ...plain, subject: me, next: from }];
  return ofName(clause, from, context);
}

/** "It's …", "the new one is …". */
function readTopic(clause: readonly Word[], from: number, topic: Opening): Opening | undefined {
  if (clause[from]?.lower === 'it') return { ...topic, isNew: true, next: from + 1 };
  const isOne = presentAdjectives.has(clause[from + 1]?.lower ?? '') && clause[from + 2]?.lower === 'one';
  return clause[from]?.lower === 'the' && isOne ? { ...topic, isNew: true, next: from + 3 } : undefined;
}

/** "my sister", "my sister Anna", "my sister's phone number", "my phone number", "my wife and I". */
function ofSpeaker(clause: readonly Word[], from: number, context: SubjectContext): Opening[] {
  let at = from + 1;
  while (adjectives.has(clause[at]?.lower ?? '')) at += 1;
  const isPresent = clause.slice(from + 1, at).every(({ lower }) => presentAdjectives.has(lower));
  const found: Opening[] = [];
  const noun = clause[at]?.lower ?? '';
  const isRelation = soleRelations.has(noun) || relations.has(noun);
  const described = clause.slice(from + 1, at + 1).map(({ lower }) => lower);
  const relation = `my ${described.filter((word) => word !== 'new' && word !== 'current').join(' ')}`;
  const named = isRelation ? nameAt(clause, at + 1) : undefined;
  const after = named?.next ?? at + 1;
  if (isRelation && isAndI(clause, after))
    return [{ ...noOpening, subject: me, isPlural: true, ...(named && { companion: named.name }), next: after + 2 }];
  if (isRelation) {
    const opening: Opening = {
      subject: named?.name ?? relation,
      isPlural: false,
      isOneOfMany: named !== undefined || !soleRelations.has(noun),
      ...(named && { named: { relation: noun, name: named.name } }),
      next: after,
    };
    if (clause[after]?.lower === "'s") found.push(...ownedBy(clause, after + 1, opening, context));
    found.push(opening);
  }
  if (isPresent) found.unshift(...ownedBy(clause, from + 1, { ...noOpening, subject: me }, context));
  return found.concat(isRelation ? [] : phraseOpenings(clause, from + 1, 'my '));
}

const noOpening = { isPlural: false, isOneOfMany: false, next: 0 };

/** Returns the opening in which an attribute of an owner is named: the longest name that is there. */
function ownedBy(clause: readonly Word[], from: number, owner: Opening, { lexicon }: SubjectContext): Opening[] {
  let start = from;
  while (presentAdjectives.has(clause[start]?.lower ?? '')) start += 1;
  const isNew = clause.slice(from, start).some(({ lower }) => lower === 'new');
  for (let length = longestName; length > 0; length--) {
    const noun = clause.slice(start, start + length);
    const name = noun.map(({ lower }) => lower).join(' ');
    const attribute = noun.length < length ? undefined : lexicon.names.get(name);
    const isBySynonym = attribute !== undefined && attribute.name !== name;
    if (attribute !== undefined) return [{ ...owner, attribute, isBySynonym, isNew, next: start + length }];
  }
  return [];
}

/** "Status of Apollo". */
function isNounOf(clause: readonly Word[], from: number, context: SubjectContext): boolean {
  const [owned] = ownedBy(clause, from, { ...noOpening, subject: '' }, context);
  return owned !== undefined && clause[owned.next]?.lower === 'of';
}

/** "the user", "the owner of Apollo", "the website". */
function ofThings(clause: readonly Word[], from: number, context: SubjectContext): Opening[] {
  const start = clause[from]?.lower === 'the' ? from + 1 : from;
  if (clause[start]?.lower === 'user') {
    const user: Opening = { ...noOpening, subject: me, next: start + 1 };
    return clause[start + 1]?.lower === "'s" ? [...ownedBy(clause, start + 2, user, context), user] : [user];
  }
  if (start === from && !isNounOf(clause, from, context)) return [];
  const [owned] = ownedBy(clause, start, { ...noOpening, subject: '' }, context);
  if (owned !== undefined && clause[owned.next]?.lower === 'of') {
    const at = clause[owned.next + 1]?.lower === 'the' ? owned.next + 2 : owned.next + 1;
    if (clause[at]?.lower === 'user') return [{ ...owned, subject: me, next: at + 1 }];
    return phraseOpenings(clause, at, '').map(({ subject, next }) => ({ ...owned, subject, next }));
  }
  return phraseOpenings(clause, start, '').flatMap((phrase) => {
    const thing = { ...phrase, isThing: start > from };
    return clause[thing.next]?.lower === "'s" ? [...ownedBy(clause, thing.next + 1, thing, context), thing] : [thing];
  });
}

/** Returns the next one to four words as openings, shortest first. */
function phraseOpenings(clause: readonly Word[], from: number, before: string): Opening[] {
  const found: Opening[] = [];
  for (let length = 1; length <= longestName; length++) {
    const last = clause[from + length - 1];
    if (last === undefined || pronouns.has(last.lower) || last.lower === "'s") break;
    const text = clause.slice(from, from + length).map((word) => word.text);
    found.push({ ...noOpening, subject: before + text.join(' '), next: from + length });
    if (last.isFollowedByMark) break;
  }
  return found;
}

function ofName(clause: readonly Word[], from: number, context: SubjectContext): Opening[] {
  const named = nameAt(clause, from);
  if (named === undefined) return [];
  const opening: Opening = { ...noOpening, subject: named.name, next: named.next };
  if (isAndI(clause, named.next)) {
    return [{ ...noOpening, subject: me, isPlural: true, companion: named.name, next: named.next + 2 }];
  }
  if (clause[named.next]?.lower !== "'s") return [opening];
  return [...ownedBy(clause, named.next + 1, opening, context), opening];
}

function isAndI(clause: readonly Word[], at: number): boolean {
  return clause[at]?.lower === 'and' && clause[at + 1]?.lower === 'i';
}

/** Returns the name that begins at a place. */
export function nameAt(clause: readonly Word[], from: number): { name: string; next: number } | undefined {
  let at = from;
  while (at < from + longestName) {
    const word = clause[at];
    if (word === undefined || !isCapitalised(word)) break;
    if (at === from && (noNames.has(word.lower) || pronouns.has(word.lower) || englishStopWords.has(word.lower))) break;
    at += 1;
    if (word.isFollowedByMark) break;
  }
  if (at === from) return undefined;
  return {
    name: clause
      .slice(from, at)
      .map(({ text }) => text)
      .join(' '),
    next: at,
  };
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
