import { StateClient } from './state-client.js';

/**
 * Client for the memory service, with one method per call. Getters return null if nothing is found.
 *
 * @example
 * const memory = new MemoryClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * await memory.storeKnowledge({ content: 'Docker runs containers.' });
 * const { entries } = await memory.queryKnowledge('container platforms');
 */
export class MemoryClient extends StateClient {}
