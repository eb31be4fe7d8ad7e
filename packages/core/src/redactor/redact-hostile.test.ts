import { describe, expect, it } from 'vitest';
import type { FoundSecrets } from './found-secrets.js';
import { redact } from './redact.js';
import { redactJson } from './redact-json.js';

const million = 1_000_000;
/** A rule that takes time in proportion to the square of it would not finish within a test's time either way. */
const bombSize = process.env.MEMHALL_TEST_LONG === undefined ? million / 4 : million;

/** Repeated near matches. A rule that starts a long scan at each of them would never finish. */
const bombs: [seed: string, found: FoundSecrets | 'some'][] = [
  ['A_', {}],
  ['TOKEN', {}],
  ['A_TOKEN=', { TOKEN: 1 }],
  ['A_TOKEN=\n', {}],
  ['A_TOKEN="" ', {}],
  ['A_TOKEN="', { TOKEN: 1 }],
  ['A_TOKEN="\\', { TOKEN: bombSize / 20 }],
  ['a_token=', {}],
  ['a_token:"', {}],
  ["a_token='a\n\n", {}],
  ['Bearer ', {}],
  ['bearer\tbearer', {}],
  ['-----BEGIN PRIVATE KEY-----', {}],
  ['-----END PRIVATE KEY-----', {}],
  ['-----BEGIN PRIVATE KEY-----\nabc\n', 'some'],
  ['postgres://', {}],
  ['postgres://a:', {}],
  ['postgres://a@b/?', {}],
  ['postgres://h/?password=&', {}],
  ['ghp_', { GITHUB_PAT: 1 }],
  ['ghp_a-', {}],
  ['vc_', {}],
  ['AKIA', { AWS_ACCESS_KEY_ID: 1 }],
  ['pplx-', {}],
  ['sk-', { SK_TOKEN: 1 }],
  ['ctx7-', { CTX7_TOKEN: 1 }],
  ['xoxb-', { SLACK_TOKEN: 1 }],
  ['AIza', { GOOGLE_API_KEY: 1 }],
  ['ya29.', { GOOGLE_OAUTH_TOKEN: 1 }],
  ['glpat-', { GITLAB_TOKEN: 1 }],
  ['gsk_', {}],
  ['xai-', {}],
  ['password is ', {}],
  ['password is "', 'some'],
  ['password is a1', 'some'],
  ['-----BEGIN PUBLIC KEY-----', {}],
  ['-----BEGIN PUBLIC KEY-----\nabc\n', {}],
  ['data:;base64,', {}],
  ['A_TOKEN=${', 'some'],
  ['A_TOKEN=your_', 'some'],
  ['hf_', {}],
  ['AGE-SECRET-KEY-1', {}],
  ['eyJ.', {}],
  ['eyJ-', {}],
  ['eyJaaaaaaaaaaa', {}],
  ['aB3/', 'some'],
  ['wordsWords/', {}],
  ['0123456789abcdefABCDEF', {}],
  ['=', {}],
  ['\\n', {}],
  ['\\', {}],
  ['"', {}],
  [' ', {}],
  ['\ud83d', {}],
];

describe('redact on up to a megabyte of near matches', () => {
  it.each(bombs)('%j', (seed, found) => {
    const text = seed.repeat(Math.ceil(bombSize / seed.length));
    const once = redact(text);
    if (found === 'some') expect(once.text.length).toBeLessThan(text.length);
    else expect(once.found).toEqual(found);
    if (Object.keys(once.found).length === 0) expect(once.text).toBe(text);
    expect(redact(once.text).text).toBe(once.text);
  });
});

/** A single start, followed by a long text that must be read to classify it. */
const longWays: [begin: string, seed: string, end: string, redacted: string | undefined][] = [
  ['MY_TOKEN="', '\\"', '', '[REDACTED:TOKEN]'],
  ['', 'A-', 'TOKEN=x', '[REDACTED:TOKEN]'],
  ['TOKEN', ' ', '=x', undefined],
  ['Bearer ', 'a1.', '', '[REDACTED:BEARER_TOKEN]'],
  ['-----BEGIN PRIVATE KEY-----', 'A', '!', '[REDACTED:PRIVATE_KEY]!'],
  ['-----BEGIN PRIVATE KEY-----', ' ', 'x y', undefined],
  ['-----BEGIN PRIVATE KEY-----', '\n', '-', undefined],
  ['', 'A', '-----END PRIVATE KEY-----', '[REDACTED:PRIVATE_KEY]'],
  ['postgres://u:p@', '-', '', '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['postgres://u:p@', ')', 'x', '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['postgres://', 'h:1,', '/?a@b', undefined],
  ['eyJ', 'a', '', undefined],
  ['eyJ', 'a', '.a.a', undefined],
  ['z', 'z', 'A1', '[REDACTED:BASE64_BLOB]'],
];

describe('redact on a megabyte after a single start', () => {
  it.each(longWays)('%j, %j, %j', (begin, seed, end, redacted) => {
    const text = `${begin}${seed.repeat(bombSize / seed.length)}${end}`;
    expect(redact(text).text === (redacted ?? text)).toBe(true);
  });
});

describe('redactJson', () => {
  it('redacts every string and name, and any value whose name marks it as a secret', () => {
    const value = {
      note: 'A_TOKEN=a',
      list: ['plain', { OPENAI_API_KEY: 'three little words', password: 'unchanged', n: 1, nothing: null, yes: true }],
      'MY_SECRET=b': 2,
      client_secret: 'x7Kq9Zp2Lm',
    };
    const redacted = {
      note: '[REDACTED:TOKEN]',
      list: ['plain', { OPENAI_API_KEY: '[REDACTED:API_KEY]', password: 'unchanged', n: 1, nothing: null, yes: true }],
      '[REDACTED:SECRET]': 2,
      client_secret: '[REDACTED:SECRET]',
    };
    expect(redactJson(value)).toEqual({ value: redacted, found: { TOKEN: 1, API_KEY: 1, SECRET: 2 } });
    expect(redactJson(redacted)).toEqual({ value: redacted, found: {} });
  });
});

describe('redact on a text of many megabytes', () => {
  it('reads runs that are too long for one expression', () => {
    expect(redact('a'.repeat(9 * million)).found).toEqual({});
    const { text } = redact(`${'Ab3dE6gHi9'.repeat(million / 2)} ends`);
    expect(text.replaceAll('[REDACTED:BASE64_BLOB]', '')).toBe(' ends');
  });

  it('finds secrets anywhere in a text of several pieces', () => {
    const key = 'sk-abcdefghijklmnopqrstuvwxyz123456';
    const lines = Array.from({ length: 20 }, (_, number) => `${'plain words '.repeat(9000)}${number} ${key}\n`);
    const long = lines.join('');
    expect(long.length).toBeGreaterThan(2 * million);
    const { text, found } = redact(long);
    expect(found).toEqual({ SK_TOKEN: 20 });
    expect(text).toBe(long.replaceAll(key, '[REDACTED:SK_TOKEN]'));
  });

  it('leaves nothing of a private key that lies across two pieces', () => {
    const body = Array.from(
      { length: 24 },
      (_, number) => `MIIEpAIBAAKCAQEA7bq${number}Xk9Zr3TnUvW0yB4cDfGhJkLmNpQrStVwXyZa`,
    );
    const pem = `-----BEGIN PRIVATE KEY-----\n${body.join('\n')}\n-----END PRIVATE KEY-----`;
    const before = 'plain words '.repeat(Math.floor((2 * million - 600) / 12));
    const { text } = redact(`${before}${pem} and more words`);
    expect(text).not.toMatch(/MIIEpAI/);
    expect(text).toMatch(/ and more words$/);
  });
});
