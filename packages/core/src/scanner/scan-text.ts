import { decodeBase64 } from './decode-base64.js';
import { findCommand } from './find-command.js';
import { findInvisible, invisibleRules } from './find-invisible.js';
import { findPhrase, toVocabulary } from './find-phrase.js';
import { foldText, traceFold } from './fold-text.js';
import { commandRules } from './rules/command-rules.js';
import { disclosureRules } from './rules/disclosure-rules.js';
import { languagePersonaRule, languageRules } from './rules/language-rules.js';
import { overrideRules } from './rules/override-rules.js';
import { personaRules } from './rules/persona-rules.js';
import type { RuleDescription, ScanVerdict } from './scan-verdict.js';
import { tokenise } from './tokenise.js';

const phraseRules = [...overrideRules, ...personaRules, ...disclosureRules, ...languageRules, languagePersonaRule];
const vocabulary = toVocabulary(phraseRules);
/** Nested base64 is decoded up to this depth. */
const deepest = 3;

/** All rules, with examples of texts that they refuse and pass. */
export const scanRules: readonly RuleDescription[] = [
  ...phraseRules,
  ...commandRules,
  ...Object.values(invisibleRules),
];

/**
 * Returns why a text must not be shown to a model, or undefined. Checks phrases, commands, invisible characters and
 * base64, in this order, and returns the first finding. A finding inside base64 has the category `base64_obfuscation`
 * and the rule that matched inside. Accepts any string, takes time linear in its length and never throws.
 */
export function scanText(text: string): ScanVerdict | undefined {
  return scanAtDepth(text, 0);
}

function scanAtDepth(text: string, depth: number): ScanVerdict | undefined {
  return findInWords(text) ?? (depth === 0 ? findUnseen(text) : undefined) ?? findEncoded(text, depth);
}

function findInWords(text: string): ScanVerdict | undefined {
  const folded = foldText(text);
  const tokens = tokenise(folded);
  let offsets: Uint32Array | undefined;
  const toOffset = (place: number): number => {
    offsets ??= traceFold(text, folded.length);
    return offsets[place] ?? text.length;
  };
  const isCapital = (start: number, end: number): boolean => {
    const original = text.slice(toOffset(start), toOffset(end));
    return original === original.toUpperCase();
  };
  const finding = findPhrase(tokens, vocabulary, isCapital) ?? findCommand(tokens);
  if (finding === undefined) return undefined;
  const { rule, foldedOffset } = finding;
  return { category: rule.category, rule: rule.id, offset: toOffset(foldedOffset) };
}

function findUnseen(text: string): ScanVerdict | undefined {
  const finding = findInvisible(text);
  return finding && { category: finding.rule.category, rule: finding.rule.id, offset: finding.offset };
}

function findEncoded(text: string, depth: number): ScanVerdict | undefined {
  if (depth === deepest) return undefined;
  for (const { text: decoded, offset } of decodeBase64(text)) {
    const verdict = scanAtDepth(decoded, depth + 1);
    if (verdict !== undefined) return { category: 'base64_obfuscation', rule: verdict.rule, offset };
  }
  return undefined;
}
