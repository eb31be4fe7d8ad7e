import type { StatedFact, StatementReader, Utterance } from '../../../ports/statement-reader.js';
import { english } from '../rules/languages/english/english.js';
import { conditionByMore, fiction, hypothetical, irony } from '../rules/languages/english/english-refusals.js';
import { languages } from '../rules/languages/languages.js';
import { readLeadIn } from '../rules/lead-in.js';
import { maskMaterial } from '../rules/mask-material.js';
import { prepareSharedPatterns } from '../rules/prepare-patterns.js';
import { isInjection, withdraws } from '../rules/refusals.js';
import { longestSentence, sentencesOf } from '../rules/split-clauses.js';
import { Turns } from '../rules/turns.js';
import { straighten } from '../rules/user-turn.js';
import type { ClauseContext } from './clause.js';
import { type PreparedLexicon, prepareLexicon } from './lexicon.js';
import { readBareValue } from './read-bare-value.js';
import { readClause } from './read-clause.js';
import { readReport, readSourced } from './reports.js';
import { splitStatements } from './split-statements.js';
import { me, type Opening, readOpenings } from './subjects.js';
import { readTimes, sinceEvent, todayOf } from './times.js';
import { toWords } from './words.js';

/** Longer texts are mostly pasted: only their beginning is the speaker's own. */
export const longestRead = 20_000;
const mostStatements = 100;
/** "I love mornings. NOT." */
const negatedJoke = /^NOT[.!]*$/u;
/** Conditions, stories and other people's words in other languages. */
const unmeantElsewhere = languages.filter(({ code }) => code !== 'en').flatMap(({ unmeant }) => unmeant);
const tagQuestion = english.clauses.tagQuestion;
const joking =
  /\b(?:just kidding|only kidding|kidding|jk|just joking|only joking|as a joke|in my dreams|i wish|not really|haha+|april fools?)\b|😂|🤣|😜|😉|😅|\/s\b/iu;
const unsure =
  /\b(?:i think|i guess|i suppose|i assume|i believe|not sure|not certain|maybe|perhaps|possibly|apparently|supposedly|allegedly|rumou?r|hopefully|afaik|as far as i know|if i remember)\b/iu;

/** Reads statements by rules, in English; patterns of other languages match as they are written. */
export const statementReader: StatementReader = {
  prepare: prepareLexicon,

  async read(utterances, lexicon) {
    const turns = new Turns();
    const stated: StatedFact[][] = [];
    for (const utterance of utterances) stated.push(await readUtterance(utterance, lexicon as PreparedLexicon, turns));
    return stated;
  },
};

async function readUtterance(utterance: Utterance, lexicon: PreparedLexicon, turns: Turns): Promise<StatedFact[]> {
  const given = utterance.text.slice(0, longestRead).toWellFormed().normalize('NFC');
  await prepareSharedPatterns(given);
  const own = straighten(maskMaterial(given));
  if (isInjection(own)) return [];
  const context: ClauseContext = {
    ...{ utterance, lexicon, speaker: utterance.speaker, today: todayOf(utterance) },
    ...{
      lowerCaseWriter: !/\p{Lu}/u.test(own),
      isUnclear: false,
      corrects: false,
      inherited: undefined,
      antecedent: undefined,
      topic: undefined,
    },
    mayBeginWithVerb: utterance.speaker === 'user',
  };
  const stated: StatedFact[][] = [];
  let count = 0;
  for (const { text } of sentencesOf(own)) {
    await turns.next();
    if (count > mostStatements) break;
    if (text.length > longestSentence) continue;
    if (withdraws(text) || negatedJoke.test(text)) stated.pop();
    const sourced = readSourced(text);
    const about = { ...context, antecedent: antecedentOf(stated), isUnclear: sourced !== undefined };
    const { found, topic } = readSentence(sourced ?? text, about, stated.at(-1));
    context.topic = topic;
    context.corrects = found.length === 0 && mistaken.test(text);
    if (found.length > 0) stated.push(found);
    count += found.length;
  }
  return stated.flat().slice(0, mostStatements);
}

/** "She" is the last one that was spoken of, if only one other than the speaker was. */
function antecedentOf(stated: readonly StatedFact[][]): string | undefined {
  const others = new Set((stated.at(-1) ?? []).map(({ subject }) => subject).filter((subject) => subject !== me));
  return others.size === 1 ? [...others][0] : undefined;
}

function isUnmeant(sentence: string): boolean {
  return [...unmeantElsewhere, hypothetical, conditionByMore, fiction, irony, joking].some((pattern) =>
    pattern.test(sentence),
  );
}

/** What comes after is true only for as long as this is. */
const limiting =
  /^(?:and |but |so )?(?:(?:until|till) (?!\d|last|this|next|yesterday|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|while|whilst|during|as long as|so long as|whenever|once|unless|provided|assuming|suppose|supposing|in case|otherwise|the (?:day|moment|minute) (?:that )?(?:i|we))/iu;
/** "That was wrong." What follows corrects it. */
const mistaken =
  /\b(?:i (?:meant|mean)\b|(?:that|this|it)(?:'s| was| is| were) (?:wrong|a typo|a mistake|not right|outdated)|typo|my (?:mistake|bad)|misspoke|mistyped|mixed (?:that|it|them) up|to correct|correction)\b/iu;
const correcting = new RegExp(`${mistaken.source}|\\bsorry\\b`, 'iu');
/** Words for a text: what follows the colon is its wording. */
const introducesText =
  /\b(?:sentence|phrase|song|poem|lyrics?|verse|title|headline|caption|story|novel|book|quote|slogan|line|example|prompt|translate|translation|says?|said|wrote|writes|reads?|sang|sings|complete|finish|continue|write|rewrite|repeat|begins?|starts?)\b[^:]{0,80}:\s/iu;

/** "New number: …". */
const newWithColon = /^(?:my )?new ([\p{L} -]{2,30}?):\s/iu;
/** "I've got a new phone number: …", "Got a new manager, …". */
const newOne =
  /^((?:\W*(?:btw|by the way|hi|hey|and|also|update)[,:!]?\s+)*)(?:(?:i|we)(?:'ve| have)?(?: just)? (?:got|have|had to get) an?|(?:got|have) an?) new ([\p{L} -]{2,30}?)(?: now)?(?::|,(?: (?:it's|he's|she's|it is|called|named))?|(?: -| –)) /iu;

interface ReadSentence {
  found: StatedFact[];
  /** What "it" means in the next sentence. */
  topic: Opening | undefined;
}

function readSentence(given: string, context: ClauseContext, previous: StatedFact[] = []): ReadSentence {
  const sentence = given.replace(newOne, '$1my new $2 is ').replace(newWithColon, 'my new $1 is ');
  const isQuestion = /\?[\s"')]*$/u.test(sentence);
  if (isUnmeant(sentence) || (isQuestion && !tagQuestion.test(sentence)) || introducesText.test(sentence)) {
    return { found: [], topic: undefined };
  }
  const isUnclear = context.isUnclear || isQuestion || unsure.test(sentence) || limiting.test(sentence);
  const isCorrecting = correcting.test(sentence);
  const stated: StatedFact[] = [];
  let inherited: Opening | undefined;
  let { antecedent, topic } = context;
  for (const piece of splitStatements(sentence, context.lexicon)) {
    if (piece.isContinued && inherited === undefined) continue;
    const { text, corrects: isLed } = withoutLead(piece.text, context.today);
    const corrects = isLed || isCorrecting || context.corrects;
    const clause: ClauseContext = {
      ...{ ...context, antecedent, topic, isUnclear, corrects, inherited: piece.isContinued ? inherited : undefined },
      mayBeginWithVerb: context.mayBeginWithVerb && stated.length === 0,
    };
    const found = readPiece(text, clause);
    const before = stated.length > 0 ? stated : previous;
    stated.push(...(found.length > 0 ? found : amend(text, corrects, clause, before)));
    const opening = piece.isContinued ? undefined : openingOf(text, clause, found);
    inherited = opening ?? inherited;
    antecedent = otherOf([...found, opening]) ?? antecedent;
    topic = topicOf(text, clause, found);
  }
  return { found: stated, topic };
}

const tellsOfChange = /\b(?:new|changed|different|outdated|wrong|not|isn't|no longer)\b/iu;
/** Shapes that a value is recognized by. */
const recognizable: ReadonlySet<string> = new Set(['code', 'name', 'date', 'place', 'organisation']);
/** "New mobile!" */
const announcesNew = /^(?:an? |my )?new (?=[\p{L} -]{2,30}$)/iu;

/** "My number has changed", "my name isn't Steve": what is said of it next is its value. */
function topicOf(text: string, clause: ClauseContext, found: readonly StatedFact[]): Opening | undefined {
  if (found.some(({ assertion }) => assertion === 'holds' || assertion === 'held')) return undefined;
  const words = toWords(text.replace(announcesNew, 'my new '));
  const opening = readOpenings(words, 0, { ...clause, topic: undefined }).find(
    ({ attribute }) => attribute !== undefined,
  );
  const isKnown = opening?.attribute?.single === true && recognizable.has(opening.attribute.shape);
  return isKnown && tellsOfChange.test(text) ? opening : undefined;
}

/** "My brother lives in Jena" is about him, although "my brother" may also be said of a name. */
function openingOf(text: string, clause: ClauseContext, found: readonly StatedFact[]): Opening | undefined {
  const openings = readOpenings(toWords(text), 0, clause);
  return openings.find((one) => found.some(({ subject }) => subject === one.subject)) ?? openings[0];
}

function readPiece(text: string, clause: ClauseContext): StatedFact[] {
  const report = clause.inherited === undefined ? readReport(text, clause) : undefined;
  const reported = report === undefined ? [] : readClause(report.text, report.context);
  return reported.length > 0 ? reported : readClause(text, clause);
}

/** Returns the first one that is not the user. */
function otherOf(openings: readonly ({ subject: string } | undefined)[]): string | undefined {
  return openings.find((opening) => opening !== undefined && opening.subject !== me)?.subject;
}

/** Leaves out what introduces a statement. "Since" alone is an introduction, but not before a time: "since Monday". */
function withoutLead(piece: string, today: number): { text: string; corrects: boolean } {
  const { at, corrects } = readLeadIn(piece, english);
  const since = /\bsince\s*$/iu.test(piece.slice(0, at)) ? `since ${piece.slice(at)}` : '';
  const isSince = sinceEvent.test(since) || readTimes(since, today, true).spans.some(({ start }) => start === 0);
  const rest = piece.slice(at).replace(/^(?:it )?turns out (?:that )?/iu, '');
  const text = `${isSince ? 'since ' : ''}${rest}`.replace(/[\s.!;,…]+$/u, '');
  return { text, corrects };
}

/** "…, no longer in Bergen" and "sorry, I meant Oslo" go with the last statement before. */
function amend(text: string, corrects: boolean, context: ClauseContext, before: StatedFact[]): StatedFact[] {
  const last = before.at(-1);
  const attribute = context.lexicon.attributes.find(({ name }) => name === last?.attribute);
  if (last === undefined || attribute === undefined || last.assertion !== 'holds') return [];
  const bare = readBareValue(text, attribute, context);
  if (bare === undefined || (!bare.isOver && !corrects) || last.certainty === 'unclear') return [];
  if (bare.isOver) {
    // "I'm a baker, not a chef" says what takes whose place.
    if (attribute.shape !== 'name') before[before.length - 1] = { ...last, certainty: 'clear', isChange: true };
    return bare.values.map((value) => ({
      ...last,
      value,
      assertion: bare.isContrast ? 'denied' : 'over',
      isAdded: false,
      isSince: false,
      quote: text,
    }));
  }
  before.pop();
  return bare.values.map((value) => ({ ...last, value, quote: text }));
}
