import type { Json, PluginProbe } from './plugin-probe.js';

const fieldCapabilities: Record<string, string> = {
  pin: 'pin',
  expires_at: 'ttl',
  propagation: 'propagation',
  embedding: 'embedding',
  query: 'fts',
};

/** Returns the fields that this plugin supports according to its capabilities. */
export function knownTo(probe: PluginProbe, fields: Json): Json {
  const known = Object.entries(fields).filter(([name]) => {
    const capability = fieldCapabilities[name];
    return capability === undefined || probe.has(capability);
  });
  return Object.fromEntries(known);
}

/** Returns one search of every kind that the plugin declares: without either, by words, by vector, and by both. */
export async function searchModes(probe: PluginProbe, query: string): Promise<Json[]> {
  const words = knownTo(probe, { query });
  const vector = await towards(probe);
  const both = { ...words, ...vector };
  return [{}, words, vector, both].filter(
    (mode, index, all) => all.findIndex((other) => sameFields(other, mode)) === index,
  );
}

/** Returns the embedding for memories that `searchModes` should find, or no field without the capability. */
export async function towards(probe: PluginProbe): Promise<Json> {
  return probe.has('embedding') ? { embedding: await probe.vector(1, 0.5) } : {};
}

/** Describes a mode for messages. */
export function nameOfMode(mode: Json): string {
  const parts = Object.keys(mode);
  return parts.length === 0 ? 'no query' : parts.join(' and ');
}

function sameFields(one: Json, other: Json): boolean {
  return Object.keys(one).join() === Object.keys(other).join();
}
