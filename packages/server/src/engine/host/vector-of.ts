import { embedContents } from '../memories/embed-contents.js';
import type { Host, HostCaller } from './host.js';

/** Returns the vector to send with a text, if the plugin should get one; without it, the plugin still has the words. */
export async function vectorOf(host: Host, { signal }: HostCaller, text: string): Promise<number[] | undefined> {
  const { embedder, onFault } = host.engine;
  if (!host.sendsVectors || embedder === null || !host.capabilities.has('embedding')) return undefined;
  try {
    const [vector] = await embedContents(embedder, [text], signal);
    return vector && [...vector];
  } catch (error) {
    signal?.throwIfAborted();
    onFault(error, 'making a vector for the memory plugin');
    return undefined;
  }
}
