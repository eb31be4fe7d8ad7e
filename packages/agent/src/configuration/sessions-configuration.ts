import { isId } from '@memhall/core';
import { type Fault, isPlainHttpUrl, isTimeout, type Members, readObject, readText } from './read-members.js';
import { SecretText } from './secret-text.js';

const sessionStores = ['disk', 'server'] as const;

export type SessionsConfiguration =
  | { readonly store: 'disk' }
  | {
      readonly store: 'server';
      /** Without a trailing slash. */
      readonly url: string;
      readonly token: SecretText;
      readonly agentId: string;
      /** The user that a service token acts for. */
      readonly userId?: string;
      readonly timeoutMs: number;
    };

const path = 'memory.sessions';
const serverMembers = ['url', 'token', 'agentId', 'userId', 'timeoutSeconds'];
const longestAgentId = 100;

/**
 * Reads `memory.sessions`. The members of a server are ignored if the sessions are on disk. If no URL is given, the sessions are in
 * `memory.server`, with its token and user.
 */
export function readSessions(section: unknown, fault: Fault, server?: unknown): SessionsConfiguration {
  const given = readObject(path, section, ['store', ...serverMembers], fault);
  const members = given.url === undefined ? { ...placeOf(server), ...given } : given;
  const store = sessionStores.find((known) => known === (members.store ?? 'disk'));
  if (store === undefined) fault(`${path}.store`, `must be one of ${sessionStores.join(', ')}`);
  if (store !== 'server') return { store: 'disk' };
  return Object.freeze({
    store,
    url: readUrl(members.url, fault),
    token: members.token instanceof SecretText ? members.token : readToken(members.token, fault),
    agentId: readId('agentId', members.agentId ?? 'beaver', longestAgentId, fault),
    ...(members.userId === undefined ? {} : { userId: readId('userId', members.userId, 128, fault) }),
    timeoutMs: readTimeout(members.timeoutSeconds ?? 10, fault),
  });
}

function placeOf(server: unknown): Members {
  if (typeof server !== 'object' || server === null) return {};
  const { url, token, userId } = server as Members;
  return { url, token, userId };
}

function readUrl(value: unknown, fault: Fault): string {
  const url = readText(`${path}.url`, value, fault);
  if (url !== '' && !isPlainHttpUrl(url)) {
    fault(`${path}.url`, 'must be an http(s) URL without user, password, query or fragment');
  }
  return url.replace(/\/+$/, '');
}

function readToken(value: unknown, fault: Fault): SecretText {
  return new SecretText(readText(`${path}.token`, value, fault), 'TOKEN');
}

function readId(name: string, value: unknown, maxLength: number, fault: Fault): string {
  if (typeof value === 'string' && isId(value) && value.length <= maxLength) return value;
  fault(`${path}.${name}`, `must have 1 to ${maxLength} of the characters A-Z a-z 0-9 . _ : @ -`);
  return '';
}

function readTimeout(value: unknown, fault: Fault): number {
  if (typeof value === 'number' && isTimeout(value)) return Math.ceil(value * 1000);
  fault(`${path}.timeoutSeconds`, 'must be above 0 and at most one day');
  return 0;
}
