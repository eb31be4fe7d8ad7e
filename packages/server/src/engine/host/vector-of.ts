import type { EmbedPurpose } from '../../ports/embedder.js';
import { embedContents } from '../memories/embed-contents.js';
import type { Host, HostCaller } from './host.js';
import { embedderFails, noEmbedder, vectorNeed } from './vector-source.js';

/**
 * Returns the vector to send with a text; undefined if the plugin needs none, or still has the words. Throws
 * UNAVAILABLE if the plugin can use nothing but a vector and there is none.
 */
export async function vectorOf(
  host: Host,
  { signal }: HostCaller,
  text: string,
  purpose: EmbedPurpose,
): Promise<number[] | undefined> {
  if (host.vectorSource === 'plugin') return undefined;
  await host.capabilities.settle();
  const { embedder, onFault } = host.engine;
  const need = vectorNeed(host.vectorSource, host.capabilities);
  if (need === 'none' || (need === 'useful' && !embedder?.isReady)) return undefined;
  if (embedder === null) throw noEmbedder();
  try {
    const [vector] =
      purpose === 'query'
        ? await embedder.embed([text], { purpose, signal })
        : await embedContents(embedder, [text], signal);
    return vector && [...vector];
  } catch (error) {
    signal?.throwIfAborted();
    onFault(error, 'making a vector for the memory plugin');
    if (need === 'required') throw embedderFails(error);
    return undefined;
  }
}
