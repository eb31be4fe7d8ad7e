import { type MarkupRule, markupRules } from './rules/markup-rules.js';
import type { Finding } from './scan-verdict.js';

/** A token or a tag inside quotation marks that close soon is a mention: `<|im_end|>` ends a turn. */
const opened = /[`"'“„«]\s?(?:<[^<>\s]{1,40}>){0,3}$/;
const closedSoon = /^[^\n]{0,60}?[`"'”“»]/;
const wordsInside = /^\W*(?:\w+\W+){3}/;

/** Returns whether the original text is in capitals between two offsets of the folded text. */
type CapitalTest = (start: number, end: number) => boolean;

/** Finds the first rule for markup that models read as turns of a conversation, tool calls or addresses to fetch. */
export function findMarkup(text: string, isCapital: CapitalTest): Finding | undefined {
  let first: Finding | undefined;
  for (const rule of markupRules) {
    if (!rule.hints.some((hint) => text.includes(hint))) continue;
    const foldedOffset = findFirst(text, rule, isCapital);
    if (foldedOffset !== undefined && foldedOffset < (first?.foldedOffset ?? Number.POSITIVE_INFINITY)) {
      first = { rule, foldedOffset };
    }
  }
  return first;
}

function findFirst(text: string, rule: MarkupRule, isCapital: CapitalTest): number | undefined {
  const isHarmless = rule.harmlessIn?.(text);
  const before = rule.followedBy === undefined ? text.length : lastIndex(text, rule.followedBy);
  for (const pattern of rule.patterns) {
    for (const match of text.matchAll(pattern)) {
      if (match.index >= before) break;
      if (rule.isCapital && !isCapital(match.index, match.index + (match[1] ?? '').length)) continue;
      if (isHarmless?.(match)) continue;
      if (!isMentioned(text, match.index, match.index + match[0].length)) return match.index;
    }
  }
  return undefined;
}

function lastIndex(text: string, pattern: RegExp): number {
  let last = -1;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}

function isMentioned(text: string, start: number, end: number): boolean {
  if (!opened.test(text.slice(Math.max(0, start - 60), start))) return false;
  const rest = text.slice(end, end + 80);
  const close = closedSoon.exec(rest);
  return close !== null && !wordsInside.test(close[0]);
}
