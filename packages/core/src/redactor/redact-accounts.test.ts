import { describe, expect, it } from 'vitest';
import { redact } from './redact.js';
import { redactJson, redactValues } from './redact-json.js';
import { optionalLabels } from './secret-label.js';

function redacted(text: string): string {
  return redact(text, optionalLabels).text;
}

describe('card numbers', () => {
  it.each([
    ['Visa', '4111111111111111'],
    ['Visa in groups', '4111 1111 1111 1111'],
    ['Visa with hyphens', '4111-1111-1111-1111'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the second range', '2223003122003222'],
    ['American Express', '378282246310005'],
    ['American Express in groups', '3782 822463 10005'],
    ['Discover', '6011111111111117'],
    ['Diners Club', '3056 930902 5904'],
    ['JCB', '3530111333300000'],
    ['UnionPay of 19 digits', '6205500000000000004'],
  ])('are redacted if asked for: %s', (_name, number) => {
    expect(redact(`Use ${number}, please.`).text).toBe(`Use ${number}, please.`);
    expect(redact(`Use ${number}, please.`, ['IBAN']).text).toBe(`Use ${number}, please.`);
    expect(redact(`Use ${number}, please.`, ['CARD_NUMBER'])).toEqual({
      text: 'Use [REDACTED:CARD_NUMBER], please.',
      found: { CARD_NUMBER: 1 },
    });
  });

  it('of 13 digits are redacted only if they are called a card', () => {
    expect(redacted('EAN 4222222222222')).toBe('EAN 4222222222222');
    expect(redacted('card 4222222222222')).toBe('card [REDACTED:CARD_NUMBER]');
  });

  it.each([
    ['a wrong check digit', '4111111111111112'],
    ['an unknown network', '1111111111111117'],
    ['a wrong length', '41111111111111113'],
    ['odd groups', '41 1111 1111 1111 11'],
    ['different signs', '4111-1111 1111-1111'],
    ['letters around it', 'x4111111111111111'],
    ['a longer number', '94111111111111111100'],
    ['a fraction', '0.4111111111111111'],
    ['a repeated digit', '4444444444444444'],
  ])('are not seen in %s', (_name, text) => {
    expect(redacted(text)).toBe(text);
  });
});

describe('bank accounts', () => {
  it.each([
    ['Germany', 'DE89370400440532013000'],
    ['Germany in groups', 'DE89 3704 0044 0532 0130 00'],
    ['Great Britain', 'GB29 NWBK 6016 1331 9268 19'],
    ['Norway', 'NO9386011117947'],
    ['Malta', 'MT84MALT011000012345MTLCAST001S'],
    ['France, in small letters', 'fr1420041010050500013m02606'],
  ])('are redacted if asked for: %s', (_name, number) => {
    expect(redact(`Pay to ${number}.`).text).toBe(`Pay to ${number}.`);
    expect(redact(`Pay to ${number}.`, ['CARD_NUMBER']).text).toBe(`Pay to ${number}.`);
    expect(redact(`Pay to ${number}.`, ['IBAN'])).toEqual({ text: 'Pay to [REDACTED:IBAN].', found: { IBAN: 1 } });
  });

  it('end where the number of their country ends', () => {
    expect(redacted('DE89 3704 0044 0532 0130 00 2026')).toBe('[REDACTED:IBAN] 2026');
  });

  it.each([
    ['a wrong checksum', 'DE88370400440532013000'],
    ['a wrong length', 'DE8937040044053201300'],
    ['an unknown country', 'XX89370400440532013000'],
    ['a longer word', 'DE893704004405320130001'],
    ['only its start', 'DE89 3704'],
  ])('are not seen in %s', (_name, text) => {
    expect(redacted(text)).toBe(text);
  });
});

describe('redact', () => {
  it('is idempotent with every label', () => {
    const text = 'Card 4111 1111 1111 1111 and DE89370400440532013000 and API_KEY=abc123def456';
    expect(redacted(redacted(text))).toBe(redacted(text));
  });

  it('passes the labels on to the members of JSON', () => {
    const value = { card: '4111111111111111', list: ['DE89370400440532013000'] };
    const expected = { card: '[REDACTED:CARD_NUMBER]', list: ['[REDACTED:IBAN]'] };
    expect(redactJson(value, optionalLabels).value).toEqual(expected);
    expect(redactValues(value, '', optionalLabels).value).toEqual(expected);
    expect(redactJson(value).value).toEqual(value);
  });
});
