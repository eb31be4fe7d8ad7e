import type { SecretSpan } from './secret-label.js';

/** The numbers that a network issues: first digits, as a range, and lengths. */
interface Network {
  from: string;
  to: string;
  lengths: readonly number[];
}

/** From Visa to Troy, by the ranges of ISO/IEC 7812 that their cards use. */
const networks: readonly Network[] = [
  network('4', '4', 16, 19),
  network('51', '55', 16),
  network('2221', '2720', 16),
  network('34', '34', 15),
  network('37', '37', 15),
  network('6011', '6011', 16, 19),
  network('644', '659', 16, 19),
  network('300', '305', 14),
  network('3095', '3095', 14),
  network('36', '36', 14, 16),
  network('38', '39', 14, 16),
  network('3528', '3589', 16, 19),
  network('62', '62', 16, 17, 18, 19),
  network('81', '82', 16, 19),
  network('2200', '2204', 16, 17, 18, 19),
  network('50', '50', 16, 19),
  network('56', '58', 16, 19),
  network('6304', '6304', 16, 18, 19),
  network('6759', '6763', 16, 18, 19),
  network('9792', '9792', 16),
];
/** Old Visa cards have 13 digits, as do the bar codes of goods, so they must be called a card. */
const oldVisa = network('4', '4', 13);
const calledCard = /(?:card|visa|kart|carte|tarjeta|cart[aã])[^\d\n]{0,24}$/i;

/** Digits, alone or in groups of three to six with the same sign between them. */
const candidate =
  /(?<![\p{L}\p{N}_+-])(?<!\d[.,])[2-9]\d{2,18}(?:([ \u00a0\u2009-])\d{3,7}(?:\1\d{3,7}){0,4})?(?![\p{L}\p{N}_])(?![.,]\d)/gu;
const groupings = ['4-4-4-4', '4-4-4-4-3', '4-6-5', '4-6-4', '4-4-4-2', '4-3-3-3', '6-10', '6-13'];

function network(from: string, to: string, ...lengths: number[]): Network {
  return { from, to, lengths };
}

/** Finds payment card numbers: the digits of a known network, in its lengths and groups, with a valid check digit. */
export function findCardNumbers(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { 0: written, 1: sign, index } of text.matchAll(candidate)) {
    const groups = sign === undefined ? [written] : written.split(sign);
    const digits = groups.join('');
    const isGrouped = groups.length === 1 || groupings.includes(groups.map(({ length }) => length).join('-'));
    if (isGrouped && isIssued(digits, text.slice(Math.max(0, index - 32), index)) && hasCheckDigit(digits)) {
      spans.push({ label: 'CARD_NUMBER', start: index, end: index + written.length });
    }
  }
  return spans;
}

function isIssued(digits: string, before: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  return networks.some((known) => isOf(digits, known)) || (isOf(digits, oldVisa) && calledCard.test(before));
}

function isOf(digits: string, { from, to, lengths }: Network): boolean {
  const start = digits.slice(0, from.length);
  return start >= from && start <= to && lengths.includes(digits.length);
}

/** Luhn's algorithm: from the right, every second digit is doubled, and the sum is a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 0 ? digit : 2 * digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
