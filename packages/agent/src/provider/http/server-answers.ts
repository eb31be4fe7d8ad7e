import type { Json } from '@memhall/core';
import { contentBlocked } from '../check-requests.js';
import type { ForgetResult, ReadResult, RecallResult, RecallSnippet, RetainResult } from '../provider.js';
import { ProviderInvalid, ProviderUnavailable } from '../provider-errors.js';
import { capExceeded } from '../tier-text.js';
import type { JsonResponse } from './json-connection.js';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function malformed(): ProviderUnavailable {
  return new ProviderUnavailable('The memory service sent a malformed response.');
}

export function readRetained(body: unknown): RetainResult {
  const { id, bytes, warning } = fieldsOf(body);
  if (typeof id !== 'string' || typeof bytes !== 'number') throw malformed();
  return { id, bytes, ...(typeof warning === 'string' ? { warning } : {}) };
}

export function readText(body: unknown): ReadResult {
  const { id, content, bytes } = fieldsOf(body);
  if (typeof id !== 'string' || typeof content !== 'string' || typeof bytes !== 'number') throw malformed();
  return { id, content, bytes };
}

export function readRecalled(body: unknown, limit: number): RecallResult {
  const { hits, quarantined } = fieldsOf(body);
  if (!Array.isArray(hits)) throw malformed();
  const labels = Array.isArray(quarantined) ? quarantined.filter((label) => typeof label === 'string') : [];
  return { hits: hits.slice(0, limit).map(readHit), ...(labels.length === 0 ? {} : { quarantined: labels }) };
}

function readHit(value: unknown): RecallSnippet {
  const { source, snippet, line, score } = fieldsOf(value);
  if (typeof source !== 'string' || typeof snippet !== 'string') throw malformed();
  return {
    source,
    snippet,
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof score === 'number' ? { score } : {}),
  };
}

export function readForgotten(body: unknown): ForgetResult {
  const { removed, receipt_id: receiptId } = fieldsOf(body);
  if (typeof removed !== 'number') throw malformed();
  return { removed, ...(typeof receiptId === 'string' ? { receiptId } : {}) };
}

/** Uses fixed messages and numbers from the response. Never passes on text written by the server or a proxy. */
export function toProviderError({ status, body }: JsonResponse): ProviderInvalid | ProviderUnavailable {
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
    return new ProviderInvalid('LEGAL_HOLD', 'A legal hold prevents the removal. Nothing was removed.');
  }
  if (status === 403)
    return new ProviderInvalid('FORBIDDEN', 'The token lacks access to this workspace, or lacks a role.');
  if (status === 413) return new ProviderInvalid('PAYLOAD_TOO_LARGE', 'The text is larger than the server allows.');
  if (status === 400 || status === 422)
    return new ProviderInvalid('INVALID_REQUEST', 'The server rejected the request.', codeOf(code));
  if (status === 401) return new ProviderUnavailable('The memory service rejected the token.');
  return new ProviderUnavailable(`The memory service rejected the request (${status}).`);
}

/** Returns the fault in a server's health response. Undefined if it is healthy. */
export function findHealthFault({ status, body }: JsonResponse): string | undefined {
  const { ok, message } = fieldsOf(body);
  if (status !== 200) return `the server responded with status ${status}`;
  if (ok === true) return undefined;
  return typeof message === 'string' && /^[\w ,.:'-]{1,200}$/.test(message) ? message : 'the server is unhealthy';
}

function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : 'unknown';
}

function codeOf(code: unknown): Record<string, Json> {
  return typeof code === 'string' && /^[A-Z_]{1,64}$/.test(code) ? { code } : {};
}
