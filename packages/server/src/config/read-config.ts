import { StartUpError } from '@memhall/core';
import type { Setting } from './setting.js';
import { type Config, settings } from './settings.js';

const containerName = /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;
/** Works on every supported system: macOS allows 104 bytes, terminator included. */
const maxSocketPathBytes = 100;

type Texts = Readonly<Record<string, string | undefined>>;

/** The values of a configuration file, by the name of the setting. */
export interface FileValues {
  path: string;
  values: Texts;
}

interface Given {
  text: string;
  /** What the user called it. */
  source: string;
}

/**
 * Reads each setting from its flag, else from the environment, else from the file, else uses the default. Throws StartUpError that
 * lists every fault at once and never shows the value of a secret.
 */
export function readConfig(flags: Texts, environment: Texts, file?: FileValues): Config {
  const config: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const given = findGiven(name, setting, flags, environment, file);
    config[name] = setting.default;
    if (given === undefined) continue;
    try {
      config[name] = setting.parse(given.text);
    } catch (error) {
      faults.push(`${given.source} ${(error as Error).message}${setting.secret ? '' : `, not "${given.text}"`}`);
    }
  }
  const complete = config as unknown as Config;
  faults.push(...findContradictions(complete));
  if (faults.length > 0) throw new StartUpError(`Configuration: ${faults.join('; ')}.`);
  return complete;
}

export interface ExplainedSetting {
  name: string;
  value: string;
  /** A flag, a variable, a file, or `default`. */
  source: string;
}

/** Returns each setting as it was given, with where it comes from. Checks the whole configuration first. */
export function explainSettings(...sources: Parameters<typeof readConfig>): ExplainedSetting[] {
  readConfig(...sources);
  return Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = findGiven(name, setting, ...sources);
    if (given !== undefined) return { name, value: setting.secret ? '(set)' : given.text, source: given.source };
    return { name, value: setting.defaultText ?? String(setting.default ?? '(none)'), source: 'default' };
  });
}

function findGiven(
  name: string,
  { env, flag }: Setting<unknown>,
  flags: Texts,
  environment: Texts,
  file?: FileValues,
): Given | undefined {
  const fromFlag = flags[name];
  if (fromFlag !== undefined) return { text: fromFlag, source: flag?.split(' ')[0] ?? env };
  const fromEnvironment = environment[env];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return { text: fromEnvironment, source: env };
  const fromFile = file?.values[name];
  return fromFile === undefined ? undefined : { text: fromFile, source: `"${name}" in ${file?.path}` };
}

function findContradictions(config: Config): string[] {
  const faults: string[] = [];
  if (config.embedder === 'openai' && (config.embedderUrl === undefined || config.embedderModel === undefined)) {
    faults.push('MEMHALL_EMBEDDER=openai requires MEMHALL_EMBEDDER_URL and MEMHALL_EMBEDDER_MODEL');
  }
  if (config.embedderUrl !== undefined && !URL.canParse(config.embedderUrl)) {
    faults.push('MEMHALL_EMBEDDER_URL must be a URL');
  }
  if (config.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.databaseUrl)) {
    faults.push('the database URL must start with postgres:// or postgresql://');
  }
  if (config.legacyDatabaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.legacyDatabaseUrl)) {
    faults.push('MEMORY_LEGACY_DATABASE_URL must start with postgres:// or postgresql://');
  }
  return [
    ...findTokenFaults(config),
    ...faults,
    ...findAzureFaults(config),
    ...findWitnessFaults(config),
    ...findExtractorFaults(config),
    ...findChatFaults(config),
    ...findPluginFaults(config),
  ];
}

function findAzureFaults(config: Config): string[] {
  const faults: string[] = [];
  const { azureStorageConnectionString: connection, azureStorageUrl: url, keyVaultKey } = config;
  if (config.artifacts === 'azure-blob' && (connection === undefined) === (url === undefined)) {
    faults.push(
      'MEMHALL_ARTIFACTS=azure-blob requires MEMHALL_AZURE_STORAGE_CONNECTION_STRING or MEMHALL_AZURE_STORAGE_URL, not both',
    );
  }
  if (url !== undefined && !isServiceUrl(url)) {
    faults.push('MEMHALL_AZURE_STORAGE_URL must be an https URL without a user name, password or query');
  }
  if (
    keyVaultKey !== undefined &&
    !(isServiceUrl(keyVaultKey) && /^\/keys\/[\w-]+$/.test(new URL(keyVaultKey).pathname))
  ) {
    faults.push('MEMHALL_KEY_VAULT_KEY must be an https URL such as https://<vault>.vault.azure.net/keys/<name>');
  }
  faults.push(...findSearchFaults(config));
  if (!containerName.test(config.azureContainer)) {
    faults.push(
      'MEMHALL_AZURE_CONTAINER must have 3 to 63 lowercase letters, digits and single hyphens, and start and end with a letter or digit',
    );
  }
  return faults;
}

function findSearchFaults({ azureSearchUrl: url, azureSearchIndex: index, azureSearchKey: key }: Config): string[] {
  const faults: string[] = [];
  if (url !== undefined && !(isServiceUrl(url) && new URL(url).pathname === '/')) {
    faults.push('MEMHALL_AZURE_SEARCH_URL must be an https URL such as https://<service>.search.windows.net');
  }
  if (!/^(?=.{2,128}$)[a-z0-9]+([-_][a-z0-9]+)*$/.test(index)) {
    faults.push(
      'MEMHALL_AZURE_SEARCH_INDEX must have 2 to 128 lowercase letters, digits, single hyphens and underscores, and start and end with a letter or digit',
    );
  }
  if (key !== undefined && url === undefined) {
    faults.push('MEMHALL_AZURE_SEARCH_API_KEY requires MEMHALL_AZURE_SEARCH_URL');
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    faults.push('MEMHALL_AZURE_SEARCH_API_KEY must be printable ASCII without spaces or line breaks');
  }
  return faults;
}

function findWitnessFaults(config: Config): string[] {
  const { auditWitness: address, auditWitnessSecret: secret } = config;
  const faults: string[] = [];
  if (address === undefined) {
    if (secret !== undefined) faults.push('MEMHALL_AUDIT_WITNESS_SECRET requires MEMHALL_AUDIT_WITNESS');
    return faults;
  }
  const container = /^azure-blob:(.*)$/.exec(address)?.[1];
  if (container === undefined && !isServiceUrl(address) && !/^file:./.test(address)) {
    faults.push('MEMHALL_AUDIT_WITNESS must be an https URL without a query, azure-blob:<container> or file:<path>');
  }
  if (container !== undefined && !containerName.test(container)) {
    faults.push('MEMHALL_AUDIT_WITNESS must name an Azure container of 3 to 63 lowercase letters, digits and hyphens');
  }
  if (container === undefined && secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
    faults.push('MEMHALL_AUDIT_WITNESS_SECRET must be printable ASCII without spaces or line breaks');
  }
  const hasAccount = [secret, config.azureStorageConnectionString, config.azureStorageUrl].some(Boolean);
  if (container !== undefined && !hasAccount) {
    faults.push('MEMHALL_AUDIT_WITNESS=azure-blob:… requires MEMHALL_AUDIT_WITNESS_SECRET or a storage account');
  }
  return faults;
}

/** Plain HTTP is allowed on this machine only: a token is sent with every request. */
function isServiceUrl(text: string): boolean {
  if (!isPlainHttpUrl(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  return (protocol === 'https:' || ['127.0.0.1', 'localhost'].includes(hostname)) && search === '' && hash === '';
}

function findTokenFaults(config: Config): string[] {
  const faults: string[] = [];
  if (config.jwtSecret !== undefined && Buffer.byteLength(config.jwtSecret) < 32) {
    faults.push('MEMHALL_JWT_SECRET must have at least 32 bytes');
  }
  if (config.jwksUrl !== undefined && (config.jwtIssuer === undefined || config.jwtAudience === undefined)) {
    faults.push('MEMHALL_JWKS_URL requires MEMHALL_JWT_ISSUER and MEMHALL_JWT_AUDIENCE');
  }
  if (config.consoleClientId !== undefined && config.jwksUrl === undefined) {
    faults.push('MEMHALL_CONSOLE_CLIENT_ID requires MEMHALL_JWKS_URL');
  }
  if (config.consoleClientId !== undefined && !isServiceUrl(config.jwtIssuer ?? '')) {
    faults.push('MEMHALL_CONSOLE_CLIENT_ID requires an https URL in MEMHALL_JWT_ISSUER');
  }
  if (config.jwtClaims.size > 0 && config.jwksUrl === undefined && config.oauthIssuers.length === 0) {
    faults.push('MEMHALL_JWT_CLAIMS requires MEMHALL_JWKS_URL or MEMHALL_OAUTH_ISSUERS');
  }
  if (config.jwksUrl !== undefined && !URL.canParse(config.jwksUrl)) faults.push('MEMHALL_JWKS_URL must be a URL');
  return [...faults, ...findIssuerFaults(config)];
}

function findIssuerFaults({ publicUrl, oauthIssuers, oauthReadScope, oauthWriteScope }: Config): string[] {
  const faults: string[] = [];
  if (publicUrl !== undefined && !isServiceUrl(publicUrl)) {
    faults.push('MEMHALL_PUBLIC_URL must be an https URL without a user name, password or query');
  }
  if (oauthIssuers.length > 0 && publicUrl === undefined) {
    faults.push('MEMHALL_OAUTH_ISSUERS requires MEMHALL_PUBLIC_URL');
  }
  for (const { issuer } of oauthIssuers) {
    if (!isServiceUrl(issuer)) {
      faults.push(`MEMHALL_OAUTH_ISSUERS must have https URLs without a user name, password or query, not "${issuer}"`);
    }
  }
  if (![oauthReadScope, oauthWriteScope].every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) {
    faults.push(
      'MEMHALL_OAUTH_READ_SCOPE and MEMHALL_OAUTH_WRITE_SCOPE must be printable ASCII without spaces and quotes',
    );
  }
  return faults;
}

function findExtractorFaults({ extractor, extractorUrl, extractorModel, extractorKey }: Config): string[] {
  const faults: string[] = [];
  if (extractor === 'llm' && extractorUrl === undefined)
    faults.push('MEMHALL_EXTRACTOR=llm requires MEMHALL_EXTRACTOR_URL');
  if (extractor === 'llm' && extractorModel === undefined) {
    faults.push('MEMHALL_EXTRACTOR=llm requires MEMHALL_EXTRACTOR_MODEL');
  }
  if (extractorUrl !== undefined && !isPlainHttpUrl(extractorUrl)) {
    faults.push('MEMHALL_EXTRACTOR_URL must be an http(s) URL without a user name or password');
  }
  if (extractorKey !== undefined && !/^[\x21-\x7e]+$/.test(extractorKey)) {
    faults.push('MEMHALL_EXTRACTOR_API_KEY must be printable ASCII without spaces or line breaks');
  }
  return faults;
}

function findChatFaults({ chatUrl, chatModel, chatKey }: Config): string[] {
  const faults: string[] = [];
  if ((chatUrl === undefined) !== (chatModel === undefined)) {
    faults.push('MEMHALL_CHAT_URL and MEMHALL_CHAT_MODEL must be set together');
  }
  if (chatUrl !== undefined && !isPlainHttpUrl(chatUrl)) {
    faults.push('MEMHALL_CHAT_URL must be an http(s) URL without a user name or password');
  }
  if (chatKey !== undefined && !/^[\x21-\x7e]+$/.test(chatKey)) {
    faults.push('MEMHALL_CHAT_API_KEY must be printable ASCII without spaces or line breaks');
  }
  return faults;
}

function findPluginFaults({ memoryPluginUrl: url, memoryPluginToken: token, pluginSocket }: Config): string[] {
  const faults: string[] = [];
  if (url !== undefined && !isPlainHttpUrl(url) && !/^unix:\/./.test(url)) {
    faults.push('MEMORY_PLUGIN_URL must be an http(s) URL without a user name or password, or unix:/path');
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    faults.push('MEMORY_PLUGIN_TOKEN must be printable ASCII without spaces or line breaks');
  }
  if (pluginSocket !== undefined && Buffer.byteLength(pluginSocket) > maxSocketPathBytes) {
    faults.push(`MEMHALL_PLUGIN_SOCKET must have at most ${maxSocketPathBytes} bytes`);
  }
  return faults;
}

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
