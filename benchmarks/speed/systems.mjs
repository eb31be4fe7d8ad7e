/**
 * What is measured. Peers live in benchmarks/peers, with their own dependencies.
 * @typedef {object} SystemDescription
 * @property {string} module seen from here
 * @property {'postgres' | 'file' | 'process'} storage
 * @property {string[]} modes of recall; each is a row of its own
 * @property {boolean} [oneWriter] It fails when several callers add at the same time.
 */

/** @type {Record<string, SystemDescription>} */
export const systems = {
  'memhall-embedded': { module: './memhall-system.mjs', storage: 'file', modes: ['hybrid'] },
  'memhall-postgres': { module: './memhall-system.mjs', storage: 'postgres', modes: ['hybrid'] },
  'mem0-memory': { module: '../peers/mem0-system.mjs', storage: 'file', modes: ['hybrid'] },
  'mem0-postgres': { module: '../peers/mem0-system.mjs', storage: 'postgres', modes: ['hybrid'] },
  'langgraph-memory': { module: '../peers/langgraph-system.mjs', storage: 'process', modes: ['vector'] },
  'langgraph-postgres': { module: '../peers/langgraph-system.mjs', storage: 'postgres', modes: ['vector', 'hybrid'] },
  // With 16 callers it fails: SQLITE_BUSY_SNAPSHOT after five attempts.
  'mastra-libsql': { module: '../peers/mastra-system.mjs', storage: 'file', modes: ['vector'], oneWriter: true },
  'mastra-postgres': { module: '../peers/mastra-system.mjs', storage: 'postgres', modes: ['vector'] },
};

/**
 * @typedef {object} Item
 * @property {number} index
 * @property {string} text
 * @property {number[] | undefined} vector undefined when the system has to embed the text itself
 *
 * @typedef {object} Question
 * @property {string} text
 * @property {number[] | undefined} vector
 *
 * @typedef {object} Place where a system may keep its data
 * @property {string} name
 * @property {string} directory
 * @property {string | undefined} databaseUrl
 * @property {string} root of the built Memhall
 * @property {(texts: string[]) => Promise<number[][]>} embed for systems that take no vectors
 *
 * @typedef {object} System
 * @property {(user: string, items: Item[]) => Promise<unknown>} add Resolves when the system says that they are stored.
 * @property {Record<string, (user: string, question: Question) => Promise<number>>} recall By mode; answers how many were found.
 * @property {() => Promise<void>} [settle] Waits until texts that an add left to be embedded are.
 * @property {() => Promise<void>} close
 */
