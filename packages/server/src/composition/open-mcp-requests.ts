import { performance } from 'node:perf_hooks';
import { Problem, StartUpError, uuidv7 } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { Host } from '../engine/host/host.js';
import { toMember } from '../engine/one-memory/member.js';
import { builtInCapabilities } from '../engine/plugin/built-in-capabilities.js';
import type { Identity } from '../http/identity.js';
import { logFaults } from '../http/logging.js';
import { toCaller } from '../http/permission.js';
import type { McpRequests } from '../surfaces/mcp/build-mcp-server.js';
import { toMcpRequests } from '../surfaces/mcp/mcp-requests.js';
import { mcpToolsOf } from '../surfaces/mcp/mcp-tools.js';

/** Enough for a client to ask for the tools after it is initialized. */
const quietMs = 100;

interface OpenHost {
  host: Host;
  close(): Promise<void>;
}

/** Answers the requests of one client on the store, which is opened when it is needed, or a moment after `openStoreSoon`. */
export function openMcpRequests(
  config: Config,
  logger: Logger,
  identity: Identity,
  onToolsChanged: () => void,
): { requests: McpRequests; openStoreSoon(): void; close(): Promise<void> } {
  const onFault = logFaults(logger);
  let opening: Promise<OpenHost> | undefined;
  let known: Host | undefined;
  const open = async (): Promise<OpenHost> => {
    try {
      const opened = await openHost(config, logger);
      known = opened.host;
      known.capabilities.onChange(onToolsChanged);
      return opened;
    } catch (error) {
      // The next call tries again: what was wrong may have been put right.
      opening = undefined;
      throw toUnavailable(error, logger);
    }
  };
  const host = async () => {
    opening ??= open();
    return (await opening).host;
  };
  const callerFor = (operation: string) => {
    const request = { userId: undefined, operation, requestId: uuidv7(), since: performance.now() };
    return toMember(toCaller(identity, request), identity.claims);
  };
  const capabilities = async () =>
    known === undefined && config.memoryPluginUrl === undefined ? builtInCapabilities : (await host()).capabilities;
  let soon: NodeJS.Timeout | undefined;
  return {
    requests: toMcpRequests({ host, capabilities, tools: mcpToolsOf(config.mcpTools), onFault }, callerFor),
    openStoreSoon() {
      // The first call reports what went wrong.
      soon ??= setTimeout(() => void host().catch(() => undefined), quietMs);
    },
    async close() {
      clearTimeout(soon);
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

async function openHost(config: Config, logger: Logger): Promise<OpenHost> {
  const [{ startEngine }, { watchPlugin }] = await Promise.all([
    import('./start-engine.js'),
    import('./create-host.js'),
  ]);
  const running = await startEngine(config, logger, { shareRunning: true });
  const { host } = running.plugin;
  const stopWatching = await watchPlugin(host, logger);
  const close = async () => {
    stopWatching();
    await running.close();
  };
  return { host, close };
}

/** A client shows its user what the model is told, so the message says what to change. */
function toUnavailable(error: unknown, logger: Logger): unknown {
  if (!(error instanceof StartUpError)) return error;
  logger.error(error.message);
  return new Problem('UNAVAILABLE', `The memory cannot be opened. ${error.message}`, { cause: error });
}
