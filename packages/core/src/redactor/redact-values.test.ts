import { describe, expect, it } from 'vitest';
import { redactValues } from './redact-json.js';

const key = 'sk-abcdefghijklmnopqrstuvwxyz123456';
const random = 'memhall://tenants/t1/users/u-3f2b/snapshots/c1/snp_01M7PEHW4VFNTHGJKK7MHP7HRQ';

describe('redactValues', () => {
  it('redacts strings at any depth and counts them', () => {
    expect(redactValues({ facts: [{ text: `My key is ${key}.` }, 1, null, true] })).toEqual({
      value: { facts: [{ text: 'My key is [REDACTED:SK_TOKEN].' }, 1, null, true] },
      found: { SK_TOKEN: 1 },
    });
  });

  it('keeps the names of members', () => {
    expect(redactValues({ [key]: 'x' })).toEqual({ value: { [key]: 'x' }, found: {} });
  });

  it('takes the name of a member into account, also that of the value itself', () => {
    expect(redactValues({ ACME_TOKEN: 'abc' }).value).toEqual({ ACME_TOKEN: '[REDACTED:TOKEN]' });
    expect(redactValues('abc', 'ACME_TOKEN').value).toBe('[REDACTED:TOKEN]');
    expect(redactValues(['abc'], 'ACME_TOKEN').value).toEqual(['[REDACTED:TOKEN]']);
  });

  it('keeps ids that only look random, but no secret in their place', () => {
    const evidence = { snapshot_uri: random, message_ids: ['msg_abc123DEF456ghi789JKL012mno345'], note: random };
    expect(redactValues({ evidence })).toEqual({
      value: { evidence: { ...evidence, note: 'memhall:[REDACTED:BASE64_BLOB]' } },
      found: { BASE64_BLOB: 1 },
    });
    expect(redactValues([random], 'evidence').value).toEqual([random]);
    expect(redactValues({ message_ids: [key] }).value).toEqual({ message_ids: ['[REDACTED:SK_TOKEN]'] });
  });
});
