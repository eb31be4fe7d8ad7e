import { describeFault, findKeyFault, fromTierLabel, isTier, type Tier, tiers, toTierLabel } from '@memhall/core';
import type {
  ForgetRequest,
  ProviderOwner,
  ReadRequest,
  RecallRequest,
  RetainMode,
  RetainRequest,
} from './provider.js';
import { retainModes } from './provider.js';
import { ProviderInvalid } from './provider-errors.js';
import { byteLength } from './tier-text.js';

/** Limit per request, so that a tier without a cap cannot grow without bound in one request. */
const maxContentBytes = 1024 * 1024;
const maxQueryCharacters = 20_000;
const maxHits = 20;

export interface Place {
  tier: Tier;
  key: string | undefined;
  label: string;
}

function invalid(message: string): ProviderInvalid {
  return new ProviderInvalid('INVALID_REQUEST', message);
}

function checkOwner(owner: ProviderOwner, request: ProviderOwner): void {
  if (typeof request.workspaceId !== 'string' || request.workspaceId === '') throw invalid('workspaceId is required.');
  for (const name of ['workspaceId', 'agentId', 'crewId'] as const) {
    const named = request[name];
    if (named !== undefined && named !== '' && named !== owner[name]) {
      throw new ProviderInvalid('FORBIDDEN', `${name} is not the one that this provider belongs to.`);
    }
  }
}

function checkPlace({ tier, key }: { tier: unknown; key?: unknown }): Place {
  if (!isTier(tier)) throw invalid(`tier must be one of ${tiers.join(', ')}.`);
  if (key !== undefined && typeof key !== 'string') throw invalid('key must be a string.');
  const fault = findKeyFault(tier, key);
  if (fault !== undefined) throw invalid(`key ${fault}.`);
  return { tier, key, label: toTierLabel(tier, key) };
}

interface CheckedRetain extends Place {
  content: string;
  mode: RetainMode;
}

/**
 * Checks everything that does not depend on the stored text. The scanner is not run here, because its verdict may
 * depend on released texts.
 */
export function checkRetain(owner: ProviderOwner, request: RetainRequest): CheckedRetain {
  checkOwner(owner, request);
  const { mode, content } = request;
  if (!retainModes.includes(mode)) {
    throw invalid(`mode must be one of ${retainModes.join(', ')}; there is no default.`);
  }
  const place = checkPlace(request);
  checkText('content', content);
  if (byteLength(content) > maxContentBytes) {
    throw new ProviderInvalid('PAYLOAD_TOO_LARGE', `content must not exceed ${maxContentBytes} bytes.`);
  }
  return { ...place, mode, content: content.normalize('NFC') };
}

export function contentBlocked({ category, rule }: { category: string; rule: string }): ProviderInvalid {
  return new ProviderInvalid(
    'CONTENT_BLOCKED',
    `The text could manipulate a model that reads it (${category}, ${rule}). Nothing was written. Rephrase it or leave it out.`,
    { category, rule },
  );
}

export function checkRead(owner: ProviderOwner, request: ReadRequest): Place {
  checkOwner(owner, request);
  return checkPlace(request);
}

interface CheckedRecall {
  tier: Tier | undefined;
  query: string;
  limit: number;
}

export function checkRecall(owner: ProviderOwner, request: RecallRequest): CheckedRecall {
  checkOwner(owner, request);
  const { tier, query, limit = maxHits } = request;
  const wanted = tier === undefined || tier === '' ? undefined : tier;
  if (wanted !== undefined && !isTier(wanted)) throw invalid(`tier must be one of ${tiers.join(', ')}, or absent.`);
  checkText('query', query);
  if (query.trim() === '') throw invalid('query must not be blank.');
  if (query.length > maxQueryCharacters) throw invalid(`query must not exceed ${maxQueryCharacters} characters.`);
  if (!Number.isInteger(limit) || limit < 1) throw invalid('limit must be a whole number of at least 1.');
  return { tier: wanted, query, limit: Math.min(limit, maxHits) };
}

/** `place` is undefined if no text can have the given id. */
type CheckedForget = { place: Place | undefined } | { dataSubjectId: string };

export function checkForget(owner: ProviderOwner, request: ForgetRequest): CheckedForget {
  checkOwner(owner, request);
  const { id = '', dataSubjectId = '' } = request;
  if (typeof id !== 'string' || typeof dataSubjectId !== 'string')
    throw invalid('id and dataSubjectId must be strings.');
  if ((id === '') === (dataSubjectId === '')) {
    throw invalid(`Exactly one of id and dataSubjectId must be set, not ${id === '' ? 'neither' : 'both'}.`);
  }
  return id === '' ? { dataSubjectId } : { place: toPlace(id) };
}

/**
 * Checks a request for a provider that cannot forget data subjects. Throws NOT_IMPLEMENTED if the request names one.
 * Returns undefined if no text can have the given id.
 */
export function checkForgetById(kind: string, owner: ProviderOwner, request: ForgetRequest): Place | undefined {
  const checked = checkForget(owner, request);
  if ('place' in checked) return checked.place;
  throw new ProviderInvalid(
    'NOT_IMPLEMENTED',
    `cascade not implemented in ${kind} provider; use POST /v1/provider/forget on a Memhall server.`,
  );
}

function toPlace(id: string): Place | undefined {
  if (/^\/|\\|\.\.|\p{Cc}/u.test(id))
    throw invalid('id must be an id returned by retain, such as daily/2026-05-21.md.');
  const named = fromTierLabel(id);
  return named && { ...named, label: id };
}

function checkText(name: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw invalid(`${name} must be a string.`);
  const fault = describeFault(text);
  if (fault !== undefined) throw invalid(`${name} ${fault}.`);
}
