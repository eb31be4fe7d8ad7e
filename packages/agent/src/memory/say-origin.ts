import type { RecallResult } from '@memhall/client/one-memory';

const speakers: Readonly<Record<string, string>> = {
  assistant: 'said by the assistant',
  system: 'said by the system',
  tool: 'returned by a tool',
};

/** Who wrote something for the user that is not in the user's own words. */
const writers: Readonly<Record<string, string>> = {
  agent: 'noted for the user by an agent',
  tool: 'noted for the user by a tool',
  external: 'kept for the user from an outside source',
};

/**
 * Returns in words where a memory comes from: who said or wrote it, where, when, and whether these are somebody else's words. The user
 * is not named, others are.
 */
export function sayOrigin(result: RecallResult): string {
  const said = [`${result.own ? sayOwn(result) : sayForeign(result)}${sayMoment(result.occurred_at)}`];
  return [...said, ...(result.own ? [] : ["somebody else's words"])].join(', ');
}

function sayOwn(result: RecallResult): string {
  const { origin, kind, trust } = result;
  const { role = '' } = origin;
  const place = sayPlace(result);
  if (place !== undefined) return place;
  if (kind === 'event') return 'summary of a conversation';
  if (role in speakers) return speakers[role] ?? '';
  return writers[trust] ?? (role === 'user' ? 'said by the user' : 'noted by the user');
}

function sayForeign(result: RecallResult): string {
  const { origin } = result;
  const author = origin.author === '' ? 'an unknown author' : origin.author;
  const { role = '' } = origin;
  const verb = role === 'user' ? 'said' : 'written';
  return [sayPlace(result), speakers[role] ?? `${verb} by ${author}`].filter((part) => part !== undefined).join(', ');
}

function sayPlace({ origin, own }: RecallResult): string | undefined {
  const { resource, tier, document, namespace } = origin;
  if (resource !== undefined) return resource.title === null ? 'file' : `file "${resource.title}"`;
  if (tier !== undefined) return `notes of the workspace (${tier.label})`;
  if (document !== undefined) return `document ${document.namespace}/${document.path} of the user`;
  if (own) return undefined;
  return namespace === undefined ? 'public knowledge' : `shared in ${namespace}`;
}

function sayMoment(occurredAt: string): string {
  return ` on ${occurredAt.slice(0, 10)} at ${occurredAt.slice(11, 16)} UTC`;
}
