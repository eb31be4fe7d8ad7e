/** Labels of redacted secrets in order of precedence. Where matches overlap, the first of their labels is used. */
export const secretLabels = [
  'API_KEY',
  'TOKEN',
  'SECRET',
  'BEARER_TOKEN',
  'OPENSSH_PRIVATE_KEY',
  'PRIVATE_KEY',
  'DB_URL_WITH_CREDENTIALS',
  'GITHUB_PAT',
  'GITHUB_OAUTH',
  'GITHUB_APP_SERVER_TOKEN',
  'GITHUB_APP_USER_TOKEN',
  'GITHUB_REFRESH_TOKEN',
  'GITHUB_FINEGRAINED_PAT',
  'VERCEL_TOKEN',
  'AWS_ACCESS_KEY_ID',
  'PERPLEXITY_API_KEY',
  'SK_TOKEN',
  'CTX7_TOKEN',
  'SLACK_TOKEN',
  'GOOGLE_API_KEY',
  'GOOGLE_OAUTH_TOKEN',
  'GITLAB_TOKEN',
  'GROQ_API_KEY',
  'XAI_API_KEY',
  'HUGGING_FACE_TOKEN',
  'DIGITALOCEAN_TOKEN',
  'AGE_SECRET_KEY',
  'JWT',
  'CARD_NUMBER',
  'IBAN',
  'BASE64_BLOB',
] as const;

/** Labels that are not secrets everywhere: they are redacted only if the caller asks for it. */
export const optionalLabels = ['CARD_NUMBER', 'IBAN'] as const;

export type OptionalLabel = (typeof optionalLabels)[number];

export type SecretLabel = (typeof secretLabels)[number];

/** A part of a text. `end` is exclusive. */
export interface SecretSpan {
  label: SecretLabel;
  start: number;
  end: number;
}

/** Returns the replacement for a secret. */
export function redactionOf(label: SecretLabel): string {
  return `[REDACTED:${label}]`;
}

export const anyRedaction = new RegExp(`\\[REDACTED:(?:${secretLabels.join('|')})\\]`, 'g');

/**
 * Replaces each character of an earlier redaction before rules see the text. No rule accepts it as part of a secret.
 */
export const redactedBefore = '\0';
