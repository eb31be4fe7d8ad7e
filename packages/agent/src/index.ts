export { beginTurn, type MemoryTurn, type TurnRequest } from './adapters/begin-turn.js';
export { createMemoryMiddleware, type MemoryMiddlewareOptions } from './adapters/memory-middleware.js';
export {
  type ChatMessage,
  type MessagesRequest,
  type RememberedMessages,
  rememberMessages,
} from './adapters/remember-messages.js';
export { AgentLoop, type AgentLoopOptions, type AgentRunRequest, type AgentRunResult } from './agent/agent-loop.js';
export type { AgentRunPart, AgentRunStream } from './agent/agent-run-stream.js';
export { type AgentStatus, type LoadAgentOptions, type LoadedAgent, loadAgent } from './agent/load-agent.js';
export { loadSkills, type Skill } from './agent/skills.js';
export { loadMemoryConfiguration } from './configuration/load-memory-configuration.js';
export {
  type GatewayConfiguration,
  type MemoryConfiguration,
  type MemoryMode,
  type MemoryScope,
  memoryModes,
  memoryScopes,
  parseGatewayConfiguration,
  parseMemoryConfiguration,
} from './configuration/memory-configuration.js';
export {
  type ProviderConfiguration,
  type ProviderKind,
  parseProviderConfiguration,
  providerKinds,
} from './configuration/provider-configuration.js';
export type { FileTrust } from './configuration/refuse-redirects.js';
export { SecretText } from './configuration/secret-text.js';
export { type RecallScope, recallScopes, type ServerConfiguration } from './configuration/server-configuration.js';
export type { SessionsConfiguration } from './configuration/sessions-configuration.js';
export {
  type GatewayMessage,
  type GatewaySearch,
  MemoryGatewayClient,
} from './gateway/memory-gateway-client.js';
export {
  type GatewayFailure,
  type GatewayFailureCategory,
  type GatewayOperation,
  MemoryGatewayError,
} from './gateway/memory-gateway-error.js';
export type { MemoryReference } from './gateway/memory-reference.js';
export { createMemoryBackend } from './memory/create-memory-backend.js';
export {
  type CuratedChange,
  CuratedMemory,
  type CuratedMemoryOptions,
  CuratedMemoryRefusal,
  type CuratedTarget,
} from './memory/curated-memory.js';
export { CuratedMemoryBackend } from './memory/curated-memory-backend.js';
export { HybridMemoryBackend } from './memory/hybrid-memory-backend.js';
export type {
  CompletedTurn,
  MemoryAudit,
  MemoryAuditEvent,
  MemoryBackend,
  MemoryFailure,
  MemoryNote,
  MemorySnapshot,
  MessageChange,
  RecalledMemory,
  RecallOutcome,
  RecallRequest,
  SpokenText,
  TurnOutcome,
  WithheldNote,
} from './memory/memory-backend.js';
export { MemoryGatewayBackend, type MemoryGatewayBackendOptions } from './memory/memory-gateway-backend.js';
export { OneMemoryBackend, type OneMemoryBackendOptions } from './memory/one-memory-backend.js';
export { ProviderNotesBackend, providerNotesRule } from './memory/provider-notes-backend.js';
export { toRecallMessage, untrustedMemoryRule } from './memory/recall-message.js';
export { RecallOnceBackend } from './memory/recall-once-backend.js';
export { type ServerMemoryOptions, serverMemory } from './memory/server-memory.js';
export { createProvider } from './provider/create-provider.js';
export { HttpProvider, type HttpProviderOptions } from './provider/http/http-provider.js';
export {
  type LoadedProvider,
  type LoadProviderOptions,
  loadProvider,
  type ProviderChoice,
} from './provider/load-provider.js';
export { LocalProvider, type LocalProviderOptions } from './provider/local/local-provider.js';
export type { QuarantineEntry, QuarantineEvent } from './provider/local/quarantine.js';
export { PluginProvider, type PluginProviderOptions } from './provider/plugin/plugin-provider.js';
export {
  type ForgetRequest,
  type ForgetResult,
  type HealthStatus,
  type Provider,
  type ProviderCapability,
  type ProviderOwner,
  providerCapabilities,
  providerSpecification,
  type ReadRequest,
  type ReadResult,
  type RecallRequest as ProviderRecallRequest,
  type RecallResult,
  type RecallSnippet,
  type RetainMode,
  type RetainRequest,
  type RetainResult,
  retainModes,
} from './provider/provider.js';
export {
  ProviderInvalid,
  type ProviderInvalidCode,
  ProviderTimeout,
  ProviderUnavailable,
} from './provider/provider-errors.js';
export { createSessionStore } from './sessions/create-session-store.js';
export { FileSessionStore, type FileSessionStoreOptions } from './sessions/file-session-store.js';
export { ServerSessionStore, type ServerSessionStoreOptions } from './sessions/server/server-session-store.js';
export type {
  SessionEvent,
  SessionMatch,
  SessionPage,
  SessionPageRequest,
  SessionQuery,
  SessionStore,
  SessionSummary,
} from './sessions/session-store.js';
export { type MemorySearchOptions, memorySearch } from './tools/memory-search.js';
export { createMemoryTool } from './tools/memory-tool.js';
export { createProviderTools, type ProviderToolResult, type ProviderToolsOptions } from './tools/provider-tools.js';
export { createSessionSearchTool } from './tools/session-search-tool.js';
