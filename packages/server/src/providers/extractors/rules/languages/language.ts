import type { Rule } from '../rule.js';

export type LanguageCode = 'en' | 'de' | 'fr' | 'es';

/** What an introduction of a clause says about its point. */
export interface LeadEffect {
  /** It announces a correction: "actually", "no", "sorry". */
  corrects?: boolean;
  /** Whether, and how strongly, it asks to be remembered. */
  request?: 'none' | 'mention' | 'remember';
}

/** Where the sentences of a language are divided into clauses. */
export interface ClauseGrammar {
  /** Before the start of a new statement. Global. */
  joints: RegExp;
  /** Before the start of a question. Global. */
  questionJoints: RegExp;
  /** A question that asks only for agreement: "…, right?" */
  tagQuestion: RegExp;
  /** The first part of such a sentence makes no sense without the rest. */
  dependentOpening: RegExp;
  /** A joint after which a request to remember still applies. */
  adding: RegExp;
  /** A clause under whose condition alone the next one holds: "when I travel". */
  condition: RegExp;
}

/** Words that say how sure the speaker is. They must not be ordinary words of another language. */
export interface Certainty {
  doubted: RegExp;
  hedged: RegExp;
  softened: RegExp;
  emphasised: RegExp;
}

/** What can be remembered because the user asked for it, although no rule knows the sentence. */
interface RequestedContent {
  /** Contains a verb or another sign of a statement. */
  states: RegExp;
  /** Is about someone or something in particular. */
  concrete: RegExp;
  /** Is not worth remembering: a general truth, a task, or something that is only here. */
  refused: readonly RegExp[];
  /** The introduction ends with a word after which a statement must follow. */
  introduced: RegExp;
  /** "Could you remember …?" */
  askingYou: RegExp;
}

/** A clause that makes sense only with the statement it corrects. The groups `value` and `old` have a meaning. */
interface CorrectionForms {
  corrected: RegExp;
  swapped: RegExp;
}

/** An assistant's supposition, and how a user agrees to it. */
interface ConfirmationForms {
  /** A sentence that says nothing but yes. */
  yes: RegExp;
  /** What may be left out around the supposition: "so", "right?" Global. */
  aside: RegExp;
  /** How a supposition about the user begins. */
  addressed: RegExp;
  /** Turns the second person into the first. */
  toUsersVoice(said: string): string;
}

/** All that the engine has to know about a language. A sentence is read in one language. */
export interface Language {
  code: LanguageCode;
  /** Words of almost every sentence of this language that are rare in the others, in lower case. */
  marks: ReadonlySet<string>;
  rules: readonly Rule[];
  /** Returns the rules to try on a statement. The first match decides, so more specific rules come first. */
  rulesFor(statement: string): readonly Rule[];
  /** Tried in order at the start of a clause, and again after each match. Sticky. */
  leads: readonly [RegExp, LeadEffect][];
  clauses: ClauseGrammar;
  /** A hedge at the beginning says how sure the user is, not what they say. */
  hedgeBefore: RegExp;
  certainty: Certainty;
  /** Where a value ends and the clause moves on to something else. */
  valueEnd: RegExp;
  /** Names what no longer holds, as the group `old`: "instead of X". */
  replaced: RegExp;
  requested: RequestedContent;
  correction: CorrectionForms;
  confirmation: ConfirmationForms;
  /** Says that something has changed. */
  turning: RegExp;
  /** Says that something is in the past. */
  past: RegExp;
  /** Sentences that state nothing about the user: hypothetical, fictional, ironic, or someone else's words. */
  unmeant: readonly RegExp[];
  /** Withdraws the preceding statement. */
  withdrawal: RegExp;
  playBegins: RegExp;
  playEnds: RegExp;
  /** Roles that one person has at a time, so that a new name replaces the old one. */
  soleRoles: ReadonlySet<string>;
  /** A statement whose verb comes first because of its introduction, which is therefore kept. */
  inverted: RegExp | undefined;
  /** Turns time expressions into English ones, which are then resolved. Applied in order. Global. */
  calendar: readonly [RegExp, string][];
  /** Frequent words that do not say what a text is about. */
  stopWords: ReadonlySet<string>;
}

export function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
