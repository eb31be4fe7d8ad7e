import { StartUpError, uuidv7 } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { applyBackfill, type BackfillOptions, type BackfillOutcome } from '../engine/backfill/apply-backfill.js';
import { PluginTarget } from '../engine/backfill/plugin-target.js';
import { type BackfillPreview, previewBackfill } from '../engine/backfill/preview-backfill.js';
import { type VerifyCounts, type VerifyOptions, verifyBackfill } from '../engine/backfill/verify-backfill.js';
import type { Embedder } from '../ports/embedder.js';
import type { LegacyMemories } from '../ports/legacy-memories.js';
import { BackfillProgressFile } from '../providers/backfill-progress-file.js';
import { HttpMemoryPlugin } from '../providers/memory-plugins/http-memory-plugin.js';
import { openEmbedder } from './open-embedder.js';
import { legacyUrlOf, openLegacy } from './open-legacy.js';

const concurrency = 8;
const callTimeoutMs = 30_000;
/** Room for a hundred memories of the maximum length. */
const maxAnswerBytes = 128 * 1024 * 1024;
/** A backfill has its own retries, so the circuit breaker of the plugin client never opens. */
const neverOpen = { failures: Number.POSITIVE_INFINITY };

type Watched<T> = Omit<T, 'concurrency' | 'progress'> & { onTotal?(rows: number): void };

type ApplyRequest = Watched<BackfillOptions> & { restart: boolean };

export function runPreview(
  config: Config,
  logger: Logger,
  request: Watched<Omit<BackfillOptions, 'onResume'>>,
): Promise<BackfillPreview> {
  return withSource(config, logger, async (source) => {
    request.onTotal?.(await countRows(source, request));
    return previewBackfill(source, request);
  });
}

export function runApply(config: Config, logger: Logger, request: ApplyRequest): Promise<BackfillOutcome> {
  return withBoth(config, logger, request.signal, async (source, target) => {
    const run = [describeUrl(legacyUrlOf(config)), describeUrl(config.memoryPluginUrl)];
    const progress = new BackfillProgressFile(config.dataDirectory, [
      ...run,
      request.filter.workspaceId ?? '',
      String(request.limit ?? ''),
    ]);
    if (request.restart) await progress.clear();
    request.onTotal?.(await countRows(source, request));
    return applyBackfill(source, target, { ...request, concurrency, progress });
  });
}

export function runVerify(
  config: Config,
  logger: Logger,
  request: Watched<VerifyOptions>,
): Promise<{ counts: VerifyCounts; stoppedBy?: 'signal' }> {
  return withBoth(config, logger, request.signal, (source, target) =>
    verifyBackfill(source, target, { ...request, concurrency }),
  );
}

async function countRows(
  source: LegacyMemories,
  { filter, limit }: Pick<BackfillOptions, 'filter' | 'limit'>,
): Promise<number> {
  return Math.min(await source.count(filter), limit ?? Number.POSITIVE_INFINITY);
}

async function withSource<T>(config: Config, logger: Logger, work: (source: LegacyMemories) => Promise<T>): Promise<T> {
  const source = await openLegacy(config, logger, { writable: false });
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

function withBoth<T>(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  work: (source: LegacyMemories, target: PluginTarget) => Promise<T>,
): Promise<T> {
  const { memoryPluginUrl: url, memoryPluginTenant: tenantId } = config;
  if (url === undefined) {
    throw new StartUpError('The target is not configured. Set MEMORY_PLUGIN_URL, such as http://127.0.0.1:9100.');
  }
  return withSource(config, logger, async (source) => {
    const token = config.memoryPluginToken ?? config.pluginToken;
    const plugin = new HttpMemoryPlugin({ url, token, timeoutMs: callTimeoutMs, maxAnswerBytes, circuit: neverOpen });
    const actor = { userId: null, serviceId: 'memory-backfill', roles: [] };
    const call = { tenantId, userId: '', actor, operation: 'backfill', requestId: uuidv7() };
    let embedder: Embedder | null = null;
    const open = async () => {
      embedder ??= await openEmbedder(config, logger);
      return embedder;
    };
    const vectors = { source: config.memoryPluginVectors, openEmbedder: open };
    const target = new PluginTarget(plugin, call, { signal, vectors });
    try {
      await target.reach();
      return await work(source, target);
    } finally {
      plugin.close();
      await (embedder as Embedder | null)?.close();
    }
  });
}

/** Omits the user name and password: they may change between runs, and must not be written to a file. */
function describeUrl(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return url ?? '';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
