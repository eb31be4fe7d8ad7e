import { StateClient } from './state-client.js';

/**
 * Memhall's memory service: every call of it, one method each. Getters give null where there is nothing.
 *
 * @example
 * const memory = new MemoryClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * await memory.storeKnowledge({ content: 'Docker runs containers.' });
 * const { entries } = await memory.queryKnowledge('container platforms');
 */
export class MemoryClient extends StateClient {}
