/** The tiers of a provider's memory. */
export const tiers = ['AGENT', 'CREW', 'PERSONA', 'pins', 'daily', 'peers', 'lessons'] as const;

export type Tier = (typeof tiers)[number];

/** Tiers that hold one text per key. The others hold a single text and ignore the key. */
type KeyedTier = 'daily' | 'peers';

const slug = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/;

export function isTier(value: unknown): value is Tier {
  return tiers.includes(value as Tier);
}

function isKeyed(tier: Tier): tier is KeyedTier {
  return tier === 'daily' || tier === 'peers';
}

/** Returns why a key cannot be used in a tier, as the end of a sentence that starts with "key". Undefined if it can. */
export function findKeyFault(tier: Tier, key: string | undefined): string | undefined {
  if (!isKeyed(tier)) return undefined;
  if (key === undefined || key === '') return `is required for ${tier}: ${examples[tier]}`;
  if (/[/\\]|\.\.|\p{Cc}/u.test(key)) return 'must not contain /, \\, .. or control characters';
  const fits = tier === 'daily' ? isDate(key) : slug.test(key);
  return fits ? undefined : `must be ${examples[tier]}`;
}

const examples: Record<KeyedTier, string> = {
  daily: 'a date such as 2026-05-21',
  peers: 'a name of 1 to 64 letters, digits, dots, hyphens and underscores, such as lena-k',
};

/**
 * Returns the name of a tier's text relative to its owner: `AGENT.md`, `daily/2026-05-21.md`. Same for all providers.
 */
export function toTierLabel(tier: Tier, key: string | undefined): string {
  return isKeyed(tier) ? `${tier}/${key}.md` : `${tier}.md`;
}

/** Returns the tier and key of a label. Undefined if no tier has a text with this name. */
export function fromTierLabel(label: string): { tier: Tier; key: string | undefined } | undefined {
  const [, name, key] = /^([A-Za-z]+)(?:\/([^/]+))?\.md$/.exec(label) ?? [];
  if (!isTier(name) || isKeyed(name) !== (key !== undefined)) return undefined;
  return findKeyFault(name, key) === undefined ? { tier: name, key } : undefined;
}

function isDate(key: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(key)) return false;
  const date = new Date(`${key}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(key);
}
