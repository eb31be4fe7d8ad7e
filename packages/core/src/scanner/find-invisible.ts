import type { RuleDescription } from './scan-verdict.js';

const candidate = /\p{Cf}|\u034f|\u115f|\u1160|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
/** Visible format characters: signs that enclose the number after them. */
const visible = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const joiner = /[\u200c\u200d]/;
const variation = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** Scripts in which joiners affect how letters are drawn. */
const joiningScript =
  /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Mongolian}\p{scx=Nko}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Balinese}\p{scx=Javanese}]/u;
const letterOrMark = /[\p{L}\p{M}]/u;
/** The end of an emoji that another one can be joined to. */
const emojiEnd = /(\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?$/u;
const emojiStart = /^\p{Extended_Pictographic}/u;
/** England, Scotland and Wales: the only flags in use that are spelled with tag characters. */
const flags = ['gbeng', 'gbsct', 'gbwls'].map(
  (code) =>
    `\u{1f3f4}${[...code].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`,
);

export const invisibleRules = {
  format: {
    id: 'format-character',
    category: 'invisible_unicode',
    refuses: ['zero\u200bwidth', 'file\u202egpj.exe', 'soft\u00adhyphen', '\u200djoiner'],
    passes: ['👩‍👩‍👧 family', 'می‌خواهم', 'क्‍या', '❤️'],
  },
  filler: {
    id: 'blank-filler',
    category: 'invisible_unicode',
    refuses: ['a\u3164b', 'a\uffa0b'],
    passes: ['한글', 'a\u3000b'],
  },
  tag: {
    id: 'tag-character',
    category: 'invisible_unicode',
    refuses: ['hi\u{e0068}\u{e0069}'],
    passes: [`flag of Scotland ${flags[1]}`],
  },
  variation: {
    id: 'stray-variation-selector',
    category: 'invisible_unicode',
    refuses: ['x\ufe01\ufe02\ufe03'],
    passes: ['☀️ and ☀︎', '葛󠄀', 'twice ✔\ufe0f\ufe0f'],
  },
} as const satisfies Record<string, RuleDescription>;

/**
 * Finds the first invisible character that no script needs at its position. Works on the original text, not folded
 * text.
 */
export function findInvisible(text: string): { rule: RuleDescription; offset: number } | undefined {
  let allowedUntil = 0;
  for (const { 0: character, index } of text.matchAll(candidate)) {
    if (index < allowedUntil) continue;
    const flag = flags.find((sequence) => text.startsWith(sequence, index - 2));
    if (flag !== undefined) allowedUntil = index - 2 + flag.length;
    else if (!isOrdinary(text, character, index)) return { rule: ruleFor(character), offset: index };
  }
  return undefined;
}

function isOrdinary(text: string, character: string, index: number): boolean {
  if (visible.test(character)) return true;
  const before = characterBefore(text, index);
  // Some editors double the emoji variation selector. A third one, or any other pair, hides data.
  if (variation.test(character)) {
    const isDoubled = before === '\ufe0f' && character === '\ufe0f' && text.charAt(index - 2) !== '\ufe0f';
    return before !== '' && (!variation.test(before) || isDoubled);
  }
  if (!joiner.test(character)) return false;
  const after = text.slice(index + 1, index + 3);
  if (character === '\u200d' && emojiEnd.test(text.slice(Math.max(0, index - 3), index)) && emojiStart.test(after)) {
    return true;
  }
  return joiningScript.test(before) && letterOrMark.test(before);
}

function characterBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index);
  return [...pair].at(-1) ?? '';
}

function ruleFor(character: string): RuleDescription {
  if (/[\u{e0000}-\u{e007f}]/u.test(character)) return invisibleRules.tag;
  if (/[\u115f\u1160\u3164\uffa0]/.test(character)) return invisibleRules.filler;
  return variation.test(character) ? invisibleRules.variation : invisibleRules.format;
}
