import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { StartUpError } from '@memhall/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMemoryConfiguration } from '../src/configuration/load-memory-configuration.js';
import { parseGatewayConfiguration, parseMemoryConfiguration } from '../src/configuration/memory-configuration.js';
import { SecretText } from '../src/configuration/secret-text.js';
import { gatewaySection, userKey } from './support/gateway-settings.js';
import { verify } from './support/verify.js';

const url = 'http://127.0.0.1:8010';

function parse(mode: string, changes: Record<string, unknown> = {}) {
  return parseMemoryConfiguration({ mode, gateway: gatewaySection(url, changes) });
}

function faultOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(StartUpError);
    for (const form of [inspect(error, { depth: null }), JSON.stringify(error), String((error as Error).stack)]) {
      expect(form).not.toContain(userKey);
    }
    return (error as Error).message;
  }
  throw new Error('No error was thrown.');
}

describe('the section memory', () => {
  verify(['configuration.1', 'testing.configuration.1'], () => {
    for (const section of [undefined, {}, { mode: undefined }]) {
      expect(parseMemoryConfiguration(section)).toEqual({ mode: 'curated' });
    }
  });

  verify('configuration.2', () => {
    for (const mode of ['gateway', 'Curated', '', 7]) {
      expect(faultOf(() => parseMemoryConfiguration({ mode }))).toBe(
        'Configuration: memory.mode must be one of curated, one_memory, memory_gateway, hybrid.',
      );
    }
  });

  it('chooses where sessions are stored', () => {
    const token = 'a.secret.token';
    const server = { store: 'server', url: `${url}/`, token };
    expect(parseMemoryConfiguration({ sessions: { store: 'disk' } })).toEqual({
      mode: 'curated',
      sessions: { store: 'disk' },
    });
    const { sessions } = parseMemoryConfiguration({ sessions: server });
    expect(sessions).toMatchObject({ store: 'server', url, agentId: 'beaver', timeoutMs: 10_000 });
    expect(inspect(sessions, { depth: null })).not.toContain(token);
    const more = { ...server, agentId: 'a1', userId: 'ann', timeoutSeconds: 0.5 };
    expect(
      parseMemoryConfiguration({ mode: 'memory_gateway', gateway: gatewaySection(url), sessions: more }),
    ).toMatchObject({
      mode: 'memory_gateway',
      sessions: { agentId: 'a1', userId: 'ann', timeoutMs: 500 },
    });
  });

  it('reports everything that is wrong with the sessions, together with other faults', () => {
    const sessions = {
      store: 'server',
      url: 'ftp://x',
      agentId: 'a'.repeat(101),
      userId: 'a b',
      timeoutSeconds: 0,
      x: 1,
    };
    expect(faultOf(() => parseMemoryConfiguration({ mode: 'nonsense', sessions }))).toBe(
      'Configuration: memory.mode must be one of curated, one_memory, memory_gateway, hybrid; ' +
        'memory.sessions has unknown members (x); known members are store, url, token, agentId, userId, timeoutSeconds; ' +
        'memory.sessions.url must be an http(s) URL without user, password, query or fragment; ' +
        'memory.sessions.token is required; ' +
        'memory.sessions.agentId must have 1 to 100 of the characters A-Z a-z 0-9 . _ : @ -; ' +
        'memory.sessions.userId must have 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -; ' +
        'memory.sessions.timeoutSeconds must be above 0 and at most one day.',
    );
    for (const store of ['', 5, 'Server']) {
      expect(faultOf(() => parseMemoryConfiguration({ sessions: { store } }))).toBe(
        'Configuration: memory.sessions.store must be one of disk, server.',
      );
    }
    expect(faultOf(() => parseMemoryConfiguration({ sessions: 'server' }))).toContain(
      'memory.sessions must be an object',
    );
  });

  it('remembers in a server if one is configured, and keeps sessions there on request', () => {
    const token = 'a.secret.token';
    const server = { url: `${url}/`, token };
    const { mode, ...rest } = parseMemoryConfiguration({ server, sessions: { store: 'server' } });
    expect(mode).toBe('one_memory');
    expect(rest).toMatchObject({
      server: { url, scopes: ['own', 'shared', 'public'], limit: 8, timeoutMs: 10_000 },
      sessions: { store: 'server', url, agentId: 'beaver' },
    });
    expect(inspect(rest, { depth: null })).not.toContain(token);
    expect(parseMemoryConfiguration({ mode: 'curated', server })).toEqual({ mode: 'curated' });
    expect(faultOf(() => parseMemoryConfiguration({ mode: 'one_memory' }))).toBe(
      'Configuration: memory.server is required in mode one_memory.',
    );
    const faulty = { url: 'ftp://x', userId: 'a b', scopes: ['own', 'x'], limit: 0, timeoutSeconds: 0, x: 1 };
    expect(faultOf(() => parseMemoryConfiguration({ server: faulty }))).toBe(
      'Configuration: memory.server has unknown members (x); known members are url, token, userId, scopes, limit, timeoutSeconds; ' +
        'memory.server.url must be an http(s) URL without user, password, query or fragment; ' +
        'memory.server.token is required; ' +
        'memory.server.userId must have 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -; ' +
        'memory.server.scopes must be a list of one or more of own, shared, public; ' +
        'memory.server.limit must be a whole number from 1 to 100; ' +
        'memory.server.timeoutSeconds must be above 0 and at most one day.',
    );
  });

  it('supports a mode with both kinds of memory', () => {
    expect(parse('hybrid')).toMatchObject({ mode: 'hybrid', gateway: { userId: 'ann' } });
  });

  verify('configuration.3', () => {
    for (const mode of ['memory_gateway', 'hybrid']) {
      expect(faultOf(() => parseMemoryConfiguration({ mode, gateway: {} }))).toBe(
        'Configuration: memory.gateway.baseUrl is required; memory.gateway.userId is required; memory.gateway.userKey is required.',
      );
      expect(faultOf(() => parseMemoryConfiguration({ mode }))).toContain(`memory.gateway is required in mode ${mode}`);
      for (const name of ['baseUrl', 'userId', 'userKey']) {
        for (const value of ['', ' \t', 5]) {
          expect(faultOf(() => parse(mode, { [name]: value }))).toContain(
            `memory.gateway.${name} must be a non-empty string`,
          );
        }
      }
    }
  });

  verify('configuration.4', () => {
    expect(parse('memory_gateway')).toMatchObject({ gateway: { appId: 'default', projectId: 'default' } });
    expect(parse('memory_gateway', { appId: 'desk', projectId: 'p1' })).toMatchObject({
      gateway: { appId: 'desk', projectId: 'p1' },
    });
  });

  verify('configuration.5', () => {
    expect(parse('memory_gateway', { scope: ['all_user_memory', 'current_chat', 'all_user_memory'] })).toMatchObject({
      gateway: { scope: ['all_user_memory', 'current_chat'] },
    });
    for (const scope of [[], ['everything'], ['resources', 'x'], 'resources', [['resources']], {}]) {
      expect(faultOf(() => parse('memory_gateway', { scope }))).toContain(
        'memory.gateway.scope must be a list of one or more of current_chat, resources, all_user_memory',
      );
    }
  });

  verify('configuration.7', () => {
    expect(parse('memory_gateway')).toMatchObject({ gateway: { topK: 8 } });
    for (const topK of [1, 100]) expect(parse('memory_gateway', { topK })).toMatchObject({ gateway: { topK } });
    for (const topK of [0, 101, 2.5, Number.NaN, '8']) {
      expect(faultOf(() => parse('memory_gateway', { topK }))).toContain('topK must be a whole number from 1 to 100');
    }
  });

  verify('configuration.8', () => {
    expect(parse('memory_gateway')).toMatchObject({ gateway: { timeoutSeconds: 10 } });
    expect(parse('memory_gateway', { timeoutSeconds: 0.5 })).toMatchObject({ gateway: { timeoutSeconds: 0.5 } });
    for (const timeoutSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '10']) {
      expect(faultOf(() => parse('memory_gateway', { timeoutSeconds }))).toContain('timeoutSeconds must be above 0');
    }
  });

  verify('testing.configuration.2', () => {
    const changes = { appId: 'desk', projectId: 'p1', scope: ['resources'], topK: 3, timeoutSeconds: 2 };
    const configuration = parse('memory_gateway', { baseUrl: `${url}/base//`, ...changes });
    expect(configuration).toEqual({
      mode: 'memory_gateway',
      gateway: { baseUrl: `${url}/base`, userId: 'ann', userKey: expect.any(SecretText), ...changes },
    });
    expect(configuration.mode === 'memory_gateway' && configuration.gateway.userKey.reveal()).toBe(userKey);
  });

  verify(['testing.configuration.3', 'testing.configuration.4'], () => {
    const changes = { baseUrl: `https://x:${userKey}@host`, userId: '', scope: [userKey], topK: 0, timeoutSeconds: 0 };
    expect(faultOf(() => parse('memory_gateway', { ...changes, [userKey]: 1, appId: [userKey] }))).toBe(
      'Configuration: memory.gateway has unknown members; known members are baseUrl, userId, userKey, appId, projectId, scope, topK, timeoutSeconds; ' +
        'memory.gateway.baseUrl must be an http(s) URL without user, password, query or fragment; ' +
        'memory.gateway.userId must be a non-empty string; ' +
        'memory.gateway.appId must be a non-empty string; ' +
        'memory.gateway.scope must be a list of one or more of current_chat, resources, all_user_memory; ' +
        'memory.gateway.topK must be a whole number from 1 to 100; ' +
        'memory.gateway.timeoutSeconds must be above 0 and at most one day.',
    );
    expect(faultOf(() => parseMemoryConfiguration({ mode: userKey }))).toContain('memory.mode');
    expect(faultOf(() => parseMemoryConfiguration(userKey))).toContain('memory must be an object');
  });

  it.each(['ftp://host', 'host:8010', `${url}?key=1`, `${url}#x`])('rejects %s as a base URL', (baseUrl) => {
    expect(faultOf(() => parse('memory_gateway', { baseUrl }))).toContain('memory.gateway.baseUrl must be an http(s)');
  });

  it('can be only the gateway', () => {
    expect(parseGatewayConfiguration(gatewaySection(url))).toMatchObject({ userId: 'ann', topK: 8 });
    expect(faultOf(() => parseGatewayConfiguration({ userKey }))).toContain('memory.gateway.userId is required');
    expect(faultOf(() => parseGatewayConfiguration(undefined))).toContain('memory.gateway must be an object');
  });

  it('ignores a gateway that the mode does not use', () => {
    expect(parseMemoryConfiguration({ mode: 'curated', gateway: { topK: -1 } })).toEqual({ mode: 'curated' });
  });
});

describe('.beaver/config.json', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'memhall-agent-'));
    mkdirSync(join(directory, '.beaver'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function write(text: string) {
    writeFileSync(join(directory, '.beaver/config.json'), text);
  }

  it('means curated memory if the file or the section is missing', async () => {
    expect(await loadMemoryConfiguration(directory)).toEqual({ mode: 'curated' });
    write('{"other": 1}');
    expect(await loadMemoryConfiguration(directory)).toEqual({ mode: 'curated' });
  });

  it('is read', async () => {
    write(JSON.stringify({ memory: { mode: 'memory_gateway', gateway: gatewaySection(url) } }));
    expect(await loadMemoryConfiguration(directory)).toMatchObject({ mode: 'memory_gateway' });
  });

  it.each([
    [`{"memory": {"gateway": {"userKey": "${userKey}" oops`, 'is not JSON'],
    [`["${userKey}"]`, 'must contain an object'],
    [`{"memory": {"mode": "memory_gateway", "gateway": {"userKey": "${userKey}"}}}`, 'userId is required'],
  ])('reports faults without quoting the file (%#)', async (text, fault) => {
    write(text);
    const error: Error = await loadMemoryConfiguration(directory).then(
      () => expect.fail('was accepted'),
      (reason) => reason,
    );
    expect(error.message).toContain(fault);
    expect(inspect(error)).not.toContain(userKey);
  });
});

describe('SecretText', () => {
  const secret = new SecretText(userKey);

  it('is never shown in any form', () => {
    const holder = { secret };
    expect([String(secret), `${secret}`, JSON.stringify(holder), inspect(holder, { showHidden: true })].join()).toBe(
      '[secret],[secret],{"secret":"[secret]"},{ secret: [secret] }',
    );
  });

  it('is redacted from values at any depth, including JSON and URLs', () => {
    const awkward = new SecretText('a"b/c \\d');
    const value = { [`x${userKey}`]: [`${userKey}${userKey}`, { date: new Date(0), count: 1 }] };
    expect(secret.redactFrom(value)).toEqual({
      'x[REDACTED:USER_KEY]': ['[REDACTED:USER_KEY][REDACTED:USER_KEY]', { date: new Date(0), count: 1 }],
    });
    expect(awkward.redactFrom(`${JSON.stringify({ key: 'a"b/c \\d' })} ?k=${encodeURIComponent('a"b/c \\d')}`)).toBe(
      '{"key":"[REDACTED:USER_KEY]"} ?k=[REDACTED:USER_KEY]',
    );
  });
});
