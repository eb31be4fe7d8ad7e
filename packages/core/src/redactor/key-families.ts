import type { SecretLabel, SecretSpan } from './secret-label.js';
import { startsWord } from './starts-word.js';

/** Keys that are recognized by their prefix. */
interface KeyFamily {
  label: SecretLabel;
  prefixes: readonly string[];
  /** Matches the text after the prefix. Takes every possible letter and digit, so that no part of a key is left. */
  body: RegExp;
}

const solid = /[A-Za-z0-9]{20,}[A-Za-z0-9_-]*/y;
const github = /[A-Za-z0-9_]{16,}[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]{16,}){0,2}/y;

const keyFamilies: readonly KeyFamily[] = [
  { label: 'GITHUB_PAT', prefixes: ['ghp_'], body: github },
  { label: 'GITHUB_OAUTH', prefixes: ['gho_'], body: github },
  { label: 'GITHUB_APP_SERVER_TOKEN', prefixes: ['ghs_'], body: github },
  { label: 'GITHUB_APP_USER_TOKEN', prefixes: ['ghu_'], body: github },
  { label: 'GITHUB_REFRESH_TOKEN', prefixes: ['ghr_'], body: github },
  { label: 'GITHUB_FINEGRAINED_PAT', prefixes: ['github_pat_'], body: github },
  { label: 'VERCEL_TOKEN', prefixes: ['vc_', 'vcp_', 'vci_', 'vca_', 'vcr_', 'vck_', 'vercel_'], body: solid },
  { label: 'AWS_ACCESS_KEY_ID', prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: /[A-Z0-9]{16}[A-Za-z0-9]*/y },
  { label: 'PERPLEXITY_API_KEY', prefixes: ['pplx-'], body: solid },
  { label: 'SK_TOKEN', prefixes: ['sk-'], body: /[A-Za-z0-9_-]{16,}/y },
  { label: 'CTX7_TOKEN', prefixes: ['ctx7sk-', 'ctx7sk_', 'ctx7-', 'ctx7_'], body: /[A-Za-z0-9_-]{16,}/y },
  {
    label: 'SLACK_TOKEN',
    prefixes: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-', 'xwfp-'],
    body: /[A-Za-z0-9%+/=_-]{12,}/y,
  },
  { label: 'SLACK_TOKEN', prefixes: ['xoxe.xoxb-', 'xoxe.xoxp-'], body: /[A-Za-z0-9_-]{12,}/y },
  {
    label: 'SLACK_TOKEN',
    prefixes: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    body: /[A-Za-z0-9/_-]{16,}/y,
  },
  { label: 'GOOGLE_API_KEY', prefixes: ['AIza'], body: /[A-Za-z0-9_-]{30,}/y },
  { label: 'GOOGLE_OAUTH_TOKEN', prefixes: ['ya29.', 'GOCSPX-', '1//0'], body: /[A-Za-z0-9_.-]{20,}/y },
  {
    label: 'GITLAB_TOKEN',
    prefixes: ['agent', 'cbt', 'dt', 'ffct', 'ft', 'imt', 'oas', 'pat', 'ptt', 'rt', 'rtr', 'soat', 'wt'].map(
      (kind) => `gl${kind}-`,
    ),
    body: /[A-Za-z0-9_-]{16,}(?:\.[a-z0-9]{2,16}){0,2}[A-Za-z0-9]*/y,
  },
  { label: 'GITLAB_TOKEN', prefixes: ['GR1348941'], body: /[A-Za-z0-9_-]{16,}/y },
  { label: 'GROQ_API_KEY', prefixes: ['gsk_'], body: solid },
  { label: 'XAI_API_KEY', prefixes: ['xai-'], body: solid },
  { label: 'HUGGING_FACE_TOKEN', prefixes: ['hf_', 'api_org_'], body: solid },
  { label: 'DIGITALOCEAN_TOKEN', prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: /[a-z0-9]{40,}[A-Za-z0-9]*/y },
  { label: 'AGE_SECRET_KEY', prefixes: ['AGE-SECRET-KEY-1'], body: /[A-Z0-9]{50,}[A-Za-z0-9]*/y },
];

/** Matches any prefix, trying longer ones first. */
const anyPrefix = new RegExp(
  keyFamilies
    .flatMap(({ prefixes }) => prefixes)
    .sort((a, b) => b.length - a.length)
    .map((prefix) => prefix.replace(/[.+]/g, '\\$&'))
    .join('|'),
  'g',
);
const familyOf = new Map(keyFamilies.flatMap((family) => family.prefixes.map((prefix) => [prefix, family])));

export function findKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  anyPrefix.lastIndex = 0;
  for (let match = anyPrefix.exec(text); match !== null; match = anyPrefix.exec(text)) {
    const [prefix] = match;
    const family = familyOf.get(prefix);
    anyPrefix.lastIndex = match.index + 1;
    if (family === undefined || !startsWord(text, match.index)) continue;
    family.body.lastIndex = match.index + prefix.length;
    if (!family.body.test(text)) continue;
    spans.push({ label: family.label, start: match.index, end: family.body.lastIndex });
    anyPrefix.lastIndex = family.body.lastIndex;
  }
  return spans;
}
