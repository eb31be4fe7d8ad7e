import type { Engine } from '../engine.js';
import { embedContents } from './embed-contents.js';

/** Vectors for new texts, if the embedder is at hand; undefined when they have to wait. A memory is kept either way. */
export async function embedNow(engine: Engine, texts: readonly string[]): Promise<Float32Array[] | undefined> {
  if (!engine.embedder?.local) return undefined;
  try {
    return await embedContents(engine.embedder, texts);
  } catch (error) {
    engine.onFault(error, 'embedding memories');
    return undefined;
  }
}
