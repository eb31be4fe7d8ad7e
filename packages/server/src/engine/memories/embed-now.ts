import type { Engine } from '../engine.js';
import { embedContents } from './embed-contents.js';

/**
 * Embeds new texts if the embedder is local and ready. Returns undefined if embedding has to be done later; memories are stored
 * either way.
 */
export async function embedNow(engine: Engine, texts: readonly string[]): Promise<Float32Array[] | undefined> {
  if (!engine.embedder?.local || !engine.embedder.isReady) return undefined;
  try {
    return await embedContents(engine.embedder, texts);
  } catch (error) {
    engine.onFault(error, 'embedding memories');
    return undefined;
  }
}
