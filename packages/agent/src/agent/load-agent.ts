import { join } from 'node:path';
import { agentDirectory, loadMemorySection } from '../configuration/load-memory-configuration.js';
import { type MemoryConfiguration, parseMemoryConfiguration } from '../configuration/memory-configuration.js';
import type { FileTrust } from '../configuration/refuse-redirects.js';
import type { SessionsConfiguration } from '../configuration/sessions-configuration.js';
import { createMemoryBackend } from '../memory/create-memory-backend.js';
import { CuratedMemory } from '../memory/curated-memory.js';
import { HybridMemoryBackend } from '../memory/hybrid-memory-backend.js';
import { ProviderNotesBackend } from '../memory/provider-notes-backend.js';
import { chooseProvider, type ProviderChoice, providerOf } from '../provider/load-provider.js';
import { createSessionStore } from '../sessions/create-session-store.js';
import { createMemoryTool } from '../tools/memory-tool.js';
import { createProviderTools } from '../tools/provider-tools.js';
import { AgentLoop, type AgentLoopOptions } from './agent-loop.js';
import { loadSkills } from './skills.js';

/** The tools of this package that store something. */
const storingTools = ['memory', 'memory_write', 'memory_append_daily'];

export interface LoadAgentOptions
  extends Omit<AgentLoopOptions, 'memory' | 'sessions' | 'redact' | 'unfinishedSecret'>,
    ProviderChoice,
    FileTrust {
  /** Directory that contains `.beaver` with configuration, curated memory, skills and sessions. */
  directory: string;
  sessions?: AgentLoopOptions['sessions'];
}

export interface AgentStatus {
  /** The memory configuration, without secrets. */
  memory: object;
  /** Names of the model's tools. */
  tools: readonly string[];
}

export interface LoadedAgent {
  loop: AgentLoop;
  status: AgentStatus;
}

/**
 * Creates an agent from its configuration, with one memory backend, the `memory` tool if memory is curated, and, if a
 * provider is configured, its tools and its notes at the start of each run. Rejects with a StartUpError if the configuration is
 * invalid, or would lead memory to a host that nobody allowed. The configuration is read once; changing the mode requires a
 * restart.
 */
export async function loadAgent(given: LoadAgentOptions): Promise<LoadedAgent> {
  const { directory, memory, provider, allowedHosts, allowOutsideDirectories, ...options } = given;
  const trust = { allowedHosts, allowOutsideDirectories };
  const section = memory === undefined ? await loadMemorySection(directory, trust) : memory;
  const configuration = parseMemoryConfiguration(section);
  const home = join(directory, agentDirectory);
  const curated = new CuratedMemory(join(home, 'memory'));
  const loaded =
    (provider ?? providerOf(section)) === undefined
      ? undefined
      : await chooseProvider(section ?? {}, directory, { provider, memory });
  const backend = createMemoryBackend(
    options.sessions === undefined ? configuration : { ...configuration, sessions: { store: 'disk' } },
    curated,
  );
  const tools = {
    ...options.tools,
    ...(loaded === undefined ? {} : createProviderTools(loaded.provider, loaded.owner, { separator: '_' })),
    ...(isCurated(configuration) ? { memory: createMemoryTool(curated) } : {}),
  };
  const loop = new AgentLoop({
    ...options,
    tools,
    storingTools: [...storingTools, ...(options.storingTools ?? [])],
    memory: loaded === undefined ? backend : new HybridMemoryBackend([new ProviderNotesBackend(loaded), backend]),
    sessions:
      options.sessions ?? createSessionStore(configuration.sessions ?? { store: 'disk' }, join(home, 'sessions')),
    skills: options.skills ?? (await loadSkills(join(home, 'skills'))),
    ...redactionOf(configuration),
  });
  return { loop, status: { memory: describe(configuration), tools: loop.toolNames } };
}

function isCurated({ mode }: MemoryConfiguration): boolean {
  return mode === 'curated' || mode === 'hybrid';
}

function redactionOf(configuration: MemoryConfiguration): Pick<AgentLoopOptions, 'redact' | 'unfinishedSecret'> {
  const secrets = [
    ...('gateway' in configuration ? [configuration.gateway.userKey] : []),
    ...('server' in configuration ? [configuration.server.token] : []),
    ...(configuration.sessions?.store === 'server' ? [configuration.sessions.token] : []),
  ];
  if (secrets.length === 0) return {};
  return {
    redact: (value) => secrets.reduce((text, secret) => secret.redactFrom(text), value),
    unfinishedSecret: (text) => Math.max(...secrets.map((secret) => secret.lengthOfBeginningIn(text))),
  };
}

function describe(configuration: MemoryConfiguration): object {
  const sessions = configuration.sessions === undefined ? {} : { sessions: withoutToken(configuration.sessions) };
  if (configuration.mode === 'curated') return { mode: configuration.mode, ...sessions };
  if (configuration.mode === 'one_memory') {
    const { token: _, ...server } = configuration.server;
    return { mode: configuration.mode, server, ...sessions };
  }
  const { userKey: _, ...gateway } = configuration.gateway;
  return { mode: configuration.mode, gateway, ...sessions };
}

function withoutToken(sessions: SessionsConfiguration): object {
  if (sessions.store === 'disk') return sessions;
  const { token: _, ...rest } = sessions;
  return rest;
}
