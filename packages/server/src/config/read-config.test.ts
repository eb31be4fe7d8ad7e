import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.js';

describe('readConfig', () => {
  it('prefers a flag to the environment, and the environment to the default', () => {
    const config = readConfig({ port: '1234' }, { MEMHALL_PORT: '99', MEMHALL_HOST: '0.0.0.0' });
    expect(config).toMatchObject({ port: 1234, host: '0.0.0.0', pluginPort: 9100, dataDirectory: './data' });
  });

  it('ignores an empty variable', () => {
    expect(readConfig({}, { DATABASE_URL: '' }).databaseUrl).toBeUndefined();
  });

  it('disables the plugin listener on "off"', () => {
    expect(readConfig({ pluginPort: 'off' }, {}).pluginPort).toBeUndefined();
  });

  it('reports all faults at once, by the name the user gave', () => {
    expect(() => readConfig({ port: 'http' }, { MEMHALL_LOG_LEVEL: 'loud', MEMHALL_DATABASE_POOL_SIZE: '0' })).toThrow(
      'Configuration: --port must be a whole number from 0 to 65535, not "http"; MEMHALL_DATABASE_POOL_SIZE must be a whole number from 1 to 500, not "0"; MEMHALL_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
    );
  });

  it('never shows a secret', () => {
    const attempt = () => readConfig({}, { MEMHALL_JWT_SECRET: 'tooshort', DATABASE_URL: 'mysql://u:hunter2@h/d' });
    expect(attempt).toThrow(/at least 32 bytes/);
    expect(attempt).not.toThrow(/hunter2|tooshort/);
  });

  it('maps the claims of an identity provider', () => {
    const provider = {
      MEMHALL_JWKS_URL: 'https://id.example/keys',
      MEMHALL_JWT_ISSUER: 'https://id.example/',
      MEMHALL_JWT_AUDIENCE: 'memhall',
    };
    const mapped = readConfig({}, { ...provider, MEMHALL_JWT_CLAIMS: 'tenant_id=tid, user_id=oid' });
    expect(Object.fromEntries(mapped.jwtClaims)).toEqual({ tenant_id: 'tid', user_id: 'oid' });
    for (const faulty of ['tid', 'tenant_id=', 'tenant=tid', 'roles=a,roles=b', '=tid', 'roles=a,'])
      expect(() => readConfig({}, { ...provider, MEMHALL_JWT_CLAIMS: faulty })).toThrow(
        'MEMHALL_JWT_CLAIMS must be pairs such as tenant_id=x,user_id=y, each name once, from tenant_id, user_id,',
      );
    expect(() => readConfig({}, { MEMHALL_JWT_CLAIMS: 'roles=groups' })).toThrow('requires MEMHALL_JWKS_URL');
  });

  it.each([
    [{ MEMHALL_EXTRACTOR_URL: 'https://m.example/v1' }, 'requires MEMHALL_EXTRACTOR_MODEL'],
    [{ MEMHALL_EXTRACTOR_MODEL: 'm' }, 'requires MEMHALL_EXTRACTOR_URL'],
    [
      { MEMHALL_EXTRACTOR_URL: 'ftp://m.example', MEMHALL_EXTRACTOR_MODEL: 'm' },
      'MEMHALL_EXTRACTOR_URL must be an http',
    ],
    [{ MEMHALL_EXTRACTOR_API_KEY: 'hunter2\n' }, 'MEMHALL_EXTRACTOR_API_KEY must be printable ASCII without spaces'],
    [{ MEMHALL_EXTRACTOR_TIMEOUT_MS: 'soon' }, 'MEMHALL_EXTRACTOR_TIMEOUT_MS must be a whole number'],
    [{ MEMHALL_EXTRACTOR: 'magic' }, 'MEMHALL_EXTRACTOR must be one of rules, llm, none'],
  ])('reports a faulty extractor setting: %j', (environment, fault) => {
    const attempt = () => readConfig({}, { MEMHALL_EXTRACTOR: 'llm', ...environment });
    expect(attempt).toThrow(fault);
    expect(attempt).not.toThrow('hunter2');
  });

  it('lets people sign in only at an issuer whose tokens it verifies, over HTTPS', () => {
    const keys = { MEMHALL_JWKS_URL: 'https://id.example/jwks', MEMHALL_JWT_AUDIENCE: 'memhall' };
    const client = { MEMHALL_CONSOLE_CLIENT_ID: 'console' };
    expect(() => readConfig({}, client)).toThrow('MEMHALL_CONSOLE_CLIENT_ID requires MEMHALL_JWKS_URL');
    const plain = { ...keys, ...client, MEMHALL_JWT_ISSUER: 'http://id.example' };
    expect(() => readConfig({}, plain)).toThrow('MEMHALL_CONSOLE_CLIENT_ID requires an https URL');
    expect(readConfig({}, { ...plain, MEMHALL_JWT_ISSUER: 'https://id.example' }).consoleClientId).toBe('console');
  });

  it('requires issuer and audience with a key set', () => {
    expect(() => readConfig({}, { MEMHALL_JWKS_URL: 'https://id.example/keys' })).toThrow(/MEMHALL_JWT_ISSUER/);
  });

  it('requires a connection string and a valid container name for Azure blobs', () => {
    const attempt = () => readConfig({}, { MEMHALL_ARTIFACTS: 'azure-blob', MEMHALL_AZURE_CONTAINER: 'My_Container' });
    expect(attempt).toThrow(
      /requires MEMHALL_AZURE_STORAGE_CONNECTION_STRING or MEMHALL_AZURE_STORAGE_URL, not both; MEMHALL_AZURE_CONTAINER must have 3 to 63/,
    );
  });

  it.each([
    ['MEMHALL_KEY_VAULT_KEY', 'https://v.vault.azure.net/keys/memhall', true],
    ['MEMHALL_KEY_VAULT_KEY', 'http://127.0.0.1:8080/keys/memhall', true],
    ['MEMHALL_KEY_VAULT_KEY', 'http://v.vault.azure.net/keys/memhall', false],
    ['MEMHALL_KEY_VAULT_KEY', 'https://v.vault.azure.net/keys/memhall/version', false],
    ['MEMHALL_KEY_VAULT_KEY', 'https://v.vault.azure.net/secrets/memhall', false],
    ['MEMHALL_KEY_VAULT_KEY', 'memhall', false],
    ['MEMHALL_AZURE_STORAGE_URL', 'https://a.blob.core.windows.net', true],
    ['MEMHALL_AZURE_STORAGE_URL', 'http://a.blob.core.windows.net', false],
    ['MEMHALL_AZURE_STORAGE_URL', 'https://a.blob.core.windows.net/?sig=x', false],
  ])('checks that tokens are sent only where they are safe: %s=%s', (name, value, isValid) => {
    const attempt = () => readConfig({}, { [name]: value });
    if (isValid) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(`${name} must be an https URL`);
  });
});
