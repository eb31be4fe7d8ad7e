export { type ClaudeMemoryOptions, claudeMemory } from './adapters/claude-memory.js';
