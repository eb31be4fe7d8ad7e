// What a loop in a browser needs: nothing here uses Node.
export { beginTurn, type MemoryTurn, type TurnRequest } from './adapters/begin-turn.js';
export { SecretText } from './configuration/secret-text.js';
export { OneMemoryBackend, type OneMemoryBackendOptions } from './memory/one-memory-backend.js';
