import type { FactKind } from '../../../ports/extractor.js';
import { toPattern } from './phrases.js';

/** How a clause begins; rules are tried only on clauses with their opening. */
export type Opening = 'i' | 'my' | 'we' | 'order' | 'other';

export interface RuleMatch {
  /** The part that a correction would replace; empty if the rule does not define one. */
  value: string;
  /** The clause from its point on. */
  text: string;
  /** What comes before its point. */
  lead: string;
  /** The user never writes capitals, so names cannot be recognized by them. */
  lowerCaseWriter: boolean;
}

export interface Rule {
  id: string;
  kind: FactKind;
  /** Confidence before hedges and emphasis. */
  base: number;
  opening: Opening;
  /** Matches from the point of the clause on; the groups `value` and `role` have a meaning. */
  pattern: RegExp;
  accepts?: ((match: RuleMatch) => boolean) | undefined;
  /** Only one value can be true at a time, so a new one replaces the old one. `%` stands for the group `role`. */
  slot?: string | undefined;
  /** Describes past events: dates without a year are in the past. */
  past?: boolean | undefined;
  /** Its dates recur every year. */
  yearly?: boolean | undefined;
}

type RuleOptions = Pick<Rule, 'accepts' | 'slot' | 'past' | 'yearly'>;

/** `[id, base, pattern, options]`: the format of the rule tables. */
type RuleLine = [id: string, base: number, pattern: string, options?: RuleOptions];

/** Abbreviations used in patterns, in braces: `{name}`. */
export type PatternParts = Readonly<Record<string, string>>;

/** Returns a function that compiles tables of rules written with these abbreviations. */
export function ruleTable(parts: PatternParts) {
  return (kind: FactKind, opening: Opening, lines: readonly RuleLine[]): Rule[] =>
    lines.map(([id, base, pattern, options]) => {
      let compiled: RegExp | undefined;
      return {
        id: `${kind}.${id}`,
        kind,
        base,
        opening,
        ...options,
        // Compiled when it is first tried, because most processes read few languages.
        get pattern() {
          compiled ??= toPattern(`^(?:${expand(pattern, parts)})`);
          return compiled;
        },
      };
    });
}

function expand(pattern: string, parts: PatternParts): string {
  return pattern.replace(/\{([a-z]+)\}/g, (whole, name: string) => parts[name] ?? whole);
}

const nameWord = "\\p{L}[\\p{L}\\p{M}'’-]{0,30}\\.?";

/** Returns a pattern for up to four words of a name, none of which is in the list. Names can have any letters. */
export function namePattern(notInNames: string): string {
  return `(?<value>(?!${notInNames}\\b)${nameWord}(?: (?!${notInNames}\\b)${nameWord}){0,3})`;
}

/** True if the value starts with a capital, or its author uses none. Text in all capitals does not count. */
export function isProper({ value, text, lowerCaseWriter }: RuleMatch): boolean {
  if (lowerCaseWriter) return !toPattern(/^(?:the|an?|my|your|this|that|to|be|it|not|so|in|on|at)\b/).test(value);
  return /^(?:the )?[\p{Lu}\p{Lo}]/u.test(value) && /\p{Ll}|\p{Lo}/u.test(text);
}
