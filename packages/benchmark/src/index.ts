export type { Adapter, Found, MemorySystem, NewText, Owner, Place, Question, Statement } from './adapter.js';
export { type LoadedAdapter, loadAdapter } from './adapters/load-adapter.js';
export { type Capability, type Claim, capabilities, claim, noClaim } from './capabilities.js';
export type { BenchmarkResult, CaseResult, Status, SystemResult } from './run/result.js';
export { type BenchmarkOptions, type OnCase, runBenchmark } from './run/run-benchmark.js';
