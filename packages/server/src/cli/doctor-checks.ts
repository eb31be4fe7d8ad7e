import { existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { Problem, StartUpError } from '@memhall/core';
import { openAuditKey } from '../composition/audit-key.js';
import { inspectMemoryPlugin } from '../composition/create-host.js';
import { inspectExtractor } from '../composition/inspect-extractor.js';
import { inspectArtifactStore } from '../composition/open-artifact-store.js';
import { inspectDatabase, isDataDirectoryInUse } from '../composition/open-database.js';
import { inspectEmbedder } from '../composition/open-embedder.js';
import { checkEventIndex, openEventIndex } from '../composition/open-event-index.js';
import { isOpenToNetwork, openListener } from '../composition/open-plugin-listener.js';
import { inspectReranker } from '../composition/open-reranking.js';
import type { Config } from '../config/settings.js';
import { embedderMissing, vectorNeed } from '../engine/host/vector-source.js';
import { createLogger } from '../http/logging.js';
import { EventIndexError } from '../ports/event-index.js';

export interface Finding {
  state: 'good' | 'warning' | 'bad';
  subject: string;
  message: string;
}

const nodeFloor = [20, 19] as const;
const clockToleranceMs = 5000;

export async function examine(config: Config): Promise<Finding[]> {
  const inUse = config.databaseUrl === undefined && (await isDataDirectoryInUse(config));
  return [
    checkNode(process.versions.node),
    await checkDataDirectory(config),
    ...(await checkDatabase(config)),
    await checkArtifacts(config),
    ...(config.azureSearchUrl === undefined ? [] : [await checkSearch(config)]),
    await checkEmbedder(config),
    ...(config.comparedEmbedder === 'none' ? [] : [await checkCompared(config)]),
    ...(config.reranker === 'none' ? [] : [await checkReranker(config)]),
    await checkExtractor(config),
    await checkKeys(config),
    await checkAuditKey(config),
    await checkPort('main port', config.host, config.port, '--port', inUse),
    ...(config.memoryPluginUrl === undefined ? [] : [await checkMemoryPlugin(config)]),
    ...(await checkPluginListener(config)),
    ...(config.pluginPort === undefined || config.pluginSocket !== undefined
      ? []
      : [await checkPort('plugin port', config.pluginHost, config.pluginPort, '--plugin-port', inUse)]),
  ];
}

function checkNode(running: string): Finding {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const enough = major > nodeFloor[0] || (major === nodeFloor[0] && minor >= nodeFloor[1]);
  return enough
    ? good('node', running)
    : bad('node', `${running} is too old. Install Node ${nodeFloor.join('.')} or newer.`);
}

export async function checkMemoryPlugin(config: Config): Promise<Finding> {
  try {
    const { status, version, capabilities } = await inspectMemoryPlugin(config);
    const need = vectorNeed(config.memoryPluginVectors, new Set(capabilities));
    if (need === 'required' && config.embedder === 'none') return bad('memory plugin', embedderMissing);
    const details = `version ${version}, ${capabilities.join(', ') || 'no capabilities'}`;
    return status === 'ok' ? good('memory plugin', details) : warning('memory plugin', `its store is down; ${details}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return bad('memory plugin', `${error.message} Check MEMORY_PLUGIN_URL.`);
  }
}

async function checkPluginListener(config: Config): Promise<Finding[]> {
  const subject = 'plugin listener';
  if (!(await isOpenToNetwork(config))) return [];
  if (!config.pluginOpenToNetwork) return [bad(subject, openListener(config))];
  return [warning(subject, `everyone who can reach ${config.pluginHost} can use it, because it requires no token.`)];
}

async function checkDataDirectory({ dataDirectory }: Config): Promise<Finding> {
  const subject = 'data directory';
  const path = resolve(dataDirectory);
  const place = nearestExisting(path);
  const found = await stat(place);
  if (!found.isDirectory()) return bad(subject, `${place} is not a directory. Choose another path with --data.`);
  for (const needed of [place, join(path, 'postgres')].filter(existsSync)) {
    if (!(await isUsable(needed))) return bad(subject, `${needed} is not writable. Check its owner and permissions.`);
  }
  if (place !== path) return good(subject, `${dataDirectory} will be created on first start.`);
  if ((found.mode & 0o077) !== 0) {
    return warning(subject, `${dataDirectory} can be read by other users. Run: chmod 700 ${dataDirectory}`);
  }
  return good(subject, dataDirectory);
}

/** Returns the path itself, or the closest parent that exists. */
function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function isUsable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const fresh =
    config.databaseUrl === undefined &&
    (await stat(join(config.dataDirectory, 'postgres')).catch(() => undefined)) === undefined;
  if (fresh) return [good('database', 'embedded PostgreSQL will be created on first start.'), checkClock(undefined)];
  try {
    const { kind, serverVersion, pending, nowMs } = await inspectDatabase(config, createLogger('silent'));
    const schema =
      pending.length === 0
        ? good('schema', 'up to date')
        : warning(
            'schema',
            `${pending.join(', ')} not applied yet. The next start applies it, or run: memhall migrate`,
          );
    return [good('database', `${kind}, PostgreSQL ${serverVersion} with pgvector`), schema, checkClock(nowMs)];
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    return [bad('database', error.message), checkClock(undefined)];
  }
}

/** Without a database to compare with, only detects a clock that was never set. */
function checkClock(databaseNowMs: number | undefined, nowMs: number = Date.now()): Finding {
  if (nowMs < Date.UTC(2026, 0, 1))
    return bad('clock', 'is set to a date in the past. Set it: tokens are rejected while it is wrong.');
  const driftMs = databaseNowMs === undefined ? 0 : Math.abs(databaseNowMs - nowMs);
  return driftMs > clockToleranceMs
    ? warning(
        'clock',
        `differs from the clock of the database by ${Math.round(driftMs / 1000)} s. Synchronize both with a time service.`,
      )
    : good('clock', new Date(nowMs).toISOString());
}

async function checkArtifacts(config: Config): Promise<Finding> {
  if (config.artifacts === 'postgres') return good('artifacts', 'in the database');
  try {
    const { host, exists } = await inspectArtifactStore(config);
    const place = `container "${config.azureContainer}" in Azure Blob Storage at ${host}`;
    return good('artifacts', exists ? place : `${place} will be created on first start.`);
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    return bad('artifacts', error.message);
  }
}

async function checkSearch(config: Config): Promise<Finding> {
  const subject = 'event index';
  try {
    const index = await openEventIndex(config);
    if (index === null) return good(subject, 'none');
    return good(subject, (await checkEventIndex(index)) ? index.address : `${index.address} will be created by a job.`);
  } catch (error) {
    if (error instanceof EventIndexError) return warning(subject, `${error.message}: recall finds events meanwhile.`);
    if (!(error instanceof StartUpError)) throw error;
    return bad(subject, error.message);
  }
}

async function checkEmbedder(config: Config): Promise<Finding> {
  if (config.embedder === 'none') return warning('embedder', 'none: recall matches words only.');
  try {
    const { model, dimension, runtime, note } = await inspectEmbedder(config, createLogger('silent'));
    const message = `${model}, ${dimension} dimensions, on ${runtime}`;
    return note === undefined ? good('embedder', message) : warning('embedder', `${message}: ${note}`);
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    return bad('embedder', error.message);
  }
}

async function checkCompared(config: Config): Promise<Finding> {
  const finding = await checkEmbedder({ ...config, embedder: config.comparedEmbedder });
  return { ...finding, subject: 'embedder to compare with' };
}

async function checkReranker(config: Config): Promise<Finding> {
  try {
    const found = await inspectReranker(config);
    return good('reranker', `${found.model}, on ${found.runtime}`);
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    return bad('reranker', error.message);
  }
}

async function checkExtractor(config: Config): Promise<Finding> {
  if (config.extractor === 'none') return warning('extractor', 'none: nothing is learned from conversations.');
  try {
    return good('extractor', await inspectExtractor(config));
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    return bad('extractor', error.message);
  }
}

async function checkKeys(config: Config): Promise<Finding> {
  if (config.jwksUrl !== undefined) return checkKeySet(config.jwksUrl);
  if (config.jwtSecret !== undefined) return good('keys', 'token secret is set in MEMHALL_JWT_SECRET');
  const path = join(config.dataDirectory, 'jwt-secret');
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return good('keys', `a token secret will be created on first start, in ${path}.`);
  if ((found.mode & 0o077) !== 0) return bad('keys', `${path} can be read by other users. Run: chmod 600 ${path}`);
  return config.databaseUrl === undefined
    ? good('keys', `token secret is in ${path}`)
    : warning('keys', `token secret is in ${path}. Set MEMHALL_JWT_SECRET if several servers share the database.`);
}

async function checkAuditKey(config: Config): Promise<Finding> {
  const subject = 'audit key';
  const path = join(config.dataDirectory, 'audit-key');
  try {
    if (config.auditKey !== undefined)
      return good(subject, `${(await openAuditKey(config)).publicKey} signs the audit log`);
    if (!existsSync(path))
      return good(subject, `a key that signs the audit log will be created on first start, in ${path}.`);
    const { publicKey } = await openAuditKey(config);
    return config.databaseUrl === undefined
      ? good(subject, `${publicKey}, in ${path}, signs the audit log`)
      : warning(subject, `is in ${path}. Set MEMHALL_AUDIT_KEY if several servers share the database.`);
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    return bad(subject, error.message);
  }
}

async function checkKeySet(url: string): Promise<Finding> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    const { keys } = (await response.json()) as { keys?: unknown[] };
    if (response.ok && Array.isArray(keys)) return good('keys', `key set with ${keys.length} keys at ${url}`);
    return bad('keys', `${url} returned status ${response.status} without a key set. Check MEMHALL_JWKS_URL.`);
  } catch {
    return bad('keys', `${url} did not return a key set. Check MEMHALL_JWKS_URL and the network.`);
  }
}

function checkPort(subject: string, host: string, port: number, flag: string, inUse: boolean): Promise<Finding> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && inUse)
        done(
          good(subject, `${host}:${port} is in use, most likely by the server that is running on this data directory.`),
        );
      else done(bad(subject, `${host}:${port} cannot be used (${error.code}). Choose another port with ${flag}.`));
    });
    probe.listen({ host, port }, () => probe.close(() => done(good(subject, `${host}:${port} is free.`))));
  });
}

function good(subject: string, message: string): Finding {
  return { state: 'good', subject, message };
}

function warning(subject: string, message: string): Finding {
  return { state: 'warning', subject, message };
}

function bad(subject: string, message: string): Finding {
  return { state: 'bad', subject, message };
}
