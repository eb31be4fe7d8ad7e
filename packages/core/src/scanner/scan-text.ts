import { WordCorrector } from './correct-word.js';
import { findCommand } from './find-command.js';
import { findInvisible, invisibleRules } from './find-invisible.js';
import { findMarkup } from './find-markup.js';
import { findPhrase, toVocabulary } from './find-phrase.js';
import { foldText, traceFold } from './fold-text.js';
import { decodeBase64 } from './readings/decode-base64.js';
import { decodeEscapes } from './readings/decode-escapes.js';
import { decodeNumbers } from './readings/decode-numbers.js';
import { smoothText } from './readings/smooth-text.js';
import { turnLetters } from './readings/turn-letters.js';
import { addressRules } from './rules/address-rules.js';
import { authorityRules } from './rules/authority-rules.js';
import { commandRules } from './rules/command-rules.js';
import { disclosureRules } from './rules/disclosure-rules.js';
import { hiddenRules } from './rules/hidden-rules.js';
import { languagePersonaRule, languageRules } from './rules/language-rules.js';
import { markupRules } from './rules/markup-rules.js';
import { overrideRules } from './rules/override-rules.js';
import { personaRules } from './rules/persona-rules.js';
import type { RuleDescription, ScanVerdict } from './scan-verdict.js';
import { findSignals, signalRule } from './signals/find-signals.js';
import { tokenise } from './tokenise.js';

const phraseRules = [
  ...overrideRules,
  ...personaRules,
  ...disclosureRules,
  ...authorityRules,
  ...addressRules,
  ...hiddenRules,
  ...languageRules,
  languagePersonaRule,
];
const vocabulary = toVocabulary(phraseRules);
const corrector = new WordCorrector(vocabulary.tree.words);
/** Nested base64 is decoded up to this depth. */
const deepest = 3;

/** All rules, with examples of texts that they refuse and pass. */
export const scanRules: readonly RuleDescription[] = [
  ...phraseRules,
  ...markupRules,
  ...commandRules,
  ...Object.values(invisibleRules),
  signalRule,
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
  return findInWords(text) ?? (depth === 0 ? findUnseen(text) : undefined) ?? findDisguised(text, depth);
}

/** @param onlyPhrases whether names of files and variables may be distorted, so that commands cannot be judged */
function findInWords(text: string, onlyPhrases = false): ScanVerdict | undefined {
  const folded = foldText(text);
  const tokens = tokenise(folded);
  const words = tokens.words.map((word) => corrector.correct(word));
  let offsets: Uint32Array | undefined;
  const toOffset = (place: number): number => {
    offsets ??= traceFold(text, folded.length);
    return offsets[place] ?? text.length;
  };
  const isCapital = (start: number, end: number): boolean => {
    const original = text.slice(toOffset(start), toOffset(end));
    return original === original.toUpperCase();
  };
  const finding =
    findPhrase(tokens, words, vocabulary, isCapital) ??
    (onlyPhrases ? undefined : (findCommand(tokens) ?? findMarkup(folded, isCapital))) ??
    findSignals(tokens, words, onlyPhrases ? 'names' : 'text');
  if (finding === undefined) return undefined;
  const { rule, foldedOffset } = finding;
  return { category: rule.category, rule: rule.id, offset: toOffset(foldedOffset) };
}

function findUnseen(text: string): ScanVerdict | undefined {
  const finding = findInvisible(text);
  return finding && { category: finding.rule.category, rule: finding.rule.id, offset: finding.offset };
}

/** Reads the text in other ways: decoded, with markup and separators removed, turned around. */
function findDisguised(text: string, depth: number): ScanVerdict | undefined {
  if (depth === deepest) return undefined;
  for (const { text: decoded, offset } of decodeBase64(text)) {
    const verdict = scanAtDepth(decoded, depth + 1);
    if (verdict !== undefined) return { category: 'base64_obfuscation', rule: verdict.rule, offset };
  }
  for (const { text: decoded, offset } of decodeNumbers(text)) {
    const verdict = scanAtDepth(decoded, depth + 1);
    if (verdict !== undefined) return { ...verdict, offset };
  }
  const decoded = decodeEscapes(text);
  if (decoded !== undefined) {
    const verdict = scanAtDepth(decoded.text, depth + 1);
    if (verdict !== undefined) return { ...verdict, offset: decoded.offsetOf(verdict.offset) };
  }
  const smooth = smoothText(text);
  for (const reading of [...(smooth === undefined ? [] : [smooth]), ...turnLetters(text)]) {
    const verdict = findInWords(reading.text, true);
    if (verdict !== undefined) return { ...verdict, offset: reading.offsetOf(verdict.offset) };
  }
  return undefined;
}
