/**
 * A measured system. Peers are in benchmarks/peers, with their own dependencies.
 * @typedef {object} SystemDescription
 * @property {string} module path relative to this file
 * @property {'postgres' | 'file' | 'process'} storage
 * @property {string[]} modes recall modes; each is a separate row
 * @property {boolean} [oneWriter] It fails when several callers add concurrently.
 */

/** @type {Record<string, SystemDescription>} */
export const systems = {
  'memhall-embedded': { module: './memhall-system.mjs', storage: 'file', modes: ['hybrid'] },
  'memhall-postgres': { module: './memhall-system.mjs', storage: 'postgres', modes: ['hybrid'] },
  'mem0-memory': { module: '../peers/mem0-system.mjs', storage: 'file', modes: ['hybrid'] },
  'mem0-postgres': { module: '../peers/mem0-system.mjs', storage: 'postgres', modes: ['hybrid'] },
  'langgraph-memory': { module: '../peers/langgraph-system.mjs', storage: 'process', modes: ['vector'] },
  'langgraph-postgres': { module: '../peers/langgraph-system.mjs', storage: 'postgres', modes: ['vector', 'hybrid'] },
  // Fails with 16 callers: SQLITE_BUSY_SNAPSHOT after five attempts.
  'mastra-libsql': { module: '../peers/mastra-system.mjs', storage: 'file', modes: ['vector'], oneWriter: true },
  'mastra-postgres': { module: '../peers/mastra-system.mjs', storage: 'postgres', modes: ['vector'] },
};

/**
 * @typedef {object} Item
 * @property {number} index
 * @property {string} text
 * @property {number[] | undefined} vector undefined if the system has to embed the text itself
 *
 * @typedef {object} Question
 * @property {string} text
 * @property {number[] | undefined} vector
 *
 * @typedef {object} Place where a system can store its data
 * @property {string} name
 * @property {string} directory
 * @property {string | undefined} databaseUrl
 * @property {string} root directory of the built Memhall
 * @property {(texts: string[]) => Promise<number[][]>} embed for systems that do not accept vectors
 *
 * @typedef {object} System
 * @property {(user: string, items: Item[]) => Promise<unknown>} add Resolves when the system reports that the items are stored.
 * @property {Record<string, (user: string, question: Question) => Promise<number>>} recall By mode; returns the number of results.
 * @property {() => Promise<void>} [settle] Waits until all added texts are embedded.
 * @property {() => Promise<void>} close
 */
