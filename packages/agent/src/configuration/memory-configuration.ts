import { providerMembers } from './provider-configuration.js';
import { collectFaults, type Fault, isPlainHttpUrl, isTimeout, type Members, readObject } from './read-members.js';
import { SecretText } from './secret-text.js';
import { readServer, type ServerConfiguration } from './server-configuration.js';
import { readSessions, type SessionsConfiguration } from './sessions-configuration.js';

export const memoryModes = ['curated', 'one_memory', 'memory_gateway', 'hybrid'] as const;
export type MemoryMode = (typeof memoryModes)[number];

export const memoryScopes = ['current_chat', 'resources', 'all_user_memory'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

export interface GatewayConfiguration {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly userId: string;
  readonly userKey: SecretText;
  readonly appId: string;
  readonly projectId: string;
  readonly scope: readonly MemoryScope[];
  readonly topK: number;
  readonly timeoutSeconds: number;
}

export type MemoryConfiguration = {
  /** Default: on disk. */
  readonly sessions?: SessionsConfiguration;
} & (
  | { readonly mode: 'curated' }
  | { readonly mode: 'one_memory'; readonly server: ServerConfiguration }
  | { readonly mode: 'memory_gateway' | 'hybrid'; readonly gateway: GatewayConfiguration }
);

const sectionMembers = ['mode', 'server', 'gateway', 'sessions', ...providerMembers];
const gatewayMembers = ['baseUrl', 'userId', 'userKey', 'appId', 'projectId', 'scope', 'topK', 'timeoutSeconds'];

/**
 * Parses the section `memory`. Throws one StartUpError that lists all faults. It never repeats a value, because a key
 * may be in the wrong member. The server and the gateway are ignored in modes that do not use them.
 */
export function parseMemoryConfiguration(section: unknown): MemoryConfiguration {
  return collectFaults((fault) => readSection(section ?? {}, fault));
}

/** Parses only `memory.gateway`, for callers that need no mode. Throws like `parseMemoryConfiguration`. */
export function parseGatewayConfiguration(section: unknown): GatewayConfiguration {
  return collectFaults((fault) => readGateway(section, fault));
}

function readSection(section: unknown, fault: Fault): MemoryConfiguration {
  const members = readObject('memory', section, sectionMembers, fault);
  const mode = memoryModes.find((known) => known === (members.mode ?? defaultMode(members)));
  if (mode === undefined) fault('memory.mode', `must be one of ${memoryModes.join(', ')}`);
  const sessions =
    members.sessions === undefined ? {} : { sessions: readSessions(members.sessions, fault, members.server) };
  if (mode === undefined || mode === 'curated') return { mode: 'curated', ...sessions };
  if (mode === 'one_memory') {
    if (members.server === undefined) fault('memory.server', `is required in mode ${mode}`);
    return {
      mode,
      server: readServer(members.server ?? {}, members.server === undefined ? () => {} : fault),
      ...sessions,
    };
  }
  if (members.gateway === undefined) fault('memory.gateway', `is required in mode ${mode}`);
  return { mode, gateway: Object.freeze(readGateway(members.gateway ?? {}, fault)), ...sessions };
}

/** A server and a token say where to remember; there is nothing else to choose. */
function defaultMode({ server }: Members): MemoryMode {
  return server === undefined ? 'curated' : 'one_memory';
}

function readGateway(section: unknown, fault: Fault): GatewayConfiguration {
  const members = readObject('memory.gateway', section, gatewayMembers, fault);
  const text = (name: string, byDefault?: string) => readText(members, name, byDefault, fault);
  return {
    baseUrl: readBaseUrl(text('baseUrl'), fault),
    userId: text('userId'),
    userKey: members.userKey instanceof SecretText ? members.userKey : new SecretText(text('userKey')),
    appId: text('appId', 'default'),
    projectId: text('projectId', 'default'),
    scope: readScope(members.scope ?? ['current_chat', 'resources'], fault),
    topK: readNumber(members, 'topK', 8, 'must be a whole number from 1 to 100', fault, isTopK),
    timeoutSeconds: readNumber(members, 'timeoutSeconds', 10, 'must be above 0 and at most one day', fault, isTimeout),
  };
}

function readText(members: Members, name: string, byDefault: string | undefined, fault: Fault): string {
  const value = members[name] ?? byDefault;
  if (typeof value === 'string' && value.trim() !== '') return value;
  fault(`memory.gateway.${name}`, value === undefined ? 'is required' : 'must be a non-empty string');
  return '';
}

function readBaseUrl(text: string, fault: Fault): string {
  if (text !== '' && !isPlainHttpUrl(text)) {
    fault('memory.gateway.baseUrl', 'must be an http(s) URL without user, password, query or fragment');
  }
  return text.replace(/\/+$/, '');
}

function readScope(value: unknown, fault: Fault): readonly MemoryScope[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const scope = memoryScopes.filter((known) => given.includes(known));
  if (given.length === 0 || given.some((name) => !memoryScopes.includes(name as MemoryScope))) {
    fault('memory.gateway.scope', `must be a list of one or more of ${memoryScopes.join(', ')}`);
  }
  return Object.freeze([...scope].sort((a, b) => given.indexOf(a) - given.indexOf(b)));
}

function readNumber(
  members: Members,
  name: string,
  byDefault: number,
  rule: string,
  fault: Fault,
  isGood: (value: number) => boolean,
): number {
  const value = members[name] ?? byDefault;
  if (typeof value === 'number' && isGood(value)) return value;
  fault(`memory.gateway.${name}`, rule);
  return byDefault;
}

function isTopK(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 100;
}
