import { join } from 'node:path';
import { agentDirectory, loadMemoryConfiguration } from '../configuration/load-memory-configuration.js';
import { type MemoryConfiguration, parseMemoryConfiguration } from '../configuration/memory-configuration.js';
import { createMemoryBackend } from '../memory/create-memory-backend.js';
import { CuratedMemory } from '../memory/curated-memory.js';
import { FileSessionStore } from '../sessions/file-session-store.js';
import { createMemoryTool } from '../tools/memory-tool.js';
import { AgentLoop, type AgentLoopOptions } from './agent-loop.js';
import { loadSkills } from './skills.js';

export interface LoadAgentOptions extends Omit<AgentLoopOptions, 'memory' | 'sessions' | 'redact'> {
  /** Where `.beaver` is: configuration, curated memory, skills and sessions. */
  directory: string;
  /** The section `memory`, in place of the one in the file. */
  memory?: unknown;
  sessions?: AgentLoopOptions['sessions'];
}

export interface AgentStatus {
  /** The memory configuration, without the key. */
  memory: object;
  /** Names of the tools that the model has. */
  tools: readonly string[];
}

export interface LoadedAgent {
  loop: AgentLoop;
  status: AgentStatus;
}

/**
 * Makes an agent of its configuration: one memory backend, and the `memory` tool where memory is curated. Rejects with a
 * StartUpError when the configuration is wrong. The configuration is read once: another mode needs another start.
 */
export async function loadAgent({ directory, memory, ...options }: LoadAgentOptions): Promise<LoadedAgent> {
  const configuration =
    memory === undefined ? await loadMemoryConfiguration(directory) : parseMemoryConfiguration(memory);
  const home = join(directory, agentDirectory);
  const curated = new CuratedMemory(join(home, 'memory'));
  const tools = {
    ...options.tools,
    ...(configuration.mode === 'memory_gateway' ? {} : { memory: createMemoryTool(curated) }),
  };
  const loop = new AgentLoop({
    ...options,
    tools,
    memory: createMemoryBackend(configuration, curated),
    sessions: options.sessions ?? new FileSessionStore(join(home, 'sessions')),
    skills: options.skills ?? (await loadSkills(join(home, 'skills'))),
    ...redactionOf(configuration),
  });
  return { loop, status: { memory: describe(configuration), tools: loop.toolNames } };
}

function redactionOf(configuration: MemoryConfiguration): Pick<AgentLoopOptions, 'redact'> {
  if (configuration.mode === 'curated') return {};
  const { userKey } = configuration.gateway;
  return { redact: (value) => userKey.redactFrom(value) };
}

function describe(configuration: MemoryConfiguration): object {
  if (configuration.mode === 'curated') return { mode: configuration.mode };
  const { userKey: _, ...gateway } = configuration.gateway;
  return { mode: configuration.mode, gateway };
}
