import { isId } from '@memhall/core';
import { type Fault, isPlainHttpUrl, isTimeout, readObject, readText } from './read-members.js';
import { SecretText } from './secret-text.js';

export const recallScopes = ['own', 'shared', 'public'] as const;
export type RecallScope = (typeof recallScopes)[number];

/** A Memhall server that holds everything the user may read, whichever surface wrote it. */
export interface ServerConfiguration {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: SecretText;
  /** The user that a service token acts for. */
  readonly userId?: string;
  readonly scopes: readonly RecallScope[];
  readonly limit: number;
  readonly timeoutMs: number;
}

const path = 'memory.server';
const serverMembers = ['url', 'token', 'userId', 'scopes', 'limit', 'timeoutSeconds'];
const maxLimit = 100;

/** Reads `memory.server`. */
export function readServer(section: unknown, fault: Fault): ServerConfiguration {
  const members = readObject(path, section, serverMembers, fault);
  return Object.freeze({
    url: readUrl(members.url, fault),
    token:
      members.token instanceof SecretText
        ? members.token
        : new SecretText(readText(`${path}.token`, members.token, fault), 'TOKEN'),
    ...(members.userId === undefined ? {} : { userId: readUserId(members.userId, fault) }),
    scopes: readScopes(members.scopes ?? recallScopes, fault),
    limit: readLimit(members.limit ?? 8, fault),
    timeoutMs: readTimeout(members.timeoutSeconds ?? 10, fault),
  });
}

function readUrl(value: unknown, fault: Fault): string {
  const url = readText(`${path}.url`, value, fault);
  if (url !== '' && !isPlainHttpUrl(url)) {
    fault(`${path}.url`, 'must be an http(s) URL without user, password, query or fragment');
  }
  return url.replace(/\/+$/, '');
}

function readUserId(value: unknown, fault: Fault): string {
  if (typeof value === 'string' && isId(value)) return value;
  fault(`${path}.userId`, 'must have 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -');
  return '';
}

function readScopes(value: unknown, fault: Fault): readonly RecallScope[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const scopes = recallScopes.filter((known) => given.includes(known));
  if (given.length === 0 || given.some((name) => !recallScopes.includes(name as RecallScope))) {
    fault(`${path}.scopes`, `must be a list of one or more of ${recallScopes.join(', ')}`);
  }
  return Object.freeze(scopes);
}

function readLimit(value: unknown, fault: Fault): number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxLimit) return value as number;
  fault(`${path}.limit`, `must be a whole number from 1 to ${maxLimit}`);
  return 0;
}

function readTimeout(value: unknown, fault: Fault): number {
  if (typeof value === 'number' && isTimeout(value)) return Math.ceil(value * 1000);
  fault(`${path}.timeoutSeconds`, 'must be above 0 and at most one day');
  return 0;
}
