/**
 * What the values of an attribute look like. `name`: of a person. `thing`: several may be listed. `code`: a phone number or an
 * address.
 */
export type ValueShape = 'text' | 'name' | 'organisation' | 'place' | 'role' | 'thing' | 'number' | 'date' | 'code';

/** An attribute, with the ways in which people state it. */
export interface ReadableAttribute {
  name: string;
  synonyms: readonly string[];
  single: boolean;
  shape: ValueShape;
  /** If not empty, no other values are read, except names if the shape is `name`. Lower case. */
  values: readonly string[];
  /** With "is" it is said of things only: "Project Apollo is blocked". */
  ofThings?: boolean;
  /**
   * How it is worded, with `{value}` in place of the value: `I live in {value}`, `{subject} is owned by {value}`. The verb may be in
   * any tense. If the pattern itself is in the past tense, it tells of a beginning: `I moved to {value}`. `{any}` stands for a
   * few words.
   */
  patterns: readonly string[];
  /** The same, for words that may also be said of a second value. They do not replace another one. */
  loosePatterns: readonly string[];
  /** How its end is told, in the past tense. Without `{value}` the current value ends: `I quit my job`. */
  endings: readonly string[];
}

/** Attributes in the form that a reader needs. Preparing them takes some time, so keep it. */
export interface Lexicon {
  readonly attributes: readonly ReadableAttribute[];
}

export interface Utterance {
  text: string;
  /** When it was said: "yesterday" is the day before. */
  at: Date;
  /** user: "I" is the user. assistant: "you" is. */
  speaker: 'user' | 'assistant';
  /** IANA name of the time zone whose days are meant. */
  timeZone: string;
}

/**
 * - `holds`: it is true from then on.
 * - `held`: it was true at some time, and whether it still is was not said.
 * - `over`: it was true and no longer is.
 * - `denied`: it is not true, and whether it ever was was not said.
 * - `never`: it was never true.
 * - `cancelled`: it will not become true.
 */
export type Assertion = 'holds' | 'held' | 'over' | 'denied' | 'never' | 'cancelled';

/**
 * - `clear`: it is meant as it is written, and takes the place of another value.
 * - `yields`: it is clear only if no other value is known.
 * - `unclear`: it may not be meant as it is written.
 */
export type Certainty = 'clear' | 'yields' | 'unclear';

/** What an utterance says about one attribute of one subject. */
export interface StatedFact {
  /** `me` is the user. */
  subject: string;
  /** Name of the attribute. */
  attribute: string;
  /** null: the current value, whichever it is. Only for `over`. */
  value: string | null;
  assertion: Assertion;
  certainty: Certainty;
  /** It tells of a change: "I moved to …", "… now", "actually …". */
  isChange: boolean;
  /** It stands beside other values: "I also work at …". */
  isAdded: boolean;
  /** When it began, begins, or ended: the days that were named. Undefined if none were. */
  when?: { from: Date; to: Date } | undefined;
  /** The days were named by their distance from the utterance: "last week". */
  isRelative: boolean;
  /** The days were named with their year: "in 2012". Such a date may tell of the past; "in May" or "last week" tells of what is new. */
  namesYear: boolean;
  /** When it ended, or will, if that was said in addition. */
  until?: Date | undefined;
  /** It was true then and still is: "since 2021". A later value that was known before is outdated. */
  isSince: boolean;
  /** The part of the text that says so. */
  quote: string;
}

/**
 * Reads what somebody states about attributes. Pure and deterministic. Questions, wishes, conditions, jokes and other people's words
 * state nothing. What it returns is a proposal: it decides nothing.
 *
 * Cost: linear in the length of the texts. The event loop is never occupied for long, however many there are.
 * Errors: UNAVAILABLE if it takes too long.
 */
export interface StatementReader {
  prepare(attributes: readonly ReadableAttribute[]): Lexicon;
  /** Returns a list for each utterance, in the order of its text. Every string is accepted. */
  read(utterances: readonly Utterance[], lexicon: Lexicon): Promise<StatedFact[][]>;
}
