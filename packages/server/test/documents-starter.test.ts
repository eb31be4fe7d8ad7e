import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartUpError } from '@memhall/core';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { toCheckedStarter, toStarter } from '../src/engine/documents/starter.js';
import { tierProfile, tierSchema } from '../src/engine/tiers/tier-profile.js';
import { readStarter } from '../src/providers/read-starter.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, register } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { startTestServer } from './support/server.js';

const shipped = fileURLToPath(new URL('../starter', import.meta.url));
const schema = { schema_id: 'log', version: '1', schema: { type: 'object', properties: { lines: { type: 'array' } } } };
const binding = { binding_id: 'log', namespace: 'ship', path: 'log.json', schema_id: 'log', schema_version: '1' };
const profile = { profile_id: 'captain', document_bindings: [binding], writable_path_rules: { log: [''] } };

it.each([
  ['the shipped starter', () => readStarter()],
  ['the profile of tiers', async () => ({ profiles: [tierProfile], schemas: [tierSchema] })],
])('%s passes the checks that a start leaves out', async (_name, read) => {
  const files = await read();
  expect(toCheckedStarter(files)).toEqual(toStarter(files));
});

describeOneDatabase('a custom starter directory', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-starter-'));
  const write = (file: string, value: unknown) => writeFileSync(join(directory, file), JSON.stringify(value));
  beforeEach(() => {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(join(directory, 'profiles'), { recursive: true });
    mkdirSync(join(directory, 'schemas'));
    write('schemas/log.json', schema);
    write('profiles/captain.json', profile);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const start = () => startTestServer(database(), { starterDirectory: directory });
  const body = { profile_id: 'captain', binding_id: 'log' };

  it('defines everything that tenants have at first', async () => {
    const server = await start();
    try {
      const profiles = await server.call({ path: '/v1/tenants/t1/profiles' });
      expect(profiles.body).toEqual({ profiles: [profile] });
      const schemas = await server.call({ path: '/v1/tenants/t1/schemas' });
      expect(schemas.body.schemas).toEqual([{ schema_id: 'log', version: '1', created_at: expect.any(String) }]);
      const sailor = await DocumentUser.of(server);
      await sailor.patched('ship/log.json', [add('/lines', ['day one'])], { body });
      expectProblem(await sailor.patch('ship/log.json', [add('/lines', 'text')], { body }), 'SCHEMA_VALIDATION_FAILED');
      expectProblem(await sailor.patch('user/user_dynamic.json', []), 'PROFILE_NOT_FOUND');
    } finally {
      await server.close();
    }
  });

  it('never overrides anything that a tenant has already registered', async () => {
    const strict = { type: 'object', properties: { lines: { maxItems: 1 } } };
    const own = { ...binding, schema_id: 'own' };
    const first = await start();
    await register(
      first,
      'early',
      'mine',
      { ...profile, profile_id: 'mine', document_bindings: [own] },
      { 'own/1': strict },
    );
    await first.close();
    write('schemas/own.json', { ...schema, schema_id: 'own' });
    write('profiles/mine.json', { ...profile, profile_id: 'mine' });
    const second = await start();
    try {
      const sailor = await DocumentUser.of(second, { tenant: 'early' });
      const lines = [add('/lines', ['one', 'two'])];
      const answer = await sailor.patch('ship/log.json', lines, { body: { ...body, profile_id: 'mine' } });
      expectProblem(answer, 'SCHEMA_VALIDATION_FAILED');
      const token = await second.token({ tenant: 'early' });
      const { body: listed } = await second.call({ path: '/v1/tenants/early/schemas', token });
      expect(listed.schemas.map(({ schema_id }: typeof schema) => schema_id)).toEqual(['log', 'own']);
      const late = await DocumentUser.of(second, { tenant: 'late' });
      await late.patched('ship/log.json', lines, { body });
    } finally {
      await second.close();
    }
  });

  it('makes writes fail with SCHEMA_NOT_FOUND if a profile names a schema that is gone', async () => {
    const first = await start();
    await register(first, 'left', 'mine', { ...profile, profile_id: 'mine' });
    await first.close();
    const second = await startTestServer(database(), { starterDirectory: shipped });
    try {
      const sailor = await DocumentUser.of(second, { tenant: 'left' });
      const refused = await sailor.patch('ship/log.json', [], { body: { ...body, profile_id: 'mine' } });
      expectProblem(refused, 'SCHEMA_NOT_FOUND');
      expect(refused.body.error.details).toEqual({ schema_id: 'log', schema_version: '1' });
      const outside = [{ op: 'remove', path: '/doc_id' }];
      const earlier = await sailor.patch('ship/log.json', outside, { body: { ...body, profile_id: 'mine' } });
      expectProblem(earlier, 'PATH_NOT_WRITABLE');
    } finally {
      await second.close();
    }
  });
});

const known = { ...binding, schema_id: 'memory.project', schema_version: '1.0.0' };
const twice = { ...profile, profile_id: 'project-copilot-v1', document_bindings: [known] };

describeOneDatabase('an invalid starter directory', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-starter-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each([
    ['no such directory', undefined, '', /profiles cannot be read\. Check MEMHALL_STARTER\.$/],
    ['text that is not JSON', 'profiles/bad.json', '{', /bad\.json is not a readable JSON file/],
    ['an unknown field', 'profiles/bad.json', { ...profile, color: 1 }, /a profile: .*additional properties\. Check/],
    ['a profile without a name', 'profiles/bad.json', { ...profile, profile_id: undefined }, /has no profile_id/],
    ['a profile twice', 'profiles/bad.json', twice, /two files define it/],
    [
      'a schema that does not exist',
      'profiles/bad.json',
      profile,
      /captain: log names a schema that does not exist\. Check/,
    ],
    ['a schema twice', 'schemas/bad.json', { ...schema, schema_id: 'memory.project', version: '1.0.0' }, /two files/],
    ['a schema with a bad name', 'schemas/bad.json', { ...schema, schema_id: 'a b' }, /must match pattern/],
    ['a bad schema', 'schemas/bad.json', { ...schema, schema: { type: 'x' } }, /schema log 1: This JSON Schema/],
  ])('keeps the server from starting: %s', async (_name, file, content, message) => {
    rmSync(directory, { recursive: true, force: true });
    if (file !== undefined) {
      cpSync(shipped, directory, { recursive: true });
      writeFileSync(join(directory, file), typeof content === 'string' ? content : JSON.stringify(content));
    }
    const starting = startTestServer(database(), { starterDirectory: directory });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toBeInstanceOf(StartUpError);
  });

  it('is reported at startup without a stack trace', async () => {
    const { code, stderr } = await runCommand(
      ['serve', '--port', '0', '--plugin-port', 'off', ...flagsOf(database())],
      {
        MEMHALL_STARTER: join(directory, 'nowhere'),
        MEMHALL_EMBEDDER: 'none',
      },
    );
    expect(stderr).toMatch(/The starter directory .* cannot be read\. Check MEMHALL_STARTER\.\n$/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).not.toBe(0);
    const server = await startTestServer(database());
    expect((await server.call({ path: '/health' })).status).toBe(200);
    await server.close();
  });
});
