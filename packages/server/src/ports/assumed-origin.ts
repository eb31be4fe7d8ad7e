import type { Memory } from './memories.js';
import type { MemoryOrigin, Trust } from './memory-origin.js';
import { workspaceOf } from './owners.js';

type Known = Pick<
  Memory,
  'kind' | 'userId' | 'partition' | 'role' | 'source' | 'sessionId' | 'agentId' | 'propagation'
>;

/**
 * Returns the origin of a memory that was stored without one: before origins were stored, or by an older server. Its kind
 * tells through which surface it came. Where that surface was open to users and services alike, nobody knows which of them
 * wrote it, and the lower trust is assumed.
 */
export function assumedOrigin(memory: Known): MemoryOrigin {
  const { userId, partition } = memory;
  // Several people write in a workspace.
  const author = workspaceOf(userId) === undefined ? userId : '';
  if (partition.kind === 'namespace') return { ...namespaceOrigin(memory), author };
  switch (memory.kind) {
    case 'semantic':
    case 'procedural':
      return { surface: 'memory_service', author, trust: 'agent' };
    case 'episodic':
      // Only chats of the gateway have a sender.
      return {
        surface: memory.source === null ? 'memory_service' : 'gateway',
        author,
        trust: trustOfSpeaker(memory.role),
      };
    case 'event':
      return { surface: isOfChat(memory) ? 'gateway' : 'documents', author, trust: 'agent' };
    case 'fact':
      return isLearned(memory)
        ? { surface: 'gateway', author, trust: 'agent' }
        : { surface: 'library', author, trust: 'user' };
    case 'resource':
      return { surface: 'gateway', author, trust: 'tool' };
    case 'tier':
      return { surface: 'provider', author, trust: 'agent' };
    default:
      return { surface: 'library', author, trust: 'user' };
  }
}

/** Nobody writes in person through the plugin listener, and only copies from an older store name that store. */
function namespaceOrigin({ userId, propagation }: Known): Pick<MemoryOrigin, 'surface' | 'trust'> {
  const isCopy = propagation !== null && typeof propagation === 'object' && 'legacy' in propagation;
  if (isCopy) return { surface: 'import', trust: 'external' };
  return userId === '' ? { surface: 'plugin', trust: 'external' } : { surface: 'mcp', trust: 'agent' };
}

function trustOfSpeaker(role: string | null): Trust {
  return role === 'user' || role === 'tool' ? role : 'agent';
}

/** Events of chats have the columns of the chat and no service. */
function isOfChat({ sessionId, source }: Known): boolean {
  return sessionId !== null && source === null;
}

function isLearned({ agentId, source }: Known): boolean {
  return agentId === 'memhall' && source === 'conversation';
}
