import type { Json } from '@memhall/core';
import { contentBlocked } from '../check-requests.js';
import type { ForgetResult, ReadResult, RecallResult, RecallSnippet, RetainResult } from '../provider.js';
import { ProviderInvalid, ProviderUnavailable } from '../provider-errors.js';
import { capExceeded } from '../tier-text.js';
import type { JsonAnswer } from './json-connection.js';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function nonsense(): ProviderUnavailable {
  return new ProviderUnavailable('The memory service gave an answer that makes no sense.');
}

export function readRetained(body: unknown): RetainResult {
  const { id, bytes, warning } = fieldsOf(body);
  if (typeof id !== 'string' || typeof bytes !== 'number') throw nonsense();
  return { id, bytes, ...(typeof warning === 'string' ? { warning } : {}) };
}

export function readText(body: unknown): ReadResult {
  const { id, content, bytes } = fieldsOf(body);
  if (typeof id !== 'string' || typeof content !== 'string' || typeof bytes !== 'number') throw nonsense();
  return { id, content, bytes };
}

export function readRecalled(body: unknown, limit: number): RecallResult {
  const { hits, quarantined } = fieldsOf(body);
  if (!Array.isArray(hits)) throw nonsense();
  const labels = Array.isArray(quarantined) ? quarantined.filter((label) => typeof label === 'string') : [];
  return { hits: hits.slice(0, limit).map(readHit), ...(labels.length === 0 ? {} : { quarantined: labels }) };
}

function readHit(value: unknown): RecallSnippet {
  const { source, snippet, line, score } = fieldsOf(value);
  if (typeof source !== 'string' || typeof snippet !== 'string') throw nonsense();
  return {
    source,
    snippet,
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof score === 'number' ? { score } : {}),
  };
}

export function readForgotten(body: unknown): ForgetResult {
  const { removed, receipt_id: receiptId } = fieldsOf(body);
  if (typeof removed !== 'number') throw nonsense();
  return { removed, ...(typeof receiptId === 'string' ? { receiptId } : {}) };
}

/** In words of ours and numbers of theirs: nothing that a server, or something in front of it, wrote is passed on. */
export function toProviderError({ status, body }: JsonAnswer): ProviderInvalid | ProviderUnavailable {
  const { code, details: given } = fieldsOf(fieldsOf(body).error);
  const details = fieldsOf(given);
  const { tier, cap, projected, current, category, rule } = details;
  if (code === 'TIER_CAP_EXCEEDED') {
    return capExceeded({
      tier: wordOf(tier),
      cap: Number(cap),
      projected: Number(projected),
      current: Number(current),
    });
  }
  if (code === 'CONTENT_BLOCKED') return contentBlocked({ category: wordOf(category), rule: wordOf(rule) });
  if (code === 'LEGAL_HOLD') {
    return new ProviderInvalid('LEGAL_HOLD', 'A legal hold keeps this from being removed. Nothing was removed.');
  }
  if (status === 403) return new ProviderInvalid('FORBIDDEN', 'The token does not reach that far: workspace or role.');
  if (status === 413) return new ProviderInvalid('PAYLOAD_TOO_LARGE', 'The text is larger than the server takes.');
  if (status === 400 || status === 422)
    return new ProviderInvalid('INVALID_REQUEST', 'The server refuses the request.', codeOf(code));
  if (status === 401) return new ProviderUnavailable('The memory service does not accept the token.');
  return new ProviderUnavailable(`The memory service refused the call (${status}).`);
}

/** What is wrong with a server by its health; undefined: nothing. */
export function findHealthFault({ status, body }: JsonAnswer): string | undefined {
  const { ok, message } = fieldsOf(body);
  if (status !== 200) return `${status} from the server`;
  if (ok === true) return undefined;
  return typeof message === 'string' && /^[\w ,.:'-]{1,200}$/.test(message) ? message : 'the server is not well';
}

function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : 'unknown';
}

function codeOf(code: unknown): Record<string, Json> {
  return typeof code === 'string' && /^[A-Z_]{1,64}$/.test(code) ? { code } : {};
}
