import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from './redact.js';
import { optionalLabels, type SecretLabel, secretLabels } from './secret-label.js';
import { body, secrets } from './test-support/secrets.js';

/** Texts with secrets and their exact redaction. */
const exact: [name: string, text: string, redacted: string][] = [
  ['an assignment, including the name', 'OPENAI_API_KEY=hunter2', '[REDACTED:API_KEY]'],
  ['an assignment in a sentence', 'run MY_TOKEN=abc now', 'run [REDACTED:TOKEN] now'],
  ['whitespace around the sign', 'export MY_SECRET = abc', 'export [REDACTED:SECRET]'],
  ['a name without a prefix', 'TOKEN=abc', '[REDACTED:TOKEN]'],
  ['a quoted value with spaces', 'MY_SECRET="a b c" next', '[REDACTED:SECRET] next'],
  ['a quoted value with an escaped quote', String.raw`MY_SECRET="a \" b" next`, '[REDACTED:SECRET] next'],
  ['a quoted value over two lines', 'MY_SECRET="a\nb"\nnext', '[REDACTED:SECRET]\nnext'],
  ['a quoted value followed by more characters', 'MY_SECRET="a b"c next', '[REDACTED:SECRET] next'],
  ['a quote that is never closed', 'MY_SECRET="a b\n\nnext', '[REDACTED:SECRET]\n\nnext'],
  ['a value with punctuation', 'MY_TOKEN=a,b;c"d\'e)f next', '[REDACTED:TOKEN] next'],
  ['a value in JSON', '{"x":"MY_TOKEN=abc","y":1}', '{"x":"[REDACTED:TOKEN]","y":1}'],
  [
    'a value in JSON in JSON',
    String.raw`{\"x\":\"MY_TOKEN=abc\",\"y\":1}`,
    String.raw`{\"x\":\"[REDACTED:TOKEN]\",\"y\":1}`,
  ],
  ['lines in a JSON string', String.raw`A_TOKEN=a\nB_SECRET=b\n`, String.raw`[REDACTED:TOKEN]\n[REDACTED:SECRET]\n`],
  ['a JSON member', '{"MY_API_KEY": "a b", "y": 1}', '{[REDACTED:API_KEY], "y": 1}'],
  ['a value that is a name', 'A_TOKEN="B_TOKEN": "a b"', '[REDACTED:TOKEN]'],
  ['an AWS secret access key', `AWS_SECRET_ACCESS_KEY=${body(40)}`, '[REDACTED:SECRET]'],
  ['a password', 'PGPASSWORD=abc', '[REDACTED:SECRET]'],
  ['a parameter of a URL', 'GET /x?access_token=a1b2c3d4e5', 'GET /x?[REDACTED:TOKEN]'],
  ['a lowercase name with a value that is not a word', 'password: "x7Kq-9Zp2!"', '[REDACTED:SECRET]'],
  ['a header', 'Authorization: Bearer abc', 'Authorization: [REDACTED:BEARER_TOKEN]'],
  ['a bearer token without a header', `bearer ${body(24)}`, '[REDACTED:BEARER_TOKEN]'],
  ['a password with an @', 'see postgres://u:p@ss@h/db, then', 'see [REDACTED:DB_URL_WITH_CREDENTIALS], then'],
  ['a password with a slash', 'mysql://root:a/b@h/db', '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['a password with an escape', 'mongodb+srv://u:a%40b@h/db?w=1', '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['a password with a quote', "amqps://u:a'b@h", '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['a password without a user', 'rediss://:pw@h:6379/0', '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['a password as a parameter', 'postgresql://h/db?user=u&password=pw', '[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['a URL in quotes', '"postgresql+asyncpg://u:p@h/db"', '"[REDACTED:DB_URL_WITH_CREDENTIALS]"'],
  ['an assigned URL', 'DATABASE_URL=postgres://u:p@h', 'DATABASE_URL=[REDACTED:DB_URL_WITH_CREDENTIALS]'],
  ['a password that is told', 'My password is hunter2, keep it.', 'My [REDACTED:SECRET], keep it.'],
  ['a password that is told in quotes', 'the password is "Sommer-Wind 7" now', 'the [REDACTED:SECRET] now'],
  ['a password that was changed', 'password was changed to Tr0ub4dor&3.', '[REDACTED:SECRET].'],
  ['a passphrase', 'Passphrase is: correct-Horse9', '[REDACTED:SECRET]'],
  ['a PIN', 'and the pin is 4711.', 'and the [REDACTED:SECRET].'],
  ['padding and slashes', `blob ${body(20)}/${body(12)}+==`, 'blob [REDACTED:BASE64_BLOB]'],
  ['the URL alphabet', `${body(20)}-${body(12)}_${body(9)}`, '[REDACTED:BASE64_BLOB]'],
];

const pem = (type: string, end = '\n') =>
  [`-----BEGIN ${type}PRIVATE KEY-----`, body(64), body(21), `-----END ${type}PRIVATE KEY-----`].join(end);

const privateKeys: [name: string, text: string, redacted: string][] = [
  ['PKCS #8', `a ${pem('')} b`, 'a [REDACTED:PRIVATE_KEY] b'],
  ['RSA', pem('RSA '), '[REDACTED:PRIVATE_KEY]'],
  ['OpenSSH', pem('OPENSSH '), '[REDACTED:OPENSSH_PRIVATE_KEY]'],
  ['CRLF', pem('EC ', '\r\n'), '[REDACTED:PRIVATE_KEY]'],
  ['in a JSON string', `{"key":"${pem('', '\\n')}\\n"}`, '{"key":"[REDACTED:PRIVATE_KEY]\\n"}'],
  ['in JSON in JSON', pem('', '\\\\n'), '[REDACTED:PRIVATE_KEY]'],
  ['in one line', pem('', ' '), '[REDACTED:PRIVATE_KEY]'],
  ['without its end', `${pem('').slice(0, 110)}\n\nNext day.`, '[REDACTED:PRIVATE_KEY]\n\nNext day.'],
  ['cut off in a JSON string', `"${pem('', '\\n').slice(0, 110)}"`, '"[REDACTED:PRIVATE_KEY]"'],
  ['without its start', `Next day:\n${pem('').slice(60)}`, 'Next day:\n[REDACTED:PRIVATE_KEY]'],
  ['one after the other', `${pem('')}\n${pem('')}`, '[REDACTED:PRIVATE_KEY]\n[REDACTED:PRIVATE_KEY]'],
  ['as a value', `MY_SECRET=${pem('')} b`, '[REDACTED:SECRET] b'],
  ['as a quoted value', `MY_SECRET="${pem('')}" b`, '[REDACTED:SECRET] b'],
];

const overlaps: [text: string, label: SecretLabel][] = [
  [`MY_API_KEY=sk-${body(24)}`, 'API_KEY'],
  [`MY_TOKEN=ghp_${body(36)}`, 'TOKEN'],
  [`Bearer ghp_${body(36)}`, 'BEARER_TOKEN'],
  [`MY_SECRET=postgres://u:p@h/db`, 'SECRET'],
  [`postgres://u:ghp_${body(36)}@h/db`, 'DB_URL_WITH_CREDENTIALS'],
  [`sk-or-v1-${body(64)}`, 'SK_TOKEN'],
  [`ctx7sk-${body(32)}`, 'CTX7_TOKEN'],
  [`HF_TOKEN=hf_${body(34)}`, 'TOKEN'],
  [`ghs_1234_eyJ${body(20)}.eyJ${body(30)}.${body(43)}`, 'GITHUB_APP_SERVER_TOKEN'],
];

const harmless = [
  'The answer is 42, and the bearer of bad news waits.',
  'Bearer token authentication with a token: ask the secretary for the secret.',
  'ghp_short sk-short xoxb-short glpat-short AKIASHORT gsk_short xai-short pplx-short vc_short AIzaShort',
  'task-management-system-overview and risk-assessment-framework',
  'highs_and_lows_of_the_stock_market',
  'xai-interpretability-and-explainability',
  'MAX_TOKENS=4096 SECRET="" if (MY_TOKEN === other) TOKEN=\nnext',
  'const token = getToken(request); const secret = await readSecret();',
  'api_key=settings.api_key, password: unchanged',
  'Authorization: Bearer <token>, or Bearer $TOKEN',
  'postgres://localhost:5432/app mysql://root@h/db redis://h:6379 amqp://h mysql://root:@localhost',
  'postgres://h1:5432,h2:5432/db?application_name=a@b postgres://[::1]:5432/db?x=a@b mongodb+srv://user@h/db',
  'postgres://u:[REDACTED:SK_TOKEN]@h MY_TOKEN=[REDACTED:TOKEN] Bearer [REDACTED:JWT]',
  'https://example.com/a/b?c=d#e https://user@example.com/ https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479 F47AC10B-58CC-4372-A567-0E02B2C3D479',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0xE3b0C44298fc1c149afbf4c8996fb92427ae41e4',
  'packages/server/src/surfaces/memoryService2/EpisodicRoutes/Handlers',
  'https://host/Owner/Repo/blob/0123456789abcdef0123456789abcdef01234567/Server/File2',
  'getUserAccountSettingsByOrganizationId2 AbstractSingletonProxyFactoryBean2',
  'test_getUserById_returns404_whenUserIsMissing',
  'Meta-Llama-3-8B-Instruct-Q4_K_M-Preview',
  '-----BEGIN CERTIFICATE----- and -----BEGIN PUBLIC KEY-----, not -----BEGIN PRIVATE KEY-----.',
  'eyJ.eyJ.eyJ is not a token, nor is eyJmore.txt',
  '日本語のテキスト 😀 \ud83d alone',
  '',
  `"integrity": "sha512-${body(60)}/${body(25)}==", "sha256-${body(43)}=" sha1-${body(35)}=`,
  `<img src="data:image/png;base64,iVBORw0KGgo${body(60)}"> url(data:font/woff2;charset=utf-8;base64,${body(80)})`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${body(48)} me@host, ssh-rsa AAAAB3NzaC1yc2EAAA${body(200)}==`,
  `-----BEGIN PUBLIC KEY-----\n${body(64)}\n${body(30)}==\n-----END PUBLIC KEY-----`,
  `-----BEGIN CERTIFICATE-----\\n${body(64)}\\n${body(64)}\\n-----END CERTIFICATE-----`,
  'API_KEY=process.env.API_KEY const MY_TOKEN = process.env["MY_TOKEN"]; MY_SECRET=os.environ["MY_SECRET"]',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable in a text
  'API_KEY=${API_KEY} export MY_TOKEN=$MY_TOKEN MY_SECRET=${{ secrets.MY_SECRET }} X_TOKEN=import.meta.env.X_TOKEN',
  'OPENAI_API_KEY=<your-key> MY_TOKEN=your_token_here API_KEY="YOUR_API_KEY" A_SECRET=xxxxxxxx B_SECRET=****** C_TOKEN=...',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable in a text
  'postgres://user:password@localhost:5432/app mysql://root:<password>@db/app redis://:${REDIS_PASSWORD}@cache:6379',
  'The password is required. Your password is too short! The PIN is wrong, the password is stored as a hash.',
  'hf_short dop_v1_short AGE-SECRET-KEY-1SHORT',
];

describe('redact', () => {
  it.each(Object.entries(secrets))('replaces %s, alone and between words', (label, examples) => {
    for (const secret of examples) {
      expect(redact(secret)).toEqual({ text: `[REDACTED:${label}]`, found: { [label]: 1 } });
      for (const [before, after] of [
        [' ', ' '],
        ['"', '"'],
        ['(', ')'],
        ['日本', '語'],
        ['😀', '😀'],
        ['\ud83d', '\ude00'],
      ] as const) {
        expect(redact(`see ${before}${secret}${after}.`).text).not.toContain(secret.slice(-12));
      }
    }
  });

  it('has an example for every label', () => {
    const optional: readonly string[] = optionalLabels;
    expect(Object.keys(secrets)).toEqual(secretLabels.filter((label) => !optional.includes(label)));
  });

  it.each(exact)('replaces %s', (_, text, redacted) => expect(redact(text).text).toBe(redacted));

  it.each(privateKeys)('replaces a private key: %s', (_, text, redacted) => expect(redact(text).text).toBe(redacted));

  it.each(overlaps)('uses the first matching label for %s', (text, label) =>
    expect(redact(text)).toEqual({ text: `[REDACTED:${label}]`, found: { [label]: 1 } }),
  );

  it.each(harmless)('leaves alone: %s', (text) => expect(redact(text)).toEqual({ text, found: {} }));

  it.each([
    `sha512-of-this ${body(40)}`,
    `data:image/png;base64, ${body(40)}`,
    `ssh-ed25519 ${body(40)}`,
    `-----BEGIN PUBLIC KEY-----\nsk-${body(30)}\n-----END PUBLIC KEY-----`,
    `-----BEGIN PUBLIC KEY----- and ${body(40)}`,
    `API_KEY=process.env.API_KEY||${body(20)}`,
    `MY_TOKEN=$${body(20)}`,
    `API_KEY=your${body(20)}`,
    `postgres://user:password${body(9)}@localhost/app`,
  ])('is not misled by what looks harmless: %s', (text) => {
    expect(redact(text).text).toContain('[REDACTED:');
    expect(redact(text).text).not.toContain(body(9));
  });

  it('finds a key after an escape', () => {
    const key = `sk-${body(24)}`;
    for (const before of ['\\n', '\\t', '\\u000a', '%20']) {
      expect(redact(`${before}${key}`).text).toBe(`${before}[REDACTED:SK_TOKEN]`);
    }
  });

  it('counts by label', () => {
    const text = `A_TOKEN=a B_TOKEN=b sk-${body(24)} [REDACTED:JWT]`;
    expect(redact(text)).toEqual({
      text: '[REDACTED:TOKEN] [REDACTED:TOKEN] [REDACTED:SK_TOKEN] [REDACTED:JWT]',
      found: { TOKEN: 2, SK_TOKEN: 1 },
    });
  });
});

const surroundings = fc.string({ unit: 'binary', maxLength: 40 });
const boundary = fc.constantFrom(' ', '\n', '"', "'", '(', '日', '😀', ':', ',', '\\n', '=', '>', '\t');
const oneSecret = fc.constantFrom(...Object.values(secrets).flat());
/** Fragments that rules react to, in any order. */
const fragments = fc.oneof(
  fc.constantFrom(
    ...['A_TOKEN=', 'MY_API_KEY: ', 'token=', '"password": ', 'SECRET', 'Bearer ', 'Authorization: ', '=', '==', '=>'],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      '\\n',
      '\n\n',
    ],
    ...['postgres://', 'u:p', '@', 'host/db', '?password=', '&', ':', '/', '.', '-', '_', '"', "'", '`', '\\"', '\\'],
    ...[
      'password is ',
      'PIN is: ',
      'process.env.',
      '${',
      'your_',
      'sha512-',
      ';base64,',
      'data:',
      '-----END PUBLIC KEY-----',
    ],
    ...[
      '-----BEGIN PUBLIC KEY-----',
      'ssh-rsa ',
      'AAAAB3NzaC1',
      'hf_',
      'dop_v1_',
      'AGE-SECRET-KEY-1',
      'user:password@',
    ],
    ...['sk-', 'ghp_', 'ghs_', 'eyJ', 'AKIA', 'AIza', 'xoxb-', 'glpat-', 'ya29.', '1//0', 'gsk_', 'xai-', '[', ']'],
    ...['[REDACTED:JWT]', 'words', 'getUserById', '日本', '😀', '\ud83d', ' ', '\t', '\n', '\r\n', '%20', '>', ','],
  ),
  fc.integer({ min: 1, max: 60 }).map(body),
  fc.stringMatching(/^[A-Za-z0-9+/_-]{1,40}$/),
  surroundings,
);
const word = fc.constantFrom(
  ...'the quick brown fox jumps over a lazy dog and keeps every secret token of its bearer in keys 1984 2026'.split(
    ' ',
  ),
);

describe('redact on arbitrary text', () => {
  it('leaves no secret', () => {
    fc.assert(
      fc.property(surroundings, boundary, oneSecret, surroundings, (before, edge, secret, after) => {
        const { text } = redact(`${before}${edge}${secret}${after}`);
        expect(text).not.toContain(secret);
        expect(text).not.toContain(secret.slice(-12));
      }),
      { numRuns: 2000 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 30 }), (parts) => {
        const { text } = redact(parts.join(''));
        expect(redact(text)).toEqual({ text, found: {} });
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps plain words', () => {
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(' ', ', ', '\n', '; ', ' – '), (words, separator) => {
        const text = words.join(separator);
        expect(redact(text)).toEqual({ text, found: {} });
      }),
    );
  });

  it('never keeps long Base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 48, maxLength: 200 }), fc.boolean(), (bytes, forUrls) => {
        const text = Buffer.from(bytes).toString(forUrls ? 'base64url' : 'base64');
        fc.pre(/[A-Z]/.test(text) && /[a-z]/.test(text) && /[0-9]/.test(text) && !/(.)\1{5}/.test(text));
        expect(redact(text).text).toMatch(/^\[REDACTED:[A-Z0-9_]+\]$/);
      }),
    );
  });
});
