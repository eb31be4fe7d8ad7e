export const scanCategories = [
  'prompt_injection',
  'exfiltration',
  'persistence',
  'invisible_unicode',
  'base64_obfuscation',
] as const;

export type ScanCategory = (typeof scanCategories)[number];

/** Why a text must not reach a model. It never holds a piece of the text: reports are read by models as well. */
export interface ScanVerdict {
  category: ScanCategory;
  rule: string;
  /** Where the finding begins in the text as given, in UTF-16 code units. */
  offset: number;
}

/** What every rule says about itself; `refuses` and `passes` are examples that the tests run. */
export interface RuleDescription {
  id: string;
  category: ScanCategory;
  refuses: readonly string[];
  passes: readonly string[];
}

/** A rule that matched at a place in the folded text. */
export interface Finding {
  rule: RuleDescription;
  foldedOffset: number;
}
