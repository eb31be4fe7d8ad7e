import type { OptionalLabel, SecretLabel } from '../secret-label.js';

const letters = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zC';

/**
 * Letters and digits as in real keys. Generated at run time, because secret scanners would report literals as leaks.
 */
export function body(length: number): string {
  return letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
}

const capitals = (length: number) => body(length).toUpperCase();
const digits = (length: number) => '4815162342'.repeat(6).slice(0, length);
const pem = (type: string) =>
  `-----BEGIN ${type}PRIVATE KEY-----\n${body(64)}\n${body(30)}==\n-----END ${type}PRIVATE KEY-----`;

/** Examples for each label, in the formats that the issuers use. */
export const secrets: Record<Exclude<SecretLabel, OptionalLabel>, readonly string[]> = {
  API_KEY: [`OPENAI_API_KEY=${body(20)}`, `X_API_KEY="${body(20)}"`, `"X_API_KEY": "${body(20)}"`],
  TOKEN: [`CI_JOB_TOKEN=${body(20)}`, `access_token=${body(20)}`],
  SECRET: [`password is ${body(12)}`, `CLIENT_SECRET=${body(20)}`, `AWS_SECRET_ACCESS_KEY=${body(40)}`],
  BEARER_TOKEN: [`Bearer ${body(20)}`, `bearer ${body(20)}.${body(20)}=`],
  OPENSSH_PRIVATE_KEY: [pem('OPENSSH ')],
  PRIVATE_KEY: [pem(''), pem('RSA '), pem('EC '), pem('ENCRYPTED ')],
  DB_URL_WITH_CREDENTIALS: [
    ...['postgres', 'postgresql', 'mysql', 'mongodb', 'mongodb+srv', 'redis', 'rediss', 'amqp', 'amqps'].map(
      (scheme) => `${scheme}://app:${body(12)}@db.example.com/name`,
    ),
  ],
  GITHUB_PAT: [`ghp_${body(36)}`],
  GITHUB_OAUTH: [`gho_${body(36)}`],
  GITHUB_APP_SERVER_TOKEN: [`ghs_${body(36)}`, `ghs_${digits(6)}_eyJ${body(30)}.eyJ${body(90)}.${body(86)}`],
  GITHUB_APP_USER_TOKEN: [`ghu_${body(36)}`],
  GITHUB_REFRESH_TOKEN: [`ghr_${body(76)}`],
  GITHUB_FINEGRAINED_PAT: [`github_pat_${body(22)}_${body(59)}`],
  VERCEL_TOKEN: ['vc', 'vcp', 'vci', 'vca', 'vcr', 'vck', 'vercel'].map((prefix) => `${prefix}_${body(24)}`),
  AWS_ACCESS_KEY_ID: ['AKIA', 'ASIA'].map((prefix) => `${prefix}${capitals(16)}`),
  PERPLEXITY_API_KEY: [`pplx-${body(48)}`],
  SK_TOKEN: ['sk-', 'sk-proj-', 'sk-ant-api03-', 'sk-or-v1-'].map((prefix) => `${prefix}${body(48)}`),
  CTX7_TOKEN: [`ctx7sk-${body(8)}-${body(4)}-${body(12)}`, `ctx7_${body(32)}`],
  SLACK_TOKEN: [
    `xoxb-${digits(12)}-${digits(13)}-${body(24)}`,
    `xoxp-${digits(12)}-${digits(12)}-${body(32)}`,
    `xapp-1-${capitals(11)}-${digits(13)}-${body(64)}`,
    `xoxe.xoxp-1-${body(146)}`,
    `hooks.slack.com/services/${capitals(9)}/${capitals(11)}/${body(24)}`,
  ],
  GOOGLE_API_KEY: [`AIza${body(35)}`],
  GOOGLE_OAUTH_TOKEN: [`ya29.${body(60)}`, `GOCSPX-${body(28)}`, `1//0${body(60)}`],
  GITLAB_TOKEN: [`glpat-${body(20)}`, `gldt-${body(20)}`, `glpat-${body(27)}.01.${body(9).toLowerCase()}`],
  GROQ_API_KEY: [`gsk_${body(52)}`],
  XAI_API_KEY: [`xai-${body(80)}`],
  HUGGING_FACE_TOKEN: [`hf_${body(34)}`, `api_org_${body(34)}`],
  DIGITALOCEAN_TOKEN: ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => `${prefix}${body(64).toLowerCase()}`),
  AGE_SECRET_KEY: [`AGE-SECRET-KEY-1${capitals(58)}`],
  JWT: [
    `eyJ${body(33)}.eyJ${body(40)}.${body(43)}`,
    `eyJ${body(17)}.eyJ${body(20)}.`,
    `eyJ${body(30)}..${body(16)}.${body(40)}.${body(22)}`,
    `eyJ${body(33)}.eyJ${body(20)}`,
  ],
  BASE64_BLOB: [body(33), `${body(40)}==`, `${body(24)}/${body(20)}+${body(8)}=`],
};
