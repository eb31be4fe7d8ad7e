import type { SecretSpan } from './secret-label.js';

/** The length of an IBAN by country, from the registry of SWIFT. */
const lengths: Readonly<Record<string, number>> = toLengths(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18
  FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20
  LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24
  SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`,
);
const start = /(?<![\p{L}\p{N}_])([A-Za-z]{2})[ \u00a0-]?\d{2}/gu;
const longestWritten = 48;
const letterOrDigit = /[\p{L}\p{N}]/u;

function toLengths(list: string): Record<string, number> {
  return Object.fromEntries(list.split(/\s+/).map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]));
}

/** Finds International Bank Account Numbers: the length of their country, in any groups, with a valid checksum. */
export function findBankAccounts(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { 1: country = '', index } of text.matchAll(start)) {
    const length = lengths[country.toUpperCase()];
    const end = length === undefined ? undefined : endOf(text, index, length);
    if (end !== undefined && isValid(text.slice(index, end))) spans.push({ label: 'IBAN', start: index, end });
  }
  return spans;
}

/** Returns where a number of this many letters and digits ends; single spaces and hyphens between them do not count. */
function endOf(text: string, from: number, length: number): number | undefined {
  let count = 0;
  let isAfterSign = false;
  for (let at = from; at < text.length && at < from + longestWritten; at++) {
    const character = text.charAt(at);
    if (/[A-Za-z0-9]/.test(character)) {
      isAfterSign = false;
      if (++count === length) return letterOrDigit.test(text.charAt(at + 1)) ? undefined : at + 1;
    } else if (isAfterSign || !/[ \u00a0-]/.test(character)) return undefined;
    else isAfterSign = true;
  }
  return undefined;
}

/** ISO 13616: with the first four characters moved to the end and letters as numbers, the remainder by 97 is 1. */
function isValid(written: string): boolean {
  const number = written.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
  let remainder = 0;
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
