import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { toConfigSchema } from './config-schema.js';
import { holdsSecrets, parseConfigFile } from './parse-config-file.js';
import { readConfig } from './read-config.js';

const path = '/home/ann/.config/memhall/config.json';
const parse = (content: unknown) => parseConfigFile(path, JSON.stringify(content));

describe('a configuration file', () => {
  it('gives values of every kind, below flags and variables', () => {
    const file = parse({
      $schema: './config.schema.json',
      port: 1,
      pluginPort: 'off',
      jobs: false,
      trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
      host: '0.0.0.0',
      recallCacheMegabytes: 7,
    });
    const config = readConfig({ port: '3' }, { MEMHALL_PORT: '2', MEMHALL_HOST: '::1' }, file);
    expect(config).toMatchObject({ port: 3, host: '::1', jobs: false, recallCacheMegabytes: 7 });
    expect(config.pluginPort).toBeUndefined();
    expect(config.trustedProxies.check('10.1.2.3')).toBe(true);
    const claims = parse({ jwtClaims: { tenant_id: 'tid', user_id: 'oid' } });
    expect(claims.values.jwtClaims).toBe('tenant_id=tid,user_id=oid');
  });

  it('reads paths relative to its own directory, never to the working directory', () => {
    const { values } = parse({
      dataDirectory: 'data',
      starterDirectory: '/srv/starter',
      pluginSocket: '~/plugin.sock',
      embedder: 'onnx:models/mine',
      auditWitness: 'https://witness.example/heads',
    });
    expect(values).toEqual({
      dataDirectory: '/home/ann/.config/memhall/data',
      starterDirectory: '/srv/starter',
      pluginSocket: `${homedir()}/plugin.sock`,
      embedder: 'onnx:/home/ann/.config/memhall/models/mine',
      auditWitness: 'https://witness.example/heads',
    });
    expect(parse({ embedder: 'local' }).values.embedder).toBe('local');
  });

  it('names every unknown setting at once, with the one that is meant', () => {
    expect(() => parse({ prot: 1, MEMHALL_DATA: 'x', data_directory: 'x', constructor: 'x' })).toThrow(
      `The configuration file ${path} has faults: "prot" is not a setting: did you mean "port"?; "MEMHALL_DATA" is not a setting: did you mean "dataDirectory"?; "data_directory" is not a setting: did you mean "dataDirectory"?; "constructor" is not a setting.`,
    );
  });

  it('says where a value is wrong, and never shows a secret', () => {
    expect(() => readConfig({}, {}, parse({ port: 99_999 }))).toThrow(
      `Configuration: "port" in ${path} must be a whole number from 0 to 65535, not "99999".`,
    );
    expect(() => parse({ port: null, host: [1] })).toThrow('"port" must be a text, a number, true or false');
    for (const text of ['{"jwtSecret": "hunter2', '[]', '"hunter2"', '']) {
      const attempt = () => parseConfigFile(path, text);
      expect(attempt).toThrow(path);
      expect(attempt).not.toThrow('hunter2');
    }
  });

  it('knows which settings are secret', () => {
    expect(holdsSecrets(parse({ port: 1 }))).toBe(false);
    expect(holdsSecrets(parse({ databaseUrl: 'postgres://a:b@c/d' }))).toBe(true);
  });

  it('has a schema that lists every setting and its default', () => {
    const schema = toConfigSchema() as { properties: Record<string, object>; additionalProperties: boolean };
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.port).toMatchObject({ type: 'integer', minimum: 0, maximum: 65_535, default: 8010 });
    expect(schema.properties.logFormat).toMatchObject({ enum: ['auto', 'json', 'text'], default: 'auto' });
    expect(Object.keys(schema.properties)).toEqual(['$schema', ...Object.keys(readConfig({}, {}))]);
  });
});
