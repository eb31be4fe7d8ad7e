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
/** Base64 inside base64 is looked into this many times. */
const deepest = 3;

/** Every rule there is, with examples of what it refuses and what it lets pass. */
export const scanRules: readonly RuleDescription[] = [
  ...phraseRules,
  ...commandRules,
  ...Object.values(invisibleRules),
];

/**
 * Why a text must not be shown to a model, or undefined. The first finding counts, in the order: phrases, commands,
 * invisible characters, base64. What is found in base64 has the category `base64_obfuscation` and the rule that was
 * met inside. Takes any string and time in proportion to its length; never throws.
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
