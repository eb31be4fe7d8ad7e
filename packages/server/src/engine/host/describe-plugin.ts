import type { PluginCapability } from '../../ports/memory-plugin.js';
import type { Host } from './host.js';
import { embedderMissing, vectorNeed } from './vector-source.js';

export interface PluginState {
  status: 'ok' | 'degraded' | 'unknown';
  capabilities: readonly PluginCapability[];
  /** What an operator has to change before it can be used fully. */
  problem?: string;
}

/** Returns what operators are told about the memory plugin in use, as it last reported it. */
export function describePlugin({ engine, capabilities, vectorSource }: Host): PluginState {
  const { status, all } = capabilities;
  const isUsable = engine.embedder !== null || vectorNeed(vectorSource, capabilities) !== 'required';
  if (isUsable) return { status, capabilities: all };
  return { status: 'degraded', capabilities: all, problem: embedderMissing };
}
