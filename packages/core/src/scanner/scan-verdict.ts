export const scanCategories = [
  'prompt_injection',
  'exfiltration',
  'persistence',
  'invisible_unicode',
  'base64_obfuscation',
] as const;

export type ScanCategory = (typeof scanCategories)[number];

/** Why a text must not reach a model. Never contains any of the text, because models read reports as well. */
export interface ScanVerdict {
  category: ScanCategory;
  rule: string;
  /** Start of the finding in the original text, in UTF-16 code units. */
  offset: number;
}

/** The description of a rule. The tests check the examples in `refuses` and `passes`. */
export interface RuleDescription {
  id: string;
  category: ScanCategory;
  refuses: readonly string[];
  passes: readonly string[];
}

/** A rule that matched, with its offset in the folded text. */
export interface Finding {
  rule: RuleDescription;
  foldedOffset: number;
}
