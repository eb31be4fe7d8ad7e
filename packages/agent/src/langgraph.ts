export { MemhallSaver, type MemhallSaverOptions } from './langgraph/memhall-saver.js';
export { MemhallStore, type MemhallStoreOptions } from './langgraph/memhall-store.js';
