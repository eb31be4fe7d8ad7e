export { MemhallStore, type MemhallStoreOptions } from './langgraph/memhall-store.js';
