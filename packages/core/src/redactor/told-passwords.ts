import type { SecretSpan } from './secret-label.js';
import { startsWord } from './starts-word.js';

const frame = '(?:(?:is |was |has been )?(?:set|changed|reset) to|is|was)(?:[ \\t]{0,4}:)?[ \\t]{1,4}(?=[^\\s\\0])';
const told = new RegExp(`(?:pass(?:word|phrase|code)|pin) ${frame}`, 'gi');
const quoted = /["'`\u201c\u201e\u00ab]([^"'`\u201d\u201c\u00bb\r\n\0]{1,200})["'`\u201d\u201c\u00bb]/y;
const bare = /[^\s\0]{1,200}/y;
const sentenceEnd = /[.,;:!?)\]}>"']{1,10}$/;
/** "The password is sha256-hashed." */
const method = /^(?:sha|md|aes|rsa|argon|base|utf|v)[-_]?[0-9]/i;

/** Finds passwords told in a sentence: "my password is hunter2". What follows must not be an ordinary word. */
export function findToldPasswords(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { 0: words, index } of text.matchAll(told)) {
    if (!startsWord(text, index)) continue;
    const from = index + words.length;
    const end = endOfQuoted(text, from) ?? endOfBare(text, from, /^pin/i.test(words));
    if (end !== undefined) spans.push({ label: 'SECRET', start: index, end });
  }
  return spans;
}

function endOfQuoted(text: string, from: number): number | undefined {
  quoted.lastIndex = from;
  return quoted.test(text) ? quoted.lastIndex : undefined;
}

/** A password that is not in quotes has a digit and, unless it is a PIN, a letter; words and numbers do not. */
function endOfBare(text: string, from: number, isPin: boolean): number | undefined {
  bare.lastIndex = from;
  const value = bare.exec(text)?.[0].replace(sentenceEnd, '') ?? '';
  const looksRight = isPin ? /^[0-9]{4,12}$/.test(value) : /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  return looksRight && value.length >= 4 && !method.test(value) ? from + value.length : undefined;
}
