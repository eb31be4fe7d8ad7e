import { isId } from '@memhall/core';
import type { ProviderOwner } from '../provider/provider.js';
import {
  collectFaults,
  type Fault,
  isPlainHttpUrl,
  isTimeout,
  type Members,
  readObject,
  readText,
} from './read-members.js';
import { SecretText } from './secret-text.js';

export const providerKinds = ['local', 'http', 'plugin'] as const;
export type ProviderKind = (typeof providerKinds)[number];

interface RemoteConfiguration {
  readonly url: string;
  readonly timeoutMs: number;
}

export type ProviderConfiguration = { readonly owner: ProviderOwner } & (
  | {
      readonly provider: 'local';
      readonly root: string;
      readonly crewRoot: string | undefined;
      readonly lockTimeoutMs: number;
    }
  | ({ readonly provider: 'http'; readonly token: SecretText } & RemoteConfiguration)
  | ({ readonly provider: 'plugin'; readonly token: SecretText | undefined } & RemoteConfiguration)
);

/** Members of the section `memory` that configure the provider. */
export const providerMembers = ['provider', 'workspaceId', 'agentId', 'crewId', ...providerKinds];

const seconds = 'must be above 0 and at most one day';

/**
 * Parses the provider settings of the section `memory`: the provider, its owner and the block with the provider's name.
 * Blocks of other providers are ignored. Throws one StartUpError that names every invalid member but no values.
 */
export function parseProviderConfiguration(section: unknown): ProviderConfiguration {
  return collectFaults((fault) => read(section, fault));
}

/** Parses only the owner, for a provider that needs no block. Throws like `parseProviderConfiguration`. */
export function parseProviderOwner(section: unknown): ProviderOwner {
  return collectFaults((fault) => readOwner(readMemory(section, fault), fault));
}

function readMemory(section: unknown, fault: Fault): Members {
  return readObject('memory', section, [...providerMembers, 'mode', 'server', 'gateway', 'sessions'], fault);
}

function readOwner(members: Members, fault: Fault): ProviderOwner {
  return {
    workspaceId: readId('memory.workspaceId', members.workspaceId ?? '', fault),
    ...(members.agentId === undefined ? {} : { agentId: readId('memory.agentId', members.agentId, fault) }),
    ...(members.crewId === undefined ? {} : { crewId: readId('memory.crewId', members.crewId, fault) }),
  };
}

function read(section: unknown, fault: Fault): ProviderConfiguration {
  const members = readMemory(section, fault);
  const provider = providerKinds.find((known) => known === members.provider);
  if (provider === undefined) fault('memory.provider', describeKinds(members.provider));
  const owner = readOwner(members, fault);
  const kind = provider ?? 'local';
  const block = provider === undefined ? { root: '.' } : members[kind];
  if (block === undefined) fault(`memory.${kind}`, `is required with provider ${kind}`);
  return readBlock(kind, owner, block ?? {}, block === undefined ? () => {} : fault);
}

/** Returns whether a provider is named by the path of its module, such as `./my-provider.js`. */
export function isModulePath(given: unknown): given is string {
  return typeof given === 'string' && /^(?:\.{0,2}\/|file:|[A-Za-z]:[\\/])|\.[cm]?js$/.test(given);
}

function describeKinds(given: unknown): string {
  const kinds = `must be one of ${providerKinds.join(', ')}`;
  return isModulePath(given)
    ? `${kinds}; a module can only be named in code or by a flag, never in a configuration file`
    : kinds;
}

function readBlock(kind: ProviderKind, owner: ProviderOwner, block: unknown, fault: Fault): ProviderConfiguration {
  const path = `memory.${kind}`;
  const own = kind === 'local' ? ['root', 'crewRoot', 'lockTimeoutSeconds'] : ['url', 'token', 'timeoutSeconds'];
  const members = readObject(path, block, own, fault);
  if (kind === 'local') {
    const lockTimeoutMs = readSeconds(`${path}.lockTimeoutSeconds`, members.lockTimeoutSeconds, fault);
    const root = readText(`${path}.root`, members.root, fault);
    const crewRoot = members.crewRoot === undefined ? undefined : readText(`${path}.crewRoot`, members.crewRoot, fault);
    return { provider: kind, owner, root, crewRoot, lockTimeoutMs };
  }
  const url = readUrl(`${path}.url`, members.url, kind === 'plugin', fault);
  const timeoutMs = readSeconds(`${path}.timeoutSeconds`, members.timeoutSeconds, fault);
  const isOpen = kind === 'plugin' && members.token === undefined;
  const token = isOpen ? undefined : readSecret(`${path}.token`, members.token, fault);
  return kind === 'plugin'
    ? { provider: kind, owner, url, timeoutMs, token }
    : { provider: kind, owner, url, timeoutMs, token: token ?? new SecretText('') };
}

function readId(path: string, value: unknown, fault: Fault): string {
  if (typeof value === 'string' && isId(value)) return value;
  fault(path, value === '' ? 'is required' : 'must have 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -');
  return '';
}

function readSecret(path: string, value: unknown, fault: Fault): SecretText {
  return value instanceof SecretText ? value : new SecretText(readText(path, value, fault));
}

function readUrl(path: string, value: unknown, orSocket: boolean, fault: Fault): string {
  const url = readText(path, value, fault);
  if (url === '' || isPlainHttpUrl(url) || (orSocket && /^unix:\/./.test(url))) return url.replace(/\/+$/, '');
  const more = orSocket ? ', or unix:/path/to/socket' : '';
  fault(path, `must be an http(s) URL without user, password, query or fragment${more}`);
  return '';
}

function readSeconds(path: string, value: unknown, fault: Fault): number {
  const given = value ?? 10;
  if (typeof given === 'number' && isTimeout(given)) return Math.ceil(given * 1000);
  fault(path, seconds);
  return 0;
}
